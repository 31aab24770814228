"""How importance is spread over blocks."""

import numpy as np
import pytest

from assay.study.shares import blocks_needed, rank_correlation, shares_of

IMPORTANCE = np.array([[6.0, 1.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0]])


def test_shares_of_a_request_sum_to_one() -> None:
    assert shares_of(IMPORTANCE)[0].tolist() == [0.6, 0.1, 0.2, 0.1]


@pytest.mark.parametrize(
    ("mass", "needed"), [(0.6, [1, 3]), (0.8, [2, 4]), (0.75, [2, 3]), (1.0, [4, 4])]
)
def test_the_greatest_blocks_are_counted_first(mass, needed) -> None:
    """A mass that the blocks reach exactly needs no block more."""
    assert blocks_needed(shares_of(IMPORTANCE), mass).tolist() == needed


def test_ranks_correlate_whatever_the_scale() -> None:
    values = np.array([0.1, 4.0, 2.0, 30.0])
    assert rank_correlation(values, values**3) == pytest.approx(1)
    assert rank_correlation(values, -values) == pytest.approx(-1)
