"""Reading the pairs in blocks, and remembering what was found out about them."""

import torch
from tiny_checkpoints import CONFIG

from assay.kv_cache.block_pairs import PairReader
from assay.kv_cache.storage import BlockStorage

BLOCK = 4
TABLE = [5, 2, 7]
HASHES = [b"a", b"b"]


class Sums:
    """A function of pairs that counts how many it was asked about."""

    def __init__(self) -> None:
        self.num_asked = 0

    def __call__(self, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        self.num_asked += keys.shape[2]
        return (keys + 2 * values).sum(-1)


def make() -> tuple[BlockStorage, PairReader]:
    storage = BlockStorage(CONFIG, 8, BLOCK, torch.float32)
    storage.blocks.copy_(torch.randn(storage.blocks.shape))
    return storage, PairReader(storage, "torch")


def test_pairs_are_read_token_by_token_head_by_head() -> None:
    storage, reader = make()
    pairs = reader(TABLE, 10)
    for token in range(10):
        block, slot = TABLE[token // BLOCK], token % BLOCK
        assert torch.equal(pairs.keys(10)[:, :, token], storage.blocks[block, :, 0, :, slot])
        assert torch.equal(pairs.values(10)[:, :, token], storage.blocks[block, :, 1, :, slot])


def test_named_blocks_are_described_once() -> None:
    _, reader = make()
    function = Sums()
    pairs = reader(TABLE, 12, HASHES)
    expected = Sums()(pairs.keys(10), pairs.values(10))
    for _ in range(2):
        assert torch.equal(reader(TABLE, 12, HASHES).describe(function, 10), expected)
    assert function.num_asked == 12 + 4
    # Another prompt that shares the first block.
    reader([5, 1], 8, [b"a", b"c"]).describe(function, 8)
    assert function.num_asked == 12 + 4 + 4


def test_what_is_remembered_is_no_more_than_there_are_blocks() -> None:
    _, reader = make()
    function = Sums()
    for number in range(9):
        reader([0], 4, [bytes([number])]).describe(function, 4)
    assert reader.recall(bytes([0])) is None
    assert reader.recall(bytes([8])) is not None
