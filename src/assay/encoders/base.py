"""What an encoder is, whatever runs it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Encoder(Protocol):
    """Turns texts into vectors. Holds no state between calls and may be shared between threads."""

    @property
    def size(self) -> int:
        """The length of a vector."""
        ...

    def embed(self, text: str) -> NDArray[np.float32]:
        """The text's vector, of length one: (size,). Of a long text only the start is read."""
        ...
