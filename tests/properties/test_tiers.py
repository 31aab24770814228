"""Whatever is taken, given up, damaged, torn by a crash or found again after a restart: the books
balance, and what is found under a key is what was kept under it.

The contents of blocks are derived from their keys, so that one mixed up would show.
"""

import os
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tier_parts import BLOCK_BYTES, open_disk

from assay.errors import CapacityError
from assay.kv_cache.block_pool import hash_block, root_hash
from assay.kv_cache.contents import BlockContents
from assay.kv_cache.moves import BlockLoad, BlockSave
from assay.kv_cache.slices import Slice, slice_block_key, slice_key
from assay.kv_cache.tiers.tiers import Tiers
from assay.kv_cache.tiers.writer import DiskWriter

BLOCK_SIZE = 4
POSITION = 5


def chain(salt: str, tokens: list[int]) -> list[bytes]:
    hashes = [root_hash(salt)]
    for token in tokens:
        hashes.append(hash_block(hashes[-1], [token]))
    return hashes[1:]


def content_under(key: bytes) -> np.ndarray:
    return np.frombuffer(key * (BLOCK_BYTES // 16), dtype=np.uint8)


class TiersMachine(RuleBasedStateMachine):
    """`live` are the blocks' contents; `tables` are held, `published` says what they hold."""

    @initialize(
        num_blocks=st.integers(2, 8),
        num_host_blocks=st.integers(0, 6),
        num_disk_blocks=st.integers(1, 12),
    )
    def start(self, num_blocks: int, num_host_blocks: int, num_disk_blocks: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.sizes = num_blocks, num_host_blocks, num_disk_blocks
        self.open()

    def open(self) -> None:
        num_blocks, num_host_blocks, num_disk_blocks = self.sizes
        disk = open_disk(Path(self.folder.name), num_disk_blocks)
        self.writer = DiskWriter(disk, 4 * BLOCK_BYTES)
        tiers = Tiers(BLOCK_BYTES, host_bytes=num_host_blocks * BLOCK_BYTES, writer=self.writer)
        self.contents = BlockContents(num_blocks, BLOCK_SIZE, tiers)
        self.live = np.zeros((num_blocks, BLOCK_BYTES), dtype=np.uint8)
        self.tables: list[list[int]] = []

    def make(self, moves) -> None:
        for move in moves:
            if isinstance(move, BlockSave):
                move.content[:] = self.live[move.block]
            else:
                assert isinstance(move, BlockLoad)
                self.live[move.block] = move.content

    def step(self) -> None:
        self.make(self.contents.take_moves())
        self.contents.settle()
        self.writer.flush()

    @rule(
        salt=st.sampled_from(["", "other"]),
        tokens=st.lists(st.integers(0, 2), min_size=1, max_size=4),
        num_more=st.integers(0, 2),
    )
    def take(self, salt: str, tokens: list[int], num_more: int) -> None:
        """As for a prompt: what is found is shared or loaded, the rest computed and published."""
        hashes = chain(salt, tokens)
        num_found = self.contents.num_found(hashes)
        num_blocks = len(hashes) + num_more
        num_held = self.contents.pool.num_blocks - self.contents.num_obtainable
        needed = self.contents.num_needed(hashes[:num_found], num_blocks)
        fits = needed <= self.contents.num_obtainable
        try:
            table, sources = self.contents.take(hashes[:num_found], num_blocks)
        except CapacityError:
            assert not fits, "room was promised"
            assert num_held == self.contents.pool.num_blocks - self.contents.num_obtainable
            return
        num_taken = len(sources)
        assert num_taken <= num_found
        self.make(self.contents.take_moves())
        for block, block_hash in zip(table[:num_taken], hashes, strict=False):
            assert np.array_equal(self.live[block], content_under(block_hash))
        self.live[table[len(hashes) :]] = 255
        for block, block_hash in list(zip(table, hashes, strict=False))[num_taken:]:
            self.live[block] = content_under(block_hash)
            self.contents.pool.publish(block, block_hash)
        self.contents.settle()
        self.writer.flush()
        self.tables.append(table)

    @rule(token=st.integers(0, 3), num_tokens=st.integers(1, 8))
    def use_slice(self, token: int, num_tokens: int) -> None:
        """As for a segment: attached where it is at hand, else computed and kept."""
        key = slice_key("", [0], [token] * num_tokens)
        found = self.contents.use_slice(key, POSITION, num_tokens)
        self.step()
        item = None if found is None else found[0]
        if item is None:
            num_blocks = -(-(POSITION % BLOCK_SIZE + num_tokens) // BLOCK_SIZE)
            if num_blocks > self.contents.num_obtainable:
                return
            blocks = self.contents.obtain(num_blocks)
            self.step()
            for index, block in enumerate(blocks):
                self.live[block] = content_under(slice_block_key(key, index))
            item = Slice(key, blocks, POSITION % BLOCK_SIZE, POSITION, num_tokens)
            self.contents.slices.add(item)
        for index, block in enumerate(item.blocks):
            assert np.array_equal(self.live[block], content_under(slice_block_key(key, index)))
        assert (item.first_slot, item.position, item.num_tokens) == (1, POSITION, num_tokens)

    @precondition(lambda self: getattr(self, "tables", None))
    @rule(data=st.data())
    def release(self, data) -> None:
        index = data.draw(st.integers(0, len(self.tables) - 1))
        self.contents.pool.release(self.tables.pop(index))

    @rule(tokens=st.lists(st.integers(0, 2), min_size=1, max_size=4))
    def fail(self, tokens: list[int]) -> None:
        """A step that fails after blocks were handed out, before or amid its moves."""
        hashes = chain("", tokens)
        hashes = hashes[: self.contents.num_found(hashes)]
        if self.contents.num_needed(hashes, len(hashes)) <= self.contents.num_obtainable:
            table, _ = self.contents.take(hashes, len(hashes))
            moves = self.contents.take_moves()
            self.make(moves[: len(moves) // 2])
            self.contents.pool.release(table)
        for table in self.tables:
            self.contents.pool.release(table)
        self.tables = []
        self.contents.forget()

    @rule()
    def restart(self) -> None:
        """In good order: what is cached is there afterwards, as far as the disk holds it."""
        self.step()
        for table in self.tables:
            self.contents.pool.release(table)
        kept = {block_hash for _, block_hash, _ in self.contents.pool.cached()}
        for item in self.contents.slices.ascending():
            kept |= {slice_block_key(item.key, index) for index in range(len(item.blocks))}
        host = self.contents.tiers.host
        kept |= set(host._blocks) | set(self.writer.disk._slots)
        self.contents.close(self.make)
        self.open()
        num_kept = min(len(kept), self.writer.disk.max_blocks)
        assert len(self.writer.disk) == num_kept
        assert all(key in kept for key in self.writer.disk._slots)

    @rule(
        name=st.sampled_from(["blocks", "index"]),
        how=st.sampled_from(["cut", "zero", "flip"]),
        place=st.integers(0, 700),
        is_down=st.booleans(),
    )
    def crash(self, name: str, how: str, place: int, is_down: bool) -> None:
        """All memory is lost; with `is_down` the machine went down too and tore a file."""
        on_disk = set(self.writer.disk._slots)
        self.writer.close()
        path = Path(self.folder.name) / "model" / name
        is_torn = is_down and place < (size := path.stat().st_size)
        if is_torn:
            if how == "cut":
                os.truncate(path, place)
            elif name == "blocks" or place >= 64:
                data = bytearray(path.read_bytes())
                end = min(size, place + 20)
                data[place:end] = bytes(20)[: end - place] if how == "zero" else data[place:end]
                data[place] ^= 1 if how == "flip" else 0
                path.write_bytes(data)
        self.open()
        assert is_torn or set(self.writer.disk._slots) == on_disk

    @invariant()
    def is_sound(self) -> None:
        if not hasattr(self, "contents"):
            return
        self.contents.check_integrity()
        held = [0] * self.contents.pool.num_blocks
        for block in [b for table in self.tables for b in table]:
            held[block] += 1
        for block in self.contents.slices.held_blocks():
            held[block] += 1
        assert held == [self.contents.pool.num_references(b) for b in range(len(held))]

    def teardown(self) -> None:
        if hasattr(self, "writer"):
            self.writer.close()
            self.folder.cleanup()


TiersMachine.TestCase.settings = settings(max_examples=50, stateful_step_count=30, deadline=None)
TestTiers = TiersMachine.TestCase
