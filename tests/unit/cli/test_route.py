"""`assay route`: one request, or a file of them."""

from __future__ import annotations

import json

import pytest


def test_one_request_shows_numbers_and_units(command) -> None:
    ran = command("route", "list the parties and the dates")
    assert ran.code == 0
    assert "entity" in ran.out
    assert "extract_party" in ran.out
    assert "by model" in ran.out
    assert "labelled requests" not in ran.out


def test_an_explanation_tells_words_and_like_requests(command) -> None:
    ran = command("route", "deductible?", "--explain")
    assert "words that moved it" in ran.out
    assert "labelled requests most like it" in ran.out
    told = json.loads(command("route", "deductible?", "--explain", "--json").out)
    assert told["words"][0]["word"] == "deductible"
    assert len(told["examples"]) == 5


def test_a_request_that_is_refused_ends_with_1_and_names_the_nearest(command) -> None:
    ran = command("route", "order me a pizza")
    assert ran.code == 1
    assert "refused" in ran.out
    assert "nearest are" in ran.out


def test_a_rule_that_spoke_is_told(command, tmp_path, monkeypatch) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules: [{name: ours, words: [premium], units: [extract_currency]}]")
    ran = command("route", "when is the premium due", "--rules", rules)
    assert "decided by the rule 'ours' at 'premium'" in ran.out
    monkeypatch.setenv("ASSAY_ROUTES", str(rules))
    told = json.loads(command("route", "when is the premium due", "--json").out)
    assert told["rule"] == {"name": "ours", "words": "premium"}


def test_rules_that_cannot_be_are_told(command, tmp_path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules: [{name: ours, words: [premium], units: [extract_premium]}]")
    ran = command("route", "dates", "--rules", rules)
    assert ran.code == 2
    assert "'extract_premium', which there is not" in ran.err


def test_a_file_is_counted_by_tenant_and_drawn(command, tmp_path) -> None:
    file, png = tmp_path / "requests.jsonl", tmp_path / "requests.png"
    rows = [
        {"text": "list the dates", "tenant": "acme"},
        {"text": "list the parties", "tenant": "acme"},
        {"text": "金额", "tenant": "globex"},
        {"text": "order me a pizza", "tenant": "globex"},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = command("route", "--file", file, "--png", png)
    assert ran.code == 1
    acme, globex = (line.split() for line in ran.out.splitlines()[1:3])
    assert acme[:3] == ["acme", "2", "0"]
    assert globex[:3] == ["globex", "2", "1"]
    assert png.read_bytes().startswith(b"\x89PNG")
    lines = command("route", "--file", file, "--json").out.splitlines()
    assert [json.loads(line)["tenant"] for line in lines] == ["acme", "acme", "globex", "globex"]


@pytest.mark.parametrize(
    "arguments", [(), ("dates", "--file", "requests.jsonl"), ("dates", "--png", "x.png")]
)
def test_what_does_not_go_together_is_told(command, arguments) -> None:
    assert command("route", *arguments).code == 2
