"""Judgements for tests."""

from __future__ import annotations

from dataclasses import replace

from assay.evaluation import Counts
from assay.evaluation.judgement import Judgement

JUDGEMENT = Judgement(
    system="assay",
    set_name="letters",
    case_id="1",
    field="town",
    unit="find_town.town",
    language="en",
    path="specialist",
    confidence=0.9,
    error="",
    num_ungrounded=0,
    counts=Counts(1, 1, 1),
)


def judged(counts: Counts, **others: object) -> Judgement:
    return replace(JUDGEMENT, counts=counts, **others)
