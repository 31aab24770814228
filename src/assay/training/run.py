"""`assay train scorer`: from documents to weights, a card with figures, and curves.

Documents are read one at a time and let go of, so memory does not grow with their number. The same
data, seed and machine give the same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from assay.kv_cache.policies.router import Router
from assay.kv_cache.policies.scorer import Scorer
from assay.kv_cache.policies.sketch import Sketcher
from assay.models.llama import LlamaModel
from assay.models.packed import PackedModel
from assay.training.corpus import Corpus, Example, read_corpus
from assay.training.importance import Epoch, Recipe, Sample, fit, sample
from assay.training.measures import Contender, Measured, Tally, contenders, trained_score
from assay.training.modes import Routed, RouterFigures, RouterTally, fit_router, routed
from assay.training.recording import Recording, record
from assay.training.sketch import SketchFit

Tell = Callable[[str], None]
_CONTRACTS, _AGREEMENTS, _JUDGMENTS = (14, 8), (6, 4), (4, 2)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run reads and how long it trains. `sizes` are, for each kind of document, how many to
    train on and how many to hold out. `factors` are the factors of the queries' attention to choose
    from, by likelihood at the share `chosen_at`; `sketch_rank` the bytes of a key's sketch."""

    recipe: Recipe = field(default_factory=Recipe)
    sizes: Mapping[str, tuple[int, int]] = field(
        default_factory=lambda: {
            "contracts": _CONTRACTS,
            "agreements": _AGREEMENTS,
            "judgments": _JUDGMENTS,
        }
    )
    max_questions: int = 3
    max_held_out_questions: int = 1
    factors: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    chosen_at: float = 0.25
    shares: tuple[float, ...] = (0.5, 0.25, 0.125)
    sketch_rank: int = 4


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run came to. `factor_nlls` are nats a token by factor, on documents set aside from
    training; `full_nll`, `measured` (by contender and share) and `router_figures` are of documents
    held out."""

    scorer: Mapping[str, NDArray[np.float32]]
    router: Mapping[str, NDArray[np.float32]]
    sketch: Mapping[str, NDArray[np.float32]]
    epochs: Sequence[Epoch]
    factor_nlls: Mapping[float, float]
    full_nll: float
    measured: Mapping[str, Mapping[float, Measured]]
    router_figures: RouterFigures


@dataclass(frozen=True, slots=True)
class _Recorded:
    """What reading the documents to train on leaves."""

    samples: list[Sample]
    questions: list[Routed]
    sketch: SketchFit


class Run:
    """One training run of `settings` on a model's own attention."""

    def __init__(
        self, packed: PackedModel, folder: Path, settings: Settings, seed: int, tell: Tell
    ) -> None:
        """Raises `InputError` if the folder has no documents to train on."""
        self._settings = settings
        self._seed = seed
        self._tell = tell
        self._tokenizer = packed.tokenizer()
        self._model = LlamaModel(packed.config, packed.weights, precision="bf16")
        self.corpus: Corpus = read_corpus(folder, settings.sizes, settings.max_questions)

    def train(self) -> Trained:
        recorded = self._record_training()
        network, epochs = fit(
            recorded.samples,
            self._model.rotary,
            self._settings.recipe,
            self._seed,
            self._tell_epoch,
        )
        weights = network.weights(self._model.config.num_kv_heads)
        router = fit_router(recorded.questions, self._seed, self._tell)
        nlls = self._try_factors(weights)
        factor = min(nlls, key=lambda tried: nlls[tried])
        weights = {**weights, "attention": np.array([factor], np.float32)}
        sketch = recorded.sketch.weights(self._settings.sketch_rank)
        return self._measure(weights, router, sketch, epochs, nlls)

    def _record_training(self) -> _Recorded:
        generator = torch.Generator().manual_seed(self._seed)
        samples: list[Sample] = []
        questions: list[Routed] = []
        sketch = SketchFit(self._model.config)
        for recording in self._recordings("to train on", self.corpus.training, repeat=True):
            samples.append(sample(recording, self._settings.recipe.num_pairs, generator))
            questions += routed(recording)
            sketch.add(recording)
        return _Recorded(samples, questions, sketch)

    def _try_factors(self, weights: Mapping[str, NDArray[np.float32]]) -> dict[float, float]:
        """Nats a token on the documents that training was validated on, by factor."""
        settings = self._settings
        contenders = {
            str(factor): Contender(
                trained_score(Scorer({**weights, "attention": np.array([factor], np.float32)})),
                over_all=True,
            )
            for factor in settings.factors
        }
        tally = Tally(contenders, [settings.chosen_at])
        num_validation = settings.recipe.num_validation(len(self.corpus.training))
        examples = self.corpus.training[:num_validation]
        for recording in self._recordings("to choose the factor on", examples, repeat=False):
            tally.add(recording)
        return {
            factor: tally.measured(str(factor), settings.chosen_at).nll
            for factor in settings.factors
        }

    def _measure(
        self,
        weights: Mapping[str, NDArray[np.float32]],
        router: Mapping[str, NDArray[np.float32]],
        sketch: Mapping[str, NDArray[np.float32]],
        epochs: Sequence[Epoch],
        factor_nlls: Mapping[float, float],
    ) -> Trained:
        rivals = contenders(Scorer(weights), Sketcher(sketch), self._seed)
        tally = Tally(rivals, self._settings.shares)
        router_tally = RouterTally(Router(router))
        examples = [
            replace(example, questions=example.questions[: self._settings.max_held_out_questions])
            for example in self.corpus.held_out
        ]
        for recording in self._recordings("held out", examples, repeat=True):
            tally.add(recording)
            router_tally.add(recording)
        measured = {
            name: {share: tally.measured(name, share) for share in self._settings.shares}
            for name in rivals
        }
        return Trained(
            scorer=weights,
            router=router,
            sketch=sketch,
            epochs=epochs,
            factor_nlls=factor_nlls,
            full_nll=tally.full_nll,
            measured=measured,
            router_figures=router_tally.figures(),
        )

    def _recordings(
        self, purpose: str, examples: Sequence[Example], *, repeat: bool
    ) -> Iterator[Recording]:
        for number, example in enumerate(examples, 1):
            self._tell(f"reading document {number} of {len(examples)} {purpose}")
            yield record(self._model, self._tokenizer, example, repeat=repeat)

    def _tell_epoch(self, number: int, epoch: Epoch) -> None:
        self._tell(
            f"epoch {number + 1}: squared error {epoch.training:.3f}, "
            f"in validation {epoch.validation:.3f}"
        )
