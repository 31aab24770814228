"""The forward pass by compiled operators against PyTorch's, and against itself put differently."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from kernel_references import needs_kernels
from references import FAMILY, all_logits, make_checkpoint
from tiny_checkpoints import CONFIG

from assay.engine.attention import StepAttention
from assay.engine.native_attention import NativeStepAttention
from assay.engine.runner import Runner, step_attention
from assay.engine.schedule import Schedule, ScheduledSequence
from assay.kv_cache.storage import BlockStorage
from assay.models.layers import Precision
from assay.models.llama import LlamaModel
from assay.models.packed import PackedModel

pytestmark = needs_kernels

KINDS = ["llama", "mistral", "qwen2", "qwen3"]
IDS = torch.randint(0, 256, (200,), generator=torch.Generator().manual_seed(0)).tolist()


@pytest.fixture(scope="module", params=KINDS)
def packed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> PackedModel:
    config, overrides = FAMILY[request.param]
    wide = {"wide": (replace(config, head_dim=32), overrides)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FAMILY, "wide", wide["wide"])
        return make_checkpoint(tmp_path_factory.mktemp(request.param), "wide")


def native(packed: PackedModel, precision: Precision = "int8") -> LlamaModel:
    return LlamaModel(packed.config, packed.weights, precision=precision, kernels="native")


def logits(model: LlamaModel, chunk: int | None = None, block_size: int = 16) -> torch.Tensor:
    num_blocks = -(-len(IDS) // block_size)
    runner = Runner(model, BlockStorage(model.config, num_blocks, block_size, model.kv_dtype))
    size = chunk or len(IDS)
    return torch.cat(
        [
            runner.run(
                Schedule(
                    (
                        ScheduledSequence(
                            IDS[start : start + size],
                            start,
                            range(num_blocks),
                            num_logits=len(IDS[start : start + size]),
                        ),
                    )
                )
            ).clone()
            for start in range(0, len(IDS), size)
        ]
    )


def test_it_strays_no_further_from_float32_than_pytorch_does(packed: PackedModel) -> None:
    exact = all_logits(LlamaModel(packed.config, packed.weights, precision="float32"), IDS)
    theirs = all_logits(LlamaModel(packed.config, packed.weights, precision="int8"), IDS)
    ours = logits(native(packed))
    assert (ours - exact).abs().mean() <= 1.15 * (theirs - exact).abs().mean()
    assert (ours.argmax(-1) == exact.argmax(-1)).float().mean() >= 0.88


def test_float_weights_take_the_compiled_attention_alone(packed: PackedModel) -> None:
    exact = all_logits(LlamaModel(packed.config, packed.weights, precision="float32"), IDS)
    theirs = all_logits(LlamaModel(packed.config, packed.weights, precision="bf16"), IDS)
    model = native(packed, "bf16")
    assert step_attention(model, BlockStorage(model.config, 1)).func is NativeStepAttention
    assert (logits(model) - exact).abs().mean() <= 1.15 * (theirs - exact).abs().mean()


@pytest.mark.parametrize(("chunk", "block_size"), [(1, 16), (7, 4), (64, 16), (130, 1)])
def test_chunks_and_blocks_do_not_change_a_bit(
    packed: PackedModel, chunk: int, block_size: int
) -> None:
    model = native(packed)
    assert torch.equal(logits(model, chunk, block_size), logits(model))


def test_neither_do_other_sequences_nor_threads(packed: PackedModel) -> None:
    """What is drafted, batched or forced is what it would be token by token."""
    model = native(packed)
    runner = Runner(model, BlockStorage(model.config, 64, 16, model.kv_dtype))
    sequences = [
        ScheduledSequence(IDS[24 * i : 24 * i + length], 0, list(range(6 * i, 6 * i + 6))[::-1])
        for i, length in enumerate([1, 70, 5, 33, 16])
    ]
    alone = torch.cat([runner.run(Schedule((item,))).clone() for item in sequences])
    before = torch.get_num_threads()
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        assert torch.equal(runner.run(Schedule(tuple(sequences))), alone)
    torch.set_num_threads(before)


def test_a_model_whose_heads_do_not_suit_is_attended_by_pytorch(tmp_path: Path) -> None:
    packed = make_checkpoint(tmp_path, "llama")
    assert CONFIG.head_dim not in (32, 64, 96, 128)
    model = native(packed)
    storage = BlockStorage(model.config, 20)
    assert step_attention(model, storage) is StepAttention
    assert logits(model).isfinite().all()
