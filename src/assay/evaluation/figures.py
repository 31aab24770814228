"""From judgements to figures: precision, recall and F1 with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.evaluation.base import Counts
from assay.evaluation.judgement import Judgement

NUM_RESAMPLES = 1000
_SEED = 7
#: Resamples drawn at once, so that sets of thousands of cases take little memory.
_NUM_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Figure:
    """How good a field is. `precision` is None where nothing was answered, `recall` where nothing
    was to be found. `low` and `high` bound F1 in 95% of resamples of the cases; `n` is how many
    cases ask for the field, `num_exact` in how many all was right."""

    precision: float | None
    recall: float | None
    f1: float
    low: float
    high: float
    n: int
    num_exact: int

    def as_json(self) -> dict[str, Any]:
        return {
            "f1": round(self.f1, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
            "n": self.n,
            "precision": None if self.precision is None else round(self.precision, 4),
            "recall": None if self.recall is None else round(self.recall, 4),
            "exact": round(self.num_exact / self.n, 4),
        }


def figure_of(judgements: Iterable[Judgement]) -> Figure:
    """The figure of judgements, of which there is at least one, resampled by case."""
    cases: dict[tuple[str, str], Counts] = {}
    for item in judgements:
        key = (item.set_name, item.case_id)
        cases[key] = cases.get(key, Counts()) + item.counts
    rows = np.array(
        [(item.num_right, item.num_answered, item.num_gold) for item in cases.values()], float
    )
    right, answered, gold = rows.sum(axis=0)
    low, high = _interval(rows)
    return Figure(
        precision=float(right / answered) if answered else None,
        recall=float(right / gold) if gold else None,
        f1=float(_f1(rows.sum(axis=0, keepdims=True))[0]),
        low=low,
        high=high,
        n=len(cases),
        num_exact=sum(item.is_exact for item in cases.values()),
    )


def group_figures(
    judgements: Sequence[Judgement], key: Callable[[Judgement], str | None]
) -> dict[str, Figure]:
    """A figure for each key, in the order they first occur; judgements without a key are left
    out."""
    groups: dict[str, list[Judgement]] = {}
    for item in judgements:
        name = key(item)
        if name is not None:
            groups.setdefault(name, []).append(item)
    return {name: figure_of(items) for name, items in groups.items()}


def by_set_and_field(judgements: Sequence[Judgement]) -> dict[str, dict[str, Figure]]:
    """Figures by set and field, both in the order of the judgements."""
    sets = dict.fromkeys(item.set_name for item in judgements)
    return {
        name: group_figures(
            [item for item in judgements if item.set_name == name], lambda item: item.field
        )
        for name in sets
    }


def path_precisions(judgements: Sequence[Judgement]) -> dict[str, tuple[float, float, int]]:
    """For each path: the share of what it answered that was right, its share of all that was
    right, and how many values it gave. A path has no recall of its own: what it was not asked for,
    another path has answered."""
    total = sum(item.counts.num_right for item in judgements)
    figures = {}
    for path in dict.fromkeys(item.path for item in judgements if item.path):
        mine = [item.counts for item in judgements if item.path == path]
        right, answered = sum(c.num_right for c in mine), sum(c.num_answered for c in mine)
        if answered:
            figures[path] = (right / answered, right / total if total else 0.0, answered)
    return figures


def ratio_to(
    ours: Mapping[str, Mapping[str, Figure]], baseline: Mapping[str, Mapping[str, Figure]]
) -> float | None:
    """Our mean F1 over the fields that both answered, by the baseline's; None if it has none."""
    pairs = [
        (ours[name][field].f1, figure.f1)
        for name, fields in baseline.items()
        for field, figure in fields.items()
        if field in ours.get(name, {})
    ]
    total = sum(theirs for _, theirs in pairs)
    return sum(mine for mine, _ in pairs) / total if total else None


def _f1(sums: Any) -> Any:
    """F1 of rows of (right, answered, gold); 1 where nothing was to be found, and nothing was."""
    asked = sums[:, 1] + sums[:, 2]
    return np.where(asked > 0, 2 * sums[:, 0] / np.maximum(asked, 1), 1.0)


def _interval(rows: Any) -> tuple[float, float]:
    source = np.random.default_rng(_SEED)
    scores = [
        _f1(source.multinomial(len(rows), np.full(len(rows), 1 / len(rows)), _NUM_AT_ONCE) @ rows)
        for _ in range(NUM_RESAMPLES // _NUM_AT_ONCE)
    ]
    low, high = np.quantile(np.concatenate(scores), [0.025, 0.975])
    return float(low), float(high)
