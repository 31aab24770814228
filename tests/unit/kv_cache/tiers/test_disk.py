"""DiskTier: what is found again, after whatever happened to the files."""

import os
import stat
import threading

import numpy as np
import pytest
from tier_parts import BLOCK_BYTES, content_of, key_of, open_disk, stored

from assay.errors import ConfigError
from assay.kv_cache.tiers import disk as disk_module
from assay.kv_cache.tiers.folder import CacheFolder, fingerprint
from assay.kv_cache.tiers.index_file import HEADER_BYTES, RECORD_BYTES


def write(tier, *names: str) -> None:
    for name in names:
        tier.write(stored(name))


def is_good(tier, name: str) -> bool:
    found = tier.read(key_of(name))
    return found is not None and np.array_equal(found.content, content_of(name))


def test_what_was_written_is_there_after_a_restart_with_its_value(tmp_path):
    tier = open_disk(tmp_path)
    tier.write(stored("a", num_tokens=2.5, num_uses=7))
    write(tier, "b")
    tier.close()
    again = open_disk(tmp_path)
    found = again.read(key_of("a"))
    assert (found.num_tokens, found.num_uses) == (2.5, 8)
    assert is_good(again, "a")
    assert is_good(again, "b")
    assert again.num_damaged == 0
    again.check_integrity()


def test_the_least_valuable_gives_way_and_the_files_stay_within_their_bytes(tmp_path):
    tier = open_disk(tmp_path, num_blocks=3)
    tier.write(stored("popular", num_uses=5))
    write(tier, *(str(number) for number in range(10)))
    assert len(tier) == 3
    assert is_good(tier, "popular")
    assert is_good(tier, "9")
    files = sum(path.stat().st_size for path in (tmp_path / "model").iterdir())
    assert files <= HEADER_BYTES + 3 * (BLOCK_BYTES + RECORD_BYTES)
    tier.check_integrity()


def test_what_is_read_stays_longer(tmp_path):
    tier = open_disk(tmp_path, num_blocks=2)
    write(tier, "read", "unread")
    assert is_good(tier, "read")
    write(tier, "new")
    assert is_good(tier, "read")
    assert key_of("unread") not in tier


@pytest.mark.parametrize("offset", [0, BLOCK_BYTES - 1])
def test_a_flipped_bit_is_detected_counted_and_forgotten(tmp_path, caplog, offset):
    tier = open_disk(tmp_path)
    write(tier, "a", "b")
    path = tmp_path / "model" / "blocks"
    data = bytearray(path.read_bytes())
    data[BLOCK_BYTES + offset] ^= 4
    path.write_bytes(data)
    assert is_good(tier, "a")
    assert tier.read(key_of("b")) is None
    assert key_of("b") not in tier
    assert tier.num_damaged == 1
    assert "damaged" in caplog.text
    write(tier, "b")
    assert is_good(tier, "b")
    tier.check_integrity()


def test_a_block_of_another_key_is_not_taken_for_this_one(tmp_path):
    """As after a crash of the machine that kept an old record and a new content."""
    tier = open_disk(tmp_path, num_blocks=1)
    write(tier, "a")
    index = (tmp_path / "model" / "index").read_bytes()
    write(tier, "b")
    tier.close()
    (tmp_path / "model" / "index").write_bytes(index)
    again = open_disk(tmp_path, num_blocks=1)
    assert key_of("a") in again
    assert again.read(key_of("a")) is None


@pytest.mark.parametrize("num_bytes", range(0, 2 * BLOCK_BYTES, 5))
def test_blocks_cut_short_lose_what_was_cut_and_nothing_else(tmp_path, num_bytes):
    tier = open_disk(tmp_path)
    write(tier, "a", "b")
    os.truncate(tmp_path / "model" / "blocks", num_bytes)
    assert is_good(tier, "a") == (num_bytes >= BLOCK_BYTES)
    assert tier.read(key_of("b")) is None
    tier.close()
    again = open_disk(tmp_path)
    assert is_good(again, "a") == (num_bytes >= BLOCK_BYTES)
    again.check_integrity()


@pytest.mark.parametrize("num_bytes", [0, 5, HEADER_BYTES, HEADER_BYTES + 70])
def test_an_index_cut_short_loses_what_was_cut_and_nothing_else(tmp_path, num_bytes):
    tier = open_disk(tmp_path)
    write(tier, "a", "b")
    tier.close()
    os.truncate(tmp_path / "model" / "index", num_bytes)
    again = open_disk(tmp_path)
    assert is_good(again, "a") == (num_bytes >= HEADER_BYTES + RECORD_BYTES)
    assert key_of("b") not in again
    write(again, "b", "c")
    assert is_good(again, "b")
    again.check_integrity()


def test_a_damaged_record_costs_its_block_alone(tmp_path):
    tier = open_disk(tmp_path)
    write(tier, "a", "b")
    tier.close()
    path = tmp_path / "model" / "index"
    data = bytearray(path.read_bytes())
    data[HEADER_BYTES + 17] ^= 1
    path.write_bytes(data)
    again = open_disk(tmp_path)
    assert key_of("a") not in again
    assert is_good(again, "b")
    assert again.num_damaged == 1


