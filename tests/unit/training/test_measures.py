"""What is kept at a share, and how much attention that covers."""

from __future__ import annotations

import pytest
import torch

from assay.training.measures import NUM_LATEST, NUM_SINK, coverage, keep
from assay.training.recording import Asked

LAYERS, HEADS, CONTEXT = 2, 3, 400


def made_up_scores() -> torch.Tensor:
    scores = torch.rand(LAYERS, HEADS, CONTEXT, generator=torch.Generator().manual_seed(0))
    scores[1, 2] += 1  # a head whose pairs all matter more
    return scores


@pytest.mark.parametrize("over_all", [True, False])
@pytest.mark.parametrize("share", [0.5, 0.25])
def test_the_share_is_kept_and_the_first_and_latest_tokens_always(share, over_all) -> None:
    kept = keep(made_up_scores(), share, 20, over_all=over_all)
    assert int(kept.sum()) == LAYERS * HEADS * int(share * CONTEXT)
    assert kept[..., :NUM_SINK].all()
    assert kept[..., CONTEXT + 20 - NUM_LATEST :].all()


def test_heads_compete_only_where_they_are_to() -> None:
    together = keep(made_up_scores(), 0.25, 20, over_all=True).sum(-1)
    assert together[1, 2] > 2 * together[0, 0]
    each = keep(made_up_scores(), 0.25, 20, over_all=False).sum(-1)
    assert (each == 100).all()


def test_within_a_head_the_highest_scores_stay() -> None:
    scores = made_up_scores()
    kept = keep(scores, 0.5, 100, over_all=False)[0, 0, NUM_SINK:]
    assert scores[0, 0, NUM_SINK:][kept].min() >= scores[0, 0, NUM_SINK:][~kept].max()


def test_coverage_is_a_mean_over_heads_whatever_their_attention_comes_to() -> None:
    mass = torch.ones(1, 2, 4) * torch.tensor([1.0, 100.0])[:, None]
    kept = torch.tensor([[[True] * 4, [True, False, False, False]]])
    asked = Asked([1], [2], 1, torch.zeros(0), torch.zeros(0), mass)
    assert coverage(asked, kept) == pytest.approx((1 + 0.25) / 2)
