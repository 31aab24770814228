"""Clusters of requests, and how far they agree with labels."""

import sys

import numpy as np
import pytest

from assay.errors import ConfigError
from assay.study.clusters import agreement, cluster, embed

GROUPS = np.array([0, 1, 2] * 8)


@pytest.fixture(scope="module")
def shares():
    """Three kinds of requests, each with a block of its own that has most of the importance."""
    made = np.random.default_rng(0).uniform(0.9, 1.1, (24, 6))
    made[np.arange(24), GROUPS] += 8
    return made / made.sum(axis=1, keepdims=True)


def test_requests_that_use_the_same_blocks_are_in_one_cluster(shares) -> None:
    found = cluster(shares)
    assert found.num_clusters == 3
    assert max(found.silhouettes, key=found.silhouettes.get) == 3
    assert len(set(zip(found.labels.tolist(), GROUPS.tolist(), strict=True))) == 3


def test_labels_that_agree_are_told_from_such_that_do_not(monkeypatch) -> None:
    monkeypatch.setattr("assay.study.clusters.NUM_SHUFFLES", 99)
    alike = agreement(GROUPS, [f"kind {item}" for item in GROUPS])
    assert (alike.rand, alike.information, alike.p_value) == pytest.approx((1, 1, 0.01))
    chance = agreement(GROUPS, ["a", "a", "a", "b", "b", "b"] * 4)
    assert chance.rand < 0.1
    assert chance.p_value > 0.1


def test_places_in_the_plane_keep_neighbours(shares) -> None:
    places = embed(shares)
    near = [np.argsort(np.linalg.norm(places - place, axis=1))[1] for place in places]
    assert (GROUPS[near] == GROUPS).mean() > 0.9


def test_without_scikit_learn_the_remedy_is_told(shares, monkeypatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ConfigError) as raised:
        cluster(shares)
    assert "assay[study]" in (raised.value.remedy or "")
