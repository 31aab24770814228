"""What keeping some of the pairs costs on documents held out, for the scorer and what it must beat.

At each share of the context's pairs, the first tokens and the latest are kept in every layer and KV
head, and of the others those of the highest score: of all heads together, or as many in each. Two
things are measured: how much of the attention that the answer pays to the context falls on kept
pairs, and the negative log-likelihood of the gold quotation where the prompt's last token and the
answer see kept pairs only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch.nn import functional as F

from assay.kv_cache.policies.attention import query_attention
from assay.kv_cache.policies.scorer import ATTENTION_FLOOR, Scorer
from assay.kv_cache.policies.sketch import Sketcher, rescore
from assay.training.reading import Reading
from assay.training.recording import Asked, Recording

#: Always kept: as many of the first tokens, and of the last before the answer.
NUM_SINK, NUM_LATEST = 16, 64


class Score(Protocol):
    """Scores the pairs of a context for a question, `(num_layers, num_kv_heads, num_context)`."""

    def __call__(self, recording: Recording, asked: Asked, /) -> torch.Tensor: ...


@dataclass(frozen=True, slots=True)
class Contender:
    """A score, and whether pairs compete over all heads together or each head keeps as many."""

    score: Score
    over_all: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """`coverage` is a share of attention, `nll` nats a token of the quotations."""

    coverage: float
    nll: float


class Tally:
    """Sums up what questions come to, for each contender at each share, and with all pairs."""

    def __init__(self, contenders: Mapping[str, Contender], shares: Sequence[float]) -> None:
        self._contenders = contenders
        self._shares = shares
        self._num_questions = self._num_tokens = 0
        self._full = 0.0
        self._sums = {(name, share): torch.zeros(2) for name in contenders for share in shares}

    def add(self, recording: Recording) -> None:
        """Measures the questions of a recording."""
        for asked in recording.asked:
            self._num_questions += 1
            self._num_tokens += asked.num_quoted
            self._full += quotation_nll(recording.reading, asked, None) * asked.num_quoted
            for name, contender in self._contenders.items():
                scores = contender.score(recording, asked)
                for share in self._shares:
                    kept = keep(scores, share, len(asked.prompt), over_all=contender.over_all)
                    nll = quotation_nll(recording.reading, asked, kept) * asked.num_quoted
                    self._sums[name, share] += torch.tensor([coverage(asked, kept), nll])

    @property
    def full_nll(self) -> float:
        """Nats a token of the quotations with all pairs in sight."""
        return self._full / self._num_tokens

    def measured(self, name: str, share: float) -> Measured:
        covered, nll = self._sums[name, share].tolist()
        return Measured(covered / self._num_questions, nll / self._num_tokens)


def trained_score(scorer: Scorer) -> Score:
    """What `scorer` makes of a recording."""

    def score(recording: Recording, asked: Asked) -> torch.Tensor:
        reading = recording.reading
        static = scorer.static(reading.keys, reading.values)
        return scorer.score(static, reading.keys, asked.queries)

    return score


def contenders(scorer: Scorer, sketcher: Sketcher, seed: int) -> Mapping[str, Contender]:
    """The trained score; by sketches and the latest query; its static part; with as many pairs in
    each head; the scores that it must beat; and the oracles: the attention itself, of the text
    repeated and of the answer."""
    generator = torch.Generator().manual_seed(seed)

    def static(recording: Recording, _: Asked) -> torch.Tensor:
        return scorer.static(recording.reading.keys, recording.reading.values)

    trained = trained_score(scorer)

    def sketched(recording: Recording, asked: Asked) -> torch.Tensor:
        sketch = sketcher.sketch(recording.reading.keys)
        queries = sketcher.project(asked.queries, sketch)
        least = math.log(ATTENTION_FLOOR)
        return rescore(
            sketch.codes, static(recording, asked), queries, scorer.attention_factor, least
        )

    def random(recording: Recording, _: Asked) -> torch.Tensor:
        return torch.rand(recording.reading.keys.shape[:3], generator=generator)

    def recency(recording: Recording, _: Asked) -> torch.Tensor:
        shape = recording.reading.keys.shape[:3]
        return torch.arange(shape[2], dtype=torch.float32).expand(shape)

    def key_norm(recording: Recording, _: Asked) -> torch.Tensor:
        norms: torch.Tensor = torch.linalg.vector_norm(recording.reading.keys, dim=-1)
        return -norms

    def question(recording: Recording, asked: Asked) -> torch.Tensor:
        return query_attention(recording.reading.keys, asked.queries)

    def repeated(recording: Recording, _: Asked) -> torch.Tensor:
        assert recording.repeated is not None
        return recording.repeated

    def oracle(_: Recording, asked: Asked) -> torch.Tensor:
        return asked.attention

    return {
        "scorer": Contender(trained, over_all=True),
        "scorer, sketched": Contender(sketched, over_all=True),
        "static part": Contender(static, over_all=True),
        "scorer, each head": Contender(trained, over_all=False),
        "random": Contender(random, over_all=False),
        "recency": Contender(recency, over_all=False),
        "key norm": Contender(key_norm, over_all=False),
        "SnapKV": Contender(question, over_all=False),
        "KVzip": Contender(repeated, over_all=True),
        "KVzip, each head": Contender(repeated, over_all=False),
        "oracle": Contender(oracle, over_all=True),
    }


def keep(scores: torch.Tensor, share: float, num_asked: int, *, over_all: bool) -> torch.Tensor:
    """Which pairs of a context are kept, bool, of the shape of `scores`, in a prompt with
    `num_asked` tokens after it: `share` of all, at least the first and the latest."""
    num_context = scores.shape[-1]
    first_latest = min(num_context, max(NUM_SINK, num_context + num_asked - NUM_LATEST))
    ranked = scores.float().clone()
    ranked[..., :NUM_SINK] = ranked[..., first_latest:] = float("inf")
    num_kept = max(NUM_SINK + num_context - first_latest, int(share * num_context))
    heads = ranked.flatten(0, 1)
    rows, num_kept = (heads.view(1, -1), num_kept * len(heads)) if over_all else (heads, num_kept)
    chosen = rows.topk(num_kept, dim=-1).indices
    return torch.zeros(rows.shape, dtype=torch.bool).scatter_(-1, chosen, True).view(scores.shape)


def coverage(asked: Asked, kept: torch.Tensor) -> float:
    """The share of the context's attention that kept pairs get, a mean over layers and heads."""
    return float(((asked.mass * kept).sum(-1) / asked.mass.sum(-1)).mean())


def quotation_nll(reading: Reading, asked: Asked, kept: torch.Tensor | None) -> float:
    """Nats a token of the gold quotation, only kept pairs in sight from the prompt's last token.

    With `kept`, the question must be the last that was asked here without.
    """
    logits = reading.branch(
        asked.prompt + asked.answer,
        first=0 if kept is None else len(asked.prompt) - 1,
        kept=kept,
        num_logits=asked.num_quoted + 1,
    )
    return float(F.cross_entropy(logits[:-1], torch.tensor(asked.answer[-asked.num_quoted :])))
