"""The routing benchmark: its baseline, and its figures on requests of somebody else."""

import json

import pytest

from benchmarks import routing
from benchmarks.routing_patterns import route_by_patterns


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("who are the parties", {"extract_party"}),
        ("is the price between 5 and 9", {"compare_numeric_range"}),
        ("合同什么时候到期", {"extract_date"}),
        ("play some music", set()),
    ],
)
def test_patterns_mean_units(text, units):
    assert set(route_by_patterns(text)[0]) == units


def test_figures_are_shares_by_language_and_of_what_is_refused(tmp_path, capsys):
    rows = [
        {
            "text": "list the dates",
            "lang": "en",
            "descriptor": ["temporal"],
            "units": ["extract_date"],
        },
        {"text": "金额", "lang": "zh", "descriptor": {"numeric": 1}, "units": ["extract_party"]},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "requests_mine.jsonl").write_text(lines)
    (tmp_path / "clinc150_mine.jsonl").write_text('{"text": "play some music"}\n')
    plot = tmp_path / "plot.png"
    arguments = ["--data", str(tmp_path), "--split", "mine", "--rounds", "1", "--plot", str(plot)]
    assert routing.main(arguments) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["units_exact"], told["descriptor_exact"]) == (0.5, 1.0)
    assert told["by_language"]["zh"]["units_exact"] == 0.0
    assert (told["refused_unknown"], told["refused_real"]) == (1.0, 0.0)
    assert told["active_params"] <= 12_000_000
    assert plot.is_file()


def test_without_a_file_of_requests_others_are_taken_and_that_is_said(tmp_path, capsys):
    own = tmp_path / "own.jsonl"
    own.write_text('{"text": "list the dates", "lang": "en", "units": ["extract_date"]}\n')
    arguments = ["--data", str(tmp_path), "--requests", str(own), "--rounds", "1"]
    assert routing.main(arguments) == 0
    said = capsys.readouterr()
    assert "there is no" in said.err
    assert json.loads(said.out.splitlines()[-1])["refused_unknown"] is None
