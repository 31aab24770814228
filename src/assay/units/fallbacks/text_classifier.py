"""A linear classifier of short texts over word n-grams, and where asked a sentence vector.

Logistic regression over TF-IDF (sublinear counts, unit length), beside the cues of requests and the
vector of the shared encoder, each times a factor; the encoder may have an adapter of the
classifier's own. Probabilities are tempered to be right as often as they say. What an n-gram adds
to a label is known, so a label can show the words that speak for it. In Chinese each character is a
word. Weights come from `assay train classifiers`; training and reading share this file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.encoders import Adapter, load_minilm
from assay.encoders.adapter import read_adapter
from assay.patterns import lazy_pattern
from assay.units.fallbacks.request_cues import request_cues

Array = NDArray[np.float32]
_WORD = lazy_pattern(r"[^\W_\u4e00-\u9fff]+(?:'[a-z]+)?|[\u4e00-\u9fff]|[?!]")
_WEIGHTS = Path(__file__).with_name("weights")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text, in lower case, and where it stands."""

    text: str
    start: int
    end: int


def words_of(text: str) -> list[Word]:
    """The words of a text in order; question and exclamation marks are words."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters grow when lowered, and offsets would shift
        lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return [Word(match[0], *match.span()) for match in _WORD.finditer(lowered)]


def ngrams_of(words: Sequence[Word], max_words: int) -> Iterator[tuple[str, int, int]]:
    """Each run of 1 to `max_words` words, joined by spaces, with its first and last index."""
    for first in range(len(words)):
        for last in range(first, min(first + max_words, len(words))):
            yield " ".join(word.text for word in words[first : last + 1]), first, last


@dataclass(frozen=True)
class NgramSpace:
    """The n-grams that count, each with its column and its inverse document frequency."""

    columns: Mapping[str, int]
    idf: Array
    max_words: int

    def vector(self, ngrams: Iterable[str]) -> tuple[NDArray[np.int64], Array]:
        """The columns of a text's n-grams and their values, of unit length together."""
        counts = Counter(item for item in ngrams if item in self.columns)
        columns = np.fromiter((self.columns[item] for item in counts), np.int64, len(counts))
        values = (1 + np.log(np.fromiter(counts.values(), np.float32, len(counts)))) * self.idf[
            columns
        ]
        length = float(np.linalg.norm(values)) or 1.0
        return columns, np.asarray(values / length, np.float32)


@dataclass(frozen=True)
class TextClassifier:
    """Weights `(num_labels, num_ngrams + num_cues + vector_size)` with what is needed to use them.

    A factor of 0 means without cues, or without a sentence vector. `threshold` is the probability
    from which the last of two labels is the answer.
    """

    labels: tuple[str, ...]
    space: NgramSpace
    weights: Array
    bias: Array
    vector_factor: float = 0.0
    temperature: float = 1.0
    threshold: float = 0.5
    cue_factor: float = 0.0
    adapter: Adapter | None = None

    def probabilities(self, text: str) -> Array:
        """The probability of each label, (num_labels,)."""
        words = words_of(text)
        columns, values = self.space.vector(
            item for item, _, _ in ngrams_of(words, self.space.max_words)
        )
        logits = self.weights[:, columns] @ values + self.bias
        logits = logits + self.weights[:, len(self.space.columns) :] @ self._dense(text)
        return softmax(logits / np.float32(self.temperature))

    def _dense(self, text: str) -> Array:
        """What stands beside the n-grams: cues, then the vector."""
        parts = [np.zeros(0, np.float32)]
        if self.cue_factor:
            parts.append(request_cues(text) * np.float32(self.cue_factor))
        if self.vector_factor:
            parts.append(load_minilm(self.adapter).embed(text) * np.float32(self.vector_factor))
        return np.concatenate(parts)

    def evidence(self, text: str, label: int) -> tuple[list[Word], Array]:
        """The words of a text, and what each adds to a label over the mean of the others."""
        words = words_of(text)
        grams = list(ngrams_of(words, self.space.max_words))
        columns, values = self.space.vector(item for item, _, _ in grams)
        gains = self.weights[:, columns] * values
        gain = gains[label] - (gains.sum(axis=0) - gains[label]) / max(1, len(self.labels) - 1)
        by_column = dict(zip(columns.tolist(), gain.tolist(), strict=True))
        added = np.zeros(len(words), np.float32)
        for item, first, last in grams:
            column = self.space.columns.get(item)
            if column is not None:
                added[first : last + 1] += by_column[column] / (last - first + 1)
        return words, added


def softmax(logits: Array) -> Array:
    """Probabilities along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)


def save_classifier(path: Path, classifier: TextClassifier) -> None:
    """Writes a classifier as npz; weights and adapter as float16."""
    settings: dict[str, Any] = {
        "labels": classifier.labels,
        "max_words": classifier.space.max_words,
        "vector_factor": classifier.vector_factor,
        "temperature": classifier.temperature,
        "threshold": classifier.threshold,
        "cue_factor": classifier.cue_factor,
    }
    ngrams = sorted(classifier.space.columns, key=lambda item: classifier.space.columns[item])
    arrays: dict[str, Any] = {
        "settings": np.frombuffer(json.dumps(settings).encode(), np.uint8),
        "ngrams": np.frombuffer("\n".join(ngrams).encode(), np.uint8),
        "idf": classifier.space.idf.astype(np.float16),
        "weights": classifier.weights.astype(np.float16),
        "bias": classifier.bias,
    }
    if classifier.adapter:
        arrays |= classifier.adapter.arrays()
    np.savez_compressed(path, **arrays)


def load_classifier(name: str, folder: Path = _WEIGHTS) -> TextClassifier:
    """The classifier of this name, as the package or another folder has it."""
    with np.load(folder / f"{name}.npz") as stored:
        settings = json.loads(stored["settings"].tobytes())
        ngrams = stored["ngrams"].tobytes().decode().split("\n")
        return TextClassifier(
            labels=tuple(settings["labels"]),
            space=NgramSpace(
                {item: column for column, item in enumerate(ngrams)},
                stored["idf"].astype(np.float32),
                settings["max_words"],
            ),
            weights=stored["weights"].astype(np.float32),
            bias=stored["bias"].astype(np.float32),
            vector_factor=settings["vector_factor"],
            temperature=settings["temperature"],
            threshold=settings["threshold"],
            cue_factor=settings["cue_factor"],
            adapter=read_adapter({name: stored[name] for name in stored.files}),
        )
