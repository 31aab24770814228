"""Fitted rows on disk: one file for each model and map, in ASSAY_HOME/terms.

A file is a run of records of one size: what the term's tokens hash to, a check, and the row in
bfloat16. Records are appended whole, so that several processes may share a file; one that was cut
short or damaged is passed over, and its term is fitted again.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from assay.config import assay_home
from assay.models.packed import WEIGHTS, PackedModel, read_manifest

_KEY_BYTES = 16
_CHECK_BYTES = 8


class RowCache:
    """The rows in the file at `path`, of `hidden_size` numbers each. Read at once, on construction;
    belongs to one thread."""

    def __init__(self, path: Path, hidden_size: int) -> None:
        self._path = path
        self._row_bytes = 2 * hidden_size
        self._rows = dict(self._read())

    @classmethod
    def of(cls, packed: PackedModel, arrays: Mapping[str, NDArray[np.float32]]) -> RowCache:
        """The cache for a model and the map of `arrays`."""
        state = blake2b(digest_size=16)
        state.update(read_manifest(packed.path)["files"][WEIGHTS]["sha256"].encode())
        for name in sorted(arrays):
            state.update(arrays[name].tobytes())
        path = assay_home() / "terms" / f"{state.hexdigest()}.rows"
        return cls(path, packed.config.hidden_size)

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, term: Sequence[int]) -> torch.Tensor | None:
        """The row that was kept for a term's tokens, bfloat16."""
        data = self._rows.get(_key(term))
        return None if data is None else torch.frombuffer(bytearray(data), dtype=torch.bfloat16)

    def add(self, terms: Sequence[Sequence[int]], rows: torch.Tensor) -> None:
        """Keeps the rows of terms.

        Raises:
            OSError: the disk does not take them.
        """
        data = rows.to(torch.bfloat16).contiguous().view(torch.int16).numpy()
        added = {_key(term): data[i].tobytes() for i, term in enumerate(terms)}
        self._rows.update(added)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(b"".join(key + _check(key, row) + row for key, row in added.items()))

    def _read(self) -> list[tuple[bytes, bytes]]:
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return []
        size = _KEY_BYTES + _CHECK_BYTES + self._row_bytes
        kept = []
        for start in range(0, len(data) - size + 1, size):
            key = data[start : start + _KEY_BYTES]
            row = data[start + _KEY_BYTES + _CHECK_BYTES : start + size]
            if data[start + _KEY_BYTES : start + _KEY_BYTES + _CHECK_BYTES] == _check(key, row):
                kept.append((key, row))
        return kept


def _key(term: Sequence[int]) -> bytes:
    return blake2b(array("q", term).tobytes(), digest_size=_KEY_BYTES).digest()


def _check(key: bytes, row: bytes) -> bytes:
    return blake2b(row, digest_size=_CHECK_BYTES, key=key).digest()
