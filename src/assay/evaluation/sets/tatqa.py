"""TAT-QA: questions on a table of a report and the paragraphs around it (CC BY 4.0).

Rows: `table` (rows of cells), `paragraphs`, and `questions` with `answer`, `scale` and
`derivation`. The document is the table, a line a row with ` | ` between cells, and below it the
paragraphs, each after a blank line.

- `spans`: the answer's texts, all of them and no others (one value a question), each quoted where
  it stands. Figures are compared as numbers.
- `arithmetic`: the number, to the second decimal place; every figure that the gold's derivation
  takes from the document must be quoted. For a count, as many places as it counts.

Either is right only with the right scale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from assay.documents import Document
from assay.evaluation.base import (
    Ask,
    Case,
    Counts,
    Finding,
    PlainQuestion,
    one_value,
    read_rows,
    text_document,
)
from assay.evaluation.matching import is_placed, occurrences, squash

CELL_SEPARATOR = " | "
SCALES = ("thousand", "million", "billion", "percent")
_UNIT = "answer_question"
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
#: Constants of formulas, which no document needs to say: to halve, to average, to take percent.
_CONSTANT = re.compile(r"[/*]\s*(?:100|\d)(?![\d.,])|[-+]\s*1(?![\d.,])")
_ARTICLE = re.compile(r"\b(?:an?|the)\b", re.IGNORECASE)
_HALF_A_HUNDREDTH = Decimal("0.005")
_SCALE = {"enum": [*SCALES, None]}
_SPANS = {
    "type": ["object", "null"],
    "properties": {
        "spans": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 8},
        "scale": _SCALE,
    },
    "required": ["spans", "scale"],
    "additionalProperties": False,
}
_NUMBER = {
    "type": ["object", "null"],
    "properties": {"number": {"type": "number"}, "scale": _SCALE},
    "required": ["number", "scale"],
    "additionalProperties": False,
}


class TatQa:
    name = "tatqa"

    def read(self, folder: Path, split: str) -> Iterator[Case]:
        for row in read_rows(folder, self.name, split):
            document = text_document(row["id"], lay_out(row["table"], row["paragraphs"]))
            yield Case(row["id"], "en", document, tuple(map(_ask, row["questions"])))

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:
        value = finding.value
        right = False
        if isinstance(value, Mapping) and (value.get("scale") or "") == ask.gold["scale"]:
            judge = _are_spans if ask.field == "spans" else _is_number
            right = judge(ask.gold, document, finding)
        return one_value(right=right, answered=value is not None, expected=True)


def lay_out(table: Sequence[Sequence[str]], paragraphs: Sequence[Mapping[str, Any]]) -> str:
    """The text of a table and its paragraphs."""
    rows = "\n".join(CELL_SEPARATOR.join(" ".join(cell.split()) for cell in row) for row in table)
    ordered = sorted(paragraphs, key=lambda item: int(item["order"]))
    return "\n\n".join([rows, *(item["text"] for item in ordered)])


def _ask(question: Mapping[str, Any]) -> Ask:
    arguments = {"question": question["question"]}
    is_spans = question["answer_type"] in ("span", "multi-span")
    plain = PlainQuestion(question["question"], _SPANS if is_spans else _NUMBER)
    return Ask("spans" if is_spans else "arithmetic", _UNIT, question, "answer", arguments, plain)


def _are_spans(gold: Mapping[str, Any], document: Document, finding: Finding) -> bool:
    spans = finding.value.get("spans")
    if not isinstance(spans, list) or len(spans) != len(gold["answer"]):
        return False
    wanted = sorted(map(_key, gold["answer"]))
    if sorted(map(_key, spans)) != wanted:
        return False
    return all(
        any(
            is_placed(place, occurrences(document.text, span))
            for place in finding.at(f"/spans/{index}")
        )
        for index, span in enumerate(spans)
    )


def _is_number(gold: Mapping[str, Any], document: Document, finding: Finding) -> bool:
    number, wanted = _decimal(finding.value.get("number")), _decimal(gold["answer"])
    if number is None or wanted is None or abs(number - wanted) > _HALF_A_HUNDREDTH:
        return False
    places = {(place.start, place.end) for place in finding.places}
    if gold["answer_type"] == "count":
        return len(places) >= wanted
    quoted = {figure for start, end in places for figure in _figures(document.text[start:end])}
    needed = _figures(_CONSTANT.sub(" ", gold["derivation"])) & _figures(document.text)
    return bool(places) and needed <= quoted


def _key(text: str) -> str:
    """What two spellings of a span have in common: the number if it is a figure, else its words
    without articles."""
    figures = _figures(text)
    words = squash(re.sub(r"[\d.,()]+", "", text))
    return f"{min(figures)}" if len(figures) == 1 and not words else squash(_ARTICLE.sub("", text))


def _figures(text: str) -> set[Decimal]:
    return {Decimal(match.replace(",", "")).normalize() for match in _FIGURE.findall(text)}


def _decimal(value: Any) -> Decimal | None:
    try:
        return Decimal(str(value).replace(",", ""))
    except InvalidOperation:
        return None


SET = TatQa()
