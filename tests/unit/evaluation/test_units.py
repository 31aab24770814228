"""The units' answers, as an evaluation gets them through the analyzer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel

from assay.analysis import AsyncAnalyzer
from assay.backends.base import Backend
from assay.backends.scripted import ScriptedBackend
from assay.documents import Document
from assay.errors import EngineStoppedError
from assay.evaluation import Ask, Case, Finding, Place
from assay.evaluation.base import reader_case, text_document
from assay.evaluation.judgement import Response
from assay.evaluation.units import NoModel, UnitAnswerer
from assay.types import AnswerPath
from assay.units import Question, Unit, Verbatim
from assay.units.fallbacks.base import Candidate, Draft, Standing

TEXT = "Sent from Bergen, to Oslo."


class Finds:
    """A fallback that finds a word."""

    path = AnswerPath.HEURISTIC

    def __init__(self, word: str) -> None:
        self.word = word

    def find(self, document_text: str, regions: object = None) -> Sequence[Candidate]:
        start = document_text.find(self.word)
        return [Candidate(start, start + len(self.word), 0.99)] if start >= 0 else []


def ask_for(word: str) -> Question:
    return Question("Which town?", {"sent": 1.0}, fallbacks=(Finds(word),))


class Towns(BaseModel):
    sender: Annotated[Verbatim | None, ask_for("Bergen")] = None
    receiver: Annotated[Verbatim | None, ask_for("Rome")] = None


UNIT = Unit("find_towns", "Towns of a letter.", Towns)
CASE = Case(
    "1",
    "en",
    text_document("1", TEXT),
    (Ask("from", UNIT, "Bergen", "sender"), Ask("receiver", UNIT, "Oslo")),
)


def answer(backend: Backend, case: Case = CASE) -> tuple[Document, Sequence[Response]]:
    async def run() -> tuple[Document, Sequence[Response]]:
        async with AsyncAnalyzer(backend=backend) as analyzer:
            return await UnitAnswerer(analyzer).answer(case)

    return asyncio.run(run())


def test_without_a_model_fallbacks_answer_and_silence_is_no_error() -> None:
    document, (sender, receiver) = answer(NoModel())
    assert document.text == TEXT
    assert sender.finding.value == "Bergen"
    assert sender.finding.places == (Place(10, 16),)
    assert (sender.path, sender.error, sender.num_ungrounded) == ("heuristic", "", 0)
    assert (receiver.finding.value, receiver.error) == (None, "")


def test_what_a_model_could_not_answer_is_an_error_with_its_code() -> None:
    backend = ScriptedBackend(lambda _: EngineStoppedError("it has stopped"))
    _, (sender, receiver) = answer(backend)
    assert (sender.finding.value, sender.error) == ("Bergen", "")
    assert (receiver.finding.value, receiver.error) == (None, "engine_stopped")


def test_an_unknown_unit_or_field_fails_alone() -> None:
    case = Case(
        "1", "en", CASE.source, (*CASE.asks, Ask("x", "no_such_unit", ""), Ask("town", UNIT, ""))
    )
    _, responses = answer(NoModel(), case)
    assert [item.error for item in responses] == ["", "", "unknown_unit", "unknown_field"]
    assert responses[0].finding.value == "Bergen"


class FindsArgument:
    """A fallback that finds the word it is given."""

    path = AnswerPath.SPECIALIST

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:
        start = document_text.find(arguments["word"])
        standing = Standing("", start, start + len(arguments["word"]))
        return Draft(arguments["word"], (standing,), 0.99) if start >= 0 else None


class Word(BaseModel):
    word: str


class Found(BaseModel):
    found: Annotated[
        Verbatim | None, Question("Is it there?", {"sent": 1.0}, fallbacks=(FindsArgument(),))
    ] = None


def test_asks_with_other_arguments_are_answered_apart() -> None:
    unit = Unit("find_word", "A word.", Found, arguments=Word)
    given = [{"word": "Oslo"}, {"word": "Rome"}, {"word": "Bergen"}, {"letter": "O"}]
    asks = tuple(Ask("found", unit, "", arguments=arguments) for arguments in given)
    _, responses = answer(NoModel(), Case("1", "en", CASE.source, asks))
    assert [item.finding.value for item in responses] == ["Oslo", None, "Bergen", None]
    assert [item.error for item in responses] == ["", "", "", "invalid_argument"]


def test_a_reader_answers_in_place_of_a_unit() -> None:
    case = reader_case("1", "en", "length", TEXT, 26, lambda text: Finding(len(text)))
    _, responses = answer(NoModel(), case)
    assert [(item.finding.value, item.error) for item in responses] == [(26, "")]


def test_a_document_that_cannot_be_read_fails_all_its_asks() -> None:
    _, responses = answer(NoModel(), Case("1", "en", b"", CASE.asks))
    assert [item.error for item in responses] == ["empty_document"] * 2
