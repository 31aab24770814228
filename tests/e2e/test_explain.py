"""`assay explain` with the real model: what is computed, and then found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

AGREEMENT = Path(__file__).parents[2] / "examples" / "supply_agreement.pdf"


def explain(*arguments: str | Path) -> dict:
    ran = subprocess.run(
        [sys.executable, "-m", "assay", "explain", str(AGREEMENT), "--unit", "extract_clause",
         "--field", "governing_law", "--json", *map(str, arguments)],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return json.loads(ran.stdout)


@pytest.mark.model
@pytest.mark.slow
def test_a_question_finds_live_what_it_computed_and_on_disk_after_a_restart(tmp_path) -> None:
    disk, picture = ("--disk-cache", tmp_path), tmp_path / "explained.png"
    told = explain("--again", "--slices", "chained", "--out", picture, *disk)
    first, again = (item["governing_law"] for item in told["rounds"])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert first["cache"]["reading"] == "chained"
    assert first["cache"]["prompt"]["num_live"] < 0.1 * sum(first["cache"]["prompt"].values())
    assert again["cache"]["prompt"]["num_live"] > 0.8 * sum(again["cache"]["prompt"].values())
    assert again["kept_share"] < 0.2
    assert again["attended_share"] < 0.2
    read = [item for item in again["segments"] if item["reason"] == "chosen"]
    assert any("governing law" in word for item in read for word in item["words"])
    (asked,) = explain("--slices", "chained", *disk)["rounds"]
    restarted = asked["governing_law"]
    assert restarted["cache"]["prompt"]["num_disk"] == again["cache"]["prompt"]["num_live"]
    assert restarted["result"]["value"] == first["result"]["value"]


@pytest.mark.model
@pytest.mark.slow
def test_retention_keeps_a_quarter_of_a_whole_document_unlike_in_each_head() -> None:
    (asked,) = explain("--whole", "--policy", "retention")["rounds"]
    cache = asked["governing_law"]["cache"]
    counts = [count for layer in cache["kept"] for count in layer]
    share = (sum(counts) / len(counts) + cache["num_tokens"] - cache["num_windowed_tokens"]) / (
        cache["num_tokens"]
    )
    # The answer is kept whole, behind the quarter of what was there before it.
    assert 0.24 <= share <= 0.29
    assert min(counts) < 0.05 * cache["num_windowed_tokens"]
    assert max(counts) > 0.9 * cache["num_windowed_tokens"]
