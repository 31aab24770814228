"""Rows of terms: what a model reads at the places of tokens that stand for whole terms.

A term's token id is made of its row's own bytes, far beyond any vocabulary. So equal ids are equal
rows in every process and for every tenant, whatever was cached under them, and a row that was
fitted anew is another token. Such tokens are read only: no logits belong to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import torch
from torch.nn import functional as F

from assay.types import FIRST_TERM_ID


class TermRows:
    """The rows at hand, each `(hidden_size,)`, float32. Rows are added on one thread while another
    reads, and never changed or taken away."""

    def __init__(self) -> None:
        self._rows: dict[int, torch.Tensor] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: torch.Tensor) -> int:
        """Takes a row and returns the token id that stands for it."""
        kept = row.to(torch.bfloat16)
        token_id = term_id(kept)
        self._rows[token_id] = kept.to(torch.float32)
        return token_id

    def embed(self, token_ids: torch.Tensor, embedding: torch.Tensor) -> torch.Tensor:
        """The rows of `token_ids` `(num_tokens,)`, of terms and of the vocabulary's `embedding`:
        float32 `(num_tokens, hidden_size)`, in the embedding's precision."""
        # Where there are none, nothing is looked for.
        is_term = token_ids >= FIRST_TERM_ID if self._rows else None
        if is_term is None or not is_term.any():
            return F.embedding(token_ids, embedding).to(torch.float32)
        hidden = F.embedding(token_ids.masked_fill(is_term, 0), embedding).to(torch.float32)
        hidden[is_term] = self._gather(token_ids[is_term].tolist())
        return hidden

    def _gather(self, token_ids: Sequence[int]) -> torch.Tensor:
        return torch.stack([self._rows[token_id] for token_id in token_ids])


def term_id(row: torch.Tensor) -> int:
    """The token id of a row in bfloat16, in which embeddings are stored."""
    data = row.view(torch.int16).numpy().tobytes()
    digest = blake2b(data, digest_size=8, person=b"assay-term").digest()
    return FIRST_TERM_ID | (int.from_bytes(digest, "little") >> 2)
