"""PagePool hands each page out once, and holds no block longer than a page of it is out."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)

from assay.errors import CapacityError
from assay.kv_cache.block_pool import BlockPool
from assay.kv_cache.pages import PagePool


class PagePoolMachine(RuleBasedStateMachine):
    """Pages of windows and whole blocks of sequences come from the same pool."""

    lots = Bundle("lots")
    blocks = Bundle("blocks")

    @initialize(
        num_blocks=st.integers(1, 6), num_layers=st.integers(1, 3), num_kv_heads=st.integers(1, 3)
    )
    def start(self, num_blocks: int, num_layers: int, num_kv_heads: int) -> None:
        self.pool = BlockPool(num_blocks)
        self.pages = PagePool(self.pool, num_layers, num_kv_heads)
        rows = np.arange(num_blocks * num_layers * 2 * num_kv_heads)
        keys = rows.reshape(num_blocks, num_layers, 2, num_kv_heads)[:, :, 0]
        self.legal = {int(page): block for block, own in enumerate(keys) for page in own.ravel()}
        self.out: list[int] = []
        self.others: set[int] = set()

    @rule(target=lots, num_pages=st.integers(0, 14))
    def allocate(self, num_pages: int):
        room = self.pages.num_free + self.pool.num_free * self.pages.pages_a_block
        if num_pages > room:
            before = self.pages.num_free, self.pool.num_free
            with pytest.raises(CapacityError):
                self.pages.allocate(num_pages)
            assert before == (self.pages.num_free, self.pool.num_free)
            return multiple()
        free = self.pool.num_free - self.pages.num_blocks_for(num_pages)
        lot = self.pages.allocate(num_pages)
        assert self.pool.num_free == free
        assert len(lot) == num_pages
        assert not set(lot.tolist()) & set(self.out), "a page was handed out twice"
        for page in lot.tolist():
            assert self.legal[page] not in self.others, "a page of somebody's block"
        self.out += lot.tolist()
        return lot

    @rule(lot=consumes(lots))
    def release(self, lot: np.ndarray) -> None:
        self.pages.release(lot)
        for page in lot.tolist():
            self.out.remove(page)

    @rule(target=blocks)
    def take_block(self):
        if not self.pool.num_free:
            return multiple()
        (block,) = self.pool.allocate(1)
        self.others.add(block)
        return block

    @rule(block=consumes(blocks))
    def give_block(self, block: int) -> None:
        self.pool.release([block])
        self.others.remove(block)

    @invariant()
    def books_balance(self) -> None:
        if not hasattr(self, "pages"):
            return
        self.pool.check_integrity()
        self.pages.check_integrity(np.array(self.out, dtype=np.int32))
        assert set(self.pages.held_blocks()) == {self.legal[page] for page in self.out}


PagePoolMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestPagePool = PagePoolMachine.TestCase
