"""`assay units`, `assay text` and `assay models`."""

from __future__ import annotations

import json


def test_units_lists_each_unit_on_a_line(command) -> None:
    ran = command("units")
    assert ran.code == 0
    names = [line.split()[0] for line in ran.out.splitlines()]
    assert {"extract_party", "extract_date", "extract_clause"} <= set(names)


def test_a_unit_is_shown_with_its_questions(command) -> None:
    ran = command("units", "extract_date")
    described = json.loads(command("units", "extract_date", "--json").out)
    assert described["fields"]
    for name, question in described["fields"].items():
        assert name in ran.out
        assert question in ran.out


def test_an_unknown_unit_is_told_with_near_names(command) -> None:
    ran = command("units", "extract_dates")
    assert ran.code == 2
    assert "extract_date" in ran.err


def test_text_is_what_offsets_count_in(command, tmp_path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes("Grüße, 合同\r\nno final line feed".encode("utf-16"))
    assert command("text", path).out == "Grüße, 合同\nno final line feed"


def test_segments_cover_the_words_in_order(command, letter) -> None:
    text = command("text", letter).out
    segments = [json.loads(line) for line in command("text", letter, "--segments").out.splitlines()]
    assert segments
    for segment in segments:
        assert segment["text"] == text[segment["start"] : segment["end"]]
    assert "".join("".join(s["text"].split()) for s in segments) == "".join(text.split())


def test_no_models_says_how_to_get_one(command, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    assert "assay pull smollm2" in command("models").out
    assert command("models", "--json").out == ""
