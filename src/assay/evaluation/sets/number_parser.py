"""number_parser: numbers in words, in English, Spanish, Russian, Ukrainian and Hindi (BSD-3).

Three conventions of the set: most rows are one number, or none; the ordinals and the fractions
are read as such; the rest are sentences whose numbers are to be written in figures where they
stand, and everything else left as it is (but space at the end). Rows labelled English that are
written in another script are read in the language that it tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path

from assay.documents import Document
from assay.evaluation.base import Ask, Case, Counts, Finding, one_value, read_rows, reader_case
from assay.normalize.number import find_numbers
from assay.normalize.ordinal import find_ordinals

_SENTENCES = frozenset({
    "test:test_parse",
    "test:test_parse_ambiguity_in_multipliers",
    "test:test_parse_ambiguity_in_separators",
    "test:test_parse_basic_sentences",
    "test:test_parse_sentences_ordinal",
    "test:test_parse_separators_and_spacing",
})  # fmt: skip


_PARTED = re.compile(r"\s+(?:over|by)\s+|\s*/\s*")


@dataclass(frozen=True)
class Row:
    """`gold` is the number, the fraction, the rewritten sentence, or None for no number."""

    language: str
    kind: str
    gold: str | None


class NumberParser:
    name = "number_parser"

    def read(self, folder: Path, split: str) -> Iterator[Case]:
        for line in read_rows(folder, self.name, split):
            gold = None if line["value"] is None else str(line["value"])
            row = Row(line["lang"], line["kind"], gold)
            read = partial(_find, row)
            yield reader_case(line["id"], row.language, "number", line["text"], row, read)

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:  # noqa: ARG002
        """A row is one value: right if all of it is."""
        return one_value(right=finding.value == ask.gold.gold, answered=True, expected=True)


def _find(row: Row, text: str) -> Finding:
    language = "" if row.language == "en" else row.language
    return Finding(read_row(row.kind, language, text))


def read_row(kind: str, language: str, text: str) -> str | None:
    """What the package makes of a row, in the set's own form."""
    if kind in _SENTENCES:
        return _rewrite(language, text).rstrip()
    if "fraction" in kind:
        return _fraction(language, text)
    text = text.strip()
    find = find_ordinals if "ordinal" in kind else find_numbers
    mentions = find(text, language)
    if len(mentions) != 1 or (mentions[0].start, mentions[0].end) != (0, len(text)):
        return None
    return _plain(mentions[0].values[0])


def _plain(value: Decimal) -> str:
    return format(value.normalize(), "f")


def _rewrite(language: str, text: str) -> str:
    """The sentence with its number words in figures."""
    mentions = [*find_numbers(text, language), *find_ordinals(text, language)]
    pieces, last = [], 0
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        if mention.start < last or text[mention.start].isdigit():
            continue
        pieces += [text[last : mention.start], _plain(mention.values[0])]
        last = mention.end
    return "".join([*pieces, text[last:]])


def _fraction(language: str, text: str) -> str | None:
    """A quotient in figures: two numbers parted by "over", "by" or "/"."""
    parts = _PARTED.split(text)
    if len(parts) != 2:
        return None
    numbers = [read_row("", language, part) for part in parts]
    return None if None in numbers else f"{numbers[0]}/{numbers[1]}"


SET = NumberParser()
