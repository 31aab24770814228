"""A dense cache: the definition that blocks, slices and windows are held to."""

import math

import torch

from assay.models.rotary import rotate


class DenseCache:
    """An attention that keeps every key unturned and turns them to the positions asked for."""

    def __init__(self, config, num_tokens: int) -> None:
        self.config, self.rows = config, torch.arange(0)
        shape = (config.num_layers, num_tokens, config.num_kv_heads, config.head_dim)
        self.keys, self.values = torch.zeros(shape), torch.zeros(shape)
        self.positions = torch.arange(num_tokens)
        self.rotary = None

    def __call__(self, layer, heads, cos, sin):
        config, rows = self.config, self.rows
        query, key, value = heads.split(
            [config.num_heads, config.num_kv_heads, config.num_kv_heads], 1
        )
        self.keys[layer, rows], self.values[layer, rows] = key, value
        end = int(rows.max()) + 1
        tables = self.rotary.tables(self.positions[:end])
        keys = self.keys[layer, :end]
        keys = rotate(keys, *tables, torch.empty_like(keys))
        query = rotate(query, cos, sin, torch.empty_like(query))
        group = config.num_heads // config.num_kv_heads
        keys, values = (x.repeat_interleave(group, 1) for x in (keys, self.values[layer, :end]))
        scores = torch.einsum("qhd,khd->hqk", query, keys) / math.sqrt(config.head_dim)
        scores.masked_fill_(torch.arange(end) > rows[:, None], -math.inf)
        return torch.einsum("hqk,khd->qhd", scores.softmax(-1), values).flatten(1)


def run(model, cache, ids, rows, positions=None) -> torch.Tensor:
    """Computes tokens into the cache's slots `rows`, at their `positions` if these differ; logits
    after each."""
    positions = rows if positions is None else positions
    cache.rows, cache.rotary = rows, model.rotary
    cache.positions[rows] = positions
    return model.forward(ids, positions, cache, torch.arange(len(ids)))
