"""Replaying a trace: rows are read, scaled and made into prompts."""

import gzip
import json
from pathlib import Path

import pytest
from tiny import tiny_tokenizer

from benchmarks.texts import make_contract, make_prompt_ids
from benchmarks.trace_rows import Row, fit_rows, offered_load, read_rows, request_for


class Counter:
    """As much of a back end as a prompt's length needs."""

    def count_tokens(self, text: str) -> int:
        return tiny_tokenizer().count(text)


def test_a_csv_trace_starts_at_zero_and_is_in_order(tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    path.write_text("t_seconds,input_tokens,output_tokens\n7.5,30,4\n5.0,10,2\n")
    assert [(row.time_s, row.num_input, row.num_output) for row in read_rows(path)] == [
        (0.0, 10, 2),
        (2.5, 30, 4),
    ]


def test_rows_with_equal_hashes_share_the_beginning_of_their_prompts(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl.gz"
    rows = [[0, 1400, 5, [1, 2, 3]], [3000, 2000, 5, [1, 2, 4, 5]]]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    first, second = fit_rows(read_rows(path), 0.5, 8192)
    assert second.time_s == 3.0
    one, two = (request_for(row, Counter()).messages[0].content for row in (first, second))
    num_shared = next(i for i, pair in enumerate(zip(one, two, strict=False)) if len({*pair}) > 1)
    assert Counter().count_tokens(one[:num_shared]) == pytest.approx(512, rel=0.1)
    assert Counter().count_tokens(two) == pytest.approx(1000 - 48, rel=0.05)


def test_a_prompt_that_is_cut_keeps_its_first_blocks() -> None:
    row = Row(0.0, 48 + 700, 5, (1, 2, 3, 4))
    whole = request_for(Row(0.0, 48 + 2048, 5, (1, 2, 3, 4)), Counter()).messages[0].content
    cut = request_for(row, Counter()).messages[0].content
    assert whole.startswith(cut[: len(cut) * 9 // 10])
    assert Counter().count_tokens(cut) == pytest.approx(700, rel=0.05)


def test_a_prompt_has_about_the_tokens_that_the_row_says() -> None:
    request = request_for(Row(0.0, 400, 7, (1,)), Counter())
    assert request.sampling.max_tokens == 7
    assert Counter().count_tokens(request.messages[0].content) == pytest.approx(352, rel=0.05)


def test_rows_are_scaled_and_cut_to_the_model() -> None:
    rows = [Row(0.0, 4000, 400, (1,)), Row(1.0, 100_000, 100_000, (2,))]
    scaled, cut = fit_rows(rows, 0.25, 2048)
    assert (scaled.num_input, scaled.num_output) == (1000, 100)
    assert cut.num_input + cut.num_output <= 2048


def test_the_load_is_the_work_that_arrives_in_a_second() -> None:
    rows = [Row(float(second), 10, 1, (second,)) for second in range(11)]
    assert offered_load(rows, lambda row: 0.5) == pytest.approx(0.55)


def test_made_up_texts_are_the_same_for_the_same_seed() -> None:
    assert make_contract(1, 500) == make_contract(1, 900)[:500]
    assert make_contract(1, 500) != make_contract(2, 500)
    assert make_prompt_ids(1, 8, 1000) == make_prompt_ids(1, 8, 1000)
    assert make_prompt_ids(1, 8, 1000)[0] != make_prompt_ids(2, 8, 1000)[0]
