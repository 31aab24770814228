"""How sure it is that there is nothing to be found, where a field's chain kept no answer.

Logistic regression over what was turned down and who was silent, shifted by unit and field as
confidences are: lawyers mark few contracts with a clause of some kinds, and a receipt always has
a total.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.analysis.evidence import EPSILON


@dataclass(frozen=True, slots=True)
class Absence:
    """What is known of a field without an answer: the confidence of the surest one turned down
    (None: there was none) and how many fallbacks found nothing."""

    family: str
    turned_down: float | None
    num_silent: int

    def evidence(self) -> tuple[float, float, float]:
        """1, the log-odds of what was turned down (0 without), and the silent."""
        odds = 0.0
        if self.turned_down is not None:
            kept = min(max(self.turned_down, EPSILON), 1 - EPSILON)
            odds = math.log(kept / (1 - kept))
        return 1.0, odds, float(self.num_silent)

    def shift_keys(self) -> tuple[str, str]:
        """The unit and the field."""
        return self.family.partition(".")[0], self.family


@dataclass(frozen=True, slots=True)
class AbsenceWeights:
    """`evidence` are for `Absence.evidence`, `shifts` by `Absence.shift_keys`."""

    evidence: tuple[float, float, float] = (0.0, -1.0, 0.0)
    shifts: Mapping[str, float] = field(default_factory=dict)

    def confidence(self, absence: Absence) -> float:
        """The chance, from 0 to 1, that there is nothing to be found."""
        pairs = zip(self.evidence, absence.evidence(), strict=True)
        log_odds = sum(weight * value for weight, value in pairs)
        log_odds += sum(self.shifts.get(key, 0.0) for key in absence.shift_keys())
        return 1 / (1 + math.exp(-max(-7.0, min(7.0, log_odds))))
