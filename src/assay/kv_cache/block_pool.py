"""Who holds which block of the KV cache, and which computed blocks are kept for reuse.

The pool deals in block numbers and never touches tensors. A block is in one of three states:

=======  ==========  ============  =================================  ==========================
state    references  content hash  held by                            leaves by
=======  ==========  ============  =================================  ==========================
free     0           none          free list                          `allocate`
in use   1 or more   none, or set  each block table that names it     `release` of the last
                     by `publish`                                     reference
cached   0           set           eviction order, by value           `share` (reuse) or
                                                                      `allocate` (eviction)
=======  ==========  ============  =================================  ==========================

A published block is immutable: its hash names its tokens and all before them. The owner of a
reference gives it back once, through `release`; nobody else may.

All blocks cost about the same to compute again, so that the value of a cached one comes down to how
often it was shared (`kv_cache/eviction.py`); of those shared equally often the least recently used
goes first.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b

from assay.errors import CapacityError
from assay.kv_cache.eviction import EvictionOrder

BlockHash = bytes


def root_hash(salt: str) -> BlockHash:
    """The parent hash of a sequence's first block. Different salts share no hash."""
    return blake2b(salt.encode(), digest_size=16, person=b"assay-kv-root").digest()


# The parent hash of a prompt that begins with what is nobody's secret, whatever its salt.
PUBLIC_ROOT = blake2b(digest_size=16, person=b"assay-kv-public").digest()


def salt_hash(parent: BlockHash, salt: str) -> BlockHash:
    """The parent hash of the first block behind a public `parent` that belongs to `salt` alone."""
    return blake2b(salt.encode(), digest_size=16, key=parent, person=b"assay-kv-salt").digest()


def hash_block(parent: BlockHash, token_ids: Sequence[int]) -> BlockHash:
    """The hash of a full block of `token_ids` that follows the blocks hashed into `parent`."""
    return blake2b(array("q", token_ids).tobytes(), digest_size=16, key=parent).digest()


def parent_hash(hashes: Sequence[BlockHash], salt: str, num_public: int) -> BlockHash:
    """The parent hash of the block that follows the blocks of `hashes`, the first `num_public` of
    which all salts share."""
    if len(hashes) < num_public:
        return hashes[-1] if hashes else PUBLIC_ROOT
    if len(hashes) == num_public and num_public:
        return salt_hash(hashes[-1], salt)
    return hashes[-1] if hashes else root_hash(salt)


class BlockPool:
    """A fixed number of blocks with reference counts; owns the map from content to block.

    `on_evict` is told of each cached block that is given up, its hash and how often it was shared,
    before it is handed out.
    """

    def __init__(
        self,
        num_blocks: int,
        on_evict: Callable[[int, BlockHash, int], None] | None = None,
    ) -> None:
        assert num_blocks > 0
        self.num_blocks = num_blocks
        self._on_evict = on_evict
        self._free = list(range(num_blocks - 1, -1, -1))
        self._cached: EvictionOrder[int] = EvictionOrder()
        self._num_references = [0] * num_blocks
        self._num_uses = [0] * num_blocks
        self._hash_of: list[BlockHash | None] = [None] * num_blocks
        self._block_of: dict[BlockHash, int] = {}

    @property
    def num_free(self) -> int:
        """Blocks that `allocate` can hand out: the free ones and the cached ones."""
        return len(self._free) + len(self._cached)

    @property
    def num_cached(self) -> int:
        """Blocks that nobody holds but whose content may be reused."""
        return len(self._cached)

    def num_references(self, block: int) -> int:
        return self._num_references[block]

    def allocate(self, num_blocks: int) -> list[int]:
        """Hands out `num_blocks` blocks with one reference each, evicting the least valuable.

        Raises:
            CapacityError: fewer than `num_blocks` are free; nothing was handed out.
        """
        if num_blocks > self.num_free:
            raise CapacityError(f"{num_blocks} KV blocks wanted, {self.num_free} free")
        blocks = []
        for _ in range(num_blocks):
            block = self._free.pop() if self._free else self._evict()
            self._num_references[block] = 1
            blocks.append(block)
        return blocks

    def lookup(self, block_hash: BlockHash) -> int | None:
        """The block that holds this content, in use or cached; takes no reference."""
        return self._block_of.get(block_hash)

    def share(self, blocks: Iterable[int]) -> None:
        """Takes one more reference to each of `blocks`, which are in use or cached."""
        for block in blocks:
            if self._num_references[block] == 0:
                self._cached.discard(block)
            self._num_references[block] += 1
            self._num_uses[block] += 1

    def release(self, blocks: Sequence[int]) -> None:
        """Gives back one reference to each of `blocks`, a block table or the end of one.

        A published block that nobody holds stays cached. Of blocks shared equally often the last of
        a table is evicted first: the start of a prompt is what other prompts share.
        """
        for block in reversed(blocks):
            assert self._num_references[block] > 0, f"block {block} released twice"
            self._num_references[block] -= 1
            if self._num_references[block] > 0:
                continue
            if self._hash_of[block] is None:
                self._free.append(block)
            else:
                self._cached.add(block, 1 + self._num_uses[block])

    def publish(self, block: int, block_hash: BlockHash, num_uses: int = 0) -> None:
        """Makes the content of a block that is in use available to `lookup`. It is valued as shared
        `num_uses` times before.

        Where the same content is already held elsewhere, that block stays the one shared.
        """
        assert self._num_references[block] > 0, f"block {block} published while nobody holds it"
        assert self._hash_of[block] is None, f"block {block} published twice"
        if block_hash not in self._block_of:
            self._hash_of[block] = block_hash
            self._num_uses[block] = num_uses
            self._block_of[block_hash] = block

    def forget(self) -> None:
        """Drops all cached content: after a failed step, or when the weights change."""
        self._block_of.clear()
        self._hash_of = [None] * self.num_blocks
        self._free.extend(self._cached.ascending())
        self._cached.clear()

    def cached(self) -> list[tuple[int, BlockHash, int]]:
        """The cached blocks with their hashes and how often they were shared, the least valuable
        first."""
        return [self._describe(block) for block in self._cached.ascending()]

    def check_integrity(self) -> None:
        """Asserts that each block is in exactly one state and the content map is one to one."""
        free, cached = set(self._free), set(self._cached.ascending())
        assert len(free) == len(self._free), "a block is twice in the free list"
        assert not free & cached, "a block is both free and cached"
        for block in range(self.num_blocks):
            references, block_hash = self._num_references[block], self._hash_of[block]
            assert references >= 0, f"block {block} has {references} references"
            assert (references == 0) == (block in free or block in cached), f"block {block} leaked"
            assert block not in free or block_hash is None, f"free block {block} has content"
            assert block not in cached or block_hash is not None, f"cached block {block} has none"
            if block_hash is not None:
                assert self._block_of.get(block_hash) == block, f"block {block} is not findable"
        num_published = sum(block_hash is not None for block_hash in self._hash_of)
        assert len(self._block_of) == num_published, "the content map names an unknown block"

    def _evict(self) -> int:
        block = self._cached.pop()
        _, block_hash, num_uses = self._describe(block)
        if self._on_evict is not None:
            self._on_evict(block, block_hash, num_uses)
        del self._block_of[block_hash]
        self._hash_of[block] = None
        return block

    def _describe(self, block: int) -> tuple[int, BlockHash, int]:
        block_hash = self._hash_of[block]
        assert block_hash is not None
        return block, block_hash, self._num_uses[block]
