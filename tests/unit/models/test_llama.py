"""Building a model and what it leaves untouched. `tests/equivalence` holds what it computes."""

from pathlib import Path

import pytest
import torch
from references import FAMILY, all_logits, make_checkpoint

from assay.errors import CorruptModelError
from assay.models.llama import LlamaModel


@pytest.mark.parametrize("precision", ["int8", "bf16", "float32"])
def test_a_missing_weight_is_named(tmp_path: Path, precision) -> None:
    packed = make_checkpoint(tmp_path, "llama")
    suffix = "int8" if precision == "int8" else "weight"
    missing = f"layers.1.down.{suffix}"
    weights = {name: value for name, value in packed.weights.items() if name != missing}
    with pytest.raises(CorruptModelError, match=missing):
        LlamaModel(packed.config, weights, precision=precision)


@pytest.mark.parametrize("precision", ["int8", "bf16", "float32"])
def test_running_writes_to_no_weight(tmp_path: Path, precision) -> None:
    packed = make_checkpoint(tmp_path, "qwen2")
    before = {name: value.clone() for name, value in packed.weights.items()}
    model = LlamaModel(packed.config, packed.weights, precision=precision)
    for chunk in (1, 20):
        all_logits(model, list(range(20)), chunk=chunk)
    assert all(torch.equal(packed.weights[name], value) for name, value in before.items())


def test_bf16_uses_the_mapped_weights_themselves(tmp_path: Path) -> None:
    packed = make_checkpoint(tmp_path, "llama")
    weights = dict(packed.weights)
    model = LlamaModel(packed.config, weights, precision="bf16")
    before = all_logits(model, [1, 2, 3])
    weights["layers.0.o.weight"].zero_()  # pages are copy-on-write: the file stays as it is
    assert not torch.equal(all_logits(model, [1, 2, 3]), before)


@pytest.mark.parametrize("kind", FAMILY)
@pytest.mark.parametrize("precision", ["int8", "bf16", "float32"])
def test_logits_are_float32_and_finite(tmp_path: Path, kind: str, precision) -> None:
    packed = make_checkpoint(tmp_path, kind)
    model = LlamaModel(packed.config, packed.weights, precision=precision)
    logits = all_logits(model, list(range(70)))
    assert logits.dtype == torch.float32
    assert logits.shape == (70, packed.config.vocab_size)
    assert logits.isfinite().all()
