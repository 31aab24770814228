"""A part of MiniLM that will do for a line or two: its first layers, and the words of its
vocabulary that are most common (the vocabulary is ordered so). A word that is left out is spelled
with pieces that are in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.encoders.bert import BertEncoder, BertShape
from assay.encoders.minilm import NUM_HEADS, minilm_folder
from assay.models.load.safetensors import open_tensors, read_header

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_WORDS = "embeddings.word_embeddings.weight"
_POSITIONS = "embeddings.position_embeddings.weight"


@dataclass(frozen=True, slots=True)
class MiniLmShape:
    """How many layers, words and tokens of a text, from the first."""

    num_layers: int
    num_words: int
    max_tokens: int


class MiniLmPart:
    """Reads the first tokens of a text (`encoders.base.Encoder`). `num_parameters` are all that
    stand ready, whether a text touches them or not."""

    def __init__(self, folder: Path, shape: MiniLmShape) -> None:
        """Reads weights and tokenizer. Raises `CorruptModelError` if they are damaged."""
        path = folder / "model.safetensors"
        tensors = open_tensors(path)
        num_rows = {_WORDS: shape.num_words, _POSITIONS: shape.max_tokens}
        weights = {
            name: tensors[name].read_rows(0, num_rows.get(name, tensors[name].shape[0]))
            for name, entry in read_header(path).items()
            if entry.dtype == "F32" and _is_in(name, shape.num_layers)
        }
        self.num_parameters = sum(array.size for array in weights.values())
        self._encoder = BertEncoder(weights, BertShape(NUM_HEADS))
        self._tokenizer = _load_tokenizer(folder / "tokenizer.json", shape)

    @property
    def size(self) -> int:
        return self._encoder.size

    def embed(self, text: str) -> NDArray[np.float32]:
        return self._encoder.embed(self._tokenizer.encode(text).ids)


@cache
def load_minilm_part(shape: MiniLmShape) -> MiniLmPart:
    """The part of this shape, one for the process. Raises as `load_minilm`."""
    return MiniLmPart(minilm_folder(), shape)


def _is_in(name: str, num_layers: int) -> bool:
    """Whether a tensor is in the first layers or below them; the pooler is above."""
    if name.startswith("pooler."):
        return False
    return not name.startswith("encoder.layer.") or int(name.split(".")[2]) < num_layers


def _load_tokenizer(path: Path, shape: MiniLmShape) -> Tokenizer:
    from tokenizers import Tokenizer

    settings = json.loads(path.read_text(encoding="utf-8"))
    words = settings["model"]["vocab"].items()
    settings["model"]["vocab"] = {
        word: number for word, number in words if number < shape.num_words
    }
    tokenizer = Tokenizer.from_str(json.dumps(settings))
    tokenizer.no_padding()
    tokenizer.enable_truncation(shape.max_tokens)
    return tokenizer
