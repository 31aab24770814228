"""`assay replay`: what recorded runs come to now."""

from __future__ import annotations

import json

import pytest

import assay.analysis
from assay.analysis import Analyzer
from assay.analysis.record import record_run
from assay.backends.scripted import ScriptedBackend
from assay.errors import CapacityError
from assay.types import ErrorInfo


@pytest.fixture
def records(tmp_path, letter):
    """What was recorded of a letter, under rules alone."""
    path = tmp_path / "runs.jsonl"
    document = assay.read_document(letter)

    def on_run(task, run, result):
        with path.open("a", encoding="utf-8") as file:
            file.write(record_run(document, task, run, result).to_line())

    backend = ScriptedBackend(lambda request: CapacityError("full"))
    with Analyzer(backend=backend) as analyzer:
        analyzer.analyze(document, units=["extract_currency", "extract_date"], on_run=on_run)
    return path


def test_answers_that_come_out_as_recorded_are_said_so(command, letter, records) -> None:
    ran = command("replay", records, letter, "--steps")
    assert ran.code == 0, ran.err + ran.out
    assert ran.out.count("as recorded") == 4
    assert "falling_back" in ran.out


def test_answers_that_come_out_otherwise_end_with_1(command, letter, records) -> None:
    lines = [json.loads(line) for line in records.read_text(encoding="utf-8").splitlines()]
    lines[0]["result"]["confidence"] = 0.01
    records.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    ran = command("replay", records, letter, "--json")
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, [item["same"] for item in told]) == (1, [False, True, True, True])


def test_records_of_another_document_are_no_records(command, letter, records) -> None:
    letter.write_text("Another letter altogether.", encoding="utf-8")
    ran = command("replay", records, letter)
    assert (ran.code, "no record of this document" in ran.err) == (2, True)


def test_a_broken_line_is_told_with_its_number(command, letter, records) -> None:
    records.write_text(records.read_text(encoding="utf-8") + "{}\n", encoding="utf-8")
    ran = command("replay", records, letter)
    assert (ran.code, "line 5" in ran.err) == (2, True)
    ran = command("replay", records.with_name("none.jsonl"), letter)
    assert ran.code == 2


def test_analyze_records_each_run(command, letter, analyzer, tmp_path) -> None:
    path = tmp_path / "trace.jsonl"
    assert command("analyze", letter, "-u", "extract_date", "--trace", path).code == 0
    assert analyzer.on_run is not None


def test_runs_that_could_not_be_recorded_are_told_with_the_results(
    command, letter, analyzer, tmp_path
) -> None:
    analyzer.warnings = (ErrorInfo("on_run_failed", "OSError: No space left on device"),)
    ran = command("analyze", letter, "-u", "extract_date", "--trace", tmp_path / "t", "--json")
    assert (ran.code, "extract_date" in ran.out) == (1, True)
    assert "not all runs were recorded: OSError: No space left" in ran.err
