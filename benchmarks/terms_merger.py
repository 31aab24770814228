"""What merged terms save, and what they cost a model's reading.

Windows of contracts around a term of the starter glossary are read twice: as they are written, and
with one row in place of the term's tokens. Compared are the next-token distributions after the
term, and after the tokens that follow it (Kullback-Leibler divergence, in nats), with the tokens'
average as the row, with the map's, and after the steps of gradient that the engine makes. The gold
quotations of clauses are then read behind a prompt with and without merged terms (negative
log-likelihood a token).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from assay.engine.term_fitting import MAX_ERROR, NUM_STEPS
from assay.models.composer import OPENING, Composer
from assay.models.packed import PackedModel
from assay.models.plain import PlainModel, pad
from assay.models.tokenizer import Tokenizer
from assay.terms import Glossary
from benchmarks.cuad import LABELS, Contract

# Tokens of a window before the term and after it.
_BEFORE, _AFTER = 16, 8
_QUESTION = "\n\nCopy the part of the text that is about {}.\n"
_CONTEXT_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Window:
    """A term's tokens with those around it."""

    before: tuple[int, ...]
    term: tuple[int, ...]
    after: tuple[int, ...]


def windows(texts: Sequence[str], tokenizer: Tokenizer, glossary: Glossary) -> Iterator[Window]:
    """Around each term of several tokens in `texts`."""
    for text in texts:
        ids, runs = encode(text, tokenizer, glossary)
        for run in runs:
            if run.start >= _BEFORE and run.stop + _AFTER <= len(ids):
                yield Window(
                    tuple(ids[run.start - _BEFORE : run.start]),
                    tuple(ids[run.start : run.stop]),
                    tuple(ids[run.stop : run.stop + _AFTER]),
                )


def encode(text: str, tokenizer: Tokenizer, glossary: Glossary) -> tuple[list[int], list[range]]:
    """The tokens of a text, and where those of its terms stand that take more than one."""
    folded = " ".join(text.split())
    spans = [(match.start, match.end) for match in glossary.find(folded)]
    ids, runs = tokenizer.encode_spans(folded, spans)
    return ids, [run for run in runs if len(run) > 1]


def share_saved(texts: Sequence[str], tokenizer: Tokenizer, glossary: Glossary) -> float:
    """The share of the texts' tokens that need not be read once all terms have rows, in percent."""
    num_tokens = num_saved = 0
    for text in texts:
        ids, runs = encode(text, tokenizer, glossary)
        num_tokens += len(ids)
        num_saved += sum(len(run) - 1 for run in runs)
    return 100 * num_saved / num_tokens


class MergerTrial:
    """Reads with a packed model, and rows by the map of `arrays`."""

    def __init__(
        self, packed: PackedModel, arrays: Mapping[str, NDArray[np.float32]], seed: int
    ) -> None:
        self._model = PlainModel(packed.config, packed.weights)
        self._tokenizer = packed.tokenizer()
        self._composer = Composer(self._model, self._tokenizer.encode(OPENING), arrays)
        self._random = Random(seed)

    def divergences(self, found: Sequence[Window], number: int) -> dict[str, float]:
        """Mean divergences over `number` of the windows: after the term (`kl_*`) and after the
        tokens that follow (`kl_after_*`); the share of terms with rows that the engine uses."""
        chosen = self._random.sample(list(found), min(number, len(found)))
        terms = [window.term for window in chosen]
        averages = torch.stack([self._model.embed(torch.tensor(term)).mean(0) for term in terms])
        composed, _ = self._composer.fit(terms, 0)
        fitted, errors = self._composer.fit(terms, NUM_STEPS)
        used = torch.tensor(errors) <= MAX_ERROR
        figures = {"share_used": 100 * used.float().mean().item()}
        wanted = self._read(chosen, None)
        for name, rows in (("average", averages), ("composed", composed), ("fitted", fitted)):
            after_term, behind = self._divergence(wanted, self._read(chosen, rows))
            figures[f"kl_{name}"] = after_term.mean().item()
            figures[f"kl_after_{name}"] = behind.mean().item()
            if name == "fitted" and used.any():
                figures["kl_used"] = after_term[used].mean().item()
                figures["kl_after_used"] = behind[used].mean().item()
        return figures

    @torch.inference_mode()
    def _read(self, chosen: Sequence[Window], rows: torch.Tensor | None) -> torch.Tensor:
        """Log-probabilities after the term and each token behind it: `(windows, 1 + _AFTER,
        vocab_size)`."""
        if rows is None:
            whole = [window.before + window.term + window.after for window in chosen]
            hidden = self._model.hidden(self._model.embed(pad(whole)))
        else:
            short = [(*window.before, 0, *window.after) for window in chosen]
            embedded = self._model.embed(pad(short))
            embedded[:, _BEFORE] = rows
            hidden = self._model.hidden(embedded)
        lengths = [len(window.term) if rows is None else 1 for window in chosen]
        read = torch.stack(
            [
                hidden[i, _BEFORE + length - 1 : _BEFORE + length + _AFTER]
                for i, length in enumerate(lengths)
            ]
        )
        return self._model.logits(read).log_softmax(-1)

    def _divergence(
        self, wanted: torch.Tensor, found: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        divergence = (wanted.exp() * (wanted - found)).sum(-1)
        return divergence[:, 0], divergence[:, 1:].mean(dim=1)

    def quotation_nll(
        self, contracts: Sequence[Contract], glossary: Glossary, number: int
    ) -> dict[str, float]:
        """The mean over `number` clauses of what a token of the gold quotation costs, behind the
        text around it and a question: as written, and with terms merged in the text."""
        clauses = [
            (contract.text, label, spans[0])
            for contract in contracts
            for label in LABELS.values()
            if (spans := contract.gold_spans(label))
        ]
        chosen = self._random.sample(clauses, min(number, len(clauses)))
        off, on = [], []
        for text, label, (start, end) in chosen:
            around = text[max(0, start - _CONTEXT_CHARACTERS) : end + _CONTEXT_CHARACTERS]
            ids, runs = encode(around, self._tokenizer, glossary)
            answer = self._tokenizer.encode(" ".join(text[start:end].split()))[:64]
            tail = self._tokenizer.encode(_QUESTION.format(label.lower()))
            off.append(self._nll(self._model.embed(torch.tensor(ids)), tail, answer))
            on.append(self._nll(self._merged(ids, runs), tail, answer))
        return {"nll_off": float(np.mean(off)), "nll_on": float(np.mean(on))}

    def _merged(self, ids: Sequence[int], runs: Sequence[range]) -> torch.Tensor:
        embedded = self._model.embed(torch.tensor(ids))
        if not runs:
            return embedded
        rows, errors = self._composer.fit([ids[run.start : run.stop] for run in runs], NUM_STEPS)
        parts, end = [], 0
        for run, row, error in zip(runs, rows, errors, strict=True):
            if error <= MAX_ERROR:
                parts += [embedded[end : run.start], row[None]]
                end = run.stop
        return torch.cat([*parts, embedded[end:]])

    @torch.inference_mode()
    def _nll(self, context: torch.Tensor, tail: Sequence[int], answer: Sequence[int]) -> float:
        asked = self._model.embed(torch.tensor([*tail, *answer]))
        hidden = self._model.hidden(torch.cat((context, asked))[None])[0]
        logits = self._model.logits(hidden[-len(answer) - 1 : -1])
        chosen = logits.log_softmax(-1).gather(1, torch.tensor(answer)[:, None])
        return float(-chosen.mean())
