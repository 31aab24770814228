"""What every policy keeps to, and what each keeps, on keys made up for it."""

import pytest
import torch
from given_pairs import GivenPairs

from assay.errors import ConfigError
from assay.kv_cache.policies import POLICIES, make_policy
from assay.kv_cache.policies.base import View
from assay.kv_cache.policies.compose import Composed
from assay.kv_cache.policies.local_global import CoverageRouter, LocalGlobal, key_nodes
from assay.kv_cache.policies.retention import Retention
from assay.kv_cache.policies.router import Mode

LAYERS, HEADS, GROUP, DIM = 2, 2, 3, 8
NAMES = [*POLICIES, "local_global+retention", "descriptor+retention"]


def make_view(num_tokens: int = 400, num_candidates: int = 320, first: int = 0, seed: int = 0):
    generator = torch.Generator().manual_seed(seed)
    keys = torch.randn(LAYERS, HEADS, num_tokens, DIM, generator=generator)
    values = torch.randn(keys.shape, generator=generator)
    queries = torch.randn(LAYERS, HEADS * GROUP, 5, DIM, generator=generator)
    return View(GivenPairs(keys, values), queries, num_candidates, first)


@pytest.fixture(params=NAMES)
def policy(request: pytest.FixtureRequest):
    return make_policy(request.param)


def test_every_candidate_of_every_head_is_decided_on(policy) -> None:
    view = make_view()
    kept = policy.select(view, policy.prepare(view))
    assert kept.dtype == torch.bool
    assert kept.shape == (LAYERS, HEADS, view.num_candidates)
    assert kept.all() or not policy.keeps_all


def test_sinks_stay(policy) -> None:
    view = make_view()
    assert policy.select(view, policy.prepare(view))[..., :16].all()


def test_the_same_is_chosen_again(policy) -> None:
    view = make_view()
    prepared = policy.prepare(view)
    assert torch.equal(policy.select(view, prepared), policy.select(view, prepared))


def test_a_policy_that_refreshes_chooses_anew_from_the_candidates_alone(policy) -> None:
    view = make_view()
    prepared = policy.prepare(view)
    kept = policy.select(view, prepared)
    asked = view.num_candidates
    candidates = GivenPairs(view.pairs.keys(asked), view.pairs.values(asked))
    other = make_view(seed=1).queries
    again = policy.select(View(candidates, other, asked, counts=kept.sum(-1)), prepared)
    assert torch.equal(again.sum(-1), kept.sum(-1)), "each head keeps its number"
    assert torch.equal(again, kept) != policy.refreshes


@pytest.mark.parametrize("name", ["", "all", "dense+", "retention+retention+dense", 3, None])
def test_an_unknown_name_is_refused(name) -> None:
    with pytest.raises(ConfigError, match="unknown policy"):
        make_policy(name)


def test_two_policies_keep_what_both_keep() -> None:
    view = make_view()
    composed = Composed(LocalGlobal(Fixed()), Retention(0.3))
    kept = composed.select(view, composed.prepare(view))
    assert not (kept & ~composed.first.select(view, Fixed().modes(view))).any()
    assert not composed.acts_in_prefill
    assert make_policy("retention+local_global").refreshes
    assert make_policy("descriptor+local_global").acts_in_prefill


@pytest.mark.parametrize("share", [0.5, 0.25])
def test_retention_keeps_its_share_of_all_pairs_the_tail_included(share: float) -> None:
    view = make_view()
    for scorer in (None, LongValues()):
        policy = Retention(share, scorer=scorer)
        kept = policy.select(view, policy.prepare(view)).sum(-1)
        num_tail = view.pairs.num_tokens - view.num_candidates
        assert kept.float().mean() + num_tail == share * view.pairs.num_tokens
        assert scorer is not None or (kept == kept[0, 0]).all()


def test_with_a_scorer_a_head_whose_pairs_matter_keeps_more_of_them() -> None:
    view, policy = make_view(), Retention(0.5, scorer=LongValues())
    view.pairs.given_values[1, 0] *= 100
    kept = policy.select(view, policy.prepare(view))
    assert kept[1, 0].all()
    assert kept[0].sum(-1).max() < view.num_candidates


def test_retention_keeps_what_the_latest_queries_attend_to() -> None:
    view, policy = make_view(), Retention(0.25)
    for layer, head, token in [(0, 0, 100), (0, 1, 200), (1, 0, 300)]:
        query = view.queries[layer, head * GROUP : (head + 1) * GROUP]
        view.pairs.given_keys[layer, head, token] = 40 * query.mean((0, 1))
    kept = policy.select(view, policy.prepare(view))
    assert kept[0, 0, 100]
    assert kept[0, 1, 200]
    assert kept[1, 0, 300]


class LongValues:
    """A scorer to which pairs with long values matter."""

    def static(self, keys, values):
        return values.norm(dim=-1)

    def combine(self, static, attention):
        return static.clone()


def test_a_scorer_decides_where_there_is_one() -> None:
    view = make_view()
    view.pairs.given_values[:, :, 50:60] *= 100
    policy = Retention(0.5, scorer=LongValues())
    assert policy.select(view, policy.prepare(view))[..., 50:60].all()


class Fixed:
    """A router that always says the same."""

    def modes(self, view):
        return torch.tensor([[Mode.LOCAL, Mode.GLOBAL], [Mode.FULL, Mode.GLOBAL]])


@pytest.mark.parametrize("first", [0, 128])
def test_heads_see_what_their_mode_says(first: int) -> None:
    view = make_view(first=first)
    kept = LocalGlobal(Fixed()).select(view, Fixed().modes(view))
    num_sinks = max(0, 16 - first)
    assert kept[0, 0].sum() == num_sinks
    assert kept[1, 0].all()
    for layer in (0, 1):
        lengths = view.pairs.given_keys[layer, 1, : view.num_candidates].norm(dim=-1)
        nodes = lengths.view(-1, 64).argmin(-1) + torch.arange(0, view.num_candidates, 64)
        expected = set(nodes.tolist()) | set(range(num_sinks))
        assert set(kept[layer, 1].nonzero()[:, 0].tolist()) == expected


def test_a_run_that_ends_early_has_a_key_node_too() -> None:
    assert key_nodes(make_view().pairs.keys(70), 64).sum(-1).tolist() == [[2, 2], [2, 2]]


def test_the_rule_takes_the_cheapest_mode_that_sees_enough() -> None:
    view = make_view()
    view.pairs.given_keys[:] *= 0.1
    query = view.queries[0].unflatten(0, (HEADS, GROUP)).mean((1, 2))
    query = query / query.norm(dim=-1, keepdim=True)
    view.queries[:] = 0
    for head in range(HEADS):
        view.queries[0, head * GROUP : (head + 1) * GROUP] = 40 * query[head]
    # One head's queries look at a recent token, the other's at the shortest key among older ones.
    view.pairs.given_keys[0, 0, 350] = 3 * query[0]
    view.pairs.given_keys[0, 1] = -3 * query[1]
    view.pairs.given_keys[0, 1, 130] = 0.1 * query[1]
    # In the other layer they look at all alike.
    modes = CoverageRouter().modes(view)
    assert modes.tolist() == [[Mode.LOCAL, Mode.GLOBAL], [Mode.FULL, Mode.FULL]]
