"""Why a question reads what it reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import pytest
from pydantic import BaseModel

from assay import Analyzer
from assay.analysis.explain import FieldExplanation, Reason
from assay.backends.scripted import ScriptedBackend
from assay.errors import UnknownFieldError, UnknownUnitError
from assay.reports import CacheReport, TokenSources
from assay.routing import load_router
from assay.types import FieldResult, Status
from assay.units import Clause, Question, Unit, Verbatim

PARAGRAPHS = [
    "1. PARTIES. This agreement is made between Acme of Bergen and Bolt of Oslo, in two copies.",
    "2. LAW. The law of Norway governs, whatever the law of the place of delivery may say of it.",
    "3. DELIVERY. Goods are delivered to the warehouse on Mondays; the law of carriage applies.",
    "4. PAYMENT. Invoices are paid within thirty days of their receipt, in euros, by transfer.",
]
TEXT = "\n\n".join(text + " Nothing else is agreed here." * 15 for text in PARAGRAPHS)


class Answers(BaseModel):
    town: Annotated[
        Verbatim | None,
        Question("Which town?", {"made": 1.0, "Bergen": 2.0}, floor=0.0, num_segments=1),
    ] = None
    law: Annotated[
        Clause | None,
        Question("Which law?", {"law": 1.0}, num_segments=2, cues=("governs",), floor=0.0),
    ] = None


UNIT = Unit("extract_answers", "For the test.", Answers)
REPORT = CacheReport("independent", TokenSources(4, 0, 0, 6), (), 20)


class Reporting(ScriptedBackend):
    """Reports each time that all of what it was shown of the document was found live."""

    async def generate(self, request):
        generation = await super().generate(request)
        (message,) = (item for item in request.messages if item.segments)
        segments = tuple((number, TokenSources(num_live=5)) for number in message.chosen)
        return replace(generation, cache=replace(REPORT, segments=segments))


def answer(request):
    if "Which town?" in request.messages[-1].content:
        return {"town": "Bergen"}
    sentence = next(s for s in request.constraint.sources if "governs" in s.text)
    return {"law": sentence.text}


def explain(**options):
    with Analyzer(backend=Reporting(answer)) as analyzer:
        return analyzer.explain(TEXT.encode(), unit=UNIT, **options)


@pytest.fixture(scope="module")
def explanation():
    return explain(num_rounds=2)


def test_each_segment_has_its_place_in_the_document(explanation) -> None:
    assert len(explanation.segments) >= 4
    for segment in explanation.segments:
        shown = TEXT[segment.start : segment.end]
        assert shown == shown.strip() != ""
        told = segment.as_json()["descriptor"]
        assert told == pytest.approx(load_router().describe(shown).as_json(), abs=0.05)
    assert explanation.num_document_tokens > 200


def test_each_segment_has_a_reason_and_the_words_for_it(explanation) -> None:
    fields = explanation.rounds[0]
    town, law = fields["town"].segments, fields["law"].segments
    assert [use.number for use in town if use.reason is Reason.CHOSEN] == [0]
    assert [word for word, _ in town[0].words] == ["bergen", "made"]
    assert town[0].score == pytest.approx(sum(amount for _, amount in town[0].words))
    reasons = {
        next(i for i, text in enumerate(PARAGRAPHS) if text[:3] in TEXT[place.start : place.end]): (
            use.reason
        )
        for use, place in zip(law, explanation.segments, strict=True)
        if any(text[:3] in TEXT[place.start : place.end] for text in PARAGRAPHS)
    }
    assert reasons[1] is Reason.CHOSEN
    assert reasons[2] is Reason.NOTHING_TO_COPY
    assert reasons[3] is Reason.IRRELEVANT


def test_the_answer_and_what_was_found_are_told_in_each_round(explanation) -> None:
    assert len(explanation.rounds) == 2
    for fields in explanation.rounds:
        assert fields["town"].result.value == "Bergen"
        assert fields["town"].segments[0].sources == TokenSources(num_live=5)
        assert fields["town"].num_left_out == explanation.num_document_tokens - 5


def test_a_whole_document_is_read_where_that_is_asked_for_and_copied_from_as_before() -> None:
    told = explain(fields=["law"], reads_whole=True)
    law = told.rounds[0]["law"]
    reasons = [use.reason for use in law.segments]
    chosen = [use.reason for use in explain(fields=["law"]).rounds[0]["law"].segments]
    assert set(reasons) == {Reason.CHOSEN, Reason.NOTHING_TO_COPY, Reason.UNCHOSEN}
    assert reasons.count(Reason.CHOSEN) == chosen.count(Reason.CHOSEN) == 1
    assert all(use.sources is not None for use in law.segments)
    assert law.num_left_out == told.num_document_tokens - 5 * len(told.segments)
    assert "The law of Norway governs" in law.result.value


def test_only_the_fields_named_are_asked() -> None:
    assert list(explain(fields=["law"]).rounds[0]) == ["law"]


def test_unknown_names_are_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownFieldError, match="town, law"):
        explain(fields=["law", "sun"])
    with (
        Analyzer(backend=Reporting(answer)) as analyzer,
        pytest.raises(UnknownUnitError),
    ):
        analyzer.explain(TEXT.encode(), unit="extract_sun")


def explained(cache: CacheReport | None, num_left_out: int = 0) -> FieldExplanation:
    result = FieldResult(Status.ABSENT, None, (), 0.5, None)
    return FieldExplanation("town", "Which?", (), result, cache, num_left_out)


def test_what_is_held_is_a_share_of_a_dense_cache_of_the_whole_document() -> None:
    assert explained(REPORT, 60).kept_share == 0.25
    # Of the first 16 tokens a quarter is kept, over both heads; the other 4 are.
    windowed = replace(REPORT, num_windowed_tokens=16, kept=((8, 0),))
    assert explained(windowed, 60).kept_share == 0.1
    assert explained(None).kept_share == explained(None).attended_share == 0


def test_what_is_attended_is_a_share_of_what_queries_behind_the_document_would() -> None:
    report = replace(
        REPORT, num_queries=10, num_heads=2, num_attended_pairs=100, num_dense_pairs=200
    )
    assert explained(report, 15).num_dense_pairs == 500
    assert explained(report, 15).attended_share == 0.2
    assert explained(replace(report, num_skipped=10), 15).num_dense_pairs == 300


def test_a_question_that_fails_is_told_and_the_others_are_answered() -> None:
    class Failing(Reporting):
        async def generate(self, request):
            if "Which law?" in request.messages[-1].content:
                raise RuntimeError("broken")
            return await super().generate(request)

    with Analyzer(backend=Failing(answer)) as analyzer:
        fields = analyzer.explain(TEXT.encode(), unit=UNIT).rounds[0]
    assert fields["law"].result.error.code == "unit_failed"
    assert fields["law"].cache is None
    assert fields["town"].result.value == "Bergen"
