"""SROIE: scanned receipts, read from their pixels (ICDAR 2019; MIT in the repository it is from).

`sroie_SPLIT.zip` holds `receipts.jsonl` and pictures; a row has the `gold` strings of four fields
and a human transcript, `ocr`, with the corners of each of its lines. What is asked is read off the
picture by OCR; the transcript only says where the gold stands.

- `date`: the same day, or the same figures.
- `total`: the same amount.
- `company`, `address`: the same letters and digits but for one in ten, since what is held against
  each other was read by a machine here and typed, with its own slips, there.

Evidence is right if most of its boxes stand on lines of the transcript that hold the gold, or part
of it: box and line share half of the smaller of the two, or more. Where no line holds it, as when
gold was written in another form, the value alone decides.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from assay.documents import Document
from assay.errors import DocumentNotFoundError
from assay.evaluation.base import Ask, Case, Counts, Finding, PlainQuestion, one_value
from assay.evaluation.matching import squash
from assay.normalize.date import read_date
from assay.types import Box

#: The share of letters and digits that may differ in a name or an address.
TOLERANCE = 0.1
_MOSTLY = _ON_LINE = 0.5
_COMPACT_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)")
_STRING = {"type": ["string", "null"]}
_TEXT = {
    "type": ["object", "null"],
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
#: Of each field: the unit, its field, and how a baseline is asked.
_FIELDS: dict[str, tuple[str, str, PlainQuestion]] = {
    "company": (
        "extract_issuer",
        "issuer",
        PlainQuestion("Which company issued this receipt? Copy its name.", _STRING),
    ),
    "date": (
        "extract_issue_date",
        "issued",
        PlainQuestion("What is the date of this receipt, as printed?", _TEXT),
    ),
    "address": (
        "extract_address",
        "address",
        PlainQuestion("What is the address of the company that issued this receipt?", _STRING),
    ),
    "total": (
        "extract_total",
        "total",
        PlainQuestion("What is the total amount of this receipt, as printed?", _TEXT),
    ),
}
Rectangle = tuple[float, float, float, float]


class Sroie:
    name = "sroie"

    def read(self, folder: Path, split: str) -> Iterator[Case]:
        path = folder / f"{self.name}_{split}.zip"
        if not path.is_file():
            raise DocumentNotFoundError(f"there is no {path}")
        with zipfile.ZipFile(path) as archive:
            for line in archive.read("receipts.jsonl").decode("utf-8").splitlines():
                row = json.loads(line)
                asks = tuple(_ask(field, row) for field in _FIELDS if row["gold"].get(field))
                yield Case(row["id"], "en", archive.read(row["image"]), asks)

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:
        text = _text_of(finding.value)
        right = (
            text is not None
            and _SAME[ask.field](text, ask.gold["value"])
            and _is_placed(document, finding, ask.gold)
        )
        return one_value(right=right, answered=text is not None, expected=True)


def _ask(field: str, row: Mapping[str, Any]) -> Ask:
    unit, unit_field, plain = _FIELDS[field]
    value = row["gold"][field]
    lines = [_rectangle(item["quad"]) for item in row["ocr"] if _holds(field, item["text"], value)]
    gold = {"value": value, "lines": lines, "width": row["size"][0]}
    return Ask(field, unit, gold, unit_field, plain=plain)


def _text_of(value: Any) -> str | None:
    text = value.get("text") if isinstance(value, Mapping) else value
    return text if isinstance(text, str) and text.strip() else None


def _rectangle(quad: Sequence[float]) -> Rectangle:
    return min(quad[0::2]), min(quad[1::2]), max(quad[0::2]), max(quad[1::2])


def _holds(field: str, line: str, gold: str) -> bool:
    """Whether a line of the transcript holds the gold, or is mostly a part of a longer one."""
    mine, wanted = squash(line), squash(gold)
    if field in ("company", "address"):
        shared = SequenceMatcher(None, mine, wanted, autojunk=False).find_longest_match().size
        return shared >= max(4, _MOSTLY * min(len(mine), len(wanted)))
    return (squash(gold.upper().removeprefix("RM")) if field == "total" else wanted) in mine


def is_same_day(text: str, gold: str) -> bool:
    """The same figures, or the same day where each can be read in one way only."""
    if squash(text) == squash(gold):
        return True
    compact = _COMPACT_DATE.fullmatch(gold.strip())
    wanted = ("-".join(compact.groups()),) if compact else read_date(gold).values
    return len(wanted) == 1 and read_date(text).values == wanted


def is_same_amount(text: str, gold: str) -> bool:
    """The same number, whatever the currency's sign; the last mark is the decimal one."""
    mine, wanted = _amount(text), _amount(gold)
    return mine is not None and mine == wanted


def _amount(text: str) -> Decimal | None:
    figures = re.sub(r"[^\d.,]", "", text).strip(".,").replace(",", ".")
    whole, _, decimals = figures.rpartition(".")
    try:
        return Decimal(f"{whole.replace('.', '')}.{decimals}" if whole else decimals)
    except InvalidOperation:
        return None


def is_same_name(text: str, gold: str) -> bool:
    """The same letters and digits, but for `TOLERANCE` of the longer of the two."""
    mine, wanted = squash(text), squash(gold)
    return num_edits(mine, wanted) <= TOLERANCE * max(len(mine), len(wanted))


def num_edits(one: str, other: str) -> int:
    """The least number of characters to insert, delete or replace (Levenshtein)."""
    row = list(range(len(other) + 1))
    for index, char in enumerate(one, 1):
        above, row = row, [index]
        for at, wanted in enumerate(other, 1):
            row.append(min(above[at] + 1, row[-1] + 1, above[at - 1] + (char != wanted)))
    return row[-1]


_SAME = {
    "date": is_same_day,
    "total": is_same_amount,
    "company": is_same_name,
    "address": is_same_name,
}


def _is_placed(document: Document, finding: Finding, gold: Mapping[str, Any]) -> bool:
    boxes = [box for place in finding.places for box in document.boxes_for(place.start, place.end)]
    if not boxes:
        return False
    if not gold["lines"]:
        return True
    scale = gold["width"] / document.pages[0].width
    num_placed = sum(
        any(_share(_scaled(box, scale), line) >= _ON_LINE for line in gold["lines"])
        for box in boxes
    )
    return 2 * num_placed > len(boxes)


def _scaled(box: Box, scale: float) -> Rectangle:
    return box.left * scale, box.top * scale, box.right * scale, box.bottom * scale


def _area(box: Rectangle) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _share(one: Rectangle, other: Rectangle) -> float:
    """The common area, as a part of the smaller of the two."""
    common = (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )
    return _area(common) / max(1.0, min(_area(one), _area(other)))


SET = Sroie()
