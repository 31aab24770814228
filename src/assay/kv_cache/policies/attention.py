"""How much the latest queries attend to the pairs at hand, and which pairs stand out."""

from __future__ import annotations

import torch


def head_attention(keys: torch.Tensor, queries: torch.Tensor) -> torch.Tensor:
    """The attention of each query head in one layer, the mean over the queries: `(num_kv_heads,
    group, num_tokens)`, float32.

    `keys` `(num_kv_heads, num_tokens, head_dim)`; `queries` `(num_heads, num_queries, head_dim)`,
    those of the last tokens, not scaled; each sees the keys up to its own.
    """
    num_kv_heads, num_tokens, head_dim = keys.shape
    num_queries = queries.shape[1]
    scaled = (queries * head_dim**-0.5).to(keys.dtype).reshape(num_kv_heads, -1, head_dim)
    scores = torch.bmm(scaled, keys.transpose(1, 2)).view(num_kv_heads, -1, num_queries, num_tokens)
    later = torch.ones(num_queries, num_queries, dtype=torch.bool).triu(1)
    scores[..., -num_queries:].masked_fill_(later, float("-inf"))
    return torch.softmax(scores.float(), dim=-1).mean(2)


def query_attention(keys: torch.Tensor, queries: torch.Tensor) -> torch.Tensor:
    """The mean attention of `queries` on each pair among `keys`, the greatest of the query heads
    that share it: `(num_layers, num_kv_heads, num_tokens)`, float32.

    `keys` `(num_layers, num_kv_heads, num_tokens, head_dim)`; `queries` `(num_layers, num_heads,
    num_queries, head_dim)`, of later tokens, not scaled.
    """
    num_kv_heads, num_tokens, head_dim = keys.shape[1:]
    num_queries = queries.shape[2]
    attention = torch.empty(keys.shape[:3])
    for layer, (key, query) in enumerate(zip(keys, queries, strict=True)):
        scaled = (query * head_dim**-0.5).to(key.dtype).reshape(num_kv_heads, -1, head_dim)
        scores = torch.bmm(scaled, key.transpose(1, 2)).float()
        by_head = torch.softmax(scores, dim=-1).view(num_kv_heads, -1, num_queries, num_tokens)
        attention[layer] = by_head.mean(2).amax(1)
    return attention


def keep_highest(scores: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """True at the `counts` `(num_layers, num_kv_heads)` highest scores of each head; of equal ones
    at the first. `scores` is `(num_layers, num_kv_heads, num_tokens)`."""
    order = scores.argsort(dim=-1, descending=True, stable=True)
    is_within = torch.arange(scores.shape[-1]) < counts[..., None]
    return torch.zeros_like(scores, dtype=torch.bool).scatter_(-1, order, is_within)
