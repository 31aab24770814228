"""Texts that hardly differ: kept on one side of a fold, and a measure of how labels contradict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components

from assay.units.fallbacks.text_classifier import words_of

#: Two texts are near-duplicates from this share of the words of both together.
_SHARE = 0.75
Pairs = list[tuple[int, int]]


def near_duplicates(texts: Sequence[str]) -> Pairs:
    """The pairs of texts, the lower index first, most of whose words (each counted once) are the
    same: their Jaccard index is `_SHARE` or more."""
    sets = [{word.text for word in words_of(text)} for text in texts]
    columns = {word: column for column, word in enumerate(sorted(set().union(*sets)))}
    rows = np.repeat(np.arange(len(sets)), [len(words) for words in sets])
    found = np.array([columns[word] for words in sets for word in words], np.int64)
    matrix = csr_matrix((np.ones(len(rows)), (rows, found)), shape=(len(sets), len(columns)))
    shared = coo_matrix(matrix @ matrix.T)
    sizes = np.array([len(words) for words in sets])
    together = sizes[shared.row] + sizes[shared.col] - shared.data
    kept = (shared.row < shared.col) & (shared.data >= _SHARE * together)
    return sorted(zip(shared.row[kept].tolist(), shared.col[kept].tolist(), strict=True))


def merged_groups(groups: Sequence[str], pairs: Pairs) -> tuple[str, ...]:
    """Groups of which those that a pair joins are one, named by the first of their texts."""
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    ends = [(numbers[groups[left]], numbers[groups[right]]) for left, right in pairs]
    left, right = zip(*ends, strict=True) if ends else ((), ())
    links = coo_matrix((np.ones(len(ends)), (left, right)), shape=(len(numbers), len(numbers)))
    _, components = connected_components(links, directed=False)
    return tuple(str(components[numbers[group]]) for group in groups)
