"""The safetensors container: reading what is there, and writing without holding it.

Written files are laid out for mapping: the data begins at a multiple of 64 bytes (the header is
padded with spaces) and so does every tensor. The format allows no holes, so what lies between two
tensors is a tensor too, named `_padding.{n}`; readers here leave those out.
Format: https://github.com/huggingface/safetensors#format
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import CorruptModelError, UnsupportedModelError
from assay.models.load.source import SourceTensor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIGNMENT = 64
ITEM_BYTES = {
    "F64": 8,
    "F32": 4,
    "F16": 2,
    "BF16": 2,
    "I64": 8,
    "I32": 4,
    "I16": 2,
    "I8": 1,
    "U8": 1,
}
_PADDING = "_padding."
_MAX_HEADER_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """Where a tensor stands: `offset` is from the start of the file."""

    dtype: str
    shape: tuple[int, ...]
    offset: int

    @property
    def num_bytes(self) -> int:
        return prod(self.shape) * ITEM_BYTES[self.dtype]


def read_header(path: Path) -> dict[str, TensorEntry]:
    """Reads what tensors a file holds, and checks that the file is long enough for them.

    Raises:
        CorruptModelError: not a safetensors file, or damaged, or incomplete.
        UnsupportedModelError: a tensor of a type that is not known.
    """
    damaged = partial(CorruptModelError, remedy="fetch the file again")
    file_bytes = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(8)
        header_bytes = struct.unpack("<Q", start)[0] if len(start) == 8 else file_bytes
        if header_bytes > min(file_bytes - 8, _MAX_HEADER_BYTES):
            raise damaged(f"{path} is not a safetensors file, or it is incomplete")
        try:
            header: dict[str, Any] = json.loads(file.read(header_bytes))
            entries = {}
            for name, item in header.items():
                if name == "__metadata__" or name.startswith(_PADDING):
                    continue
                if item["dtype"] not in ITEM_BYTES:
                    raise UnsupportedModelError(f"{path}: {name} of type {item['dtype']}")
                begin, end = item["data_offsets"]
                entry = TensorEntry(item["dtype"], tuple(item["shape"]), 8 + header_bytes + begin)
                if end - begin != entry.num_bytes or entry.offset + entry.num_bytes > file_bytes:
                    raise damaged(f"{path} is damaged or incomplete: {name}")
                entries[name] = entry
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise damaged(f"{path} is damaged: its header cannot be read ({error})") from error
    return entries


def map_file(path: Path) -> mmap.mmap:
    """Maps a file copy-on-write: pages are shared with the page cache until written to, which
    nothing here does; tensor libraries ask for a writable buffer all the same."""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)


def open_tensors(path: Path) -> dict[str, SourceTensor]:
    """The tensors of a file, to be read as float32."""
    entries = read_header(path)
    data = map_file(path)
    return {
        name: SourceTensor(entry.shape, partial(_read_rows, data, path, name, entry))
        for name, entry in entries.items()
    }


def _read_rows(
    data: mmap.mmap, path: Path, name: str, entry: TensorEntry, start: int, stop: int
) -> NDArray[np.float32]:
    import numpy as np

    dtypes: dict[str, Any] = {
        "F64": np.float64,
        "F32": np.float32,
        "F16": np.float16,
        "BF16": np.uint16,
    }
    if entry.dtype not in dtypes:
        raise UnsupportedModelError(f"{path}: {name} is of type {entry.dtype}")
    row_items = prod(entry.shape[1:])
    items = np.frombuffer(
        data,
        dtypes[entry.dtype],
        (stop - start) * row_items,
        entry.offset + start * row_items * ITEM_BYTES[entry.dtype],
    ).reshape(stop - start, *entry.shape[1:])
    if entry.dtype == "BF16":
        return (items.astype(np.uint32) << 16).view(np.float32)
    return items.astype(np.float32)


class SafetensorsWriter:
    """Writes a file whose tensors' types and shapes are known beforehand, in any order, in pieces.

    The caller fills every tensor; `close` makes the file durable.
    """

    def __init__(self, path: Path, tensors: Mapping[str, tuple[str, tuple[int, ...]]]) -> None:
        header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
        offsets: dict[str, int] = {}
        end = 0
        for name, (dtype, shape) in tensors.items():
            if gap := -end % ALIGNMENT:
                header[f"{_PADDING}{len(header)}"] = _describe("U8", (gap,), end)
                end += gap
            offsets[name] = end
            header[name] = _describe(dtype, shape, end)
            end += prod(shape) * ITEM_BYTES[dtype]
        encoded = json.dumps(header, separators=(",", ":")).encode()
        encoded += b" " * (-(8 + len(encoded)) % ALIGNMENT)
        start = 8 + len(encoded)
        self._entries = {
            name: TensorEntry(dtype, shape, start + offsets[name])
            for name, (dtype, shape) in tensors.items()
        }
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        write_at(self._file, struct.pack("<Q", len(encoded)) + encoded, 0)
        os.ftruncate(self._file, start + end)

    def write_rows(self, name: str, start: int, rows: NDArray[Any]) -> None:
        """Writes rows [start, start + len(rows)) of a tensor. bfloat16 comes as uint16."""
        entry = self._entries[name]
        row_bytes = prod(entry.shape[1:]) * ITEM_BYTES[entry.dtype]
        assert rows.nbytes == len(rows) * row_bytes
        assert start + len(rows) <= entry.shape[0]
        write_at(self._file, rows.tobytes(), entry.offset + start * row_bytes)

    def close(self) -> None:
        os.fsync(self._file)
        os.close(self._file)

    def abandon(self) -> None:
        os.close(self._file)


def packed_bytes(tensors: Mapping[str, tuple[str, tuple[int, ...]]]) -> int:
    """About how many bytes a file of these tensors takes."""
    return sum(
        prod(shape) * ITEM_BYTES[dtype] + ALIGNMENT + 160 for dtype, shape in tensors.values()
    )


def write_at(file: int, data: bytes, offset: int) -> None:
    """Writes all of `data` at `offset`."""
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, offset)
        view, offset = view[written:], offset + written


def _describe(dtype: str, shape: tuple[int, ...], offset: int) -> dict[str, Any]:
    end = offset + prod(shape) * ITEM_BYTES[dtype]
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [offset, end]}
