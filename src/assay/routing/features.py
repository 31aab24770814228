"""What a request is made of: its words, pairs of words and pieces of words, each hashed to a row.

Pieces let a word with a typing error share most of its rows with the right one, and stand for
words in Chinese, which has no spaces. Hashing keeps no vocabulary (Weinberger et al., "Feature
Hashing for Large Scale Multitask Learning", 2009); the rows are summed as in fastText
(https://arxiv.org/abs/1607.04606). Every run of digits is "0".
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

NUM_ROWS = 4096
#: A longer text is cut: a request is a line or two.
MAX_CHARACTERS = 600
#: Lengths of the pieces of words and of Chinese.
_PIECES, _CHINESE_PIECES = (3, 4, 5), (1, 2, 3, 4)
_TOKEN = re.compile(r"[\u4e00-\u9fff]+|[^\W\d_\u4e00-\u9fff]+(?:'[a-z]+)?|\d[\d.,]*|[%$€£¥?]")

Array = NDArray[np.float32]


def tokens_of(text: str) -> list[str]:
    """Words, runs of Chinese, numbers (each as "0") and marks that mean something, in order."""
    plain = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS]).lower()
    return ["0" if item[0].isdigit() else item for item in _TOKEN.findall(plain)]


def features_of(text: str) -> Iterator[str]:
    """What is hashed: a word's pieces bear other marks than words do."""
    tokens = tokens_of(text)
    previous = "^"
    for token in tokens:
        if "\u4e00" <= token[0] <= "\u9fff":
            for length in _CHINESE_PIECES:
                for start in range(len(token) - length + 1):
                    yield token[start : start + length]
        else:
            yield token
            yield f"{previous} {token}"
            marked = f"<{token}>"
            for length in _PIECES:
                for start in range(len(marked) - length + 1):
                    yield "#" + marked[start : start + length]
        previous = token


def hash_features(text: str) -> tuple[NDArray[np.int64], Array]:
    """The rows of a text's features and their values, of length one together."""
    counts = Counter(crc32(item.encode()) % NUM_ROWS for item in features_of(text))
    rows = np.fromiter(counts, np.int64, len(counts))
    values = np.sqrt(np.fromiter(counts.values(), np.float32, len(counts)))
    return rows, np.asarray(values / (float(np.linalg.norm(values)) or 1.0), np.float32)
