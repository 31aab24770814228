"""Tiers and DiskWriter: down when given up, up when wanted."""

import threading

import numpy as np
import pytest
from tier_parts import BLOCK_BYTES, content_of, key_of, open_disk, stored

from assay.kv_cache.tiers.tiers import Tiers
from assay.kv_cache.tiers.writer import DiskWriter


@pytest.fixture
def writer(tmp_path):
    made = DiskWriter(open_disk(tmp_path))
    yield made
    made.close()


def save(tiers: Tiers, name: str, num_uses: int = 0) -> bool:
    """Gives a block up as the pool would; whether its content had to be copied."""
    move = tiers.save(key_of(name), 0, 4, num_uses)
    if move is not None:
        move.content[:] = content_of(name)
    return move is not None


def source_of(tiers: Tiers, name: str) -> str | None:
    """Where a block is found, if it is; its content must be the one saved."""
    found = tiers.fetch(key_of(name))
    if found is None:
        return None
    assert np.array_equal(found.content, content_of(name))
    return found.tier


def test_what_is_saved_is_found_in_host_memory_and_saved_once():
    tiers = Tiers(BLOCK_BYTES, host_bytes=4 * BLOCK_BYTES)
    assert save(tiers, "a")
    assert key_of("a") in tiers
    assert source_of(tiers, "a") == "host"
    assert not save(tiers, "a")
    assert source_of(tiers, "b") is None
    assert tiers.num_saved == 1


def test_how_often_a_block_was_used_goes_with_it(writer):
    tiers = Tiers(BLOCK_BYTES, host_bytes=BLOCK_BYTES, writer=writer)
    save(tiers, "a", num_uses=3)
    assert tiers.fetch(key_of("a")).num_uses == 4
    save(tiers, "a", num_uses=4)
    assert tiers.fetch(key_of("a")).num_uses == 5
    save(tiers, "b", num_uses=9)
    tiers.settle()
    writer.flush()
    assert tiers.fetch(key_of("a")).num_uses == 6


def test_without_any_tier_nothing_is_copied():
    tiers = Tiers(BLOCK_BYTES, host_bytes=0)
    assert not save(tiers, "a")
    assert key_of("a") not in tiers


def test_what_host_memory_gives_up_goes_to_disk_and_comes_back(writer):
    tiers = Tiers(BLOCK_BYTES, host_bytes=2 * BLOCK_BYTES, writer=writer)
    for name in "abc":
        save(tiers, name)
    assert source_of(tiers, "a") == "host", "given up, but nothing settled yet"
    tiers.settle()
    writer.flush()
    assert source_of(tiers, "a") == "disk"
    assert source_of(tiers, "a") == "host"
    tiers.check_integrity()


def test_nothing_goes_to_disk_before_its_content_is_there(writer):
    tiers = Tiers(BLOCK_BYTES, host_bytes=0, writer=writer)
    move = tiers.save(key_of("a"), 0, 4, 0)
    writer.flush()
    assert len(writer.disk) == 0
    move.content[:] = content_of("a")
    tiers.settle()
    writer.flush()
    assert source_of(tiers, "a") == "disk"


def test_after_a_failed_step_only_what_was_settled_is_left(writer):
    tiers = Tiers(BLOCK_BYTES, host_bytes=BLOCK_BYTES, writer=writer)
    save(tiers, "a")
    save(tiers, "b")
    tiers.settle()
    writer.flush()
    tiers.save(key_of("c"), 0, 4, 0)
    tiers.save(key_of("d"), 0, 4, 0)
    tiers.forget()
    tiers.settle()
    assert [source_of(tiers, name) for name in "abcd"] == ["disk", None, None, None]


def test_discarding_reaches_every_tier(writer):
    tiers = Tiers(BLOCK_BYTES, host_bytes=BLOCK_BYTES, writer=writer)
    for name in "ab":
        save(tiers, name)
    tiers.settle()
    writer.flush()
    save(tiers, "c")
    for name in "abc":
        assert key_of(name) in tiers
        tiers.discard(key_of(name))
        assert key_of(name) not in tiers
    tiers.check_integrity()


def test_closing_takes_host_memory_to_disk(tmp_path):
    tiers = Tiers(
        BLOCK_BYTES, host_bytes=4 * BLOCK_BYTES, writer=DiskWriter(open_disk(tmp_path), 1)
    )
    for name in "abc":
        save(tiers, name, num_uses=1)
    tiers.close()
    tiers.close()
    again = DiskWriter(open_disk(tmp_path))
    found = Tiers(BLOCK_BYTES, host_bytes=0, writer=again)
    assert [source_of(found, name) for name in "abc"] == ["disk"] * 3
    again.close()


def test_a_disk_that_does_not_keep_up_loses_blocks_and_holds_up_nobody(tmp_path, monkeypatch):
    writer = DiskWriter(open_disk(tmp_path), 2 * BLOCK_BYTES)
    gate = threading.Event()
    real = writer.disk.write
    monkeypatch.setattr(writer.disk, "write", lambda block: gate.wait() and real(block))
    writer.offer([stored(name) for name in "abcd"])
    assert writer.num_dropped == 2
    assert writer.read(key_of("a")) is not None
    assert writer.read(key_of("c")) is None
    gate.set()
    writer.flush()
    assert len(writer.disk) == 2
    writer.close()


def test_a_full_disk_is_said_once_and_what_is_there_is_still_read(tmp_path, monkeypatch, caplog):
    writer = DiskWriter(open_disk(tmp_path))
    writer.offer([stored("a")])
    writer.flush()

    def fail(block):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writer.disk, "write", fail)
    for name in "bc":
        writer.offer([stored(name)], wait=True)
        writer.flush()
    assert caplog.text.count("no longer written to") == 1
    assert writer.num_dropped == 2
    assert writer.read(key_of("a")) is not None
    writer.close()
