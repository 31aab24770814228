"""`assay train router`: the head that routes requests, from the labelled requests and a grammar.

Its figures, and the thresholds, come from labelled requests that it had not seen (four folds), and
from unknown requests whose whole intent it had not seen. The same data and seed give the same
weights on the same machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from assay.encoders import load_minilm_part
from assay.routing.decision import choose_units, settle_descriptor
from assay.routing.descriptor import DIMENSIONS
from assay.routing.examples import LabelledRequest, labelled_requests
from assay.routing.head import Reading, RouterHead, reading_of
from assay.routing.router import ENCODER_SHAPE, Router
from assay.training.request_net import Recipe, RouterNet, make_batch
from assay.training.request_texts import composed, joined_requests, unknown_texts, with_noise
from assay.training.segment_texts import described_segments
from assay.training.unit_dimensions import OFTEN_WORDED, RARE_UNITS, UNIT_DIMENSIONS, dimensions_of

Floats = NDArray[np.float32]
UNKNOWN_FILES = ("clinc150_dev", "banking77_dev")


@dataclass(frozen=True, slots=True)
class RouterSettings:
    """How many texts of each kind; `num_variants` of each labelled request, the first as it is
    written. `rare_weight` is how often the grammar asks for a unit that is seldom meant, beside 1.
    `max_unknown_accepted` sets the threshold of fit: so many unknown requests may pass."""

    recipe: Recipe = field(default_factory=Recipe)
    num_variants: int = 10
    num_joined: int = 600
    num_composed: int = 9000
    num_refused: int = 600
    num_segments: int = 1500
    rare_weight: float = 0.25
    num_folds: int = 4
    max_unknown_accepted: float = 0.13


@dataclass(frozen=True, slots=True)
class Sample:
    """A text to train on. `is_request` is None for a segment, whose units and fit are not asked
    about; the descriptor of what is refused is not either."""

    text: str
    units: tuple[str, ...]
    descriptor: tuple[str, ...]
    is_request: bool | None = True


class RouterTraining:
    """One run: texts are made and encoded once, then the head is trained on folds and on all."""

    def __init__(
        self, folder: Path, settings: RouterSettings, seed: int, say: Callable[[str], None]
    ) -> None:
        self._settings = settings
        self._seed = seed
        self._say = say
        self._vectors: dict[str, Floats] = {}
        self._encoder = load_minilm_part(ENCODER_SHAPE)
        chance = random.Random(seed)
        self.requests = labelled_requests()
        self._common = list(_common_samples(settings, chance))
        segments = described_segments(folder, settings.num_segments, chance)
        self._segments = [Sample(item.text, (), item.descriptor, None) for item in segments]
        texts = unknown_texts(folder, UNKNOWN_FILES)
        self._unknown = [(text, f"{name}.{group}") for name in texts for text, group in texts[name]]
        self.unit_names = tuple(sorted(UNIT_DIMENSIONS))

    def train(self) -> tuple[RouterHead, dict[str, Any]]:
        """The head, trained on everything, and its card."""
        outcome = self._cross_validate()
        threshold = _fit_threshold(outcome, self._settings.max_unknown_accepted)
        unknown = [Sample(text, (), (), False) for text, _ in self._unknown]
        net = self._fit(self.requests, unknown, self._seed)
        settings = {
            "units": self.unit_names,
            "dimensions": {name: UNIT_DIMENSIONS[name] for name in self.unit_names},
            "fit_threshold": threshold,
            "unit_threshold": 0.5,
        }
        head = RouterHead(net.arrays() | {"examples": np.zeros((0, 0), np.float32)}, settings)
        head = RouterHead({**head.weights, "examples": self._examples(head)}, settings)
        return head, self._card(head, outcome, threshold)

    def _examples(self, head: RouterHead) -> Floats:
        router = Router(head, encoder=self._encoder)
        hidden = np.stack([router.hidden(item.text) for item in self.requests])
        lengths = np.linalg.norm(hidden, axis=1, keepdims=True)
        return np.asarray(hidden / np.maximum(lengths, 1e-9), np.float32)

    def _cross_validate(self) -> dict[str, Any]:
        """Of each fold: requests unseen as read, and the fit of unknown ones of unseen intents."""
        chance = random.Random(self._seed)
        order = chance.sample(range(len(self.requests)), len(self.requests))
        groups = sorted({group for _, group in self._unknown})
        chance.shuffle(groups)
        num = self._settings.num_folds
        found: dict[str, Any] = {"routes": [], "unknown_fit": []}
        for fold in range(num):
            unseen = order[fold::num]
            hidden_groups = set(groups[fold::num])
            requests = [self.requests[i] for i in order if i not in set(unseen)]
            unknown = [
                Sample(text, (), (), False)
                for text, group in self._unknown
                if group not in hidden_groups
            ]
            net = self._fit(requests, unknown, self._seed + 1 + fold)
            tested = [self.requests[i] for i in unseen]
            found["routes"] += zip(tested, self._read(net, tested), strict=True)
            texts = [text for text, group in self._unknown if group in hidden_groups]
            if texts:
                found["unknown_fit"] += self._logits(net, texts)[2].sigmoid().tolist()
            self._say(f"fold {fold + 1} of {num}")
        return found

    def _fit(
        self, requests: Sequence[LabelledRequest], unknown: list[Sample], seed: int
    ) -> RouterNet:
        settings, recipe = self._settings, self._settings.recipe
        variants = _variants(requests, settings, self._seed)
        samples = [*variants, *self._common, *self._segments, *unknown]
        torch.manual_seed(seed)
        vectors = self._encode([item.text for item in samples])
        targets = _targets(samples, self.unit_names)
        net = RouterNet(len(self.unit_names), vectors.shape[1], recipe)
        optimizer = torch.optim.AdamW(
            net.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay
        )
        num_batches = -(-len(samples) // recipe.batch_size)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer,
            recipe.learning_rate,
            total_steps=recipe.num_epochs * num_batches,
            pct_start=0.1,
        )
        net.train()
        for _ in range(recipe.num_epochs):
            for chosen in torch.split(torch.randperm(len(samples)), recipe.batch_size):
                batch = make_batch(
                    [samples[i].text for i in chosen],
                    vectors[chosen.numpy()],
                    keep=1 - recipe.feature_dropout,
                )
                loss = _loss(net(batch), [item[chosen] for item in targets])
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
                schedule.step()
        return net.eval()

    def _encode(self, texts: Sequence[str]) -> Floats:
        for text in texts:
            if text not in self._vectors:
                self._vectors[text] = self._encoder.embed(text)
        return np.stack([self._vectors[text] for text in texts])

    def _logits(self, net: RouterNet, texts: Sequence[str]) -> tuple[torch.Tensor, ...]:
        with torch.no_grad():
            outputs: tuple[torch.Tensor, ...] = net(make_batch(texts, self._encode(texts)))
            return outputs

    def _read(self, net: RouterNet, requests: Sequence[LabelledRequest]) -> Iterator[Reading]:
        outputs = self._logits(net, [item.text for item in requests])
        for row in zip(*(item.sigmoid().numpy() for item in outputs), strict=True):
            yield reading_of(self.unit_names, *row)

    def _card(self, head: RouterHead, outcome: dict[str, Any], threshold: float) -> dict[str, Any]:
        return {
            "seed": self._seed,
            "data": {
                "num_labelled_requests": len(self.requests),
                "num_chinese": sum(item.language == "zh" for item in self.requests),
                "num_composed": self._settings.num_composed,
                "num_unknown": len(self._unknown),
                "num_segments": len(self._segments),
                "credit": "unlabelled: CLINC150 (CC BY 3.0), BANKING77 (CC BY 4.0) as what is "
                "refused; segments of CUAD, ContractNLI (CC BY 4.0), LawBench (Apache-2.0), "
                "Parakweet e-mails (Apache-2.0) and CFPB narratives (public)",
            },
            "settings": asdict(self._settings),
            "num_parameters": {
                "head": head.num_parameters,
                "encoder": self._encoder.num_parameters,
            },
            "thresholds": {"fit": threshold, "unit": 0.5},
            "out_of_fold": figures_of(outcome, head, threshold),
        }


def figures_of(outcome: dict[str, Any], head: RouterHead, threshold: float) -> dict[str, Any]:
    """Shares of requests whose descriptor and whose units came out exactly, by language, and of
    requests refused."""
    found: dict[str, Any] = {}
    for language in ("all", "en", "zh"):
        rows = [
            (item, _decide(reading, head, threshold))
            for item, reading in outcome["routes"]
            if item.units and language in ("all", item.language)
        ]
        found[language] = {
            "num_requests": len(rows),
            "units_exact": _share(set(units) == set(item.units) for item, (units, _) in rows),
            "descriptor_exact": _share(
                set(descriptor) == set(item.descriptor) for item, (_, descriptor) in rows
            ),
            "refused": _share(not units for _, (units, _) in rows),
        }
    fits = outcome["unknown_fit"]
    found["unknown_refused"] = _share(fit < threshold for fit in fits)
    return found


def _decide(
    reading: Reading, head: RouterHead, threshold: float
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Units and dimensions, as the router decides."""
    units = choose_units(reading.units, reading.fit, fit_threshold=threshold, unit_threshold=0.5)
    settled = settle_descriptor(reading.descriptor, units, head.settings["dimensions"])
    return units, settled.active


