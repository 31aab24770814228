"""`assay terms`: checking a glossary and finding its terms."""

from __future__ import annotations

import json

import pytest

TABLE = "term,aliases,kind\ndeductible,SIR;basement line,insurance\nforce majeure,,law\n"


@pytest.fixture
def glossary(tmp_path):
    path = tmp_path / "terms.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def policy(tmp_path):
    path = tmp_path / "policy.txt"
    path.write_text("The SIR is 500 in case of Force\nMajeure.")
    return path


def test_finds_terms_with_their_places(command, glossary, policy):
    ran = command("terms", "find", glossary, policy, "--json")
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [(item["start"], item["text"], item["term"]) for item in found] == [
        (4, "SIR", "deductible"),
        (26, "Force\nMajeure", "force majeure"),
    ]
    table = command("terms", "find", glossary, policy, "--kind", "law").out
    assert "Force Majeure" in table
    assert "SIR" not in table


def test_checks_a_table_and_tells_every_fault(command, glossary, tmp_path):
    assert "2 terms, 4 spellings" in command("terms", "check", glossary).out
    bad = tmp_path / "bad.csv"
    bad.write_text(TABLE + ",vis major,\nSIR,,y\n")
    ran = command("terms", "check", bad)
    assert ran.code == 2
    first, second = ran.err.splitlines()
    assert "line 4" in first
    assert "line 5" in second
    told = json.loads(command("terms", "check", bad, "--json").out)
    assert [fault["line"] for fault in told["faults"]] == [4, 5]


def test_a_request_is_understood_by_the_glossary(command, glossary, policy, analyzer):
    assert command("analyze", policy, "--ask", "show the basement line").code == 2
    ran = command("analyze", policy, "--ask", "show the basement line", "--glossary", glossary)
    assert ran.code == 0, ran.err
    assert [task.name for task in analyzer.tasks] == ["extract_deductible"]
    entry = analyzer.glossaries.get("")
    assert (entry.glossary.terms[0].name, entry.merges) == ("deductible", False)
    command("analyze", policy, "--unit", "extract_date", "--glossary", glossary, "--merge-terms")
    assert analyzer.glossaries.get("").merges
