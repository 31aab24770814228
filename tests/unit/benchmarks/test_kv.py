"""The KV benchmark: the yardstick for reuse, answers that are forced, and pairs of modes."""

import numpy as np
import pytest

from assay.engine.chaining import ChainedPrompt
from assay.kv_cache.chains import Chain, ChainLayout
from assay.units.excerpt import Excerpt, Passage
from benchmarks.cuad import Verdict
from benchmarks.kv_bounds import LeastWork
from benchmarks.kv_engine import Replayed, perplexity
from benchmarks.kv_figures import agreement, paired_interval
from benchmarks.kv_modes import MODES
from benchmarks.kv_replay import Replay
from benchmarks.kv_rounds import ModeLog
from benchmarks.kv_tasks import all_questions, cut

# The catalogue is imported once, here.
QUESTIONS = all_questions()


def test_a_prefix_is_computed_once_and_the_last_token_always() -> None:
    least = LeastWork()
    least.add([1, 2, 3, 4])
    least.add([1, 2, 3, 5])
    assert (least.num_computed, least.num_tokens) == (5, 8)
    least.add([1, 2])
    assert (least.num_computed, least.num_tokens) == (6, 10)
    assert least.reuse == pytest.approx(0.4)


def test_a_segment_is_computed_once_wherever_it_stands() -> None:
    least = LeastWork()
    least.add([1, 7, 8, 5, 9, 6, 2], [range(1, 3), range(4, 5)])
    assert least.num_computed == 7
    least.add([1, 9, 5, 7, 8, 6, 3], [range(1, 2), range(3, 5)])
    assert least.num_computed == 10
    least.add([4, 7, 8, 6], [range(1, 3)])
    assert least.num_computed == 14


def test_a_window_of_a_chain_is_owed_by_the_first_that_needs_it() -> None:
    layout = ChainLayout(block_size=2, window_blocks=2, max_blocks=100)
    segments = [[10 * i, 10 * i + 1] for i in range(1, 5)]
    chain = Chain("", [1, 2], segments, layout)
    least = LeastWork()
    least.add_chained(ChainedPrompt(chain, (0,), [7, 8, 9]))
    assert (least.num_computed, least.num_tokens) == (2 + 2 + 3, 7)
    least.add_chained(ChainedPrompt(chain, (1, 2), [7, 8, 9]))
    assert (least.num_computed, least.num_tokens) == (7 + 2 + 3, 7 + 9)
    least.add_chained(ChainedPrompt(chain, (1, 2), [7, 8, 5]))
    assert (least.num_computed, least.num_tokens) == (12 + 1, 16 + 9)


def test_a_replay_allows_one_token_at_a_time() -> None:
    replay = Replay([40, 41], [31, 63])
    assert replay.forced_tokens() == [40, 41]
    replay.advance(40, 41)
    assert replay.forced_tokens() == []
    row = np.full(2, -1, dtype=np.int32)
    replay.fill_mask(row)
    assert row.view(np.uint32).tolist() == [1 << 31, 0]
    replay.advance(31)
    replay.fill_mask(row)
    assert row.view(np.uint32).tolist() == [0, 1 << 31]
    replay.rollback(1)
    assert replay.next_token == 31
    replay.advance(31, 63)
    assert replay.is_finished


def test_perplexity_weighs_answers_by_their_tokens() -> None:
    replayed = Replayed(nll=[np.log(2.0), np.log(8.0)], num_tokens=[3, 1])
    assert perplexity([replayed]) == pytest.approx(2 ** (6 / 4))
    assert perplexity([]) is None


def test_a_difference_on_the_same_contracts_is_narrower_than_two_intervals() -> None:
    good, bad = Verdict(1, 0, 0), Verdict(0, 1, 1)
    mine, theirs = [good, bad] * 20, [good, bad] * 20
    assert paired_interval(mine, theirs) == (0.0, 0.0)
    theirs[0] = bad
    low, high = paired_interval(mine, theirs)
    assert 0 <= low < high < 0.2


def test_answers_agree_where_they_read_the_same() -> None:
    mine, theirs = (ModeLog(MODES["independent"]), ModeLog(MODES["dense"]))
    mine.texts = [{("u", "a"): "x", ("u", "b"): "y", ("u", "c"): "z"}]
    theirs.texts = [{("u", "a"): "x", ("u", "b"): "Y"}]
    assert agreement(mine, theirs) == 0.5


def test_a_document_is_cut_after_the_last_passage_that_fits() -> None:
    passages = tuple(Passage(text, range(len(text))) for text in ("aaaa", "bbb", "c"))
    excerpt = Excerpt(passages, (False,) * 3)
    assert cut(excerpt, 11, len).text == "aaaa\nbbb\nc"
    assert cut(excerpt, 10, len).text == "aaaa\nbbb"
    assert cut(excerpt, 6, len).text == "aaaa"


def test_another_wording_changes_the_question_from_its_first_word() -> None:
    for question in QUESTIONS:
        words = [question.worded(i).question.text for i in range(3)]
        assert words[0] == question.field.question.text
        assert len({text.split()[0] for text in words}) == 3
