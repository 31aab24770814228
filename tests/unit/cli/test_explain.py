"""`assay explain`: tables, JSON and pictures of one explanation."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.console import Console

import assay.analysis
from assay.analysis.explain import (
    Explanation,
    FieldExplanation,
    Reason,
    SegmentPlace,
    SegmentUse,
)
from assay.backends.base import BackendInfo
from assay.cli.explain_picture import make_figure
from assay.cli.explain_tables import describe_kept, render_explanation
from assay.documents import Document
from assay.reports import CacheReport, TokenSources
from assay.types import ErrorInfo, FieldResult, Status
from assay.units import Task, get_unit

INFO = BackendInfo("fake", "fake-model", 4096)
RESULT = FieldResult(Status.OK, "Bergen", (), 0.91, None)
PAIRS = {"num_queries": 10, "num_heads": 4, "num_attended_pairs": 800, "num_dense_pairs": 1000}
FIRST = CacheReport("chained", TokenSources(num_computed=40), (), 44, **PAIRS)
AGAIN = CacheReport(
    "chained",
    TokenSources(num_live=30, num_disk=2, num_computed=8),
    num_tokens=44,
    num_windowed_tokens=40,
    kept=((4, 40), (20, 0)),
    **PAIRS,
)


def use(number: int, reason: Reason, sources: TokenSources | None = None) -> SegmentUse:
    return SegmentUse(
        number, 3.0 - number, (("bergen", 2.0), ("“in Bergen”", 1.0)), reason, sources
    )


def field(cache: CacheReport | None, result: FieldResult = RESULT) -> FieldExplanation:
    segments = (
        use(0, Reason.CHOSEN, cache and TokenSources(num_live=20)),
        use(1, Reason.NEIGHBOUR, cache and TokenSources(num_disk=2)),
        use(2, Reason.OUTRANKED),
        use(3, Reason.IRRELEVANT),
        use(4, Reason.NOTHING_TO_COPY),
    )
    return FieldExplanation("town", "Which town?", segments, result, cache, 78)


def explanation(*rounds: FieldExplanation) -> Explanation:
    document = Document("letter.txt", "Made in Bergen. " * 10, "text/plain")
    places = tuple(SegmentPlace(i, 20 * i, 20 * i + 19, 1 + i // 2, 20) for i in range(5))
    asked = tuple({item.name: item} for item in rounds)
    return Explanation(document, "extract_town", places, asked, INFO)


class FakeAnalyzer:
    """Explains whatever it is asked for in the same way."""

    def __init__(self) -> None:
        self.answer = explanation(field(FIRST))
        self.asked: dict[str, object] = {}
        self.error: Exception | None = None

    def __call__(self, model, *, engine, chains):
        self.engine, self.chains = engine, chains
        return self

    def __enter__(self):
        return self

    def __exit__(self, *exc: object) -> None: ...

    @property
    def backend(self):
        return self

    def start(self) -> None: ...

    def explain(self, document, **asked):
        self.asked = asked
        if self.error:
            raise self.error
        return self.answer


@pytest.fixture
def explainer(monkeypatch) -> FakeAnalyzer:
    fake = FakeAnalyzer()
    monkeypatch.setattr(assay.analysis, "Analyzer", fake)
    return fake


def test_options_reach_the_engine_and_the_question(command, explainer, letter) -> None:
    ran = command("explain", letter, "-u", "extract_clause", "-f", "termination", "--again",
                  "--whole", "--tenant", "me", "--policy", "retention",
                  "--slices", "chained")  # fmt: skip
    assert ran.code == 0, ran.err
    assert explainer.engine == {"policy": "retention", "slices": "chained"}
    assert explainer.asked == {
        "unit": Task(get_unit("extract_clause")), "fields": ("termination",), "tenant": "me",
        "num_rounds": 2, "reads_whole": True,
    }  # fmt: skip


def test_json_is_one_object(command, explainer, letter) -> None:
    ran = command("explain", letter, "-u", "extract_clause", "--json")
    told = json.loads(ran.out)
    assert told["unit"] == "extract_town"
    (asked,) = told["rounds"]
    assert asked["town"]["cache"]["prompt"]["num_computed"] == 40
    reasons = [item["reason"] for item in asked["town"]["segments"]]
    assert reasons == ["chosen", "neighbour", "outranked", "irrelevant", "nothing to copy"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-u", "extract_claus"], "did you mean extract_clause"),
        (["-u", "extract_clause", "-f", "sun"], "has no field 'sun'"),
        (["-u", "extract_clause", "--policy", "sparse"], "unknown policy"),
        (["-u", "extract_clause", "--out", "picture.txt"], "ends in none of .png"),
        ([], "--unit"),
    ],
)
def test_what_is_not_known_is_refused_in_one_line(command, letter, arguments, message) -> None:
    ran = command("explain", letter, *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_missing_file_is_told_by_name(command, explainer, tmp_path) -> None:
    ran = command("explain", tmp_path / "none.pdf", "-u", "extract_clause")
    assert (ran.code, explainer.asked) == (2, {})
    assert "none.pdf: no such file" in ran.err


def test_pages_that_were_not_read_are_told(command, explainer, letter) -> None:
    document = replace(explainer.answer.document, unread_pages=(2, 3))
    explainer.answer = replace(explainer.answer, document=document)
    ran = command("explain", letter, "-u", "extract_clause")
    assert ran.err.endswith("letter.txt: pages without a text layer were not read: 2, 3\n")


def test_a_question_that_failed_is_exit_code_1(command, explainer, letter) -> None:
    failed = FieldResult(Status.ERROR, None, (), 0.0, None, ErrorInfo("x", "it broke"))
    explainer.answer = explanation(field(None, failed))
    ran = command("explain", letter, "-u", "extract_clause")
    assert ran.code == 1
    assert "it broke" in ran.out
    assert "the model read nothing" in ran.out


def test_without_the_drawing_library_tables_come_all_the_same(
    command, explainer, letter, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    ran = command("explain", letter, "-u", "extract_clause", "--out", tmp_path / "a.png")
    assert ran.code == 2
    assert "pip install 'assay[plots]'" in ran.err
    assert "Which town?" in ran.out
    assert not (tmp_path / "a.png").exists()


def test_a_picture_is_written_in_the_form_that_its_name_says(
    command, explainer, letter, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(
        "assay.cli.explain_picture.draw_explanation", lambda told, kind: kind.encode()
    )
    ran = command("explain", letter, "-u", "extract_clause", "--out", tmp_path / "a.SVG")
    assert ran.code == 0
    assert (tmp_path / "a.SVG").read_bytes() == b"svg"


def shown(*rounds: FieldExplanation) -> str:
    return render_explanation(explanation(*rounds), console=Console(width=160, highlight=False))


def test_a_table_has_what_is_read_and_the_best_of_the_rest() -> None:
    lines = shown(field(FIRST), field(AGAIN)).splitlines()
    rows = {line.split()[0]: line for line in lines if line.strip()[:1].isdigit()}
    assert list(rows) == ["1", "2", "3", "5"]
    assert "20 live  " in rows["1"]
    assert "2 disk" in rows["2"]
    assert "bergen 2.0, “in Bergen” 1.0" in rows["3"]
    assert "nothing to copy" in rows["5"]
    assert any("1 outranked, 1 irrelevant, 1 nothing to copy" in line for line in lines)


def test_each_round_has_a_line_of_where_its_prompt_came_from() -> None:
    text = shown(field(FIRST), field(AGAIN))
    assert "asked: chained; prompt of 40 tokens, 40 computed; holds 36% of the 122 tokens" in text
    assert "again: chained; prompt of 40 tokens, 30 live, 2 disk, 8 computed" in text


def test_what_heads_kept_is_told_with_the_extremes() -> None:
    line = describe_kept(AGAIN)
    assert line.startswith("kept of the first 40 tokens: 40%")
    assert "between 0% in layer 2, head 2 and 100% in layer 1, head 2" in line
    assert line.endswith("▅▃")


@pytest.fixture
def figure() -> Iterator[object]:
    from matplotlib import pyplot

    made = make_figure(explanation(field(FIRST), field(AGAIN)))
    yield made
    pyplot.close(made)


def test_a_picture_has_a_strip_a_round_and_a_map_of_what_was_kept(figure) -> None:
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["town", "again", "key head", "", "% of pairs kept"]
    (kept,) = figure.axes[2].images
    assert kept.get_array().tolist() == [[10, 50], [100, 0]]
    assert "40% of the pairs" in figure.axes[2].get_title()
    strips = figure.axes[:2]
    assert all("of dense" in axes.texts[0].get_text() for axes in strips)
