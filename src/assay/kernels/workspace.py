"""Memory for a step's intermediate results."""

from __future__ import annotations

import torch


class Workspace:
    """Buffers kept from step to step, one a name, each as large as the largest taken so far.

    What is taken is uninitialised, and valid until its name is taken again. For one thread.
    """

    def __init__(self) -> None:
        self._buffers: dict[str, torch.Tensor] = {}

    def take(self, name: str, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """A contiguous tensor of `shape`; a name always has the same type."""
        size = 1
        for length in shape:
            size *= length
        buffer = self._buffers.get(name)
        if buffer is None or len(buffer) < size:
            buffer = self._buffers[name] = torch.empty(size, dtype=dtype)
        return buffer[:size].view(shape)
