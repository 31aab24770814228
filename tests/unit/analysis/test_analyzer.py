"""The front door: one document, several units, each failing alone."""

import asyncio
from typing import Annotated

import pytest
from pydantic import BaseModel

from assay import Analyzer, AsyncAnalyzer
from assay.analysis.abstention import Abstention, Point
from assay.analysis.choosing import choose_tasks, every_task
from assay.analysis.plan import cache_salt_of
from assay.backends.scripted import ScriptedBackend
from assay.errors import (
    CapacityError,
    ConfigError,
    DocumentNotFoundError,
    NoMatchingUnitError,
    PrecisionUnreachableError,
    UnitArgumentError,
    UnknownUnitError,
)
from assay.types import Status
from assay.units import Question, Task, Unit, Verbatim, all_units, get_unit

TEXT = "The agreement was made in Bergen. The buyer is Acme."


def _raise(value, quotes):
    raise RuntimeError("a validator with a bug")


def unit(name, word, **options):
    class Output(BaseModel):
        answer: Annotated[
            Verbatim | None, Question("Which?", keywords={word: 1.0}, floor=0.0, **options)
        ]

    return Unit(name, "For the test.", Output)


TOWN, BUYER = unit("extract_town", "made"), unit("extract_buyer", "buyer")
BROKEN = unit("extract_broken", "made", validators=(_raise,))


def answer(request):
    return {"answer": "Acme" if "Acme" in request.messages[1].content else "Bergen"}


def test_an_analysis_has_every_unit_in_the_order_asked():
    with Analyzer(backend=ScriptedBackend(answer)) as analyzer:
        analysis = analyzer.analyze(TEXT.encode(), units=[BUYER, TOWN])
    assert list(analysis.results) == ["extract_buyer", "extract_town"]
    (evidence,) = analysis.results["extract_buyer"].evidence
    assert TEXT[evidence.start : evidence.end] == evidence.quote == "Acme"
    assert evidence.pointer == "/answer"


def test_a_unit_that_raises_fails_alone():
    with Analyzer(backend=ScriptedBackend(answer)) as analyzer:
        results = analyzer.analyze(TEXT.encode(), units=[BROKEN, BUYER]).results
    assert results["extract_broken"].status is Status.ERROR
    assert results["extract_broken"].error.code == "unit_failed"
    assert results["extract_buyer"].status is Status.OK


def test_progress_counts_the_units_as_they_finish():
    seen = []
    with Analyzer(backend=ScriptedBackend(answer)) as analyzer:
        analyzer.analyze(TEXT.encode(), units=[TOWN, BUYER], on_progress=seen.append)
    assert [(item.done, item.total) for item in seen] == [(1, 2), (2, 2)]


def test_the_json_form_has_the_documented_keys():
    with Analyzer(backend=ScriptedBackend(answer)) as analyzer:
        printed = analyzer.analyze(TEXT.encode(), units=[BUYER]).as_json()
    assert set(printed) == {"document", "results", "usage", "timing_ms"}
    assert set(printed["document"]) == {"name", "num_chars", "num_pages"}
    result = printed["results"]["extract_buyer"]
    wanted = {"status", "value", "evidence", "confidence", "path", "error"}
    assert wanted <= set(result)
    assert {"start", "end", "quote", "page"} <= set(result["evidence"][0])
    assert printed["usage"]["num_requests"] == 1


def test_a_given_back_end_is_left_open():
    backend = ScriptedBackend(answer)
    with Analyzer(backend=backend) as analyzer:
        analyzer.analyze(TEXT.encode(), units=[TOWN])
    with Analyzer(backend=backend) as analyzer:
        assert analyzer.analyze(TEXT.encode(), units=[TOWN]).results


def test_the_asynchronous_analyzer_runs_documents_side_by_side():
    async def both():
        async with AsyncAnalyzer(backend=ScriptedBackend(answer)) as analyzer:
            return await asyncio.gather(
                *(analyzer.analyze(TEXT.encode(), units=[TOWN]) for _ in range(3))
            )

    assert [item.results["extract_town"].status for item in asyncio.run(both())] == [Status.OK] * 3


def test_a_missing_file_is_an_error_of_the_caller(tmp_path):
    with (
        Analyzer(backend=ScriptedBackend(answer)) as analyzer,
        pytest.raises(DocumentNotFoundError),
    ):
        analyzer.analyze(tmp_path / "none.txt", units=[TOWN])


def test_units_are_chosen_by_name_by_words_or_all():
    assert [item.name for item in choose_tasks(["extract_party"])] == ["extract_party"]
    askable = {unit.name for unit in all_units() if not unit.required_arguments}
    assert {item.name for item in every_task()} == askable
    with pytest.raises(UnknownUnitError):
        choose_tasks(["extract_nothing"])


