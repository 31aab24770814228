"""The sampler: what is drawn, and how sure it says it was."""

import math
from random import Random

import numpy as np
import pytest
import torch
from kernel_references import needs_kernels

from assay.engine.draw import draw_token
from assay.engine.greedy import find_likeliest, find_likeliest_with
from assay.engine.sampler import sample
from assay.types import SamplingParams

GREEDY = SamplingParams()


@pytest.fixture(params=["torch", pytest.param("native", marks=needs_kernels)])
def find(request):
    """What reads the greedy rows: either must do what the tests say."""
    return find_likeliest_with(request.param)


def mask_of(legal: list[int], vocab_size: int) -> np.ndarray:
    bits = np.zeros((vocab_size + 31) // 32 * 32, dtype=np.uint8)
    bits[legal] = 1
    return np.packbits(bits, bitorder="little").view(np.int32)


def draw(logits, params=GREEDY, legal=None, seed=0, find=find_likeliest):
    rows = torch.tensor(np.array([logits]), dtype=torch.float32)
    masks = None if legal is None else mask_of(legal, len(logits))[None]
    return sample(rows, masks, [params], [Random(seed)], find)[0]


def softmax(logits):
    weights = np.exp(np.asarray(logits, dtype=np.float64))
    return weights / weights.sum()


def test_greedy_takes_the_likeliest_and_reports_its_probability_and_lead(find):
    logits = [0.0, 2.0, 1.0, -1.0]
    token = draw(logits, find=find)
    expected = softmax(logits)
    assert token.token_id == 1
    assert token.num_legal == 4
    assert token.logprob == pytest.approx(math.log(expected[1]), abs=1e-6)
    assert token.margin == pytest.approx(expected[1] - expected[2], abs=1e-6)
    assert token.entropy == pytest.approx(-float((expected * np.log(expected)).sum()), abs=1e-6)
    assert token.alternatives == ()


@pytest.mark.parametrize("num_legal", [2, 5, 300])
def test_probabilities_are_renormalised_over_the_legal_tokens(num_legal):
    generator = np.random.default_rng(3)
    logits = generator.standard_normal(400)
    legal = sorted(generator.choice(400, num_legal, replace=False).tolist())
    token = draw(logits, SamplingParams(num_logprobs=4), legal)
    expected = softmax(logits[legal])
    order = np.argsort(-expected)
    assert token.token_id == legal[order[0]]
    assert token.entropy == pytest.approx(-float((expected * np.log(expected)).sum()), abs=1e-5)
    assert token.logprob == pytest.approx(math.log(expected[order[0]]), abs=1e-5)
    assert token.margin == pytest.approx(expected[order[0]] - expected[order[1]], abs=1e-5)
    assert [item[0] for item in token.alternatives] == [legal[i] for i in order[1:5]]
    for (_, logprob), index in zip(token.alternatives, order[1:5], strict=False):
        assert logprob == pytest.approx(math.log(expected[index]), abs=1e-5)


def test_a_single_legal_token_is_certain():
    token = draw([5.0, 1.0, 2.0], SamplingParams(temperature=1.0, num_logprobs=3), legal=[1])
    assert (token.token_id, token.logprob, token.margin) == (1, 0.0, 1.0)
    assert (token.num_legal, token.alternatives, token.entropy) == (1, (), 0.0)


@pytest.mark.parametrize("num_others", [0, 3])
def test_no_legal_token_gives_none_for_that_row_alone(num_others, find):
    vocab_size = 40
    rows = torch.zeros(1 + num_others, vocab_size)
    masks = np.stack([mask_of([], vocab_size)] + [mask_of([2], vocab_size)] * num_others)
    count = 1 + num_others
    tokens = sample(rows, masks, [GREEDY] * count, [Random(0)] * count, find)
    assert tokens[0] is None
    assert [token.token_id for token in tokens[1:]] == [2] * num_others


def test_mask_bits_past_the_vocabulary_are_ignored(find):
    full = np.full((1, 2), -1, np.int32)
    assert sample(torch.zeros(1, 40), full, [GREEDY], [Random(0)], find)[0].num_legal == 40
    sparse = mask_of([1, 63], 64)[None]
    padded = np.zeros((1, 10), np.int32)
    padded[0, :2] = sparse
    assert sample(torch.zeros(1, 40), padded, [GREEDY], [Random(0)], find)[0].num_legal == 1
    padded[0, :2] = mask_of([50, 63], 64)
    assert sample(torch.zeros(1, 40), padded, [GREEDY], [Random(0)], find)[0] is None


@pytest.mark.parametrize("legal", [None, [0, 1, 2], list(range(64))])
@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_draws_follow_the_tempered_distribution(legal, temperature):
    logits = np.full(64, -30.0)
    logits[:3] = [1.0, 0.0, -1.0]
    params = SamplingParams(temperature=temperature)
    count = 3000
    rows = torch.tensor(np.tile(logits, (count, 1)), dtype=torch.float32)
    masks = None if legal is None else np.tile(mask_of(legal, 64), (count, 1))
    tokens = sample(rows, masks, [params] * count, [Random(seed) for seed in range(count)])
    shares = np.bincount([token.token_id for token in tokens], minlength=64)[:3] / count
    expected = softmax(logits[:3] / temperature)
    assert shares == pytest.approx(expected, abs=4 * math.sqrt(0.25 / count))


@pytest.mark.parametrize("temperature", [1e-300, 1e-9, 2e-4])
def test_a_temperature_near_zero_is_greedy(temperature):
    logits = [-1000.0, 2.0, 1.99]
    token = draw(logits, SamplingParams(temperature=temperature))
    assert token.token_id == 1


def test_top_p_keeps_the_smallest_set_that_reaches_it():
    logits = np.log([0.5, 0.3, 0.15, 0.05])
    params = SamplingParams(temperature=1.0, top_p=0.7)
    seen = {draw(logits, params, seed=seed).token_id for seed in range(200)}
    assert seen == {0, 1}
    alone = SamplingParams(temperature=1.0, top_p=0.01)
    assert {draw(logits, alone, seed=seed).token_id for seed in range(50)} == {0}


def test_the_reported_probability_is_the_models_own_whatever_the_temperature():
    logits = [0.0, 2.0, 1.0]
    token = draw(logits, SamplingParams(temperature=3.0, top_p=0.99), seed=4)
    assert token.logprob == pytest.approx(math.log(softmax(logits)[token.token_id]), abs=1e-6)


def test_a_token_that_was_not_the_likeliest_has_a_negative_lead():
    logits = [0.0, 1.0]
    hot = SamplingParams(temperature=5.0)
    tokens = [draw(logits, hot, seed=seed) for seed in range(20)]
    assert {token.margin < 0 for token in tokens if token.token_id == 0} == {True}


def test_a_seeded_draw_does_not_depend_on_the_batch():
    generator = np.random.default_rng(5)
    logits = generator.standard_normal((6, 200)).astype(np.float32)
    masks = np.stack(
        [mask_of(generator.choice(200, size, replace=False).tolist(), 200) for size in (3, 200) * 3]
    )
    params = [SamplingParams(temperature=t, top_p=p) for t, p in [(1.0, 1.0), (0.7, 0.9)] * 3]
    together = sample(
        torch.tensor(logits), masks, params, [Random(seed) for seed in range(len(params))]
    )
    for row in range(6):
        alone = sample(
            torch.tensor(logits[row : row + 1]), masks[row : row + 1], [params[row]], [Random(row)]
        )
        assert alone[0].token_id == together[row].token_id
        assert alone[0].logprob == pytest.approx(together[row].logprob, abs=1e-6)


@pytest.mark.parametrize("params", [GREEDY, SamplingParams(temperature=1.0)])
def test_logits_that_are_not_numbers_show_in_the_probability(params, find):
    assert not math.isfinite(draw([math.nan] * 3, params, find=find).logprob)
    assert not math.isfinite(draw([0.0, math.nan, 1.0], params, find=find).logprob)
    assert not math.isfinite(draw([0.0, math.inf, 1.0], params, find=find).logprob)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("num_legal", [40, 19_000])
@pytest.mark.parametrize("params", [GREEDY, SamplingParams(num_logprobs=1)])
def test_what_is_not_legal_may_be_no_number(bad, num_legal, params, find):
    logits = np.full(20_000, bad, dtype=np.float32)
    logits[:num_legal] = np.arange(num_legal, dtype=np.float32) / num_legal
    token = draw(logits, params, list(range(num_legal)), find=find)
    assert token.token_id == num_legal - 1
    expected = math.log(softmax(logits[:num_legal])[-1])
    assert token.logprob == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("width", [0, 3])
def test_greedy_rows_together_are_each_row_alone(width, find):
    """Rows with few, many, all, one or no legal tokens, in any order, give what each gives."""
    vocab_size, generator = 20_000, np.random.default_rng(7)
    sizes = [2, 19_900, 0, 1, 40, 20_000, 300, 3, 9000, 0]
    logits = generator.standard_normal((len(sizes), vocab_size)).astype(np.float32) * 4
    logits[4, :20] = logits[4, 20:40] = 9.0
    legal = [sorted(generator.choice(vocab_size, size, replace=False).tolist()) for size in sizes]
    legal[4] = list(range(40))
    num_bits = (vocab_size + 31) // 32 * 32 + 32 * width
    masks = np.stack([mask_of(tokens, num_bits) for tokens in legal])
    masks[:, vocab_size // 32 + 1 :] = -1
    count = len(sizes)
    rows = torch.tensor(logits)
    together = sample(rows, masks, [GREEDY] * count, [Random(0)] * count, find)
    for index, token in enumerate(together):
        alone = draw_token(logits[index], masks[index], GREEDY, Random(0))
        if alone is None:
            assert token is None
            continue
        assert token is not None
        assert (token.token_id, token.num_legal) == (alone.token_id, alone.num_legal)
        assert token.num_legal == sizes[index]
        assert token.logprob == pytest.approx(alone.logprob, abs=1e-5)
        assert token.margin == pytest.approx(alone.margin, abs=1e-5)
    assert np.array_equal(rows.numpy(), logits), "the logits were written to"


def test_greedy_and_drawn_rows_may_be_mixed(find):
    """Each row goes its own way, whatever stands before it."""
    logits = torch.arange(6.0).repeat(4, 1)
    masks = np.stack([mask_of([1, 2], 6), mask_of([3], 6), mask_of([0, 4], 6), mask_of([], 6)])
    drawn = SamplingParams(temperature=1.0)
    params = [drawn, GREEDY, GREEDY, drawn]
    tokens = sample(logits, masks, params, [Random(0)] * 4, find)
    assert tokens[0].token_id in (1, 2)
    assert [tokens[1].token_id, tokens[2].token_id, tokens[3]] == [3, 4, None]
    params = [GREEDY, drawn, drawn, GREEDY]
    tokens = sample(logits, masks, params, [Random(0)] * 4, find)
    assert [tokens[0].token_id, tokens[1].token_id, tokens[3]] == [2, 3, None]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_row_that_is_not_numbers_spoils_no_other(bad, find):
    logits = np.tile(np.arange(64, dtype=np.float32), (3, 1))
    logits[1] = bad
    masks = np.tile(mask_of([3, 9], 64), (3, 1))
    tokens = sample(torch.tensor(logits), masks, [GREEDY] * 3, [Random(0)] * 3, find)
    assert [tokens[0].token_id, tokens[2].token_id] == [9, 9]
    assert not math.isfinite(tokens[1].logprob)
    unmasked = sample(torch.tensor(logits), None, [GREEDY] * 3, [Random(0)] * 3, find)
    assert [unmasked[0].token_id, unmasked[2].token_id] == [63, 63]
    assert not math.isfinite(unmasked[1].logprob)
