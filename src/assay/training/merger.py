"""Fits the map from a term's tokens to one row (`models/composer.py`) to a model's first layers.

A row is right if the model, reading it in place of the tokens, holds the same behind it after
`TARGET_LAYER` layers: whatever comes later is then the same too, but for what later layers would
have looked up in the term's earlier tokens. The map begins with least squares over tokens that are
words by themselves, where the right row is known, and is then fitted to terms by gradient. Reading
a term takes a few tokens and a few layers, so both take minutes. The terms are those of the starter
glossary; no text of anybody's is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from assay.kv_cache.policies.weights import save_weights, user_folder, weights_name
from assay.models.composer import LAYERS, OPENING, Likeness, compose, features
from assay.models.packed import PackedModel
from assay.models.plain import PlainModel
from assay.models.tokenizer import Tokenizer

#: The layer after which a row is to have made what its tokens make.
TARGET_LAYER = LAYERS[-1]
# Of the features' variance, what is added to it in least squares.
_RIDGE = 1e-2


@dataclass(frozen=True, slots=True)
class MergerSettings:
    """How much is read, and how the map is fitted."""

    num_words: int = 2500
    num_terms: int = 2500
    num_steps: int = 250
    batch_size: int = 64
    learning_rate: float = 1e-3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class TrainedMerger:
    """The map, and how far from the tokens' own state held-out terms come out: the mean squared
    difference by the variance, with the tokens' average row, by least squares, and in the end."""

    arrays: dict[str, NDArray[np.float32]]
    num_terms: int
    error_average: float
    error_start: float
    error_end: float


def train_merger(
    model: PlainModel,
    tokenizer: Tokenizer,
    spellings: Sequence[str],
    settings: MergerSettings,
    tell: Callable[[str], None],
) -> TrainedMerger:
    """Fits the map for `model` to terms of `spellings`, every tenth of them held out."""
    random = Random(settings.seed)
    torch.manual_seed(settings.seed)
    opening = tokenizer.encode(OPENING)
    words = _single_words(model, tokenizer, random, settings.num_words)
    terms = _token_terms(tokenizer, spellings, random, settings.num_terms)
    tell(f"reading {len(words)} words and {len(terms)} terms")
    of_words = features(model, opening, [(word,) for word in words])
    of_terms = features(model, opening, terms)
    arrays = _least_squares(model, of_words, words, of_terms)
    is_held = torch.arange(len(terms)) % 10 == 0
    held, used = of_terms[is_held], of_terms[~is_held]
    likeness = Likeness(model, opening, 1 / arrays["scale"])

    def error(rows: torch.Tensor) -> float:
        with torch.no_grad():
            return float(likeness.errors(held, rows).mean())

    average = error(held[:, : model.config.hidden_size])
    start = error(compose(arrays, held))
    tell(f"error of held-out terms: {average:.3f} by averages, {start:.3f} by least squares")
    _descend(likeness, arrays, used, settings, tell)
    end = error(compose(arrays, held))
    tell(f"error of held-out terms: {end:.3f}")
    return TrainedMerger(
        {name: array.detach().numpy() for name, array in arrays.items()},
        len(terms),
        average,
        start,
        end,
    )


def _single_words(
    model: PlainModel, tokenizer: Tokenizer, random: Random, number: int
) -> list[int]:
    """Tokens that are words by themselves, with a space before them."""
    words = [
        token
        for token in range(model.config.vocab_size)
        if (text := tokenizer.token_bytes(token)).startswith(b" ")
        and text[1:].isalpha()
        and len(text) > 3
    ]
    return random.sample(words, min(number, len(words)))


def _token_terms(
    tokenizer: Tokenizer, spellings: Sequence[str], random: Random, number: int
) -> list[tuple[int, ...]]:
    """Terms of several tokens, as they stand in running text, some of them capitalised."""
    terms: dict[tuple[int, ...], None] = {}
    for spelling in random.sample(list(spellings), len(spellings)):
        written = spelling.title() if random.random() < 0.3 else spelling
        space = "" if ord(written[0]) > 0x2E7F else " "
        ids = tuple(tokenizer.encode(space + written))
        if 2 <= len(ids) <= 8:
            terms[ids] = None
        if len(terms) == number:
            break
    return list(terms)


def _least_squares(
    model: PlainModel, read: torch.Tensor, words: Sequence[int], of_terms: torch.Tensor
) -> dict[str, torch.Tensor]:
    mean, scale = of_terms.mean(0), 1 / of_terms.std(0).clamp_min(1e-4)
    sized = (read - mean) * scale
    # A word's own row is its mean row: were it read, nothing else would be.
    size = model.config.hidden_size
    sized[:, :size] = 0
    target = model.embed(torch.tensor(words))
    bias = target.mean(0)
    gram = sized.T @ sized + _RIDGE * len(words) * torch.eye(sized.shape[1])
    weight = torch.linalg.solve(gram, sized.T @ (target - bias))
    return {"mean": mean, "scale": scale, "weight": weight, "bias": bias}


def _descend(
    likeness: Likeness,
    arrays: dict[str, torch.Tensor],
    read: torch.Tensor,
    settings: MergerSettings,
    tell: Callable[[str], None],
) -> None:
    learned = [arrays[name].requires_grad_() for name in ("weight", "bias")]
    optimizer = torch.optim.AdamW(learned, lr=settings.learning_rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, settings.learning_rate, total_steps=settings.num_steps
    )
    for step in range(settings.num_steps):
        batch = read[torch.randint(len(read), (settings.batch_size,))]
        loss = likeness.errors(batch, compose(arrays, batch)).mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
        if step % 25 == 0:
            tell(f"step {step} of {settings.num_steps}: {loss.item():.3f}")
    for array in learned:
        array.requires_grad_(False)


def save_merger(
    out: Path | None, packed: PackedModel, settings: MergerSettings, trained: TrainedMerger
) -> list[Path]:
    """Writes weights and card to `out`, or to where the engine looks for them; returns where."""
    folder = out or user_folder()
    weights = folder / weights_name("merger", packed.config)
    save_weights(weights, trained.arrays)
    card = folder / "merger.json"
    figures = {name: value for name, value in asdict(trained).items() if name != "arrays"}
    written = {"model": packed.name, "settings": asdict(settings), "figures": figures}
    card.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    return [weights, card]