def test_a_request_in_words_is_routed_and_counted():
    with Analyzer(backend=ScriptedBackend(answer)) as analyzer:
        route = analyzer.route("who are the parties?", tenant="acme")
        assert [item.name for item in choose_tasks((), route)] == ["extract_party"]
        refused = analyzer.route("the weather", tenant="acme")
        with pytest.raises(NoMatchingUnitError, match="nearest are"):
            choose_tasks((), refused)
        counts = analyzer.route_statistics.as_json()["acme"]
    assert (counts["num_requests"], counts["num_refused"]) == (2, 1)
    assert counts["units"] == {"extract_party": 1}


def test_an_analysis_tells_how_its_request_was_routed():
    with Analyzer(backend=ScriptedBackend(lambda request: CapacityError("full"))) as analyzer:
        analysis = analyzer.analyze(TEXT.encode(), ask="which sums of money are named?")
        by_name = analyzer.analyze(TEXT.encode(), units=["extract_currency"])
    assert list(analysis.results) == ["extract_currency"]
    routing = analysis.as_json()["routing"]
    assert routing["text"] == "which sums of money are named?"
    assert routing["active"] == ["numeric"]
    assert "routing" not in by_name.as_json()


def test_a_task_that_is_given_stands_for_the_unit_that_a_request_means():
    with Analyzer(backend=ScriptedBackend(answer)) as analyzer:
        route = analyzer.route("is the price between 10 and 20 dollars?")
    assert "compare_numeric_range" in route.unit_names
    with pytest.raises(UnitArgumentError, match="compare_numeric_range"):
        choose_tasks((), route)
    task = Task(get_unit("compare_numeric_range"), {"what": "price", "low": 10, "high": 20})
    given = choose_tasks([task], route)
    assert next(item for item in given if item.name == task.name).arguments["low"] == 10


def test_rules_come_from_the_file_that_the_environment_names(tmp_path, monkeypatch):
    path = tmp_path / "rules.yaml"
    path.write_text("rules: [{name: none, words: [dates], refuse: not here}]", encoding="utf-8")
    monkeypatch.setenv("ASSAY_ROUTES", str(path))
    with (
        Analyzer(backend=ScriptedBackend(answer)) as analyzer,
        pytest.raises(NoMatchingUnitError, match="refused by the rule 'none': not here"),
    ):
        analyzer.analyze(TEXT.encode(), ask="list the dates")


def test_a_document_is_prepared_once_for_units_that_begin_alike():
    """All its segments, behind every question, for whoever's document it is."""
    backend = ScriptedBackend(lambda request: "x")
    text = " ".join(f"Sentence number {n} is about nothing in particular." for n in range(400))
    other = Unit("extract_other", "For the test.", TOWN.output, system="You are terse.")
    with Analyzer(backend=backend) as analyzer:
        analyzer.prepare(text.encode(), units=[TOWN, BUYER, other], tenant="acme")
        document = backend.requests[0].messages[1].document
    by_system = {}
    for request in backend.requests:
        assert request.priority > 0
        assert request.cache_salt == cache_salt_of("acme")
        system, user = request.messages
        assert user.document == document
        by_system.setdefault(system.content, []).extend(user.chosen)
    assert list(by_system) == [TOWN.system, "You are terse."]
    for chosen in by_system.values():
        assert chosen == list(range(len(document.segments)))


def test_tenants_have_salts_of_their_own_and_nothing_else_is_told_of_them():
    backend = ScriptedBackend(answer)
    with Analyzer(backend=backend) as analyzer:
        for tenant in ("", "acme", "other"):
            analyzer.analyze(TEXT.encode(), units=[TOWN], tenant=tenant)
    salts = [request.cache_salt for request in backend.requests]
    assert salts[0] == ""
    assert len(set(salts)) == 3
    assert all(request.is_preamble_public for request in backend.requests)
    assert "acme" not in repr(backend.requests[1])


def test_a_unit_with_words_of_its_own_before_the_document_shares_none():
    backend = ScriptedBackend(answer)
    own = Unit("extract_own", "For the test.", TOWN.output, system="Our secret way of reading.")
    with Analyzer(backend=backend) as analyzer:
        analyzer.analyze(TEXT.encode(), units=[own], tenant="acme")
    assert not backend.requests[0].is_preamble_public


def test_a_precision_that_an_answer_does_not_reach_withholds_it(monkeypatch):
    curves = Abstention((Point(0.5, 1.0, 0.6, 0.55), Point(0.999, 0.1, 0.98, 0.97)), {})
    for module in ("plan", "abstention"):
        monkeypatch.setattr(f"assay.analysis.{module}.shipped_abstention", lambda: curves)
    with Analyzer(backend=ScriptedBackend(answer)) as analyzer:
        given = analyzer.analyze(TEXT.encode(), units=[BUYER]).results["extract_buyer"]
        withheld = analyzer.analyze(TEXT.encode(), units=[BUYER], min_precision=0.95)
        with pytest.raises(PrecisionUnreachableError):
            analyzer.analyze(TEXT.encode(), units=[BUYER], min_precision=0.99)
        with pytest.raises(ConfigError):
            analyzer.analyze(TEXT.encode(), units=[BUYER], min_precision=1.5)
    assert given.status is Status.OK
    result = withheld.results["extract_buyer"]
    assert (result.status, result.error.code) == (Status.ABSENT, "below_min_precision")
