"""How the engine is sized: what the caller may set, and what "auto" comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from assay.errors import ConfigError
from assay.kv_cache.policies import parse_name

SliceKind = Literal["independent", "chained", "off"]

DEFAULT_KV_CACHE_BYTES = 512 * 2**20
DEFAULT_HOST_CACHE_BYTES = 256 * 2**20
# The shares of the memory now free that "auto" caches may take.
_FREE_MEMORY_SHARE = 0.5
_FREE_MEMORY_SHARE_BEHIND = 0.125
_MAX_THREADS = 1024


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Settings of one engine. Unknown keys and values out of range are refused.

    `kv_cache_bytes` and `num_blocks` both size the KV cache; give at most one. What it gives up is
    kept in `host_cache_bytes` of memory, uncounted in the former (0: not at all), and then, for
    each model and precision, in `disk_cache_bytes` of the folder `disk_cache_dir`, if one is named,
    from which the next engine takes it. `num_threads` "auto" leaves PyTorch's choice. `precision`
    is that of the weights and activations as `models` names them. `slices` is how the segments that
    prompts mark are kept for other prompts: "independent", each computed without those before it,
    save for its first `num_recomputed_tokens`; "chained", computed in the document's own order,
    `chain_window_tokens` together; "off", not at all.
    `policy` says what layers and heads read of a sequence (`kv_cache/policies`); retention keeps
    `retention_share` of all pairs and chooses anew every `retention_interval` steps.
    `max_draft_tokens` is the most that a draft may guess ahead; 0 turns drafts off. A constraint is
    refused that is not compiled within `grammar_timeout_s` of processor time. `warm_up` does what
    first requests would wait for between start and the first request (`engine/warmup.py`).
    """

    kv_cache_bytes: int | Literal["auto"] = "auto"
    num_blocks: int | Literal["auto"] = "auto"
    host_cache_bytes: int | Literal["auto"] = "auto"
    disk_cache_dir: str | None = None
    disk_cache_bytes: int = 2 * 2**30
    block_size: int = 16
    max_num_seqs: int = 64
    max_num_batched_tokens: int = 1024
    precision: str = "auto"
    kernels: str = "auto"
    num_threads: int | Literal["auto"] = "auto"
    enable_prefix_caching: bool = True
    slices: SliceKind = "independent"
    num_recomputed_tokens: int = 0
    chain_window_tokens: int = 2048
    enable_fast_forward: bool = True
    max_draft_tokens: int = 0
    grammar_timeout_s: float = 2.0
    policy: str = "dense"
    retention_share: float = 0.25
    retention_interval: int = 32
    warm_up: bool = True

    def __post_init__(self) -> None:
        for name in (
            "block_size",
            "max_num_seqs",
            "max_num_batched_tokens",
            "chain_window_tokens",
            "disk_cache_bytes",
            "retention_interval",
        ):
            _check_count(name, getattr(self, name))
        for name in ("kv_cache_bytes", "num_blocks", "num_threads"):
            if getattr(self, name) != "auto":
                _check_count(name, getattr(self, name))
        if self.num_threads != "auto" and self.num_threads > _MAX_THREADS:
            raise ConfigError(f"num_threads must be at most {_MAX_THREADS}, not {self.num_threads}")
        for name in ("enable_prefix_caching", "enable_fast_forward", "warm_up"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"{name} must be true or false, not {getattr(self, name)!r}")
        for name in ("max_draft_tokens", "num_recomputed_tokens"):
            if getattr(self, name) != 0:
                _check_count(name, getattr(self, name))
        if self.host_cache_bytes not in (0, "auto"):
            _check_count("host_cache_bytes", self.host_cache_bytes)
        if self.disk_cache_dir is not None and not (
            isinstance(self.disk_cache_dir, str) and self.disk_cache_dir
        ):
            raise ConfigError(f"disk_cache_dir must be a path, not {self.disk_cache_dir!r}")
        if self.slices not in get_args(SliceKind):
            raise ConfigError(
                f"slices must be one of {', '.join(get_args(SliceKind))}, not {self.slices!r}"
            )
        if self.slices == "chained" and not self.enable_prefix_caching:
            raise ConfigError("chained slices are blocks of the prefix cache: enable it")
        parse_name(self.policy)
        share = self.retention_share
        if not isinstance(share, int | float) or isinstance(share, bool) or not 0 < share <= 1:
            raise ConfigError(f"retention_share must be above 0 and at most 1, not {share!r}")
        timeout = self.grammar_timeout_s
        if not isinstance(timeout, int | float) or isinstance(timeout, bool) or not timeout > 0:
            raise ConfigError(f"grammar_timeout_s must be above 0, not {timeout!r}")
        if self.kv_cache_bytes != "auto" and self.num_blocks != "auto":
            raise ConfigError("kv_cache_bytes and num_blocks both size the KV cache: give one")
        if self.max_num_batched_tokens < self.max_num_seqs:
            raise ConfigError(
                f"max_num_batched_tokens ({self.max_num_batched_tokens}) must be at least "
                f"max_num_seqs ({self.max_num_seqs}): each sequence takes a token a step"
            )

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> EngineConfig:
        """Builds a configuration from a file's or a command's keys.

        Raises:
            ConfigError: a key is unknown or a value out of range.
        """
        known = [field.name for field in fields(cls)]
        for key in values:
            if key not in known:
                raise ConfigError(
                    f"unknown engine setting {key!r}", remedy=f"known: {', '.join(known)}"
                )
        return cls(**values)

    def as_mapping(self) -> dict[str, Any]:
        """The settings by name; `from_mapping` reads them back."""
        return asdict(self)


def resolve_num_blocks(
    config: EngineConfig, bytes_per_block: int, max_model_len: int, free_memory_bytes: int
) -> int:
    """The number of KV blocks that `config` comes to. Pure.

    "auto" is `DEFAULT_KV_CACHE_BYTES`, or half of the free memory if that is less. A cache sized
    in bytes never exceeds what `max_num_seqs` sequences of `max_model_len` tokens could use.

    Raises:
        ConfigError: the budget does not hold a single block.
    """
    if config.num_blocks != "auto":
        return config.num_blocks
    if config.kv_cache_bytes == "auto":
        budget = min(DEFAULT_KV_CACHE_BYTES, int(free_memory_bytes * _FREE_MEMORY_SHARE))
    else:
        budget = config.kv_cache_bytes
    num_blocks = budget // bytes_per_block
    if num_blocks == 0:
        raise ConfigError(
            f"a KV cache of {budget} bytes does not hold one block of {bytes_per_block} bytes",
            remedy="raise kv_cache_bytes or lower block_size",
        )
    longest = -(-max_model_len // config.block_size)
    return min(num_blocks, longest * config.max_num_seqs)


def resolve_host_cache_bytes(config: EngineConfig, free_memory_bytes: int) -> int:
    """The bytes of memory behind the KV cache that `config` comes to. Pure.

    "auto" is `DEFAULT_HOST_CACHE_BYTES`, or an eighth of the free memory if that is less.
    """
    if config.host_cache_bytes != "auto":
        return config.host_cache_bytes
    return min(DEFAULT_HOST_CACHE_BYTES, int(free_memory_bytes * _FREE_MEMORY_SHARE_BEHIND))


def _check_count(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigError(f"{name} must be a whole number of at least 1, not {value!r}")
