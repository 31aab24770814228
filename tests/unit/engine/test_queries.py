"""The latest queries of a sequence, read whole or as their mean."""

import pytest
import torch

from assay.engine.queries import NUM_RECENT_QUERIES, RecentQueries


def recorded(*lengths: int) -> tuple[RecentQueries, torch.Tensor]:
    """Queries of 2 layers and 3 heads, added so many at a time, and all of them in one."""
    everything = torch.randn(2, sum(lengths), 3, 4)
    queries = RecentQueries()
    for part in everything.split(lengths, 1):
        queries.add(part)
    return queries, everything


@pytest.mark.parametrize("lengths", [(1, 1, 1, 1, 1), (40,), (9, 1, 1), (30, 5, 1)])
@pytest.mark.parametrize("num_tokens", [1, 3, NUM_RECENT_QUERIES])
def test_the_mean_is_that_of_the_latest(lengths: tuple[int, ...], num_tokens: int) -> None:
    queries, everything = recorded(*lengths)
    before = everything.clone()
    expected = everything[:, -num_tokens:].mean(1)[:, :, None]
    torch.testing.assert_close(queries.mean(num_tokens), expected)
    torch.testing.assert_close(
        queries.read(num_tokens), everything[:, -num_tokens:].transpose(1, 2)
    )
    assert torch.equal(everything, before)
