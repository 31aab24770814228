"""What windows keep, and where it lies."""

import numpy as np
import torch
from tiny_checkpoints import CONFIG

from assay.kv_cache.block_pool import BlockPool
from assay.kv_cache.pages import PagePool
from assay.kv_cache.storage import BlockStorage
from assay.kv_cache.window import Selection, make_window, pages_for

BLOCK = 4
LAYERS, HEADS = CONFIG.num_layers, CONFIG.num_kv_heads
TABLE = [6, 1, 4]


def random_mask(num_tokens: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.random((LAYERS, HEADS, num_tokens)) < rng.random((LAYERS, HEADS, 1))


def test_a_selection_lists_its_tokens_head_by_head() -> None:
    kept = np.zeros((LAYERS, HEADS, 5), dtype=bool)
    kept[0, 0, [1, 4]] = True
    kept[1, 0, 2] = True
    selection = Selection.from_mask(kept)
    assert selection.tokens.tolist() == [1, 4, 2]
    assert selection.counts.tolist() == kept.sum(-1).tolist()


def test_pairs_that_were_moved_are_gathered_in_the_order_of_the_selection() -> None:
    storage = BlockStorage(CONFIG, 12, BLOCK, torch.float32)
    storage.blocks[TABLE] = torch.randn(storage.blocks[TABLE].shape)
    before = storage.blocks.clone()
    kept = random_mask(len(TABLE) * BLOCK)
    kept[0, 0] = False
    selection = Selection.from_mask(kept)
    pages = PagePool(BlockPool(12), LAYERS, HEADS, lambda count: [0, 2, 3, 5][:count]).allocate(
        int(pages_for(selection.counts, BLOCK).sum())
    )
    window = make_window(selection.counts, pages[::-1].copy(), BLOCK)
    storage.move_pairs(selection.places(TABLE, BLOCK), window.places(BLOCK), "torch")
    assert window.num_pairs == kept.sum()
    for layer in range(LAYERS):
        keys, values = storage.gather_window(layer, window)
        for head in range(HEADS):
            tokens = torch.from_numpy(np.nonzero(kept[layer, head])[0])
            rows = torch.tensor(TABLE)[tokens // BLOCK], tokens % BLOCK
            for kind, found in enumerate((keys, values)):
                there = before[rows[0], layer, kind, head, rows[1]]
                assert torch.equal(found[head, : len(tokens)], there)
    assert torch.equal(storage.blocks[TABLE], before[TABLE])


def test_a_window_takes_the_pages_it_needs_and_no_more() -> None:
    counts = np.array([[5, 0], [4, 1]], dtype=np.int32)
    pages = np.array([9, 3, 7, 1], dtype=np.int32)
    window = make_window(counts, pages, BLOCK)
    assert pages_for(counts, BLOCK).tolist() == [[2, 0], [1, 1]]
    assert window.taken_pages(BLOCK).tolist() == pages.tolist()
    assert window.pages[1, 1, 0] == 1


def test_some_pairs_lie_where_they_do_among_all() -> None:
    counts = np.array([[5, 0], [9, 1]], dtype=np.int32)
    window = make_window(counts, np.array([9, 3, 7, 1, 5, 2], dtype=np.int32), BLOCK)
    everything = window.places(BLOCK)
    some = np.array([0, 4, 5, 13, 14])
    found = window.places_of(some, BLOCK)
    assert found.pages.tolist() == everything.pages[some].tolist()
    assert found.slots.tolist() == everything.slots[some].tolist()


def test_pairs_are_exchanged_for_as_many_of_their_head() -> None:
    before = Selection.from_mask(np.array([[[1, 1, 0, 0, 1], [0, 1, 0, 1, 0]]], dtype=bool))
    kept = np.array([[[0, 1, 1, 1, 0], [0, 1, 0, 1, 0]]], dtype=bool)
    goes, comes = before.exchange(kept)
    assert goes.tolist() == [True, False, True, False, False]
    assert comes.tokens.tolist() == [2, 3]
    assert comes.counts.tolist() == [[2, 0]]
