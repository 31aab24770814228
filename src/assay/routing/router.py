"""The router: a request in words to what it is about and the units that it means.

The trained head decides (`routing.head`), unless an operator's rule does (`routing.rules`). Units
that the head was not trained on, a tenant's own, are meant where their trigger words stand in the
request. A request that fits no unit is refused rather than guessed at.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.encoders import Encoder, MiniLmShape, load_minilm_part
from assay.routing.decision import choose_units, settle_descriptor
from assay.routing.descriptor import Descriptor
from assay.routing.head import Reading, RouterHead, load_head
from assay.routing.matcher import match_triggers
from assay.routing.parts import parts_of
from assay.routing.route import By, FiredRule, Route, RoutedUnit
from assay.routing.rules import RouteRule, RouteRules

#: What of the encoder a request passes through. With the head it is 11.6 million parameters.
ENCODER_SHAPE = MiniLmShape(num_layers=1, num_words=24_000, max_tokens=128)
WEIGHTS = Path(__file__).with_name("weights") / "router.npz"

Triggers = Mapping[str, Iterable[str]]


class Router:
    """Routes requests. Holds no state between calls but what it has loaded; threads may share it.

    `encoder` is loaded at first use unless it is given.
    """

    def __init__(
        self, head: RouterHead, rules: RouteRules | None = None, encoder: Encoder | None = None
    ) -> None:
        self.head = head
        self.rules = rules or RouteRules()
        self._given = encoder
        self._loading = threading.Lock()

    @cached_property
    def _encoder(self) -> Encoder:
        with self._loading:
            return self._given or load_minilm_part(ENCODER_SHAPE)

    @property
    def num_parameters(self) -> int:
        """All that a request passes through: the encoder's part, its words counted whole, and the
        head."""
        return self.head.num_parameters + getattr(self._encoder, "num_parameters", 0)

    def with_rules(self, rules: RouteRules) -> Router:
        """The same router under other rules."""
        return Router(self.head, rules, self._given)

    def read(self, text: str) -> Reading:
        """What the head makes of a request, before anything is decided."""
        return self.head.read(self.hidden(text))

    def hidden(self, text: str) -> NDArray[np.float32]:
        """What the head sees in a text, (hidden_size,): like texts have a high cosine."""
        return self.head.hidden(text, self._encoder)

    def describe(self, text: str) -> Descriptor:
        """The descriptor of a text, request or segment."""
        return self.read(text).descriptor

    def route(
        self,
        text: str,
        triggers: Triggers | None = None,
        *,
        tenant: str = "",
        terms: Iterable[str] = (),
    ) -> Route:
        """What a request means, of the units whose names and trigger words `triggers` are; without
        it, of those that the head knows. `terms` are what a glossary says that words of the request
        stand for: units with such a trigger word are meant.

        Raises:
            ConfigError: a rule names a unit that there is not.
        """
        known = dict(triggers) if triggers is not None else dict.fromkeys(self.head.unit_names, ())
        if triggers is not None:
            self.rules.check(known)
        reading = self.read(text)
        learnt = {name: value for name, value in reading.units.items() if name in known}
        ranked = dict(sorted(learnt.items(), key=lambda item: -item[1]))
        route = Route(text, reading.descriptor, (), reading.fit, ranked, tenant)
        fired = self.rules.fired(text, tenant)
        if fired is not None and not fired[0].adds:
            return _ruled(route, *fired)
        own = {name: words for name, words in known.items() if name not in reading.units}
        named = {*match_triggers(text, own), *_triggered(terms, known)}
        units = [RoutedUnit(name, 1.0, By.TRIGGER) for name in known if name in named]
        meant = self._chosen(reading.fit, ranked)
        if len(meant) == 1:
            meant += self._also_meant(text, known, meant[0].name)
        # A guess is made for want of better only.
        others = [unit for unit in meant if unit.name not in named]
        units += [unit for unit in others if not units or unit.probability >= 0.5]
        route = replace(route, units=tuple(units), descriptor=self._settled(route, units))
        return route if fired is None else _ruled(route, *fired)

    def _chosen(self, fit: float, ranked: Mapping[str, float]) -> list[RoutedUnit]:
        settings = self.head.settings
        names = choose_units(
            ranked,
            fit,
            fit_threshold=settings["fit_threshold"],
            unit_threshold=settings["unit_threshold"],
        )
        return [RoutedUnit(name, ranked[name], By.MODEL) for name in names]

    def _also_meant(self, text: str, known: Collection[str], name: str) -> list[RoutedUnit]:
        """What the parts of a request mean beside this unit, if each means something."""
        found: dict[str, RoutedUnit] = {}
        for part in parts_of(text):
            reading = self.read(part)
            meant = self._chosen(
                reading.fit, {name: value for name, value in reading.units.items() if name in known}
            )
            if not meant:
                return []
            found.update((unit.name, unit) for unit in meant)
        return [unit for unit in found.values() if unit.name != name]

    def _settled(self, route: Route, units: Iterable[RoutedUnit]) -> Descriptor:
        names = [unit.name for unit in units]
        return settle_descriptor(route.descriptor, names, self.head.settings["dimensions"])


def _triggered(terms: Iterable[str], triggers: Triggers) -> list[str]:
    """The units that have one of the terms as a trigger word."""
    said = {term.lower() for term in terms}
    return [name for name, words in triggers.items() if any(word.lower() in said for word in words)]


def _ruled(route: Route, rule: RouteRule, fired: FiredRule) -> Route:
    """The route under a rule that spoke."""
    if rule.refuse:
        return replace(route, units=(), rule=fired)
    named = tuple(RoutedUnit(name, 1.0, By.RULE) for name in rule.units)
    others = tuple(unit for unit in route.units if unit.name not in rule.units)
    descriptor = route.descriptor
    if rule.descriptor is not None:
        kept = descriptor.active if rule.adds else ()
        descriptor = Descriptor.of(dict.fromkeys((*kept, *rule.descriptor), 1.0))
    return replace(route, units=named + others, descriptor=descriptor, rule=fired)


@cache
def _packaged() -> Router:
    return Router(load_head(WEIGHTS))


def load_router(rules: RouteRules | str | Path | None = None) -> Router:
    """The router that comes with the package, under an operator's rules: as they are, or a file.

    Raises:
        ConfigError: the rules cannot be read.
        ModelError: the weights are damaged, or the encoder's package is missing.
    """
    router = _packaged()
    if rules is None:
        return router
    return router.with_rules(rules if isinstance(rules, RouteRules) else RouteRules.load(rules))
