"""HostTier: what stays in host memory."""

from tier_parts import BLOCK_BYTES, key_of, stored

from assay.kv_cache.tiers.host import HostTier


def test_the_least_valuable_blocks_give_way_when_the_bytes_are_used_up():
    tier = HostTier(2 * BLOCK_BYTES + 1, BLOCK_BYTES)
    few, many, used = stored("few", num_tokens=1), stored("many", num_tokens=3), stored("used")
    assert tier.put(few) == tier.put(many) == []
    assert tier.put(used) == [few]
    assert tier.use(key_of("few")) is None
    tier.use(key_of("used"))
    assert tier.put(stored("new", num_tokens=9)) == [many]
    assert len(tier) == 2
    tier.check_integrity()


def test_a_tier_without_room_passes_everything_on():
    tier = HostTier(BLOCK_BYTES - 1, BLOCK_BYTES)
    block = stored("a")
    assert tier.put(block) == [block]
    assert len(tier) == 0


def test_what_is_discarded_or_taken_is_gone():
    tier = HostTier(3 * BLOCK_BYTES, BLOCK_BYTES)
    blocks = [stored("dear", num_tokens=9), stored("cheap", num_tokens=1), stored("other")]
    for block in blocks:
        tier.put(block)
    tier.discard(key_of("other"))
    assert key_of("other") not in tier
    assert tier.take_all() == [blocks[1], blocks[0]]
    assert len(tier) == 0
    tier.check_integrity()
