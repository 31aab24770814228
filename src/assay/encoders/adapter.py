"""Low-rank changes to an encoder's linear layers, with which one base serves several tasks.

LoRA: https://arxiv.org/abs/2106.09685. They are added to the weights once, when an adapted encoder
is made, so reading costs what it cost before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
#: The linear layers of one layer of the encoder, in the order in which they are used.
PARTS = ("query", "key", "value", "out", "up", "down")


@dataclass(frozen=True, slots=True)
class Delta:
    """`up @ down` is added to a weight (num_out, num_in): down (rank, num_in), up (num_out, rank).
    Any scale is in `up` already."""

    down: Array
    up: Array


@dataclass(frozen=True, eq=False)
class Adapter:
    """Deltas by layer and part. Told apart by identity, as what is made from it is kept."""

    deltas: Mapping[tuple[int, str], Delta]

    def of_layer(self, number: int) -> Mapping[str, Delta]:
        """The deltas of one layer by part."""
        return {part: delta for (layer, part), delta in self.deltas.items() if layer == number}

    def arrays(self) -> dict[str, NDArray[np.float16]]:
        """What a file holds of it, in float16, by names that `read_adapter` knows."""
        return {
            f"adapter.{layer}.{part}.{side}": getattr(delta, side).astype(np.float16)
            for (layer, part), delta in self.deltas.items()
            for side in ("down", "up")
        }


def read_adapter(arrays: Mapping[str, NDArray[np.float16]]) -> Adapter | None:
    """The adapter among a file's arrays; None if there is none."""
    names = [name.split(".") for name in arrays if name.startswith("adapter.")]
    keys = sorted({(int(layer), part) for _, layer, part, _ in names})
    if not keys:
        return None

    def read(layer: int, part: str, side: str) -> Array:
        return np.asarray(arrays[f"adapter.{layer}.{part}.{side}"], np.float32)

    return Adapter({key: Delta(read(*key, "down"), read(*key, "up")) for key in keys})