def test_of_a_key_twice_in_the_index_the_later_counts(tmp_path):
    tier = open_disk(tmp_path)
    write(tier, "a")
    index = tmp_path / "model" / "index"
    first = index.read_bytes()[HEADER_BYTES:]
    tier.discard(key_of("a"))
    write(tier, "b", "a")
    tier.close()
    data = bytearray(index.read_bytes())
    slot_of_b = data.index(key_of("b"))
    data[slot_of_b : slot_of_b + RECORD_BYTES] = first
    index.write_bytes(data)
    again = open_disk(tmp_path)
    assert is_good(again, "a")
    assert len(again) == 1
    again.check_integrity()
    again.close()
    assert open_disk(tmp_path).num_damaged == 0


def test_a_foreign_index_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / "model").mkdir()
    foreign = tmp_path / "model" / "index"
    foreign.write_bytes(b"somebody's letters")
    with pytest.raises(ConfigError, match="not written by this version"):
        open_disk(tmp_path)
    assert foreign.read_bytes() == b"somebody's letters"
    foreign.unlink()
    open_disk(tmp_path)


def test_an_index_of_blocks_of_another_size_is_refused(tmp_path):
    open_disk(tmp_path).close()
    with pytest.raises(ConfigError, match="not written by this version"):
        open_disk(tmp_path, block_bytes=2 * BLOCK_BYTES)


def test_bytes_that_hold_no_block_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="do not hold a block"):
        open_disk(tmp_path, num_blocks=0)
    open_disk(tmp_path)


def test_less_room_after_a_restart_drops_blocks_and_gives_the_bytes_back(tmp_path):
    tier = open_disk(tmp_path, num_blocks=4)
    write(tier, "a", "b", "c", "d")
    tier.close()
    again = open_disk(tmp_path, num_blocks=2)
    assert [is_good(again, name) for name in "abcd"] == [True, True, False, False]
    assert (tmp_path / "model" / "blocks").stat().st_size == 2 * BLOCK_BYTES
    again.check_integrity()
    again.close()
    more = open_disk(tmp_path, num_blocks=4)
    assert len(more) == 2
    more.check_integrity()


def test_only_the_owner_can_read_the_files(tmp_path):
    path = tmp_path / "cache"
    path.mkdir()
    (path / "model").mkdir(mode=0o777)
    tier = open_disk(path)
    write(tier, "a")
    modes = {item.name: stat.S_IMODE(item.stat().st_mode) for item in (path / "model").iterdir()}
    assert modes == {"lock": 0o600, "index": 0o600, "blocks": 0o600}
    assert stat.S_IMODE((path / "model").stat().st_mode) == 0o700


def test_a_folder_is_held_by_one_at_a_time(tmp_path):
    tier = open_disk(tmp_path)
    assert CacheFolder.open(tmp_path, "model") is None
    tier.close()
    tier.close()
    assert CacheFolder.open(tmp_path, "model") is not None


@pytest.mark.parametrize("place", ["", "model", "model/index"])
def test_a_place_that_cannot_be_used_is_one_clear_error(tmp_path, place):
    cache_dir = tmp_path / "cache"
    blocked = cache_dir / place
    blocked.parent.mkdir(parents=True, exist_ok=True)
    if place == "model/index":
        blocked.symlink_to(tmp_path / "elsewhere")
    else:
        blocked.write_text("a file")
    with pytest.raises(ConfigError, match="cannot be used"):
        open_disk(cache_dir)
    assert not (tmp_path / "elsewhere").exists()


def test_a_write_that_fails_stores_nothing_and_loses_no_slot(tmp_path, monkeypatch):
    tier = open_disk(tmp_path, num_blocks=2)
    write(tier, "a")
    real = os.pwrite

    def full(descriptor, data, offset):
        if len(data) == BLOCK_BYTES:
            return real(descriptor, data[:5], offset)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(OSError, match="No space"):
            write(tier, "b")
    assert key_of("b") not in tier
    assert is_good(tier, "a")
    tier.check_integrity()
    write(tier, "b")
    assert is_good(tier, "b")


def test_a_slot_being_written_is_found_under_neither_key(tmp_path, monkeypatch):
    tier = open_disk(tmp_path, num_blocks=1)
    write(tier, "a")
    seen = []
    real = disk_module.write_all

    def look(descriptor, data, offset):
        asked = threading.Thread(
            target=lambda: seen.append([tier.read(key_of(name)) for name in "ab"])
        )
        asked.start()
        asked.join()
        tier.check_integrity()
        real(descriptor, data, offset)

    monkeypatch.setattr(disk_module, "write_all", look)
    write(tier, "b")
    assert seen == [[None, None]]
    assert tier.num_damaged == 0
    assert is_good(tier, "b")


def test_a_folder_is_named_for_all_that_a_content_depends_on():
    facts = {"model": "a", "precision": "int8", "block_size": 16}
    names = {fingerprint(facts)} | {
        fingerprint({**facts, name: "other"}) for name in [*facts, "more"]
    }
    assert len(names) == 5
    assert fingerprint(dict(reversed(facts.items()))) in names