def _share(flags: Any) -> float:
    values = list(flags)
    return round(float(np.mean(values)), 4) if values else 0.0


def _fit_threshold(outcome: dict[str, Any], max_accepted: float) -> float:
    """The lowest threshold at which no more unknown requests pass than may; at most 1/2."""
    fits = outcome["unknown_fit"]
    if not fits:
        return 0.5
    return float(np.clip(round(float(np.quantile(fits, 1 - max_accepted)), 3), 0.05, 0.5))


def _common_samples(settings: RouterSettings, chance: random.Random) -> Iterator[Sample]:
    """What the grammar words: requests, and what fits none."""
    weights = {**OFTEN_WORDED, **dict.fromkeys(RARE_UNITS, settings.rare_weight)}
    for made in composed(settings.num_composed, weights, settings.num_refused, chance):
        text = with_noise(made.text, chance)
        yield Sample(text, made.units, dimensions_of(made.units), bool(made.units))


def _variants(
    requests: Sequence[LabelledRequest], settings: RouterSettings, seed: int
) -> Iterator[Sample]:
    """Each labelled request as it is and mistyped, the same way in each fold, and pairs of them."""
    for item in requests:
        chance = random.Random(f"{seed} {item.text}")
        for number in range(settings.num_variants):
            text = with_noise(item.text, chance) if number else item.text
            yield Sample(text, item.units, item.descriptor, bool(item.units))
    chance = random.Random(seed)
    for item in joined_requests(requests, settings.num_joined, chance):
        yield Sample(with_noise(item.text, chance), item.units, item.descriptor)


