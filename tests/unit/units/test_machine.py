"""One field's way from question to answer: model first, then the chain, the surest answer kept."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel

from assay.backends.scripted import ScriptedBackend
from assay.documents import Document
from assay.errors import CapacityError
from assay.types import AnswerPath, Status
from assay.units import Clause, Date, Question, Unit, Verbatim
from assay.units.chain import CHEAPEST_FIRST, MODEL_FIRST, RULES_ONLY
from assay.units.fallbacks.base import Candidate, Draft, Standing
from assay.units.machine import FieldRun, FieldTask
from assay.units.outcome import field_result
from assay.units.states import TRANSITIONS, State
from assay.units.validators import mentions
from tests.support.excerpts import make_excerpt

TEXT = "This agreement was made in Bergen\non 5 January 2013. It ends on 6 May 2014."
DOCUMENT = Document("letter", TEXT, "text/plain")


@dataclass(frozen=True)
class Rule:
    """A fallback that answers with a fixed phrase of the document."""

    phrase: str
    score: float
    path: AnswerPath = AnswerPath.SPECIALIST
    asked: list = field(default_factory=list)

    def find(self, document_text, regions=None):
        self.asked.append(document_text)
        start = document_text.find(self.phrase)
        return (Candidate(start, start + len(self.phrase), self.score),) if start >= 0 else ()


def unit_asking(annotation, *rules, **options):
    question = Question("Where?", keywords={"made": 1.0}, fallbacks=rules, **options)

    class Output(BaseModel):
        answer: Annotated[annotation, question]

    return Unit("extract_answer", "The answer.", Output)


def run(unit, backend, text=TEXT, confidence=None, arguments=None, chain=MODEL_FIRST):
    task = FieldTask(
        unit=unit,
        field=unit.fields["answer"],
        document_text=text,
        excerpt=make_excerpt(text, [(0, len(text), ())]),
        relevance=1.0,
        chinese=False,
        backend=backend,
        confidence=confidence or (lambda signals: signals.score or signals.probability * 0.9),
        arguments=arguments or {},
        chain=chain,
    )
    return asyncio.run(FieldRun(task).run())


def no_model():
    return ScriptedBackend([CapacityError("full")])


def states(result):
    return [step.state for step in result.trace]


def test_a_sure_answer_of_the_model_ends_the_chain():
    rule = Rule("Bergen", 0.9)
    result = run(unit_asking(Verbatim | None, rule), ScriptedBackend([{"answer": "Bergen"}]))
    assert result.best.value == "Bergen"
    assert result.best.signals.path is AnswerPath.MODEL
    assert not rule.asked
    assert states(result) == [State.PLANNED, State.GENERATING, State.VALIDATING, State.DONE]


def test_the_value_is_the_documents_own_text_even_across_a_line_break():
    result = run(unit_asking(Verbatim), ScriptedBackend([{"answer": "Bergen on 5 January"}]))
    (standing,) = result.best.standings
    assert result.best.value == TEXT[standing.start : standing.end] == "Bergen\non 5 January"


def test_an_unsure_answer_falls_back_and_the_surest_is_kept():
    backend = ScriptedBackend([{"answer": "agreement"}], logprob=-1.0)
    result = run(unit_asking(Verbatim, Rule("Bergen", 0.7)), backend)
    assert (result.best.value, result.best.signals.path) == ("Bergen", AnswerPath.SPECIALIST)
    assert len(result.answers) == 2


def test_a_later_step_never_makes_an_answer_worse():
    backend = ScriptedBackend([{"answer": "Bergen"}], logprob=-0.05)
    result = run(unit_asking(Verbatim, Rule("agreement", 0.1)), backend)
    assert result.best.value == "Bergen"


def test_a_failing_model_is_replaced_by_the_chain():
    backend = ScriptedBackend([CapacityError("no room")])
    result = run(unit_asking(Verbatim, Rule("Bergen", 0.6)), backend)
    assert result.state is State.DONE
    assert result.best.value == "Bergen"


def test_a_failing_model_without_a_chain_is_the_fields_error():
    result = run(unit_asking(Verbatim), ScriptedBackend([CapacityError("no room")]))
    assert result.state is State.FAILED
    assert result.error.code == "capacity"


def test_an_answer_cut_at_its_limit_is_an_error_and_not_half_an_answer():
    unit = unit_asking(Verbatim, max_tokens=2)
    result = run(unit, ScriptedBackend([{"answer": "Bergen"}]))
    assert result.error.code == "token_limit"


def test_dates_are_offered_as_whole_values_only():
    backend = ScriptedBackend([{"answer": "6 May 2014"}])
    result = run(unit_asking(Date | None), backend)
    offered = [source.text for source in backend.requests[0].constraint.sources]
    assert offered == ["5 January 2013", "6 May 2014"]
    assert result.best.value == {"text": "6 May 2014", "iso": "2014-05-06"}
    (standing,) = result.best.standings
    assert TEXT[standing.start : standing.end] == "6 May 2014"


def test_with_nothing_to_copy_the_model_is_not_asked():
    backend = ScriptedBackend([])
    result = run(unit_asking(Date | None), backend, text="No dates here.")
    assert backend.requests == []
    assert result.state is State.DONE
    assert result.best is None


def test_a_validators_complaint_is_a_signal():
    seen = []
    unit = unit_asking(Verbatim, validators=(mentions("Oslo"),))

    def confidence(signals):
        seen.append(signals.num_complaints)
        return 0.5

    result = run(unit, ScriptedBackend([{"answer": "Bergen"}]), confidence=confidence)
    assert seen[-1] == 1
    assert "none of the words" in result.best.complaints[0]


def test_paths_that_point_at_the_same_text_agree():
    backend = ScriptedBackend([{"answer": "Bergen"}], logprob=-1.0)
    result = run(unit_asking(Verbatim, Rule("in Bergen", 0.7)), backend)
    assert [answer.signals.agreement for answer in result.answers] == [1.0, 1.0]


def test_a_list_keeps_each_text_once_and_its_places_in_step():
    backend = ScriptedBackend([{"answer": ["agreement", "agreement", "Bergen"]}])
    result = run(unit_asking(list[Verbatim]), backend)
    assert result.best.value == ["agreement", "Bergen"]
    assert [item.pointer for item in result.best.standings] == ["/0", "/1"]


@pytest.mark.parametrize("state", list(State))
def test_only_done_and_failed_are_final(state):
    assert bool(TRANSITIONS[state]) is (state not in (State.DONE, State.FAILED))


def test_with_cues_only_the_sentences_that_have_one_are_offered():
    text = "The law of Norway applies. Goods are fragile. Laws change. The law is clear."
    edges = [26, 45, 58]
    unit = unit_asking(Clause | None, cues=(r"\blaws?\b",))
    backend = ScriptedBackend([{"answer": "Laws change."}])
    task = FieldTask(
        unit=unit,
        field=unit.fields["answer"],
        document_text=text,
        excerpt=make_excerpt(text, [(0, len(text), edges)]),
        relevance=1.0,
        chinese=False,
        backend=backend,
        confidence=lambda signals: 0.9,
    )
    result = asyncio.run(FieldRun(task).run())
    offered = [source.text.strip() for source in backend.requests[0].constraint.sources]
    assert offered == ["The law of Norway applies.", "Laws change. The law is clear."]
    (standing,) = result.best.standings
    assert text[standing.start : standing.end] == "Laws change."


def test_passages_in_which_nothing_can_be_copied_are_not_read():
    text = "Preamble of no use. Made on 3 May 2024. Recitals. Ends on 4 May 2025."
    regions = [(0, 19, ()), (20, 39, ()), (40, 49, ()), (50, len(text), ())]
    backend = ScriptedBackend([{"answer": "4 May 2025"}])
    unit = unit_asking(Date | None)
    task = FieldTask(
        unit=unit,
        field=unit.fields["answer"],
        document_text=text,
        excerpt=make_excerpt(text, regions),
        relevance=1.0,
        chinese=False,
        backend=backend,
        confidence=lambda signals: 0.9,
    )
    result = asyncio.run(FieldRun(task).run())
    (request,) = backend.requests
    assert [source.text for source in request.constraint.sources] == ["3 May 2024", "4 May 2025"]
    shown = request.messages[1].content
    assert "Made on 3 May 2024.\n[…]\nEnds on 4 May 2025." in shown
    assert "Preamble" not in shown
    (standing,) = result.best.standings
    assert text[standing.start : standing.end] == "4 May 2025"


def test_a_fallback_that_finds_nothing_is_a_signal():
    backend = ScriptedBackend([{"answer": "Bergen"}], logprob=-1.0)
    result = run(unit_asking(Verbatim, Rule("Oslo", 0.9), Rule("Rome", 0.9)), backend)
    assert result.best.value == "Bergen"
    assert result.best.signals.num_silent == 2


def test_a_label_is_kept_beside_the_span_that_bears_it_out():
    @dataclass(frozen=True)
    class Labelling:
        path: AnswerPath = AnswerPath.SPECIALIST

        def find(self, document_text, regions=None):
            return (Candidate(27, 33, 0.9, labels={"": "travel"}),)

    result = run(unit_asking(Literal["travel", "sale"] | None, Labelling()), no_model())
    assert result.best.value == "travel"
    assert result.best.standings == (Standing("", 27, 33),)


def test_in_an_object_a_label_takes_the_part_of_its_name_for_evidence():
    class Place(BaseModel):
        kind: Literal["city", "country"]
        name: Verbatim

    class Labelling(Rule):
        def find(self, document_text, regions=None):
            return (Candidate(27, 33, 0.9, {"kind": (0, 4)}, {"kind": "city"}),)

    result = run(unit_asking(list[Place] | None, Labelling("", 0.9)), no_model())
    assert result.best.value == [{"kind": "city", "name": "Bergen"}]
    assert {item.pointer: item.start for item in result.best.standings} == {
        "/0/kind": 0,
        "/0/name": 27,
    }


def test_a_step_may_write_its_answer_itself_from_the_arguments():
    @dataclass(frozen=True)
    class Finding:
        path: AnswerPath = AnswerPath.HEURISTIC

        def draft(self, document_text, arguments):
            start = document_text.find(arguments["word"])
            end = start + len(arguments["word"])
            return (
                Draft(arguments["word"], (Standing("", start, end),), 0.7) if start >= 0 else None
            )

    unit = unit_asking(Verbatim | None, Finding())
    assert run(unit, no_model(), arguments={"word": "Bergen"}).best.value == "Bergen"
    assert run(unit, no_model(), arguments={"word": "Narvik"}).best is None


CHEAP, DEAR = Rule("6 May 2014", 0.9, AnswerPath.HEURISTIC), Rule("Bergen", 0.5)


def paths(result):
    return [answer.signals.path.value for answer in result.answers]


def test_the_cheapest_path_may_answer_first_and_spare_the_model():
    backend = no_model()
    result = run(unit_asking(Verbatim | None, DEAR, CHEAP), backend, chain=CHEAPEST_FIRST)
    assert (paths(result), result.best.value) == (["heuristic"], "6 May 2014")
    assert backend.requests == []
    assert states(result) == ["planned", "falling_back", "validating", "done"]


def test_the_model_comes_last_where_cheaper_paths_are_unsure():
    unit = unit_asking(Verbatim | None, DEAR, Rule("2013", 0.4, AnswerPath.HEURISTIC))
    backend = ScriptedBackend(['{"answer": "Bergen"}'])
    result = run(unit, backend, chain=CHEAPEST_FIRST)
    assert paths(result) == ["heuristic", "specialist", "model"]
    assert result.best.signals.path is AnswerPath.MODEL
    assert states(result)[-3:] == ["generating", "validating", "done"]


def test_a_chain_sets_its_own_bounds():
    unit = unit_asking(Verbatim | None, DEAR, CHEAP)
    assert paths(run(unit, no_model(), chain=RULES_ONLY)) == ["specialist", "heuristic"]
    contented = replace(RULES_ONLY, enough=0.4)
    assert paths(run(unit, no_model(), chain=contented)) == ["specialist"]


def test_a_strict_chain_keeps_no_answer_that_is_open_or_complained_of():
    rule = Rule("Bergen", 0.9)
    unit = unit_asking(Verbatim | None, rule, validators=(mentions("Narvik"),))
    assert run(unit, no_model()).best.value == "Bergen"
    assert run(unit, no_model(), chain=replace(MODEL_FIRST, strict=True)).best is None
    open_date = unit_asking(Date | None, Rule("5/6/2014", 0.9))
    text = "It ends on 5/6/2014."
    assert run(open_date, no_model(), text).best.candidates
    assert run(open_date, no_model(), text, chain=replace(RULES_ONLY, strict=True)).best is None


def test_a_step_that_breaks_is_passed_over():
    class Breaking(Rule):
        def find(self, document_text, regions=None):
            raise KeyError("its own fault")

    unit = unit_asking(Verbatim | None, Breaking("", 0.9), CHEAP)
    assert run(unit, no_model()).best.value == "6 May 2014"
    result = run(unit_asking(Verbatim | None, Breaking("", 0.9)), no_model(), chain=RULES_ONLY)
    assert (result.state, result.error.code) == (State.FAILED, "fallback_failed")


def test_how_clear_the_quotations_are_is_a_signal():
    unit = unit_asking(Verbatim | None, CHEAP)
    task = run(unit, no_model()).task
    blurred = replace(task, quality=lambda start, end: 0.4, chain=RULES_ONLY)
    result = asyncio.run(FieldRun(blurred).run())
    assert result.best.signals.quality == 0.4


def test_what_a_precision_takes_sends_the_chain_on_and_is_kept_to():
    rules = Rule("Bergen", 0.85), Rule("made", 0.9, AnswerPath.HEURISTIC)
    unit = unit_asking(Verbatim | None, *rules)
    done = run(unit, ScriptedBackend([]), chain=RULES_ONLY)
    assert [answer.signals.score for answer in done.answers] == [0.85]
    task = replace(done.task, min_confidence=0.95)
    done = asyncio.run(FieldRun(task).run())
    assert [answer.signals.score for answer in done.answers] == [0.85, 0.9]
    withheld = field_result(done, DOCUMENT)
    assert (withheld.status, withheld.value, withheld.evidence) == (Status.ABSENT, None, ())
    assert withheld.error.code == "below_min_precision"
    assert "0.90" in withheld.error.message
    given = field_result(replace(done, task=replace(task, min_confidence=0.9)), DOCUMENT)
    assert (given.status, given.error) == (Status.OK, None)


def test_signals_say_how_clear_a_document_is_and_which_checks_were_passed():
    unit = unit_asking(Verbatim | None, Rule("Bergen", 0.8), validators=(mentions("B"), _objects))
    seen = []

    def confidence(signals):
        seen.append(signals)
        return 0.9

    task = replace(
        run(unit, ScriptedBackend([]), chain=RULES_ONLY).task,
        confidence=confidence,
        document_quality=0.7,
        quality=lambda start, end: 0.6,
        route_margin=0.125,
    )
    asyncio.run(FieldRun(task).run())
    (signals,) = seen
    assert (signals.num_passed, signals.num_complaints) == (1, 1)
    assert (signals.document_quality, signals.quality) == (0.7, 0.6)
    assert signals.route_margin == 0.125


def _objects(value, quotes):
    return "never right"
