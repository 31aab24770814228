"""A glossary as a CSV table: reading it, and saying of each bad row what is wrong with it.

::

    term,aliases,kind,language
    deductible,excess;self-insured retention;SIR,insurance,en
    免赔额,自负额;起赔额,insurance,zh

The first line names the columns, in any order; only `term` is needed. UTF-8, with or without a
byte order mark, or GB 18030.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from assay.errors import BadRow, GlossaryError
from assay.terms.glossary import Glossary, Term

COLUMNS = ("term", "aliases", "kind", "language")
LANGUAGES = ("en", "zh", "")
SEPARATOR = ";"
MAX_LENGTH = 200
MAX_TERMS = 100_000

# Faults that an error's message tells; `rows` has all of them.
_MAX_TOLD = 10
_KIND = re.compile(r"(?:[a-z][a-z0-9_-]{0,31})?")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def read_glossary(source: Path | str | bytes, *, name: str = "") -> Glossary:
    """The glossary in a file (`Path`), or in the text or the bytes of one. `name` is what errors
    call it.

    Raises:
        GlossaryError: it is no such table; `rows` are all that is wrong, by line.
        DocumentNotFoundError: there is no such file.
    """
    if isinstance(source, Path):
        name = name or str(source)
        source = _read(source)
    text = _decode(source) if isinstance(source, bytes) else source
    return Glossary(_terms(text.removeprefix("\ufeff"), name or "the glossary"))


def _read(path: Path) -> bytes:
    from assay.errors import DocumentNotFoundError

    try:
        return path.read_bytes()
    except OSError as error:
        raise DocumentNotFoundError(f"{path} cannot be read: {error.strerror}") from error


def _decode(data: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise GlossaryError("the glossary is not text", remedy="save it as CSV in UTF-8")


def _terms(text: str, name: str) -> list[Term]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[BadRow] = []
    terms: list[Term] = []
    lines: list[int] = []
    try:
        places = _columns(next(reader, []), name)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            line = reader.line_num
            if len(cells) > len(places):
                rows.append(BadRow(line, f"{len(cells)} cells for {len(places)} columns"))
                continue
            term = _term(dict(zip(places, cells, strict=False)))
            rows += [BadRow(line, complaint) for complaint in _complaints(term)]
            terms.append(term)
            lines.append(line)
    except csv.Error as error:
        rows.append(BadRow(reader.line_num, str(error)))
    rows += _taken(terms, lines)
    rows.sort(key=lambda row: row.line)
    if not terms and not rows:
        raise GlossaryError(f"{name} has no terms", remedy="give one a line, below the heading")
    if len(terms) > MAX_TERMS:
        raise GlossaryError(f"{name} has {len(terms)} terms, more than {MAX_TERMS}")
    if rows:
        told = [*map(str, rows[:_MAX_TOLD])]
        if len(rows) > _MAX_TOLD:
            told.append(f"and {len(rows) - _MAX_TOLD} more")
        raise GlossaryError(
            f"{name} has {len(rows)} fault{'s' * (len(rows) > 1)}: " + "; ".join(told),
            remedy="mend those lines; nothing was changed",
            rows=rows,
        )
    return terms


def _columns(heading: list[str], name: str) -> list[str]:
    places = [cell.strip().lower() for cell in heading]
    if "term" not in places or set(places) - set(COLUMNS) or len(set(places)) < len(places):
        raise GlossaryError(
            f"{name} has the columns {', '.join(places) or 'of none'}",
            remedy=f"its first line names some of {', '.join(COLUMNS)}; term is needed",
        )
    return places


def _term(cells: Mapping[str, str]) -> Term:
    name = " ".join(cells["term"].split()) if "term" in cells else ""
    written = (" ".join(item.split()) for item in cells.get("aliases", "").split(SEPARATOR))
    aliases = dict.fromkeys(item for item in written if item and item != name)
    language = cells.get("language", "").strip().lower()
    return Term(name, tuple(aliases), cells.get("kind", "").strip().lower(), language)


def _complaints(term: Term) -> Iterator[str]:
    if not term.name:
        yield "the term is missing"
    for spelling in filter(None, term.spellings):
        if len(spelling) > MAX_LENGTH:
            yield f"{spelling[:20]!r}… is longer than {MAX_LENGTH} characters"
        elif not spelling.isprintable():
            yield f"{spelling!r} has characters that cannot be seen"
        elif not _is_findable(spelling):
            yield f"{spelling!r} is too little to be found"
    if not _KIND.fullmatch(term.kind):
        yield f"{term.kind!r} is no kind: one word of letters, digits, - and _"
    if term.language not in LANGUAGES:
        yield f"{term.language!r} is no language: en, zh or nothing"


def _is_findable(spelling: str) -> bool:
    """A letter by itself, or no letter and no sign of a currency, would stand everywhere."""
    if spelling[:2].isalnum() and len(spelling) > 1:
        return True
    if sum(map(str.isalnum, spelling)) >= 2 or _CHINESE.search(spelling):
        return True
    return any(unicodedata.category(character) == "Sc" for character in spelling)


def _taken(terms: Sequence[Term], lines: Sequence[int]) -> Iterator[BadRow]:
    """What is wrong with terms, in these lines, that share a spelling with an earlier one."""
    from assay.terms.folding import fold_all
    from assay.terms.matcher import is_short_form

    owners = [
        (place, spelling)
        for place, term in enumerate(terms)
        for spelling in term.spellings
        if spelling
    ]
    spellings = [spelling for _, spelling in owners]
    folded = zip(fold_all(spellings), fold_all(spellings, keeps_case=True), strict=True)
    taken: dict[tuple[bool, bytes], int] = {}
    for (place, spelling), (as_any, as_written) in zip(owners, folded, strict=True):
        is_short = is_short_form(spelling)
        first = taken.setdefault((is_short, as_written if is_short else as_any), place)
        if first != place:
            name = terms[first].name
            yield BadRow(
                lines[place], f"{spelling!r} is a name of {name!r} already, in line {lines[first]}"
            )
