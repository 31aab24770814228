"""Cases put to whoever answers, judged, logged, and taken up again from a log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from assay.documents import Document
from assay.evaluation import Ask, Case, Counts, Finding, Place
from assay.evaluation.base import one_value, text_document
from assay.evaluation.judgement import JudgementLog, Response
from assay.evaluation.run import evaluate, read_cases


class Towns:
    """Letters whose town is their first word."""

    name = "towns"

    def read(self, folder: Path, split: str) -> Iterable[Case]:
        for number in range(10):
            document = text_document(f"{number}", f"Bergen {number}")
            yield Case(document.name, "en", document, (Ask("town", "find_town", "Bergen"),))

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:
        right = finding.value == ask.gold and finding.places == (Place(0, 6),)
        return one_value(right=right, answered=finding.value is not None, expected=True)


class FirstWord:
    """Answers with the first word; the first case last, so that order is not that of arrival."""

    system = "first word"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.num_at_once = self.most_at_once = 0

    async def answer(self, case: Case) -> tuple[Document, Sequence[Response]]:
        self.asked.append(case.case_id)
        self.num_at_once += 1
        self.most_at_once = max(self.most_at_once, self.num_at_once)
        for _ in range(5 if case.case_id == "0" else 1):
            await asyncio.sleep(0)
        self.num_at_once -= 1
        assert isinstance(case.source, Document)
        finding = Finding(case.source.text.split()[0], (Place(0, 6),))
        return case.source, [Response(finding, "heuristic", 0.7)]


def run(answerer: FirstWord, log: JudgementLog, cases: Sequence[Case] | None = None) -> list[str]:
    towns = Towns()
    chosen = list(towns.read(Path(), "dev")) if cases is None else cases
    judged = asyncio.run(evaluate([(towns, chosen)], answerer, log))
    assert all(item.counts == Counts(1, 1, 1) for item in judged)
    assert all((item.path, item.confidence) == ("heuristic", 0.7) for item in judged)
    return [item.case_id for item in judged]


def test_judgements_come_in_the_order_of_the_cases() -> None:
    answerer = FirstWord()
    assert run(answerer, JudgementLog(None)) == [str(number) for number in range(10)]


def test_a_few_cases_are_in_flight_at_once() -> None:
    answerer = FirstWord()
    run(answerer, JudgementLog(None))
    assert 1 < answerer.most_at_once <= 4


def test_what_the_log_has_is_not_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    cases = list(Towns().read(Path(), "dev"))
    run(FirstWord(), JudgementLog(path), cases[:4])
    again = FirstWord()
    assert run(again, JudgementLog(path), cases) == [str(number) for number in range(10)]
    assert again.asked == [str(number) for number in range(4, 10)]


def test_a_line_cut_short_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    cases = list(Towns().read(Path(), "dev"))[:2]
    run(FirstWord(), JudgementLog(path), cases[:1])
    path.write_text(path.read_text("utf-8")[:-20], "utf-8")
    again = FirstWord()
    run(again, JudgementLog(path), cases)
    assert sorted(again.asked) == ["0", "1"]
    third = FirstWord()
    run(third, JudgementLog(path), cases)
    assert third.asked == []


def test_progress_counts_the_cases_of_each_set(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    towns = Towns()
    cases = list(towns.read(Path(), "dev"))[:3]
    asyncio.run(
        evaluate([(towns, cases)], FirstWord(), JudgementLog(None), lambda *done: told.append(done))
    )
    assert told == [("towns", 1, 3), ("towns", 2, 3), ("towns", 3, 3)]


@pytest.mark.parametrize(
    ("limit", "chosen"), [(3, "036"), (10, "0123456789"), (None, "0123456789")]
)
def test_a_limit_spreads_over_the_file(limit: int | None, chosen: str) -> None:
    assert "".join(case.case_id for case in read_cases(Towns(), Path(), "dev", limit)) == chosen
