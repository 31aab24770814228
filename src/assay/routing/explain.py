"""Why a request was routed as it was: the words that moved it, and the labelled requests most like
it.

A word's effect is what leaving it out takes away (occlusion: Zeiler and Fergus,
https://arxiv.org/abs/1311.2901): of the probability of a unit that was chosen, or of that the
request fits any.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.routing.examples import LabelledRequest, labelled_requests
from assay.routing.route import Route
from assay.routing.router import Router

_WORD = re.compile(r"[\u4e00-\u9fff]{1,2}|[^\W_\u4e00-\u9fff]+(?:'[a-z]+)?|[%$€£¥]")
FIT = "fit"


@dataclass(frozen=True, slots=True)
class WordEffect:
    """A word of a request (in Chinese two characters), and what its presence adds to the
    probability of `target`, a unit or "fit"; below 0 it speaks against."""

    word: str
    target: str
    effect: float


@dataclass(frozen=True, slots=True)
class RouteExplanation:
    """A route, the words that moved it, the strongest first, and like requests with their cosine,
    the nearest first."""

    route: Route
    words: tuple[WordEffect, ...]
    examples: tuple[tuple[LabelledRequest, float], ...]

    def as_json(self) -> dict[str, Any]:
        return {
            **self.route.as_json(),
            "probabilities": {
                name: round(value, 4) for name, value in self.route.probabilities.items()
            },
            "words": [
                {"word": item.word, "target": item.target, "effect": round(item.effect, 4)}
                for item in self.words
            ],
            "examples": [
                {"text": item.text, "units": list(item.units), "similarity": round(value, 4)}
                for item, value in self.examples
            ],
        }


def explain_route(router: Router, route: Route, *, num_examples: int = 5) -> RouteExplanation:
    """Reads the request again without each of its words: a few milliseconds a word."""
    words = tuple(sorted(_effects(router, route), key=lambda item: -abs(item.effect)))
    return RouteExplanation(route, words, tuple(_examples(router, route.text)[:num_examples]))


def _effects(router: Router, route: Route) -> list[WordEffect]:
    """Of each word its greatest effect."""
    chosen = [name for name in route.unit_names if name in route.probabilities]
    found = []
    for match in _WORD.finditer(route.text):
        without = router.read(route.text[: match.start()] + route.text[match.end() :])
        effects = {name: route.probabilities[name] - without.units[name] for name in chosen}
        effects[FIT] = route.fit - without.fit
        target = max(effects, key=lambda name: abs(effects[name]))
        found.append(WordEffect(match[0], target, effects[target]))
    return found


def _examples(router: Router, text: str) -> Sequence[tuple[LabelledRequest, float]]:
    """The labelled requests by the cosine of what the head sees in them."""
    mine = router.hidden(text)
    likeness = router.head.weights["examples"] @ mine / max(float(np.linalg.norm(mine)), 1e-9)
    order = np.argsort(-likeness)
    requests = labelled_requests()
    return [(requests[index], float(likeness[index])) for index in order]
