"""The compiled operators over tensors. For where `library.why_not` finds nothing against them.

All tensors are contiguous and on the processor; activations are float32 `(num_tokens, features)`.
`tests/unit/kernels` holds each operator to a plain PyTorch equivalent.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray

from assay.kernels import library
from assay.kernels.workspace import Workspace

# Head sizes that attention is compiled for.
HEAD_DIMS = (32, 64, 96, 128)
_PANEL = 32
_ALIGNMENT = 64
# `AssayLikeliest` of sample.hpp.
_LIKELIEST = np.dtype(
    [
        ("token", "i8"),
        ("num_legal", "i8"),
        ("total", "f8"),
        ("spread", "f8"),
        ("peak", "f4"),
        ("second", "f4"),
    ]
)


class Int8Matrix:
    """A copy of a matrix `(out_features, in_features)` in the order that the products read.

    `int8` symmetric per output channel with float32 `scale` and perhaps `bias`
    `(out_features,)`. `gated`: the first half of the rows are gates of the second.
    """

    def __init__(
        self,
        int8: torch.Tensor,
        scale: torch.Tensor,
        bias: torch.Tensor | None = None,
        *,
        gated: bool = False,
    ) -> None:
        self.out_features, self.in_features = int8.shape
        groups = -(-self.in_features // 4)
        panels = -(-self.out_features // _PANEL)
        channels = panels * _PANEL
        packed = _aligned(channels * groups * 4, torch.int8)
        scales = _aligned(channels, torch.float32)
        compensation = _aligned(channels, torch.int32)
        biases = None if bias is None else _aligned(channels, torch.float32)
        library.functions().assay_pack(
            int8.data_ptr(),
            scale.data_ptr(),
            None if bias is None else bias.data_ptr(),
            self.out_features,
            self.in_features,
            gated,
            packed.data_ptr(),
            scales.data_ptr(),
            compensation.data_ptr(),
            None if biases is None else biases.data_ptr(),
            torch.get_num_threads(),
        )
        self._memory = (packed, scales, compensation, biases)
        self.handle = library.Matrix(
            packed.data_ptr(),
            scales.data_ptr(),
            compensation.data_ptr(),
            None if biases is None else biases.data_ptr(),
            self.out_features,
            self.in_features,
            groups,
            panels,
        )


def linear(
    matrix: Int8Matrix,
    x: torch.Tensor,
    norm: torch.Tensor | None = None,
    eps: float = 0.0,
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    """`x` times the matrix; with `norm` and `eps`, of `x` RMS-normalised. Into `out` if given."""
    if out is None:
        out = x.new_empty(len(x), matrix.out_features)
    _run_linear(matrix, x, norm, eps, out, add=False)
    return out


def add_linear(residual: torch.Tensor, matrix: Int8Matrix, x: torch.Tensor) -> None:
    """`residual += x` times the matrix."""
    _run_linear(matrix, x, None, 0.0, residual, add=True)


def add_gated_mlp(
    residual: torch.Tensor, gate_up: Int8Matrix, down: Int8Matrix, norm: torch.Tensor, eps: float
) -> None:
    """`residual += down(silu(gate(y)) * up(y))` for `y`, the residual RMS-normalised."""
    library.check_memory(
        library.functions().assay_gated_mlp(
            gate_up.handle,
            down.handle,
            residual.data_ptr(),
            len(residual),
            norm.data_ptr(),
            eps,
            torch.get_num_threads(),
        )
    )


def normalise_heads(
    heads: torch.Tensor, first: int, count: int, norm: torch.Tensor, eps: float
) -> None:
    """RMS-normalises heads `[first, first + count)` of `heads` `(num_tokens, any, head_dim)`."""
    num_tokens, all_heads, head_dim = heads.shape
    library.functions().assay_normalise_heads(
        heads.data_ptr() + first * head_dim * heads.element_size(),
        num_tokens,
        all_heads * head_dim,
        count,
        head_dim,
        norm.data_ptr(),
        eps,
        torch.get_num_threads(),
    )


class StepPlan:
    """The sequences of a step and where their keys and values lie, for all layers.

    `starts[s]` is the slot of sequence `s`'s first query, `counts[s]` the number of its queries,
    `tables[s]` its blocks, `block_stride` elements apart, block 0 at the address `storage`. A query
    sees `window` slots, its own included, or all before it. `kept[s]`, where given, is what it sees
    before those: `AssayWindow` of attention.hpp, as numbers. What they point at and `storage` must
    outlive the plan. What `attend` returns lies in `workspace`.
    """

    def __init__(
        self,
        workspace: Workspace | None = None,
        *,
        num_heads: int,
        num_kv_heads: int,
        head_dim: int,
        block_size: int,
        block_stride: int,
        storage: int,
        window: int | None,
        starts: Sequence[int],
        counts: Sequence[int],
        tables: Sequence[Sequence[int]],
        kept: Sequence[tuple[int, int, int] | None] = (),
    ) -> None:
        first_rows, table_starts = [0], [0]
        for count, table in zip(counts, tables, strict=True):
            first_rows.append(first_rows[-1] + count)
            table_starts.append(table_starts[-1] + len(table))
        self.num_tokens = first_rows[-1]
        # NumPy reads lists several times faster than PyTorch does.
        self._memory = (
            np.array(first_rows, dtype=np.int64),
            np.array(starts, dtype=np.int64),
            np.array(table_starts, dtype=np.int64),
            np.array(list(chain.from_iterable(tables)), dtype=np.int32),
        )
        self._kept = None
        if any(kept):
            self._kept = np.array([item or (0, 0, 0) for item in kept], dtype=np.int64)
        self._storage = storage
        self._layer_bytes = 2 * num_kv_heads * block_size * head_dim * torch.bfloat16.itemsize
        workspace = workspace or Workspace()
        # (num_tokens, num_heads, head_dim): of the layer attended last, turned and scaled.
        self.query = workspace.take(
            "query", self.num_tokens, num_heads, head_dim, dtype=torch.bfloat16
        )
        self._out = workspace.take("attended", self.num_tokens, num_heads * head_dim)
        self._scale = head_dim**-0.5
        self._heads = library.Heads(
            num_heads, num_kv_heads, head_dim, block_size, block_stride, window or 0
        )
        self._sequences = library.Sequences(
            *(array.ctypes.data for array in self._memory),
            None if self._kept is None else self._kept.ctypes.data,
            len(starts),
        )

    def attend(
        self, heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, layer: int
    ) -> torch.Tensor:
        """Turns and stores the step's keys and stores its values, then attends.

        `heads` `(num_tokens, num_heads + 2 * num_kv_heads, head_dim)`: queries, keys, values.
        `cos`, `sin`: `head_dim / 2` a token. Returns `(num_tokens, num_heads * head_dim)`, valid
        until the next call.
        """
        functions, threads = library.functions(), torch.get_num_threads()
        query = self.query.data_ptr()
        functions.assay_rotate_and_store(
            self._heads,
            self._sequences,
            heads.data_ptr(),
            cos.data_ptr(),
            sin.data_ptr(),
            self._scale,
            query,
            self._storage + layer * self._layer_bytes,
            threads,
        )
        library.check_memory(
            functions.assay_attend_layer(
                self._heads,
                self._sequences,
                query,
                self._storage,
                layer,
                self._out.data_ptr(),
                threads,
            )
        )
        return self._out


def find_likeliest(
    logits: torch.Tensor, masks: NDArray[np.int32] | None, rows: Sequence[int]
) -> list[tuple[int, int, float, float, float, float]]:
    """Of each of `rows` the likeliest legal token, and what its probability and the entropy of the
    choice are worked out from.

    `logits` `(num_rows, vocab_size)`, float32; `masks` `(num_rows, num_words)` as in
    `engine.sampler.sample`. Returns token, number of legal tokens, sum of `exp(logit - peak)` over
    them, sum of that times `logit - peak`, `peak` (the highest logit) and the second highest. Of
    equal logits the first is taken. The first sum or the peak is not a finite number where a legal
    logit is none.
    """
    assert logits.is_contiguous()
    assert masks is None or masks.flags.c_contiguous
    chosen = np.array(rows, dtype=np.int64)
    found = np.empty(len(chosen), dtype=_LIKELIEST)
    library.functions().assay_weigh_choices(
        logits.data_ptr(),
        logits.shape[1],
        None if masks is None else masks.ctypes.data,
        0 if masks is None else masks.shape[1],
        chosen.ctypes.data,
        len(chosen),
        found.ctypes.data,
        torch.get_num_threads(),
    )
    return cast("list[tuple[int, int, float, float, float, float]]", found.tolist())


def _run_linear(
    matrix: Int8Matrix,
    x: torch.Tensor,
    norm: torch.Tensor | None,
    eps: float,
    out: torch.Tensor,
    *,
    add: bool,
) -> None:
    library.check_memory(
        library.functions().assay_linear(
            matrix.handle,
            x.data_ptr(),
            len(x),
            None if norm is None else norm.data_ptr(),
            eps,
            out.data_ptr(),
            add,
            torch.get_num_threads(),
        )
    )


def _aligned(count: int, dtype: torch.dtype) -> torch.Tensor:
    """Uninitialised memory that begins a cache line."""
    spare = _ALIGNMENT // dtype.itemsize
    memory = torch.empty(count + spare, dtype=dtype)
    skip = -memory.data_ptr() % _ALIGNMENT // dtype.itemsize
    return memory[skip : skip + count]
