"""The memory of the blocks."""

import resource
from dataclasses import replace

import numpy as np
import pytest
import torch
from closeness import assert_close
from tiny_checkpoints import CONFIG

from assay.kv_cache.slices import SlotCopy
from assay.kv_cache.storage import BlockStorage, block_bytes
from assay.models.rotary import Rotary, rotate

BLOCK = 4


def make(num_blocks: int = 8, dtype: torch.dtype = torch.float32) -> BlockStorage:
    return BlockStorage(CONFIG, num_blocks, BLOCK, dtype)


def random_tokens(count: int) -> torch.Tensor:
    return torch.randn(count, 2 * CONFIG.num_kv_heads, CONFIG.head_dim)


def write(storage: BlockStorage, layer: int, places: list[tuple[int, int]], values) -> None:
    blocks, slots = torch.tensor(places).T
    storage.write(layer, storage.slot_rows(blocks, slots), values)


def test_what_is_written_is_gathered_in_the_order_of_the_block_table() -> None:
    storage = make()
    tokens = random_tokens(6)
    write(storage, 1, [(5, 0), (5, 1), (5, 2), (5, 3), (2, 0), (2, 1)], tokens)
    rows = storage.block_rows(torch.tensor([[5, 2]]))
    keys, values = storage.gather(1, rows, 1)
    assert keys.shape == values.shape == (CONFIG.num_kv_heads, 2 * BLOCK, CONFIG.head_dim)
    assert torch.equal(keys[:, :6].transpose(0, 1), tokens[:, : CONFIG.num_kv_heads])
    assert torch.equal(values[:, :6].transpose(0, 1), tokens[:, CONFIG.num_kv_heads :])


def test_a_batch_is_gathered_sequence_by_sequence() -> None:
    storage = make()
    for block in (0, 3, 6):
        write(storage, 0, [(block, slot) for slot in range(BLOCK)], random_tokens(BLOCK))
    tables = [[6, 0], [3, 3]]
    together = storage.gather(0, storage.block_rows(torch.tensor(tables)), 2)
    for index, table in enumerate(tables):
        alone = storage.gather(0, storage.block_rows(torch.tensor([table])), 1)
        part = slice(index * CONFIG.num_kv_heads, (index + 1) * CONFIG.num_kv_heads)
        assert all(torch.equal(a[part], b) for a, b in zip(together, alone, strict=True))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_block_that_was_saved_can_be_loaded_into_another(dtype) -> None:
    storage = make(dtype=dtype)
    storage.blocks[2] = torch.randn_like(storage.blocks[2].float()).to(dtype)
    content = np.empty(block_bytes(CONFIG, BLOCK, dtype), dtype=np.uint8)
    storage.save(2, content)
    saved = storage.blocks[2].clone()
    storage.blocks[2] = 0
    storage.load(content, 5)
    assert torch.equal(storage.blocks[5], saved)
    assert int(storage.blocks.count_nonzero()) == int(saved.count_nonzero())


def test_layers_and_blocks_do_not_touch_each_other() -> None:
    storage = make(3)
    kept = {}
    for layer in range(CONFIG.num_layers):
        for block in range(3):
            kept[layer, block] = random_tokens(BLOCK)
            write(storage, layer, [(block, slot) for slot in range(BLOCK)], kept[layer, block])
    for (layer, block), tokens in kept.items():
        gathered = storage.gather(layer, storage.block_rows(torch.tensor([[block]])), 1)
        assert torch.equal(torch.cat(gathered).transpose(0, 1), tokens)


def test_unwritten_slots_read_as_zero() -> None:
    keys, values = make().gather(1, make().block_rows(torch.tensor([[7, 1]])), 1)
    assert not keys.any()
    assert not values.any()


@pytest.mark.parametrize(("dtype", "size"), [(torch.bfloat16, 2), (torch.float32, 4)])
def test_a_block_takes_keys_and_values_of_all_layers(dtype: torch.dtype, size: int) -> None:
    items = 2 * CONFIG.num_layers * CONFIG.num_kv_heads * CONFIG.head_dim * BLOCK
    assert block_bytes(CONFIG, BLOCK, dtype) == items * size
    assert make(8, dtype).nbytes == 8 * items * size


def test_memory_is_taken_when_blocks_are_written_not_before() -> None:
    config = replace(CONFIG, num_layers=16, head_dim=64)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    storage = BlockStorage(config, 2 << 30 >> 18, 16, torch.bfloat16)
    assert storage.nbytes >= 1 << 30
    tokens = torch.randn(1, 2 * config.num_kv_heads, config.head_dim)
    for layer in range(config.num_layers):
        write(storage, layer, [(3, 0)], tokens)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 64 << 10, f"{grown} KiB"


def test_copied_keys_are_as_if_computed_where_they_come_to_stand() -> None:
    storage, rotary = make(6), Rotary(CONFIG)
    count, start, target = 6, 3, 41
    raw = random_tokens(count)
    num_kv_heads = CONFIG.num_kv_heads

    def at(position: int) -> torch.Tensor:
        tables = rotary.tables(torch.arange(position, position + count))
        keys = raw[:, :num_kv_heads]
        return torch.cat([rotate(keys, *tables, torch.empty_like(keys)), raw[:, num_kv_heads:]], 1)

    for layer in range(CONFIG.num_layers):
        places = [divmod(BLOCK + 2 + i, BLOCK) for i in range(count)]
        write(storage, layer, places, at(start))
    copy = SlotCopy([1, 2, 3], 2, [5, 0, 4], 3, count, target - start)
    storage.copy_slots([copy], rotary, "torch")
    for layer in range(CONFIG.num_layers):
        found = storage.gather(layer, storage.block_rows(torch.tensor([[5, 0, 4]])), 1)
        keys_and_values = torch.cat(found).transpose(0, 1)
        assert_close(keys_and_values[3 : 3 + count], at(target), atol=1e-5)
        assert not keys_and_values[:3].any()
        assert not keys_and_values[3 + count :].any()
