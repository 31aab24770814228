"""What is unwise in a unit's declaration, though it can run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.patterns import lazy_pattern
from assay.units.schemas import grounded_kinds
from assay.units.unit import Unit, UnitField

_CJK = lazy_pattern(r"[一-鿿]")


def lint_unit(unit: Unit) -> list[str]:
    """Complaints in one line each, with the remedy; none if there is nothing to say."""
    complaints = []
    if not unit.triggers:
        complaints.append("no triggers: no request in words will mean it")
    for field in unit.fields.values():
        complaints += [f"{field.name}: {text}" for text in _lint_field(unit, field)]
    return complaints


def _lint_field(unit: Unit, field: UnitField) -> Iterator[str]:
    question = field.question
    words = " ".join(question.keywords)
    if not question.fallbacks:
        yield "no fallback: it fails where the model does (give a label, or keywords of a clause)"
    if "zh" in unit.languages:
        if not question.text_zh:
            yield "no question in Chinese: Chinese documents are asked in English"
        if words and not _CJK.search(words):
            yield "no keyword in Chinese: segments of Chinese documents are chosen by chance"
    if "en" in unit.languages and words and not re.search("[A-Za-z]", words):
        yield "no keyword in English: segments of English documents are chosen by chance"
    if not question.text.rstrip().endswith(("?", "？", ".", "。")):
        yield "the question does not end as a question does"
    if None in grounded_kinds(field.annotation) and not question.validators:
        yield "no validator: whatever is copied counts"
    if question.floor > question.enough:
        yield "floor is above enough: what ends the chain counts as absent"