def _targets(samples: Sequence[Sample], unit_names: Sequence[str]) -> list[torch.Tensor]:
    """Descriptor, units and fit as 0 and 1, and for each whether it counts."""
    descriptor = np.zeros((len(samples), len(DIMENSIONS)), np.float32)
    units = np.zeros((len(samples), len(unit_names)), np.float32)
    for row, item in enumerate(samples):
        descriptor[row, [DIMENSIONS.index(name) for name in item.descriptor]] = 1
        units[row, [unit_names.index(name) for name in item.units]] = 1
    kinds = [item.is_request for item in samples]
    fit = np.array([bool(kind) for kind in kinds], np.float32)
    counts = np.array([kind is not False for kind in kinds], np.float32)
    is_request = np.array([kind is not None for kind in kinds], np.float32)
    return [torch.from_numpy(item) for item in (descriptor, units, fit, counts, is_request)]


def _loss(outputs: tuple[torch.Tensor, ...], targets: list[torch.Tensor]) -> torch.Tensor:
    cross_entropy = functional.binary_cross_entropy_with_logits
    descriptor, units, fit, describes, is_request = targets
    losses = (
        cross_entropy(outputs[0], descriptor, reduction="none").sum(1) * describes,
        cross_entropy(outputs[1], units, reduction="none").sum(1) * is_request,
        cross_entropy(outputs[2], fit, reduction="none") * is_request,
    )
    return torch.stack(losses).sum(0).mean()
