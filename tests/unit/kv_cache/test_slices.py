"""SliceTable: whose blocks, which goes first."""

from assay.kv_cache.block_pool import BlockPool
from assay.kv_cache.slices import Slice, SliceTable, slice_key


def add(table: SliceTable, pool: BlockPool, name: str, num_blocks: int, num_tokens: int) -> bytes:
    key = slice_key("", [1], list(name.encode()))
    table.add(Slice(key, pool.allocate(num_blocks), 0, 1, num_tokens))
    table.check_integrity()
    return key


def test_a_slice_is_found_by_tenant_preamble_and_tokens():
    keys = {
        slice_key(salt, preamble, tokens)
        for salt in ("", "other")
        for preamble in ([], [1], [1, 2])
        for tokens in ([2, 3], [3])
    }
    assert len(keys) == 12


def test_equal_slices_are_kept_once():
    pool = BlockPool(8)
    table = SliceTable(pool)
    assert add(table, pool, "a", 2, 8) == add(table, pool, "a", 2, 8)
    assert (len(table), table.num_blocks, pool.num_free) == (1, 2, 6)


def test_what_is_used_stays_and_what_holds_much_for_little_goes():
    pool = BlockPool(6)
    table = SliceTable(pool)
    used = add(table, pool, "used", 2, 8)
    sparse = add(table, pool, "sparse", 2, 3)
    plain = add(table, pool, "plain", 2, 8)
    assert table.use(used).num_uses == 1
    table.make_room(1)
    assert sparse not in table
    table.make_room(3)
    assert plain not in table
    assert used in table
    table.check_integrity()


def test_old_fame_fades():
    pool = BlockPool(4)
    table = SliceTable(pool)
    famous = add(table, pool, "famous", 2, 8)
    for _ in range(3):
        table.use(famous)
    for number in range(6):
        table.make_room(2)
        if famous not in table:
            break
        add(table, pool, str(number), 2, 8)
    assert famous not in table


def test_room_beyond_all_slices_is_not_made():
    pool = BlockPool(4)
    table = SliceTable(pool)
    add(table, pool, "a", 2, 8)
    table.make_room(5)
    assert (len(table), pool.num_free) == (0, 4)


def test_forgetting_gives_every_block_back():
    pool = BlockPool(4)
    table = SliceTable(pool)
    key = add(table, pool, "a", 2, 8)
    table.forget()
    assert table.use(key) is None
    assert pool.num_free == 4
    table.check_integrity()
