"""From a packed model and a configuration to a running engine."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass

import torch

from assay.decoding.vocabulary import Vocabulary
from assay.engine.config import EngineConfig, resolve_num_blocks
from assay.engine.engine import Engine
from assay.engine.runner import Runner
from assay.engine.thread import EngineThread
from assay.kv_cache.manager import KVCacheManager
from assay.kv_cache.storage import BlockStorage
from assay.models.llama import Llama
from assay.models.packed import PackedModel
from assay.models.tokenizer import Tokenizer

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LoadedEngine:
    """An engine on its thread, and the tokenizer and vocabulary that go with its model."""

    thread: EngineThread
    tokenizer: Tokenizer
    vocabulary: Vocabulary


def free_memory_bytes() -> int:
    """The machine's memory that can be had without swapping."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
