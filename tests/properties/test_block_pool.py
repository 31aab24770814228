"""BlockPool holds its invariants, and never mixes contents up, under any order of calls."""

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
from assay.kv_cache.block_pool import BlockPool, hash_block, root_hash


class BlockPoolMachine(RuleBasedStateMachine):
    """References are held by the bundle; `content` is what was last published in each block."""

    references = Bundle("references")

    @initialize(num_blocks=st.integers(1, 6))
    def start(self, num_blocks: int) -> None:
        self.pool = BlockPool(num_blocks)
        self.held: dict[int, int] = {}
        self.published: dict[int, bytes] = {}

    @rule(target=references, num_blocks=st.integers(0, 4))
    def allocate(self, num_blocks: int):
        if num_blocks > self.pool.num_free:
            before = self.pool.num_free
            with pytest.raises(CapacityError):
                self.pool.allocate(num_blocks)
            assert self.pool.num_free == before
            return multiple()
        blocks = self.pool.allocate(num_blocks)
        for block in blocks:
            assert block not in self.held, "a block in use was handed out"
            self.held[block] = 1
            self.published.pop(block, None)
        return multiple(*blocks)

    @rule(block=references, token=st.integers(0, 5))
    def publish(self, block: int, token: int) -> None:
        if block in self.published:
            return
        content = hash_block(root_hash(""), [token])
        is_new = self.pool.lookup(content) is None
        self.pool.publish(block, content)
        if is_new:
            self.published[block] = content

    @rule(target=references, token=st.integers(0, 5))
    def share_what_is_found(self, token: int):
        content = hash_block(root_hash(""), [token])
        block = self.pool.lookup(content)
        if block is None:
            assert content not in self.published.values(), "published content was lost"
            return multiple()
        assert self.published[block] == content
        self.pool.share([block])
        self.held[block] = self.held.get(block, 0) + 1
        return block

    @rule(block=consumes(references))
    def release(self, block: int) -> None:
        self.pool.release([block])
        self.held[block] -= 1
        if self.held[block] == 0:
            del self.held[block]

    @rule()
    def forget(self) -> None:
        self.pool.forget()
        self.published.clear()

    @invariant()
    def is_sound(self) -> None:
        if hasattr(self, "pool"):
            self.pool.check_integrity()
            assert self.pool.num_free == self.pool.num_blocks - len(self.held)


BlockPoolMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None
)
TestBlockPool = BlockPoolMachine.TestCase
