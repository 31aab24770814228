"""A runner without a model: what it answers depends on every token read through the block table.

It writes token ids where the model would write keys and values, and derives the logits from what
it reads back. A wrong block, a block overwritten while in use, a token left out or a position off
by one all change the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import torch
from given_pairs import GivenPairs
from tiny import tiny_tokenizer

from assay.engine.engine import Engine
from assay.engine.schedule import ModelRunner, Schedule
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.moves import BlockLoad, BlockSave, Move, PairMove
from assay.kv_cache.slices import SlotCopy
from assay.kv_cache.window import PairPlaces, Window


def logits_after(token_ids: Sequence[int], vocab_size: int) -> np.ndarray:
    """The fake model's logits after `token_ids`: fixed, and all different."""
    digest = blake2b(repr(list(token_ids)).encode(), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(digest)).standard_normal(vocab_size) * 3


class PagedFakeRunner:
    """Behaves as `engine.runner.Runner`; records the schedules it was given."""

    def __init__(self, num_blocks: int, block_size: int, vocab_size: int) -> None:
        self.block_size = block_size
        self.vocab_size = vocab_size
        self.cache = np.full((num_blocks, block_size), -1, dtype=np.int64)
        self.schedules: list[Schedule] = []
        self.fail_next: Exception | None = None

    def run(self, schedule: Schedule) -> torch.Tensor:
        if self.fail_next is not None:
            error, self.fail_next = self.fail_next, None
            raise error
        self.schedules.append(schedule)
        assert schedule.sequences, "an empty step"
        self.move(schedule.moves)
        for sequence in schedule.sequences:
            for offset, token_id in enumerate(sequence.token_ids):
                self.cache[self._place(sequence.block_table, sequence.start + offset)] = token_id
        rows = []
        for sequence in schedule.sequences:
            kept = self._kept(sequence.window)
            slots = self.cache[list(sequence.block_table)].reshape(-1)[: sequence.end]
            context = np.concatenate([kept, slots])
            assert (context >= 0).all(), "a position was read that nobody wrote"
            last = len(context)
            for end in range(last - sequence.num_logits + 1, last + 1):
                rows.append(logits_after(context[:end].tolist(), self.vocab_size))
        return torch.tensor(np.array(rows).reshape(len(rows), self.vocab_size)).float()

    def move(self, moves: Sequence[Move]) -> None:
        for move in moves:
            if isinstance(move, BlockSave):
                move.content[:] = self.cache[move.block].view(np.uint8)
            elif isinstance(move, BlockLoad):
                self.cache[move.block] = move.content.view(np.int64)
            elif isinstance(move, PairMove):
                self.cache[self._pairs(move.targets)] = self.cache[self._pairs(move.sources)]
            else:
                self._copy(move)

    def pairs_of(self, block_table: Sequence[int], num_tokens: int, hashes: Sequence[bytes]):
        """As `PairReader`, of one layer and head: token ids for keys and values."""
        tokens = self.cache[list(block_table)].reshape(-1)[:num_tokens]
        assert (tokens >= 0).all(), "a place was read that nobody wrote"
        pairs = torch.from_numpy(tokens).view(1, 1, -1, 1).float()
        return GivenPairs(pairs, pairs)

    def _kept(self, window: Window | None) -> np.ndarray:
        if window is None:
            return np.empty(0, dtype=np.int64)
        return self.cache[self._pairs(window.places(self.block_size))]

    def _pairs(self, places: PairPlaces) -> tuple[np.ndarray, np.ndarray]:
        # One layer and head: a block is a page of keys and one of values.
        return places.pages // 2, places.slots

    def _copy(self, copy: SlotCopy) -> None:
        moved = [
            self._place(copy.source_blocks, copy.source_slot + i) for i in range(copy.num_tokens)
        ]
        for i, place in enumerate(moved):
            self.cache[self._place(copy.target_blocks, copy.target_slot + i)] = self.cache[place]

    def _place(self, blocks: Sequence[int], slot: int) -> tuple[int, int]:
        return blocks[slot // self.block_size], slot % self.block_size


def make_fake_engine(runner: ModelRunner) -> Engine:
    """An engine over a runner without a model, with the tiny tokenizer's vocabulary."""
    tokenizer = tiny_tokenizer()
    return Engine(
        runner,
        SparseKVManager(256, 4),
        token_bytes=tokenizer.token_bytes,
        eos_token_ids=tokenizer.eos_token_ids,
        vocab_size=tokenizer.vocab_size,
        max_model_len=1000,
        max_num_seqs=8,
        max_num_batched_tokens=64,
    )
