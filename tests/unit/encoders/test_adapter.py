"""Adapters: low-rank changes to an encoder's weights."""

import numpy as np
import pytest

from assay.encoders.adapter import PARTS, Adapter, Delta, read_adapter
from assay.encoders.bert import PART_NAMES, BertEncoder, BertShape

SIZE, INNER, RANK = 8, 12, 2
SHAPE = BertShape(num_heads=2)


def drawn(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


@pytest.fixture
def weights():
    rng = np.random.default_rng(0)
    found = {
        "embeddings.word_embeddings.weight": drawn(rng, 10, SIZE),
        "embeddings.position_embeddings.weight": drawn(rng, 6, SIZE),
        "embeddings.token_type_embeddings.weight": drawn(rng, 2, SIZE),
    }
    for layer in range(2):
        for part, name in PART_NAMES.items():
            num_out, num_in = shape_of(part)
            found[f"encoder.layer.{layer}.{name}.weight"] = drawn(rng, num_out, num_in)
            found[f"encoder.layer.{layer}.{name}.bias"] = drawn(rng, num_out)
    norms = ["embeddings", *(f"encoder.layer.{n}.attention.output" for n in range(2))]
    for name in [*norms, *(f"encoder.layer.{n}.output" for n in range(2))]:
        found[f"{name}.LayerNorm.weight"] = drawn(rng, SIZE)
        found[f"{name}.LayerNorm.bias"] = drawn(rng, SIZE)
    return found


def shape_of(part):
    return {"up": (INNER, SIZE), "down": (SIZE, INNER)}.get(part, (SIZE, SIZE))


def adapter(parts=PARTS):
    rng = np.random.default_rng(1)
    deltas = {}
    for part in parts:
        num_out, num_in = shape_of(part)
        deltas[1, part] = Delta(drawn(rng, RANK, num_in), drawn(rng, num_out, RANK))
    return Adapter(deltas)


@pytest.mark.parametrize("parts", [PARTS, *((part,) for part in PARTS)])
def test_adapted_encoder_is_one_with_the_sum_of_the_weights(weights, parts):
    """Each part's `up @ down` lands in that part's weight, and nowhere else."""
    changes = adapter(parts)
    summed = dict(weights)
    for (layer, part), delta in changes.deltas.items():
        summed[f"encoder.layer.{layer}.{PART_NAMES[part]}.weight"] = (
            weights[f"encoder.layer.{layer}.{PART_NAMES[part]}.weight"] + delta.up @ delta.down
        )
    found = BertEncoder(weights, SHAPE).adapted(changes).states([1, 2, 3])
    np.testing.assert_allclose(found, BertEncoder(summed, SHAPE).states([1, 2, 3]), atol=1e-4)


def test_base_stays_as_it_was(weights):
    """One base serves several tasks: adapting it changes nothing for the others."""
    base = BertEncoder(weights, SHAPE)
    before = base.states([4, 5])
    adapted = base.adapted(adapter())
    assert not np.allclose(adapted.states([4, 5]), before, atol=0.1)
    np.testing.assert_array_equal(base.states([4, 5]), before)


def test_what_is_stored_is_read():
    """Float16 and back, layer and part in the names; other arrays of a file are left alone."""
    stored = adapter().arrays()
    read = read_adapter({**stored, "bias": np.zeros(2, np.float16)})
    assert read.deltas.keys() == adapter().deltas.keys()
    for key, delta in adapter().deltas.items():
        np.testing.assert_allclose(read.deltas[key].up, delta.up, atol=1e-2)
        np.testing.assert_allclose(read.deltas[key].down, delta.down, atol=1e-2)


def test_file_without_adapter_has_none():
    """A classifier that never had one is read as before."""
    assert read_adapter({"bias": np.zeros(2, np.float16)}) is None
