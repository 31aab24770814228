"""What serving a request took, told beside its answer. All are immutable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class TokenSources:
    """Tokens by where their keys and values came from: found in live blocks, in host memory or on
    disk, or computed for this request."""

    num_live: int = 0
    num_host: int = 0
    num_disk: int = 0
    num_computed: int = 0

    @property
    def num_tokens(self) -> int:
        return self.num_reused + self.num_computed

    @property
    def num_reused(self) -> int:
        return self.num_live + self.num_host + self.num_disk

    def __add__(self, other: TokenSources) -> TokenSources:
        return TokenSources(
            self.num_live + other.num_live,
            self.num_host + other.num_host,
            self.num_disk + other.num_disk,
            self.num_computed + other.num_computed,
        )


ReadingKind = Literal["chained", "independent", "plain"]


@dataclass(frozen=True, slots=True)
class CacheReport:
    """What a request had of a KV cache.

    `segments` are those of the document that stand in the prompt, by number, ascending: under
    `reading` "chained" also neighbours that share a block with one asked for, as far as they do.
    "independent" segments are slices, those of a "plain" prompt neither.

    Of the first `num_windowed_tokens` of the `num_tokens` of prompt and answer, a policy kept
    `kept[layer][head]` pairs of a key and a value for each key head; all, where that is 0.

    The request's own steps had `num_queries`, each for `num_heads` key heads over all layers, and
    attended to `num_attended_pairs` of a query and a key: `num_dense_pairs` if each query had seen
    all positions up to its own. `num_skipped` positions before the last are not in the prompt.
    """

    reading: ReadingKind
    prompt: TokenSources
    segments: tuple[tuple[int, TokenSources], ...] = ()
    num_tokens: int = 0
    num_windowed_tokens: int = 0
    kept: tuple[tuple[int, ...], ...] = ()
    num_skipped: int = 0
    num_queries: int = 0
    num_heads: int = 0
    num_attended_pairs: int = 0
    num_dense_pairs: int = 0
