"""From a configuration to the tiers behind an engine's live blocks."""

from __future__ import annotations

import logging
from dataclasses import asdict
from pathlib import Path

from assay.engine.config import EngineConfig
from assay.engine.precision import Choices
from assay.kv_cache.tiers.disk import DiskTier
from assay.kv_cache.tiers.folder import CacheFolder, fingerprint
from assay.kv_cache.tiers.tiers import Tiers
from assay.kv_cache.tiers.writer import DiskWriter
from assay.models.packed import WEIGHTS, PackedModel, read_manifest

_logger = logging.getLogger(__name__)


def open_tiers(packed: PackedModel, config: EngineConfig, choices: Choices) -> Tiers:
    """Host memory and, where `config` names a folder that nobody else is using, disk.

    Raises:
        ConfigError: the folder cannot be used.
    """
    block_bytes = choices.kv_cache_bytes // choices.num_blocks
    writer = None
    if config.disk_cache_dir is not None:
        cache_dir = Path(config.disk_cache_dir).expanduser()
        folder = CacheFolder.open(cache_dir, content_kind(packed, choices))
        if folder is None:
            _logger.warning(
                "another process uses the disk cache in %s: this one goes without", cache_dir
            )
        else:
            writer = DiskWriter(DiskTier(folder, block_bytes, config.disk_cache_bytes))
    return Tiers(block_bytes, host_bytes=choices.host_cache_bytes, writer=writer)


def content_kind(packed: PackedModel, choices: Choices) -> str:
    """The name for blocks that this engine could have computed itself, bit by bit the same but for
    how tokens were batched."""
    return fingerprint(
        {
            "weights": read_manifest(packed.path)["files"][WEIGHTS]["sha256"],
            "config": asdict(packed.config),
            "computed": choices.kind,
            "layout": "layers, keys and values, heads, slots, dimensions",
            "block_size": choices.block_size,
            "block_bytes": choices.kv_cache_bytes // choices.num_blocks,
        }
    )
