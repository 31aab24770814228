"""Records of what paths said, made up for tests."""

from assay.evaluation.answers import AskRecord, Said
from assay.evaluation.calibration import Outcome
from assay.types import AnswerPath
from assay.units.answer import Signals


def ask_record(*steps, case_id="made:1", floor=0.25, enough=0.8, is_scan=False):
    """A record whose steps are `(path, Said | None)`."""
    chain = tuple(AnswerPath)
    return AskRecord(
        "made", case_id, "", "field", "unit", is_scan, True, chain, enough, floor, steps
    )


def rule_said(score, right, *spans, family="unit.field", **signals):
    """What a specialist says, at the span (0, 5) unless others are given."""
    path = AnswerPath.SPECIALIST
    found = Signals(path, family, score=score, **signals)
    return path, Said(found, spans or ((0, 5),), True, False, right)


def outcome(confidence, right, floor=0.0, family="unit.field"):
    return Outcome(ask_record(floor=floor), AnswerPath.SPECIALIST, family, confidence, right)
