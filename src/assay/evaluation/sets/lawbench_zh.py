"""LawBench: four tasks on Chinese judgments (Apache-2.0).

- `entities`: what stands in a sentence on a theft, by kind. An entity is right if a gold one of its
  kind has the same text; one that the sentence repeats counts once.
- `total`: the sum of money that a judgment is about, in yuan. Right if the amount is, and what is
  quoted explains it: one of the quoted amounts is the total, or their sum is.
- `reading`: the words that answer a question. How much of them is quoted is measured in characters
  (overlap F1), as upstream does.
- `triggers`: the words that tell of events of given kinds. Right if the same word is gold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
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
from assay.evaluation.matching import occurrences, overlap_f1, quoted_texts, squash
from assay.normalize.money import read_money

#: The gold's kinds of entity -> the unit's fields, and the questions in plain words.
ENTITIES: Mapping[str, tuple[str, str]] = {
    "犯罪嫌疑人": ("suspects", "谁是犯罪嫌疑人？"),
    "受害人": ("victims", "谁是受害人？"),
    "被盗货币": ("stolen_money", "被盗货币是多少？"),
    "物品价值": ("item_values", "被盗物品的价值是多少？"),
    "盗窃获利": ("proceeds", "盗窃获利是多少？"),
    "被盗物品": ("stolen_items", "哪些物品被盗？"),
    "作案工具": ("tools", "作案工具是什么？"),
    "时间": ("times", "案件发生在什么时间？"),
    "地点": ("places", "案件发生在什么地点？"),
    "组织机构": ("organisations", "提到了哪些组织机构？"),
}
_TEXTS = {"type": ["array", "null"], "items": {"type": "string"}, "minItems": 1, "maxItems": 12}
_AMOUNT = {
    "type": ["object", "null"],
    "properties": {"amount": {"type": "number"}},
    "required": ["amount"],
    "additionalProperties": False,
}
_EVENTS = re.compile("事件包括：(.*?)。")


class LawBenchZh:
    name = "lawbench_zh"

    def read(self, folder: Path, split: str) -> Iterator[Case]:
        for row in read_rows(folder, self.name, split):
            document = text_document(row["id"], row["text"])
            yield Case(row["id"], "zh", document, tuple(_ASKS[row["task"]](row)))

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:
        if ask.field == "total":
            right = _is_total(finding, ask.gold, document)
            return one_value(right=right, answered=finding.value is not None, expected=True)
        if ask.field == "reading":
            spans = [found for text in ask.gold if (found := occurrences(document.text, text))]
            if finding.value is None:
                return Counts(0, 0, 1)
            return Counts(overlap_f1(finding.places, spans), 1, 1)
        texts = quoted_texts(finding, document)
        golds = {squash(text) for text in ask.gold}
        num_right = sum(bool(places) and text in golds for text, places in texts.items())
        return Counts(num_right, len(texts), len(golds))


def _entities(row: Mapping[str, Any]) -> Iterator[Ask]:
    for kind, (unit_field, question) in ENTITIES.items():
        gold = [item["text"] for item in row["gold"] if item["type"] == kind]
        plain = PlainQuestion(question, _TEXTS)
        yield Ask("entities", "extract_theft", gold, unit_field, plain=plain)


def _total(row: Mapping[str, Any]) -> Iterator[Ask]:
    plain = PlainQuestion("文书中涉及的犯罪总金额是多少元？", _AMOUNT)
    yield Ask("total", "sum_amounts", Decimal(str(row["gold"])), plain=plain)


def _reading(row: Mapping[str, Any]) -> Iterator[Ask]:
    plain = PlainQuestion(row["question"], _TEXTS)
    arguments = {"question": row["question"]}
    yield Ask("reading", "answer_question", row["gold"], "answer", arguments, plain)


def _triggers(row: Mapping[str, Any]) -> Iterator[Ask]:
    listed = _EVENTS.search(row["instruction"])
    events = listed[1].split(",") if listed else []
    plain = PlainQuestion(f"哪些词触发了下列事件：{'、'.join(events)}？", _TEXTS)
    arguments = {"events": events}
    yield Ask("triggers", "extract_event", row["gold"], "triggers", arguments, plain)


_ASKS = {
    "zh_theft_ner": _entities,
    "zh_total_amount": _total,
    "zh_mrc": _reading,
    "zh_trigger": _triggers,
}


def _is_total(finding: Finding, gold: Decimal, document: Document) -> bool:
    value = finding.value
    amount = value.get("amount") if isinstance(value, Mapping) else value
    if amount is None or Decimal(str(amount)) != gold:
        return False
    quoted = _amounts(document, finding)
    return gold in quoted or sum(quoted) == gold


def _amounts(document: Document, finding: Finding) -> Sequence[Decimal]:
    spans = {(place.start, place.end) for place in finding.places}
    readings = [read_money(document.text[start:end]).values for start, end in sorted(spans)]
    return [values[0].amount for values in readings if values]


SET = LawBenchZh()
