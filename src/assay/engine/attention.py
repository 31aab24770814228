"""Attention of one step over the block storage: a plan made once, run in every layer.

The step's sequences stand in tiles (`engine/tiles.py`), each a few batched matrix products a
layer. A long chunk is cut into runs of queries that see no keys beyond their own. Query heads that
share a key head are rows of the same product, so keys are never repeated. What a sequence's window
keeps is gathered before its blocks, each head's padded to the longest of the layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from assay.engine.schedule import ScheduledSequence
from assay.engine.tiles import MAX_BATCHED_QUERIES, group_into_tiles
from assay.kv_cache.storage import BlockStorage
from assay.kv_cache.window import Window
from assay.models.config import ModelConfig
from assay.models.rotary import rotate

# A tile's keys and values in one layer: small enough to be read from cache once gathered.
_TILE_BYTES = 4 << 20
# Queries in one run of a long chunk.
_QUERY_RUN = 128


@dataclass(frozen=True, slots=True)
class _Run:
    """Queries `[first_query, last_query)` of a tile against its keys `[first_key, last_key)`.

    `mask` `(batch, 1, num_queries, 1, num_masked)` is added to the scores of the last `num_masked`
    of the keys.
    """

    first_query: int
    last_query: int
    first_key: int
    last_key: int
    mask: torch.Tensor


@dataclass(frozen=True, slots=True)
class _Tile:
    """Sequences attended together: the step's tokens `[first_row, first_row + num_rows)`.

    Where sequences differ in new tokens, `padded` lists the rows that make a `(batch, num_queries)`
    table of tokens, and `valid` the places in the table that count. With a `window` it is one.
    """

    first_row: int
    num_rows: int
    batch: int
    num_queries: int
    block_rows: torch.Tensor
    padded: torch.Tensor | None
    valid: torch.Tensor | None
    runs: tuple[_Run, ...]
    window: Window | None


class StepAttention:
    """The attention of one step (`models.layers.Attention`), and the order of the step's tokens.

    `order` lists the indices of `sequences` in the order in which their tokens stand in the step.
    """

    def __init__(
        self, config: ModelConfig, storage: BlockStorage, sequences: Sequence[ScheduledSequence]
    ) -> None:
        self._config = config
        self._storage = storage
        self._group = config.num_heads // config.num_kv_heads
        self._scale = config.head_dim**-0.5
        max_blocks = max(1, _TILE_BYTES // storage.layer_block_bytes)
        tiles = group_into_tiles(sequences, storage.block_size, max_blocks)
        self.order = [index for tile in tiles for index in tile]
        self._tiles = []
        first_row = 0
        for tile in tiles:
            members = [sequences[index] for index in tile]
            self._tiles.append(self._make_tile(members, first_row))
            first_row += self._tiles[-1].num_rows
        self._slot_rows = _slot_rows(storage, [sequences[index] for index in self.order])
        self._rows: torch.Tensor | None = None

    def record(self, rows: torch.Tensor) -> None:
        """Lets `recorded` `(num_layers, len(rows), num_heads, head_dim)` take up the queries of
        these of the step's tokens, turned and not scaled."""
        config = self._config
        shape = (config.num_layers, len(rows), config.num_heads, config.head_dim)
        self._rows, self.recorded = rows, torch.empty(shape, dtype=self._storage.dtype)

    def __call__(
        self, layer: int, heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor
    ) -> torch.Tensor:
        num_heads, num_kv_heads = self._config.num_heads, self._config.num_kv_heads
        rotated = torch.empty_like(heads)
        turned = num_heads + num_kv_heads
        rotate(heads[:, :turned], cos, sin, rotated[:, :turned])
        rotated[:, turned:] = heads[:, turned:]
        self._storage.write(layer, self._slot_rows, rotated[:, num_heads:])
        if self._rows is not None:
            self.recorded[layer] = rotated[self._rows, :num_heads]
        query = rotated[:, :num_heads] * self._scale
        out: torch.Tensor = query.new_empty(len(query), num_heads * self._config.head_dim)
        for tile in self._tiles:
            self._attend(tile, layer, query, out)
        return out

    def _attend(self, tile: _Tile, layer: int, query: torch.Tensor, out: torch.Tensor) -> None:
        num_kv_heads, head_dim, group = (
            self._config.num_kv_heads,
            self._config.head_dim,
            self._group,
        )
        rows = slice(tile.first_row, tile.first_row + tile.num_rows)
        queries = query[rows] if tile.padded is None else query[tile.padded]
        by_head = queries.view(tile.batch, tile.num_queries, num_kv_heads, group, head_dim)
        packed = queries.new_empty(
            (tile.batch, num_kv_heads, tile.num_queries, group, head_dim), dtype=self._storage.dtype
        ).copy_(by_head.transpose(1, 2))
        flat = packed.view(tile.batch * num_kv_heads, -1, head_dim)
        keys, values = self._storage.gather(layer, tile.block_rows, tile.batch)
        num_kept, hidden = 0, None
        if tile.window is not None:
            kept = self._storage.gather_window(layer, tile.window)
            num_kept, hidden = kept[0].shape[1], self._hidden(layer, tile.window)
            keys, values = torch.cat([kept[0], keys], 1), torch.cat([kept[1], values], 1)
        for run in tile.runs:
            num_queries = run.last_query - run.first_query
            seen = slice(run.first_key, run.last_key + num_kept)
            scores = torch.bmm(
                flat[:, run.first_query * group : run.last_query * group],
                keys[:, seen].transpose(1, 2),
            )
            shape = (tile.batch, num_kv_heads, num_queries, group)
            scores.view(*shape, -1)[..., -run.mask.shape[-1] :].add_(run.mask)
            if hidden is not None:
                scores.view(*shape, -1)[..., :num_kept].masked_fill_(hidden, float("-inf"))
            attended = torch.bmm(torch.softmax(scores, dim=-1), values[:, seen])
            table = attended.view(*shape, head_dim).transpose(1, 2)
            if tile.valid is None:
                first = tile.first_row + run.first_query
                target = out[first : first + tile.batch * num_queries]
                target.view(table.shape).copy_(table)
            else:
                out[rows] = table.reshape(tile.batch * num_queries, -1)[tile.valid].to(out.dtype)

    def _make_tile(self, members: Sequence[ScheduledSequence], first_row: int) -> _Tile:
        block_size = self._storage.block_size
        lengths = [len(sequence.token_ids) for sequence in members]
        num_queries = max(lengths)
        num_blocks = max(-(-sequence.end // block_size) for sequence in members)
        tables = []
        for sequence in members:
            needed = list(sequence.block_table[: -(-sequence.end // block_size)])
            tables.append(needed + needed[:1] * (num_blocks - len(needed)))
        padded = valid = None
        if min(lengths) < num_queries:
            starts = torch.tensor([0, *lengths[:-1]]).cumsum(0) + first_row
            counts = torch.tensor(lengths)[:, None]
            steps = torch.arange(num_queries)
            padded = (starts[:, None] + torch.minimum(steps, counts - 1)).view(-1)
            valid = (steps < counts).view(-1).nonzero()[:, 0]
        if num_queries > MAX_BATCHED_QUERIES:
            runs = self._long_runs(members[0])
        else:
            runs = (self._whole_run(members, num_queries, num_blocks * block_size),)
        return _Tile(
            first_row=first_row,
            num_rows=sum(lengths),
            batch=len(members),
            num_queries=num_queries,
            block_rows=self._storage.block_rows(torch.tensor(tables)),
            padded=padded,
            valid=valid,
            runs=runs,
            window=members[0].window,
        )

    def _whole_run(
        self, members: Sequence[ScheduledSequence], num_queries: int, num_keys: int
    ) -> _Run:
        starts = torch.tensor([sequence.start for sequence in members])[:, None]
        ends = torch.tensor([sequence.end for sequence in members])[:, None]
        positions = torch.minimum(starts + torch.arange(num_queries), ends - 1)
        return _Run(0, num_queries, 0, num_keys, self._mask(positions, torch.arange(num_keys)))

    def _long_runs(self, sequence: ScheduledSequence) -> tuple[_Run, ...]:
        runs = []
        for first in range(0, len(sequence.token_ids), _QUERY_RUN):
            last = min(first + _QUERY_RUN, len(sequence.token_ids))
            positions = sequence.start + torch.arange(first, last)
            first_key, last_key = 0, sequence.start + last
            masked = positions
            if self._config.sliding_window is not None:
                first_key = max(0, sequence.start + first - self._config.sliding_window + 1)
                masked = torch.arange(first_key, last_key)
            mask = self._mask(positions[None], masked)
            runs.append(_Run(first, last, first_key, last_key, mask))
        return tuple(runs)

    def _hidden(self, layer: int, window: Window) -> torch.Tensor:
        """Which places gathered of a window hold nothing: `(1, num_kv_heads, 1, 1, num_kept)`."""
        counts = torch.from_numpy(window.counts[layer])[:, None]
        num_kept = self._storage.block_size * self._storage.num_window_pages(layer, window)
        return (torch.arange(num_kept) >= counts)[None, :, None, None, :]

    def _mask(self, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        """What is added to the scores of query positions `(batch, num_queries)` against key
        positions `(num_keys,)`: 0, or minus infinity."""
        hidden = keys > queries[:, :, None]
        if self._config.sliding_window is not None:
            hidden |= keys <= queries[:, :, None] - self._config.sliding_window
        mask = torch.zeros(hidden.shape, dtype=self._storage.dtype)
        return mask.masked_fill_(hidden, float("-inf"))[:, None, :, None, :]


def _slot_rows(storage: BlockStorage, sequences: Sequence[ScheduledSequence]) -> torch.Tensor:
    """Where in the storage the step's tokens are written."""
    blocks, slots = [], []
    for sequence in sequences:
        positions = torch.arange(sequence.start, sequence.end)
        table = torch.tensor(sequence.block_table)
        blocks.append(table[positions // storage.block_size])
        slots.append(positions % storage.block_size)
    return storage.slot_rows(torch.cat(blocks), torch.cat(slots))
