"""The GGUF container: metadata and where each tensor stands. Knows nothing of models.

Every length is checked against the file's size before it is believed, so a truncated or damaged
file raises `CorruptModelError` and never reads past the end or fills the memory.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3).
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import CorruptModelError, UnsupportedModelError

_SCALARS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_STRING, _ARRAY = 8, 9
_DEFAULT_ALIGNMENT = 32


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """`shape` has rows first (GGUF itself stores the fastest dimension first); `offset` is from
    the start of the file."""

    shape: tuple[int, ...]
    ggml_type: int
    offset: int


@dataclass(frozen=True, slots=True)
class GgufFile:
    """An open file. `data` is mapped read-only and lives as long as this object."""

    path: Path
    metadata: dict[str, Any]
    tensors: dict[str, GgufTensor]
    data: mmap.mmap


def read_gguf(path: Path) -> GgufFile:
    """Maps a GGUF file and reads its header.

    Raises:
        CorruptModelError: it is not GGUF, or it is damaged.
        UnsupportedModelError: its version or byte order is not known.
    """
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise CorruptModelError(f"{path} is not a GGUF file")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    cursor = _Cursor(data, path)
    cursor.take(4)
    version = cursor.scalar("I")
    if version not in (2, 3):
        raise UnsupportedModelError(f"{path}: GGUF version {version} (2 and 3 are supported)")
    num_tensors, num_pairs = cursor.scalar("Q"), cursor.scalar("Q")
    metadata: dict[str, Any] = {}
    for _ in range(num_pairs):
        key = cursor.string()
        metadata[key] = cursor.value(cursor.scalar("I"))
    described = []
    for _ in range(num_tensors):
        name, num_dims = cursor.string(), cursor.scalar("I")
        if num_dims > 8:
            raise cursor.damaged(f"tensor {name} has {num_dims} dimensions")
        dims = tuple(cursor.scalar("Q") for _ in range(num_dims))
        described.append((name, dims[::-1], cursor.scalar("I"), cursor.scalar("Q")))
    alignment = metadata.get("general.alignment", _DEFAULT_ALIGNMENT)
    if not isinstance(alignment, int) or alignment < 1:
        raise cursor.damaged(f"alignment {alignment}")
    start = -(-cursor.offset // alignment) * alignment
    tensors = {name: GgufTensor(shape, kind, start + at) for name, shape, kind, at in described}
    return GgufFile(path, metadata, tensors, data)


class _Cursor:
    """A reading position that never passes the end of the file."""

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self.data = data
        self.path = path
        self.offset = 0

    def damaged(self, what: str) -> CorruptModelError:
        return CorruptModelError(
            f"{self.path} is damaged or incomplete: {what}", remedy="fetch the file again"
        )

    def take(self, num_bytes: int) -> bytes:
        end = self.offset + num_bytes
        if end > len(self.data):
            raise self.damaged("the header runs past the end of the file")
        taken = self.data[self.offset : end]
        self.offset = end
        return taken

    def scalar(self, code: str) -> Any:
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def string(self) -> str:
        raw = self.take(self.scalar("Q"))
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise self.damaged("a string is not UTF-8") from None

    def value(self, kind: int) -> Any:
        if kind in _SCALARS:
            return self.scalar(_SCALARS[kind])
        if kind == _STRING:
            return self.string()
        if kind != _ARRAY:
            raise self.damaged(f"metadata of unknown type {kind}")
        item_kind, count = self.scalar("I"), self.scalar("Q")
        if code := _SCALARS.get(item_kind):
            return list(struct.unpack(f"<{count}{code}", self._run(count, code)))
        if count > len(self.data):
            raise self.damaged("an array is longer than the file")
        return [self.value(item_kind) for _ in range(count)]

    def _run(self, count: int, code: str) -> bytes:
        return self.take(count * struct.calcsize("<" + code))
