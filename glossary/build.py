"""Makes the glossary that ships with Assay from the lists beside this file.

    python -m glossary.build            write src/assay/terms/starter.csv
    python -m glossary.build --check    fail if it is not what would be written

`sources/*.txt` are lists of our own writing. `@ KIND LANGUAGE` opens a list; `: {} a = {} b | {} c`
says what is made of each of its words, `=` joins names of one thing, in patterns and among words.
Where a list has no patterns a line is one row of several words, or of words set apart by commas.
Names of currencies and countries come from CLDR by way of Babel, which the build alone needs. Of
terms that share a spelling the first one has it.
"""

from __future__ import annotations

import csv
import io
import itertools
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.terms.folding import fold
from assay.terms.glossary import Term
from assay.terms.matcher import is_short_form
from assay.terms.table import COLUMNS, SEPARATOR, read_glossary

HERE = Path(__file__).parent
SOURCES = HERE / "sources"
TARGET = HERE.parent / "src" / "assay" / "terms" / "starter.csv"

#: Codes of CLDR that are no currency or no country: tests, metals, funds, regions.
_NO_CURRENCIES = {"XXX", "XTS"}
_CURRENCY_TERMS = {
    "en": ("{} exchange rate", "{} deposit"),
    "zh": ("{}汇率", "{}存款"),
}
_COUNTRY_TERMS = {
    "en": ("laws of {}", "courts of {}"),
    "zh": ("{}法律", "{}法院"),
}


@dataclass(frozen=True, slots=True)
class Section:
    """A list: what is made of its words, each word with its other names."""

    kind: str
    language: str
    patterns: tuple[tuple[str, ...], ...]
    words: tuple[tuple[str, ...], ...]

    def terms(self) -> Iterator[Term]:
        for word, pattern in itertools.product(self.words, self.patterns):
            # The names by the first pattern come first.
            name, *others = [made.format(spelling) for made in pattern for spelling in word]
            yield Term(name, tuple(dict.fromkeys(others)), self.kind, self.language)


def read_sections(text: str) -> Iterator[Section]:
    """The lists in a source."""
    for part in ("\n" + text).split("\n@ ")[1:]:
        head, *lines = part.splitlines()
        kind, language = head.split()
        lines = [line for line in lines if line.strip() and not line.startswith("#")]
        patterns: tuple[tuple[str, ...], ...] = (("{}",),)
        if lines and lines[0].startswith(":"):
            patterns = tuple(map(_names, lines.pop(0)[1:].split("|")))
        words = tuple(_names(word) for line in lines for word in _split(line) if word.strip())
        yield Section(kind, language, patterns, words)


def _split(line: str) -> list[str]:
    return line.split(", ")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(" = "))


def currencies() -> Iterator[Term]:
    """Of ISO 4217, by their names in CLDR, with the codes; what is made of those in use."""
    from babel import Locale
    from babel.numbers import get_territory_currencies

    english, chinese = Locale("en"), Locale("zh")
    in_use = {
        code
        for territory in english.territories
        if len(territory) == 2
        for code in get_territory_currencies(territory)
    }
    for code in sorted(set(english.currencies) - _NO_CURRENCIES):
        for locale, language in ((english, "en"), (chinese, "zh")):
            name = locale.currencies.get(code)
            if name is None or "(" in name or "（" in name:
                continue
            plural = locale.currency_symbols.get(code, "")
            aliases = [code] if language == "en" else []
            if language == "en" and plural.startswith(("US", "CA", "A", "NZ", "HK")):
                aliases.append(plural)
            yield Term(name, tuple(aliases), "currency", language)
            if code in in_use:
                for made in _CURRENCY_TERMS[language]:
                    yield Term(made.format(name), (), "currency", language)


def countries() -> Iterator[Term]:
    """Of ISO 3166, by their names in CLDR, and their laws and courts."""
    from babel import Locale

    for language in ("en", "zh"):
        territories = Locale(language).territories
        for code in sorted(code for code in territories if len(code) == 2 and code.isalpha()):
            name = territories[code]
            if code in {"EU", "EZ", "QO", "UN", "ZZ", "XA", "XB"} or len(name) < 2:
                continue
            yield Term(name, (), "country", language)
            for made in _COUNTRY_TERMS[language]:
                yield Term(made.format(name), (), "country", language)


def distinct(terms: Iterable[Term]) -> Iterator[Term]:
    """Terms that share no spelling: the first keeps it."""
    taken: set[tuple[bool, bytes]] = set()
    for term in terms:
        free = []
        for spelling in term.spellings:
            keeps_case = is_short_form(spelling)
            key = (keeps_case, fold(spelling, keeps_case=keeps_case).data.strip(b" "))
            if key not in taken:
                taken.add(key)
                free.append(spelling)
        if term.name in free:
            yield Term(term.name, tuple(free[1:]), term.kind, term.language)


def build() -> str:
    """The whole table."""
    sections = [
        section
        for path in sorted(SOURCES.glob("*.txt"))
        for section in read_sections(path.read_text("utf-8"))
    ]
    # What has other names of its own comes first, then single terms, then what is made of words.
    written = sorted(sections, key=lambda section: len(section.patterns) > 1)
    made = (term for section in written for term in section.terms())
    chosen = [*distinct(itertools.chain(made, currencies(), countries()))]
    return _as_csv(sorted(chosen, key=lambda term: (term.language, term.kind)))


def _as_csv(terms: Sequence[Term]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(COLUMNS)
    for term in terms:
        writer.writerow((term.name, SEPARATOR.join(term.aliases), term.kind, term.language))
    return target.getvalue()


def main(arguments: Sequence[str] | None = None) -> int:
    checks = "--check" in (sys.argv[1:] if arguments is None else arguments)
    text = build()
    glossary = read_glossary(text, name=TARGET.name)
    spellings = sum(len(term.spellings) for term in glossary.terms)
    print(f"{len(glossary)} terms, {spellings} spellings, {len(text.encode()) / 1e6:.2f} MB")
    if checks:
        return int(not TARGET.exists() or TARGET.read_text("utf-8") != text)
    TARGET.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
