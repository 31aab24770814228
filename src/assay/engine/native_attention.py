"""Attention of one step by compiled operators, straight over the block storage.

As `engine/attention.py`, but it gathers nothing and pads nothing, so that tokens stand in the order
of the schedule.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from assay.engine.schedule import ScheduledSequence
from assay.kernels import native
from assay.kernels.workspace import Workspace
from assay.kv_cache.storage import BlockStorage
from assay.models.config import ModelConfig


def suits(config: ModelConfig, dtype: torch.dtype) -> bool:
    """Whether the operators take such a model with keys and values of `dtype`."""
    return dtype == torch.bfloat16 and config.head_dim in native.HEAD_DIMS


class NativeStepAttention:
    """As `StepAttention`. Only for what `suits`. What a call returns lies in `workspace`."""

    def __init__(
        self,
        workspace: Workspace,
        config: ModelConfig,
        storage: BlockStorage,
        sequences: Sequence[ScheduledSequence],
    ) -> None:
        self.order = list(range(len(sequences)))
        self._plan = native.StepPlan(
            workspace,
            num_heads=config.num_heads,
            num_kv_heads=config.num_kv_heads,
            head_dim=config.head_dim,
            block_size=storage.block_size,
            block_stride=storage.block_items,
            storage=storage.address,
            window=config.sliding_window,
            starts=[sequence.start for sequence in sequences],
            counts=[len(sequence.token_ids) for sequence in sequences],
            tables=[sequence.block_table for sequence in sequences],
            kept=[item.window.addresses if item.window else None for item in sequences],
        )
        # The plan holds addresses.
        self._held = (storage, sequences)
        self._config = config
        self._rows: torch.Tensor | None = None

    def record(self, rows: torch.Tensor) -> None:
        """As `StepAttention.record`."""
        config = self._config
        shape = (config.num_layers, len(rows), config.num_heads, config.head_dim)
        self._rows, self.recorded = rows, torch.empty(shape, dtype=torch.bfloat16)

    def __call__(
        self, layer: int, heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor
    ) -> torch.Tensor:
        attended = self._plan.attend(heads, cos, sin, layer)
        if self._rows is not None:
            scale = self._config.head_dim**0.5
            torch.mul(self._plan.query[self._rows], scale, out=self.recorded[layer])
        return attended
