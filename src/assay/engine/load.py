"""From a packed model and a configuration to a running engine."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass

import torch

from assay.decoding.vocabulary import Vocabulary
from assay.engine.cache_tiers import open_tiers
from assay.engine.chaining import ChainStore
from assay.engine.config import EngineConfig, resolve_host_cache_bytes, resolve_num_blocks
from assay.engine.engine import Engine
from assay.engine.merging import TermMerger
from assay.engine.precision import (
    Choices,
    processor_flags,
    resolve_kernels,
    resolve_precision,
)
from assay.engine.queries import NUM_RECENT_QUERIES
from assay.engine.runner import Runner
from assay.engine.term_cache import RowCache
from assay.engine.term_fitting import RowFitter
from assay.engine.thread import EngineThread
from assay.engine.windows import WindowKeeper
from assay.errors import ConfigError
from assay.kernels import library
from assay.kv_cache.block_pairs import PairReader
from assay.kv_cache.chains import ChainLayout
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.policies import make_policy
from assay.kv_cache.policies.base import Policy
from assay.kv_cache.policies.weights import load_weights
from assay.kv_cache.storage import BlockStorage, block_bytes
from assay.models.composer import OPENING, Composer
from assay.models.config import ModelConfig
from assay.models.llama import LlamaModel, kv_dtype
from assay.models.packed import PackedModel
from assay.models.plain import PlainModel
from assay.models.term_rows import TermRows
from assay.models.tokenizer import Tokenizer

_logger = logging.getLogger(__name__)

# Positions that documents leave to questions and answers.
_TAIL_POSITIONS = 1024


@dataclass(frozen=True, slots=True)
class LoadedEngine:
    """An engine on its thread, the tokenizer and vocabulary that go with its model, what its
    settings came to, and what makes tokens of terms, if there is a map for the model."""

    thread: EngineThread
    chains: ChainStore | None
    tokenizer: Tokenizer
    vocabulary: Vocabulary
    choices: Choices | None = None
    merger: TermMerger | None = None


def load_engine(packed: PackedModel, config: EngineConfig) -> LoadedEngine:
    """Maps the weights, makes the KV cache and starts the engine's thread.

    Raises:
        ModelError: the model is damaged or not of a kind that the engine runs.
        ConfigError: the configuration does not suit the model or the machine.
    """
    tokenizer = packed.tokenizer()
    vocabulary = Vocabulary(
        tokenizer.to_json(), packed.config.vocab_size, packed.config.eos_token_ids
    )
    choices = choose(packed, config)
    term_rows = TermRows()
    merger = make_merger(packed, tokenizer, term_rows)
    engine = build_engine(packed, config, tokenizer, choices, None if merger is None else term_rows)
    chains = make_chain_store(packed, config)
    return LoadedEngine(EngineThread(engine), chains, tokenizer, vocabulary, choices, merger)


def make_merger(
    packed: PackedModel, tokenizer: Tokenizer, term_rows: TermRows
) -> TermMerger | None:
    """What makes tokens of terms, whose rows it puts into `term_rows`; None if no map was fitted to
    models of this shape. Terms are then read as what they are written with."""
    arrays = load_weights("merger", packed.config)
    if arrays is None:
        return None
    opening = tokenizer.encode(OPENING)

    def make_composer() -> Composer:
        return Composer(PlainModel(packed.config, packed.weights), opening, arrays)

    fitter = RowFitter(make_composer, RowCache.of(packed, arrays), term_rows)
    return TermMerger(tokenizer, fitter)


def make_chain_store(packed: PackedModel, config: EngineConfig) -> ChainStore | None:
    """Where the chains of documents are kept, if slices are to be chained.

    Raises:
        ConfigError: they cannot be: a sliding window counts the positions that are left out.
    """
    if config.slices != "chained":
        return None
    if packed.config.sliding_window is not None:
        raise ConfigError(
            "slices cannot be chained: the model's attention has a sliding window",
            remedy="use slices=independent",
        )
    size = config.block_size
    positions = packed.config.max_position_embeddings - _TAIL_POSITIONS
    layout = ChainLayout(
        block_size=size,
        window_blocks=max(1, config.chain_window_tokens // size),
        max_blocks=max(1, positions // size),
    )
    return ChainStore(layout)


def choose(packed: PackedModel, config: EngineConfig) -> Choices:
    """What `config` comes to on this machine. Sets PyTorch's number of threads, if one is given.

    Raises:
        ConfigError: the configuration does not suit the model or the machine.
    """
    if config.num_threads != "auto":
        torch.set_num_threads(config.num_threads)
    flags = processor_flags()
    obstacle = library.why_not(flags)
    precision = resolve_precision(config.precision, flags)
    bytes_per_block = block_bytes(packed.config, config.block_size, kv_dtype(precision))
    free_bytes = free_memory_bytes()
    num_blocks = resolve_num_blocks(
        config, bytes_per_block, packed.config.max_position_embeddings, free_bytes
    )
    return Choices(
        model=packed.name,
        precision=precision,
        kernels=resolve_kernels(config.kernels, obstacle),
        obstacle=obstacle,
        num_threads=torch.get_num_threads(),
        num_blocks=num_blocks,
        block_size=config.block_size,
        kv_cache_bytes=num_blocks * bytes_per_block,
        host_cache_bytes=resolve_host_cache_bytes(config, free_bytes),
        disk_cache_dir=config.disk_cache_dir,
    )


def build_engine(
    packed: PackedModel,
    config: EngineConfig,
    tokenizer: Tokenizer,
    choices: Choices | None = None,
    term_rows: TermRows | None = None,
) -> Engine:
    """The engine without its thread: whoever calls `step` drives it. Raises as `load_engine`.

    `choices` are those of `choose`, which is asked where they are not given. Prompts may have the
    tokens of `term_rows`.
    """
    made = choices or choose(packed, config)
    model = LlamaModel(
        packed.config, packed.weights, precision=made.precision, kernels=made.kernels
    )
    model.term_rows = term_rows
    storage = BlockStorage(packed.config, made.num_blocks, made.block_size, model.kv_dtype)
    policy = choose_policy(packed.config, config)
    manager = SparseKVManager(
        made.num_blocks,
        made.block_size,
        enable_prefix_caching=config.enable_prefix_caching,
        num_recomputed=config.num_recomputed_tokens,
        tiers=open_tiers(packed, config, made),
        num_layers=packed.config.num_layers,
        num_kv_heads=packed.config.num_kv_heads,
        lookahead=config.max_num_batched_tokens if policy.acts_in_prefill else None,
        num_unshared=1 if policy.keeps_all else NUM_RECENT_QUERIES,
    )
    keeper = None
    if not policy.keeps_all:
        reader = PairReader(storage, made.kernels)
        keeper = WindowKeeper(policy, manager, reader, interval=config.retention_interval)
    _logger.info("engine: %s", made.describe())
    return Engine(
        Runner(model, storage),
        manager,
        token_bytes=tokenizer.token_bytes,
        eos_token_ids=packed.config.eos_token_ids,
        vocab_size=packed.config.vocab_size,
        max_model_len=packed.config.max_position_embeddings,
        max_num_seqs=config.max_num_seqs,
        max_num_batched_tokens=config.max_num_batched_tokens,
        enable_fast_forward=config.enable_fast_forward,
        max_draft_tokens=config.max_draft_tokens,
        slices=config.slices,
        kernels=made.kernels,
        keeper=keeper,
    )


def choose_policy(model: ModelConfig, config: EngineConfig) -> Policy:
    """The policy that `config` names, for a model.

    Raises:
        ConfigError: the model attends in a sliding window of its own.
    """
    policy = make_policy(config.policy, model, retention_share=config.retention_share)
    if model.sliding_window is not None and not policy.keeps_all:
        raise ConfigError(
            f"the model attends to {model.sliding_window} positions by itself: "
            f"policy {config.policy!r} does not go with that",
            remedy="use policy dense",
        )
    return policy


def free_memory_bytes() -> int:
    """The machine's memory that can be had without swapping.

    Linux's own estimate where there is one: it counts what file caches would give back.
    """
    try:
        with open("/proc/meminfo", encoding="ascii") as file:  # noqa: PTH123 - not a real path
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
