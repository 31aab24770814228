"""Which confidence an answer needs where so many of the answers given have to be right.

`abstention.json` beside this file has, of answers judged by calibrators that had not seen their
documents, how many were as sure as a confidence or surer and how many of these were right; for all
and, where there were enough, for a field. The share right that counts is a bound that holds with
90% probability (Wilson's score; selection with guaranteed risk:
https://arxiv.org/abs/1705.08500), so that what is asked for is also kept on other documents.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from assay.errors import ConfigError, CorruptModelError, PrecisionUnreachableError

#: One-sided 90% of a normal distribution.
_DEVIATIONS = 1.2816
#: A confidence that none reaches: the field abstains, whatever it finds.
UNREACHABLE = 2.0


@dataclass(frozen=True, slots=True)
class Point:
    """Of the answers with this `confidence` or more: the share of all, the share right of them and
    the bound below which that hardly lies on other documents."""

    confidence: float
    coverage: float
    precision: float
    bound: float


Curve = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Abstention:
    """`fields` are curves of their own, by family."""

    overall: Curve
    fields: Mapping[str, Curve]

    def confidence_for(self, min_precision: float, family: str) -> float:
        """The least confidence at which answers of a field are right so often; `UNREACHABLE` where
        those of this field never are.

        Raises:
            PrecisionUnreachableError: no answers of any field are.
        """
        overall = _least(self.overall, min_precision)
        if overall is None:
            best = max((item.bound for item in self.overall), default=0.0)
            raise PrecisionUnreachableError(
                f"no answers are known to be right in {min_precision:.1%} of cases",
                remedy=f"ask for {math.floor(best * 1000) / 1000:.3f} or less",
            )
        if family not in self.fields:
            return overall
        own = _least(self.fields[family], min_precision)
        return UNREACHABLE if own is None else own


def _least(curve: Curve, min_precision: float) -> float | None:
    """The least confidence from which on all points are good enough."""
    found = None
    for point in sorted(curve, key=lambda item: -item.confidence):
        if point.bound >= min_precision:
            found = point.confidence
    return found


def check_min_precision(min_precision: float | None) -> None:
    """Raises:
    ConfigError: it is no share between 0 and 1.
    PrecisionUnreachableError: no answers are known to be right so often.
    """
    if min_precision is None:
        return
    if not 0 < min_precision < 1:
        raise ConfigError(f"min_precision must be between 0 and 1, not {min_precision}")
    shipped_abstention().confidence_for(min_precision, "")


def make_curve(answers: Sequence[tuple[float, float]], num_points: int = 40) -> Curve:
    """The curve of answers, each a confidence and how right it is (0 to 1), in about so many
    points; equally sure answers are never parted."""
    surest = sorted(answers, reverse=True)
    total, right, points = len(surest), 0.0, []
    next_mark = total / num_points
    for index, (confidence, value) in enumerate(surest):
        right += value
        count = index + 1
        if count < next_mark or (count < total and surest[count][0] == confidence):
            continue
        next_mark = count + total / num_points
        precision = right / count
        points.append(Point(confidence, count / total, precision, bound_of(precision, count)))
    return tuple(points)


def bound_of(precision: float, count: int) -> float:
    """Below this the share right lies in one case of ten, if `precision` of `count` were right."""
    z2 = _DEVIATIONS**2
    middle = precision + z2 / (2 * count)
    spread = _DEVIATIONS * math.sqrt(precision * (1 - precision) / count + z2 / (4 * count**2))
    return max(0.0, (middle - spread) / (1 + z2 / count))


def abstention_as_json(abstention: Abstention) -> dict[str, Any]:
    """What `read_abstention` reads."""
    return {
        "overall": _rows(abstention.overall),
        "fields": {name: _rows(curve) for name, curve in sorted(abstention.fields.items())},
    }


def read_abstention(content: Mapping[str, Any]) -> Abstention:
    """Reads `abstention_as_json`."""
    return Abstention(
        tuple(Point(*row) for row in content["overall"]),
        {name: tuple(Point(*row) for row in rows) for name, rows in content["fields"].items()},
    )


def _rows(curve: Curve) -> list[list[float]]:
    # Rounded down, so that an answer that was just sure enough is so still.
    return [
        [
            math.floor(item.confidence * 1e4) / 1e4,
            *(round(value, 4) for value in (item.coverage, item.precision, item.bound)),
        ]
        for item in curve
    ]


@cache
def shipped_abstention() -> Abstention:
    """The curves in the package.

    Raises:
        CorruptModelError: the file is damaged.
    """
    text = (resources.files("assay.analysis") / "abstention.json").read_text("utf-8")
    try:
        return read_abstention(json.loads(text))
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptModelError(
            f"abstention.json cannot be read: {error}", remedy="install assay again"
        ) from error
