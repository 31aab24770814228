"""The compiled operators over keys and values where they are stored. For where `library.why_not`
finds nothing against them.

`storage` is `(num_blocks, num_layers, 2, num_kv_heads, block_size, head_dim)` in bfloat16: keys,
then values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from assay.kernels import library


def copy_slots(
    storage: torch.Tensor,
    sources: tuple[Sequence[int], int],
    targets: tuple[Sequence[int], int],
    num_tokens: int,
    turn: tuple[torch.Tensor, torch.Tensor] | None,
) -> None:
    """Copies the keys and values of tokens within `storage` and turns the keys.

    `sources` and `targets` are blocks and the first slot, counted through the blocks; no slot is
    both. `turn` is the cosines and sines of the turn, `head_dim / 2` each; None for none.
    """
    num_layers, _, num_kv_heads, block_size, head_dim = storage.shape[1:]
    heads = library.Heads(0, num_kv_heads, head_dim, block_size, storage.stride(0), 0)
    tables = [torch.tensor(blocks, dtype=torch.int32) for blocks, _ in (sources, targets)]
    cos, sin = (None, None) if turn is None else (part.data_ptr() for part in turn)
    library.functions().assay_copy_slots(
        heads,
        num_layers,
        storage.data_ptr(),
        tables[0].data_ptr(),
        sources[1],
        tables[1].data_ptr(),
        targets[1],
        num_tokens,
        cos,
        sin,
        torch.get_num_threads(),
    )


def move_pairs(
    storage: torch.Tensor, sources: NDArray[np.int64], targets: NDArray[np.int64], to_value: int
) -> None:
    """Copies keys and their values within `storage`, bfloat16, its last dimension that of a head.

    `sources` and `targets` number keys by where they lie, in keys; a key's value lies `to_value`
    further. No place is both.
    """
    library.functions().assay_move_pairs(
        storage.data_ptr(),
        sources.ctypes.data,
        targets.ctypes.data,
        len(sources),
        to_value,
        storage.shape[-1],
        torch.get_num_threads(),
    )


def query_attention(
    storage: torch.Tensor, block_table: Sequence[int], num_tokens: int, queries: torch.Tensor
) -> torch.Tensor:
    """The attention of `queries` `(num_layers, num_heads, num_queries, head_dim)`, turned and not
    scaled, on the first `num_tokens` keys in some blocks of `storage` and nothing else: the mean
    over the queries, the greatest of the heads that share a key; `(num_layers, num_kv_heads,
    num_tokens)`.
    """
    num_layers, _, num_kv_heads, block_size, head_dim = storage.shape[1:]
    num_heads, num_queries = queries.shape[1:3]
    heads = library.Heads(num_heads, num_kv_heads, head_dim, block_size, storage.stride(0), 0)
    table = np.array(block_table, dtype=np.int32)
    scaled = (queries * head_dim**-0.5).to(torch.bfloat16).contiguous()
    out = torch.empty(num_layers, num_kv_heads, num_tokens)
    library.check_memory(
        library.functions().assay_query_attention(
            heads,
            num_layers,
            storage.data_ptr(),
            table.ctypes.data,
            num_tokens,
            scaled.data_ptr(),
            num_queries,
            out.data_ptr(),
            torch.get_num_threads(),
        )
    )
    return out


def keep_highest(scores: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """True at the `counts` `(...)` highest of the last dimension of `scores`, float32; of equal
    ones at the first."""
    scores, wanted = scores.contiguous(), counts.to(torch.int32).contiguous()
    kept = torch.empty_like(scores, dtype=torch.bool)
    num_tokens = scores.shape[-1]
    library.check_memory(
        library.functions().assay_keep_highest(
            scores.data_ptr(),
            scores.numel() // max(1, num_tokens),
            num_tokens,
            wanted.data_ptr(),
            kept.data_ptr(),
            torch.get_num_threads(),
        )
    )
    return kept


def rescore(
    codes: torch.Tensor, static: torch.Tensor, queries: torch.Tensor, factor: float, least: float
) -> torch.Tensor:
    """`policies.sketch.rescore`."""
    codes, static = codes.contiguous(), static.contiguous()
    queries = queries.to(torch.float32).contiguous()
    num_layers, num_kv_heads, rank, num_tokens = codes.shape
    out = torch.empty(num_layers, num_kv_heads, num_tokens)
    library.check_memory(
        library.functions().assay_rescore(
            codes.data_ptr(),
            static.data_ptr(),
            queries.data_ptr(),
            num_layers * num_kv_heads,
            queries.shape[2],
            rank,
            num_tokens,
            factor,
            least,
            out.data_ptr(),
            torch.get_num_threads(),
        )
    )
    return out
