"""Records of runs: complete enough to make the run again without the model."""

import asyncio
import json
from pathlib import Path

import pytest

from assay.analysis import Analyzer, AsyncAnalyzer, ChainTable
from assay.analysis.record import RecordedBackend, RunRecord, record_run
from assay.backends.scripted import ScriptedBackend
from assay.documents import read_document
from assay.errors import CapacityError, RecordError
from assay.routing import RouteRules, load_router

LETTER = read_document(
    b"AGREEMENT made as of 5 January 2013 between Alder Inc. and Birch Ltd. (Buyer). "
    b"It ends on 6 May 2014.",
    name="letter.txt",
)


def analyze(backend, chains=None):
    """The results, and what was recorded of them, read back from its lines."""
    records = []

    def on_run(task, run, result):
        line = record_run(LETTER, task, run, result).to_line()
        records.append(RunRecord.from_line(line))

    async def work():
        async with AsyncAnalyzer(backend=backend, chains=chains) as analyzer:
            return await analyzer.analyze(
                LETTER, units=["extract_date", "extract_party"], on_run=on_run
            )

    return asyncio.run(work()).results, records


def says(request):
    """A model that answers one question and fails at the others."""
    if "agreement" in request.constraint.schema["properties"]:
        return '{"agreement": "5 January 2013"}'
    return CapacityError("full")


def test_a_run_is_made_again_from_its_record_alone():
    results, records = analyze(ScriptedBackend(says))
    assert {record.field for record in records} == {"agreement", "effective", "expiry", "parties"}
    (agreement,) = (record for record in records if record.field == "agreement")
    assert agreement.answers[0]["path"] == "model"
    assert agreement.steps[0]["state"] == "planned"
    assert agreement.steps[-1]["state"] == "done"
    again, recorded_again = analyze(RecordedBackend(records))
    for name, result in results.items():
        assert again[name].as_json() == result.as_json()
    assert {item.field: item.answers for item in recorded_again} == {
        item.field: item.answers for item in records
    }


def test_a_model_that_failed_fails_again():
    _, records = analyze(ScriptedBackend(says))
    (effective,) = (record for record in records if record.field == "effective")
    assert (effective.said, effective.failed["code"]) == (None, "capacity")
    _, again = analyze(RecordedBackend(records))
    (effective,) = (record for record in again if record.field == "effective")
    assert effective.failed["code"] == "invalid_record"


def test_another_chain_is_tried_on_what_was_recorded():
    _, records = analyze(ScriptedBackend(says))
    results, _ = analyze(RecordedBackend(records), ChainTable.of("rules-only"))
    assert results["extract_date"].fields["agreement"].path.value == "specialist"


@pytest.mark.parametrize(
    "change",
    [
        lambda content: {**content, "version": 2},
        lambda content: {**content, "more": 1},
        lambda content: {key: value for key, value in content.items() if key != "field"},
        lambda content: {**content, "said": {"text": "{}"}},
        lambda content: [content],
    ],
)
def test_what_is_no_record_is_told(change):
    _, records = analyze(ScriptedBackend(says))
    with pytest.raises(RecordError):
        RunRecord.from_line(json.dumps(change(json.loads(records[0].to_line()))))


def test_a_record_that_cannot_be_written_costs_no_result():
    """What is raised while a run is told is said once, beside the results."""

    def on_run(task, run, result):
        with Path("/dev/full").open("w") as file:
            file.write(record_run(LETTER, task, run, result).to_line())

    async def work():
        async with AsyncAnalyzer(backend=ScriptedBackend(says)) as analyzer:
            return await analyzer.analyze(LETTER, units=["extract_date"], on_run=on_run)

    analysis = asyncio.run(work())
    assert analysis.results["extract_date"].value["agreement"]["iso"] == "2013-01-05"
    (warning,) = analysis.warnings
    assert (warning.code, "No space left" in warning.message) == ("on_run_failed", True)
    assert analysis.as_json()["warnings"][0]["code"] == "on_run_failed"


def test_a_record_tells_how_its_request_was_routed_and_by_which_rule():
    rules = RouteRules.from_mapping(
        {"rules": [{"name": "ours", "words": ["birthday"], "units": ["extract_date"]}]}
    )
    records = []

    def on_run(task, run, result):
        records.append(record_run(LETTER, task, run, result, route))

    with Analyzer(backend=ScriptedBackend(says), router=load_router(rules)) as analyzer:
        route = analyzer.route("its birthday", tenant="acme")
        units = list(route.unit_names)
        analyzer.analyze(LETTER, units=units, routing=route, on_run=on_run, tenant="acme")
    assert len(records) == 3
    again = RunRecord.from_line(records[0].to_line())
    assert again.routing["rule"] == {"name": "ours", "words": "birthday"}
    assert again.routing["units"][0]["by"] == "rule"
