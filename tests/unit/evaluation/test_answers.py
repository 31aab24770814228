"""What paths say to labelled questions: kept without words, and replayed as it would have run."""

import asyncio
from typing import Annotated

import pytest
from pydantic import BaseModel

from assay.backends.scripted import ScriptedBackend
from assay.errors import RecordError
from assay.evaluation import Ask, Case, Counts
from assay.evaluation.answers import (
    AskRecord,
    CollectedCase,
    Said,
    ask_all,
    read_records,
    replay,
    states_of,
    write_records,
)
from assay.evaluation.base import one_value, text_document
from assay.types import AnswerPath
from assay.units import Question, Unit, Verbatim
from assay.units.answer import Signals
from assay.units.fallbacks.base import Candidate

MODEL, SPECIALIST, HEURISTIC = AnswerPath.MODEL, AnswerPath.SPECIALIST, AnswerPath.HEURISTIC
TEXT = "The agreement was made in Bergen. The buyer is Acme."


class FindsBergen:
    path = SPECIALIST

    def find(self, document_text, regions=None):
        at = document_text.index("Bergen")
        return (Candidate(at, at + 6, 0.9),)


class FindsNothing:
    path = HEURISTIC

    def find(self, document_text, regions=None):
        return ()


class Output(BaseModel):
    town: Annotated[
        Verbatim | None,
        Question("Where?", keywords={"made": 1.0}, fallbacks=(FindsBergen(), FindsNothing())),
    ]


class TownSet:
    name = "towns"

    def read(self, folder, split):
        return ()

    def judge(self, ask, document, finding):
        answered = finding.value is not None
        return one_value(right=finding.value == ask.gold, answered=answered, expected=True)


CASE = Case(
    "towns:1",
    "en",
    text_document("towns:1", TEXT),
    (Ask("town", Unit("extract_town", "For the test.", Output), "Bergen"),),
)


def said(path, *spans, score=0.5, right=1.0, has_value=True):
    return path, Said(Signals(path, "u.f", score=score), spans, has_value, False, right)


def record(*steps, enough=0.8):
    return AskRecord(
        "towns", "towns:1", "", "town", "u", False, True, tuple(AnswerPath), enough, 0.25, steps
    )


def by_score(signals):
    """A confidence that other paths move by a tenth."""
    return signals.score + 0.1 * (signals.agreement or 0) - 0.1 * signals.num_silent


@pytest.fixture(scope="module")
def collected():
    backend = ScriptedBackend(lambda request: {"town": "Acme"})
    return asyncio.run(ask_all(CollectedCase(TownSet(), CASE), backend))


def test_every_path_is_asked_and_judged(collected):
    (item,) = collected
    answers = {path: step.right if step else None for path, step in item.steps}
    assert answers == {MODEL: 0.0, SPECIALIST: 1.0, HEURISTIC: None}
    assert (item.has_gold, item.is_scan, item.family) == (True, False, "extract_town.town")


def test_records_hold_no_words_and_are_read_as_they_were_written(collected, tmp_path):
    write_records(tmp_path / "kept", collected)
    assert read_records(tmp_path / "kept") == collected
    written = (tmp_path / "kept").read_text()
    assert "Bergen" not in written
    assert "Acme" not in written


def test_a_damaged_record_is_refused():
    with pytest.raises(RecordError):
        AskRecord.from_line('{"set_name": "towns"}')


def test_what_is_rightly_said_not_to_be_there_is_right():
    class Nothing(TownSet):
        def judge(self, ask, document, finding):
            return Counts(0, 0, 0)

    backend = ScriptedBackend(lambda request: {"town": "Acme"})
    (item,) = asyncio.run(ask_all(CollectedCase(Nothing(), CASE), backend))
    assert [step.right for _, step in item.steps if step] == [1.0, 1.0]
    assert not item.has_gold


def test_a_replay_ends_where_an_answer_is_sure_enough():
    steps = (said(MODEL, (0, 5), score=0.85), said(SPECIALIST, (9, 12), score=0.99))
    assert replay(record(*steps), by_score).answer.signals.path is MODEL
    assert replay(record(*steps, enough=0.95), by_score).answer.signals.path is SPECIALIST


def test_a_replay_takes_the_steps_that_it_is_given():
    steps = (said(MODEL, (0, 5), score=0.85), said(SPECIALIST, (9, 12), score=0.9))
    kept = replay(record(*steps), by_score, [SPECIALIST, MODEL])
    assert kept.answer.signals.path is SPECIALIST


def test_a_replay_hears_agreement_and_silence():
    agreed = record(said(MODEL, (0, 5)), said(SPECIALIST, (3, 6)))
    assert replay(agreed, by_score).answer.confidence == pytest.approx(0.6)
    unheard = record(said(MODEL, (0, 5)), (SPECIALIST, None))
    assert replay(unheard, by_score).answer.confidence == pytest.approx(0.4)


def test_nothing_said_keeps_nothing():
    silent = replay(record((SPECIALIST, None)), by_score)
    assert (silent.answer, silent.num_silent) == (None, 1)
    assert replay(record(said(MODEL, has_value=False)), by_score).answer is None


def test_an_answer_is_seen_after_every_set_of_others():
    found = list(
        states_of(record(said(MODEL, (0, 5)), said(SPECIALIST, (3, 6)), (HEURISTIC, None)))
    )
    mine = [signals for signals, _, _ in found if signals.path is MODEL]
    seen = {(signals.agreement, signals.num_silent) for signals in mine}
    assert seen == {(None, 0), (1.0, 0), (None, 1), (1.0, 1)}
    assert sum(weight for signals, _, weight in found if signals.path is MODEL) == 1.0
