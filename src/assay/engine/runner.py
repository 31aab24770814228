"""Turns a schedule into one forward pass.

All tokens of a step go through the linear layers together, in the order that attention wants them
(`engine/attention.py`). Stateless between steps but for the storage that it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain

import torch

from assay.engine.attention import StepAttention
from assay.engine.native_attention import NativeStepAttention, suits
from assay.engine.queries import NUM_RECENT_QUERIES
from assay.engine.schedule import Schedule, ScheduledSequence
from assay.kernels.workspace import Workspace
from assay.kv_cache.moves import BlockLoad, BlockSave, Move, PairMove
from assay.kv_cache.storage import BlockStorage
from assay.models.config import ModelConfig
from assay.models.llama import LlamaModel

MakeAttention = Callable[
    [ModelConfig, BlockStorage, Sequence[ScheduledSequence]], StepAttention | NativeStepAttention
]


class Runner:
    """Runs `model` over `storage`, whose blocks the schedules name."""

    def __init__(self, model: LlamaModel, storage: BlockStorage) -> None:
        assert storage.dtype == model.kv_dtype
        self.model = model
        self.storage = storage
        self._step_attention = step_attention(model, storage)

    @torch.inference_mode()
    def run(self, schedule: Schedule) -> torch.Tensor:
        """Computes a step: writes keys and values of its tokens, returns the wanted logits.

        Returns `(num_wanting, vocab_size)`, float32, in the order of the schedule; valid until
        the next step.
        """
        self.move(schedule.moves)
        sequences = schedule.sequences
        if self.model.config.sliding_window is not None:
            assert not any(item.offset or item.window for item in sequences)
        attention = self._step_attention(self.model.config, self.storage, sequences)
        ordered = [sequences[index] for index in attention.order]
        token_ids = torch.tensor(list(chain.from_iterable(item.token_ids for item in ordered)))
        positions = torch.tensor(list(chain.from_iterable(item.positions for item in ordered)))
        last_rows = [0] * len(sequences)
        num_rows = 0
        for index, item in zip(attention.order, ordered, strict=True):
            num_rows += len(item.token_ids)
            last_rows[index] = num_rows - 1
        wanted = [
            row
            for last, item in zip(last_rows, sequences, strict=True)
            for row in range(last + 1 - item.num_logits, last + 1)
        ]
        wanted_rows = torch.tensor(wanted, dtype=torch.int64)
        recorded = [
            (item.queries, _recorded_rows(item, last))
            for last, item in zip(last_rows, sequences, strict=True)
            if item.queries is not None
        ]
        if recorded:
            attention.record(torch.tensor([row for _, rows in recorded for row in rows]))
        logits = self.model.forward(token_ids, positions, attention, wanted_rows)
        first = 0
        for queries, rows in recorded:
            queries.add(attention.recorded[:, first : first + len(rows)])
            first += len(rows)
        return logits

    def move(self, moves: Sequence[Move]) -> None:
        """Makes moves between and within blocks, in order."""
        for move in moves:
            if isinstance(move, BlockSave):
                self.storage.save(move.block, move.content)
            elif isinstance(move, BlockLoad):
                self.storage.load(move.content, move.block)
            elif isinstance(move, PairMove):
                self.storage.move_pairs(move.sources, move.targets, self.model.kernels)
            else:
                self.storage.copy_slots([move], self.model.rotary, self.model.kernels)


def _recorded_rows(item: ScheduledSequence, last_row: int) -> range:
    """The rows of the last tokens but the draft's, as many as queries are kept of."""
    num_drafted = max(0, item.num_logits - 1)
    stop = last_row + 1 - num_drafted
    return range(stop - min(NUM_RECENT_QUERIES, len(item.token_ids) - num_drafted), stop)


def step_attention(model: LlamaModel, storage: BlockStorage) -> MakeAttention:
    """The attention that goes with `model.kernels`."""
    if model.kernels == "native" and suits(model.config, storage.dtype):
        return partial(NativeStepAttention, Workspace())
    return StepAttention
