"""What a request was found to mean, and by whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from assay.routing.descriptor import Descriptor


class By(StrEnum):
    """Who chose a unit: the trained head, the unit's own trigger words, or an operator's rule."""

    MODEL = "model"
    TRIGGER = "trigger"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class FiredRule:
    """An operator's rule that spoke, and the words of the request that made it; `reason` is what
    it says of a refusal."""

    name: str
    words: str
    reason: str = ""

    def as_json(self) -> dict[str, str]:
        told = {"name": self.name, "words": self.words}
        return {**told, "reason": self.reason} if self.reason else told


@dataclass(frozen=True, slots=True)
class RoutedUnit:
    """A unit that is meant: how likely it is, and who says so."""

    name: str
    probability: float
    by: By


@dataclass(frozen=True, slots=True)
class Route:
    """A request, its descriptor and the units that it means; none if it is refused.

    `fit` is the probability that it is a request for any unit. `probabilities` are the head's, by
    unit, of all that could be chosen, the likeliest first.
    """

    text: str
    descriptor: Descriptor
    units: tuple[RoutedUnit, ...]
    fit: float
    probabilities: Mapping[str, float]
    tenant: str = ""
    rule: FiredRule | None = None

    @property
    def is_refused(self) -> bool:
        return not self.units

    @property
    def unit_names(self) -> tuple[str, ...]:
        return tuple(unit.name for unit in self.units)

    @property
    def margins(self) -> Mapping[str, float]:
        """Of each unit that it means, by how much it is likelier than any that it does not mean."""
        names = self.unit_names
        others = (chance for name, chance in self.probabilities.items() if name not in names)
        next_best = max(others, default=0.0)
        return {unit.name: unit.probability - next_best for unit in self.units}

    def nearest(self, num: int = 3) -> tuple[str, ...]:
        """The units that it is most likely to mean, if any."""
        return tuple(self.probabilities)[:num]

    def as_json(self) -> dict[str, Any]:
        """What `assay route --json` prints, and an analysis keeps."""
        return {
            "text": self.text,
            "descriptor": self.descriptor.as_json(),
            "active": list(self.descriptor.active),
            "units": [
                {"name": unit.name, "probability": round(unit.probability, 4), "by": unit.by.value}
                for unit in self.units
            ],
            "fit": round(self.fit, 4),
            "refused": self.is_refused,
            "rule": None if self.rule is None else self.rule.as_json(),
        }
