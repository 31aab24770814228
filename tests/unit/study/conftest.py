"""A tiny model with gradients."""

import numpy as np
import pytest
from tiny_packed import pack_tiny

from assay.study.clusters import cluster
from assay.study.decoder import FloatDecoder
from assay.study.importance import BlockMeter


@pytest.fixture(scope="package", autouse=True)
def libraries() -> None:
    """They take seconds to import and to start their threads, once in a process."""
    for name in ("sklearn.cluster", "sklearn.metrics", "sklearn.manifold", "matplotlib.pyplot"):
        pytest.importorskip(name)
    cluster(np.eye(4))


@pytest.fixture(scope="package")
def packed(tmp_path_factory):
    return pack_tiny(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="package")
def decoder(packed):
    return FloatDecoder(packed.config, packed.weights)


@pytest.fixture
def make_meter(decoder, packed):
    def make(**options):
        return BlockMeter(decoder, packed.tokenizer(), **options)

    return make
