"""The forward pass against transformers, and against itself put differently.

What is computed together, in chunks, through scattered blocks or in another order gives the same
logits. Float32 is held to 1e-4 (to transformers) and 1e-5 (to itself); int8 and bfloat16 to the
token they choose.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from references import FAMILY, all_logits, make_checkpoint

from assay.engine.runner import Runner
from assay.engine.schedule import Schedule, ScheduledSequence
from assay.kv_cache.storage import BlockStorage
from assay.models.layers import Precision
from assay.models.llama import LlamaModel
from assay.models.packed import PackedModel

NUM_BLOCKS, BLOCK_SIZE = 256, 4


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module", params=FAMILY)
def checkpoint(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, PackedModel]:
    folder = tmp_path_factory.mktemp(request.param)
    return folder / "checkpoint", make_checkpoint(folder, request.param)


@pytest.fixture(scope="module", params=["llama", "mistral"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> LlamaModel:
    packed = make_checkpoint(tmp_path_factory.mktemp(request.param), request.param)
    return LlamaModel(packed.config, packed.weights, precision="float32")


def tokens(count: int, seed: int = 0) -> list[int]:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, 256, (count,), generator=generator).tolist()


def reference_logits(folder: Path, token_ids: list[int]) -> torch.Tensor:
    transformers = pytest.importorskip("transformers")
    reference = transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager"
    )
    with torch.inference_mode():
        return reference(torch.tensor([token_ids])).logits[0]


def test_float32_logits_are_those_of_transformers(checkpoint: tuple[Path, PackedModel]) -> None:
    folder, packed = checkpoint
    ids = tokens(300)
    model = LlamaModel(packed.config, packed.weights, precision="float32")
    expected = reference_logits(folder, ids)
    assert expected.std() > 0.5, "logits too small to compare"
    torch.testing.assert_close(all_logits(model, ids), expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize(("precision", "least"), [("bf16", 0.95), ("int8", 0.88)])
def test_lower_precision_chooses_the_same_token(
    checkpoint: tuple[Path, PackedModel], precision: Precision, least: float
) -> None:
    folder, packed = checkpoint
    ids = tokens(300)
    model = LlamaModel(packed.config, packed.weights, precision=precision)
    agree = all_logits(model, ids).argmax(-1) == reference_logits(folder, ids).argmax(-1)
    assert agree.float().mean() >= least


class Conversation:
    """A sequence whose blocks are scattered over a storage shared with others."""

    def __init__(self, token_ids: list[int], free: Iterator[int]) -> None:
        self.token_ids = token_ids
        self.table = [next(free) for _ in range(-(-len(token_ids) // BLOCK_SIZE))]
        self.computed = 0

    def take(self, count: int, num_logits: int = 1) -> ScheduledSequence:
        start, self.computed = self.computed, self.computed + count
        ids = self.token_ids[start : self.computed]
        return ScheduledSequence(ids, start, self.table, num_logits)


@pytest.fixture
def free() -> Iterator[int]:
    generator = torch.Generator().manual_seed(1)
    return iter(torch.randperm(NUM_BLOCKS, generator=generator).tolist())


@pytest.fixture
def runner(model: LlamaModel) -> Runner:
    return Runner(model, BlockStorage(model.config, NUM_BLOCKS, BLOCK_SIZE, model.kv_dtype))


def close(actual: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(actual, expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("chunk", [1, 7, 64, 100, 130])
def test_computed_in_chunks_is_computed_whole(model: LlamaModel, chunk: int) -> None:
    ids = tokens(260)
    close(all_logits(model, ids, chunk=chunk), all_logits(model, ids))


@pytest.mark.parametrize("block_size", [1, 4, 32])
def test_block_size_does_not_matter(model: LlamaModel, block_size: int) -> None:
    ids = tokens(140)
    close(all_logits(model, ids, block_size=block_size), all_logits(model, ids, block_size=140))


@pytest.mark.parametrize("length", [1, 30, 65, 200])
def test_scattered_blocks_are_a_contiguous_run(
    model: LlamaModel, runner: Runner, free: Iterator[int], length: int
) -> None:
    ids = tokens(length)
    sequence = Conversation(ids, free).take(length)
    close(runner.run(Schedule((sequence,))), all_logits(model, ids)[-1:])


def test_a_mixed_step_gives_each_sequence_what_it_gets_alone(
    model: LlamaModel, runner: Runner, free: Iterator[int]
) -> None:
    """Decodes, forced runs of different lengths, long chunks at 0 and after a context; one
    sequence wants no logits. Order is the schedule's."""
    lengths = [(40, 1), (0, 90), (33, 5), (7, 1), (100, 70), (52, 3), (0, 9), (128, 1), (61, 8)]
    conversations = [
        Conversation(tokens(before + now + 1, seed), free)
        for seed, (before, now) in enumerate(lengths)
    ]
    for conversation, (before, _) in zip(conversations, lengths, strict=True):
        if before:
            runner.run(Schedule((conversation.take(before, num_logits=0),)))
    silent = 4
    sequences = tuple(
        conversation.take(now, num_logits=int(index != silent))
        for index, (conversation, (_, now)) in enumerate(zip(conversations, lengths, strict=True))
    )
    logits = runner.run(Schedule(sequences))
    expected = [all_logits(model, item.token_ids)[-2] for item in conversations]
    close(logits, torch.stack([row for index, row in enumerate(expected) if index != silent]))
    # What the step wrote is right too: the next token of each sees all of it.
    logits = runner.run(Schedule(tuple(item.take(1) for item in reversed(conversations))))
    expected = [all_logits(model, item.token_ids)[-1] for item in reversed(conversations)]
    close(logits, torch.stack(expected))


