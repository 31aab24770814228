"""Whether answers are right: one judge for every engine, who looks at the words alone.

An answer is *grounded* when every value stands in the document (white space folded, case ignored).
It is *right* when it is grounded and every value lies on a gold span: half of the shorter of the
two shared, and at least 30% of the gold, so that a common word is no answer. Where the gold has
nothing, right means that nothing was answered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from benchmarks.contract_tasks import Answered
from benchmarks.cuad import Contract

MIN_OVERLAP = 0.5
MIN_GOLD_SHARE = 0.3
#: A value that stands in more places than this says nothing.
_MAX_PLACES = 200


def places_of(value: str, text: str) -> list[tuple[int, int]]:
    """Where `value` stands in `text`, white space folded and case ignored."""
    words = value.split()
    if not words:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    places = []
    for match in pattern.finditer(text):
        places.append(match.span())
        if len(places) == _MAX_PLACES:
            break
    return places


def gold_in(contract: Contract, label: str) -> list[tuple[int, int]]:
    """The gold spans that lie wholly in the text shown."""
    return [span for span in contract.gold_spans(label) if span[1] <= len(contract.text)]


def is_grounded(answered: Answered) -> bool:
    text = answered.task.contract.text
    return all(places_of(value, text) for value in answered.values)


def is_right(answered: Answered) -> bool:
    contract = answered.task.contract
    gold = gold_in(contract, answered.task.question.label)
    if not answered.is_whole or not gold or not answered.values:
        return answered.is_whole and not gold and not answered.values
    return all(
        any(_lies_on(place, span) for place in places_of(value, contract.text) for span in gold)
        for value in answered.values
    )


def _lies_on(place: tuple[int, int], gold: tuple[int, int]) -> bool:
    shared = min(place[1], gold[1]) - max(place[0], gold[0])
    shorter = min(place[1] - place[0], gold[1] - gold[0])
    return shared >= MIN_OVERLAP * shorter and shared >= MIN_GOLD_SHARE * (gold[1] - gold[0])


def judge_all(answers: Sequence[Answered]) -> dict[str, Any]:
    """Shares over all answers; `right_where_gold` over those whose gold has something."""
    with_gold = [a for a in answers if gold_in(a.task.contract, a.task.question.label)]
    by_question: dict[str, list[bool]] = {}
    for answered in answers:
        name = f"{answered.task.question.unit}.{answered.task.question.field}"
        by_question.setdefault(name, []).append(is_right(answered))
    return {
        "correct": _share([is_right(item) for item in answers]),
        "right_where_gold": _share([is_right(item) for item in with_gold]),
        "num_with_gold": len(with_gold),
        "answered": _share([bool(item.values) for item in answers]),
        "invented": sum(not is_grounded(item) for item in answers),
        "unfinished": sum(not item.is_whole for item in answers),
        "by_question": {name: _share(marks) for name, marks in by_question.items()},
    }


def _share(marks: Sequence[bool]) -> float | None:
    return round(sum(marks) / len(marks), 3) if marks else None