def test_a_shared_prefix_is_read_from_the_same_blocks(
    model: LlamaModel, runner: Runner, free: Iterator[int]
) -> None:
    prefix = Conversation(tokens(40), free)
    runner.run(Schedule((prefix.take(40),)))
    branches = []
    for seed in (1, 2):
        branch = Conversation(prefix.token_ids + tokens(6, seed), free)
        branch.table[:10] = prefix.table
        branch.computed = 40
        branches.append(branch)
    logits = runner.run(Schedule(tuple(branch.take(6) for branch in branches)))
    close(logits, torch.stack([all_logits(model, item.token_ids)[-1] for item in branches]))


def test_logits_after_the_last_tokens_of_a_chunk_are_those_of_one_step_each(
    model: LlamaModel, runner: Runner, free: Iterator[int]
) -> None:
    first, second = Conversation(tokens(45), free), Conversation(tokens(30, seed=1), free)
    runner.run(Schedule((first.take(40, num_logits=0),)))
    logits = runner.run(Schedule((first.take(5, num_logits=4), second.take(30, num_logits=2))))
    expected = [all_logits(model, item.token_ids) for item in (first, second)]
    close(logits, torch.cat([expected[0][-4:], expected[1][-2:]]))


def test_a_step_that_wants_nothing_returns_no_rows(
    model: LlamaModel, runner: Runner, free: Iterator[int]
) -> None:
    logits = runner.run(Schedule((Conversation(tokens(10), free).take(10, num_logits=0),)))
    assert logits.shape == (0, model.config.vocab_size)


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_in_a_batch_lower_precision_strays_no_further_than_its_rounding(
    tmp_path: Path, free: Iterator[int], precision: Precision
) -> None:
    packed = make_checkpoint(tmp_path, "llama")
    model = LlamaModel(packed.config, packed.weights, precision=precision)
    runner = Runner(model, BlockStorage(model.config, NUM_BLOCKS, BLOCK_SIZE, model.kv_dtype))
    conversations = [Conversation(tokens(20 + seed, seed), free) for seed in range(8)]
    logits = runner.run(Schedule(tuple(item.take(len(item.token_ids)) for item in conversations)))
    alone = torch.stack([all_logits(model, item.token_ids)[-1] for item in conversations])
    exact = LlamaModel(packed.config, packed.weights, precision="float32")
    truth = torch.stack([all_logits(exact, item.token_ids)[-1] for item in conversations])
    assert (logits - alone).abs().mean() <= (alone - truth).abs().mean()
