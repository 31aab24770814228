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


@dataclass(frozen=True, slots=True)
class PathFigure:
    """How good a path of the chain is: its precision, with an interval as a figure's, its share of
    all that was right, and how many values it gave. It has no recall of its own: where it was not
    asked, another path had answered."""

    precision: float
    low: float
    high: float
    share: float
    num_answered: int


def figure_of(judgements: Iterable[Judgement]) -> Figure:
    """The figure of judgements, of which there is at least one, resampled by case."""
    rows = _rows_by_case(judgements)
    right, answered, gold = rows.sum(axis=0)
    low, high = _interval(rows, _f1)
    return Figure(
        precision=float(right / answered) if answered else None,
        recall=float(right / gold) if gold else None,
        f1=float(_f1(rows.sum(axis=0, keepdims=True))[0]),
        low=low,
        high=high,
        n=len(rows),
        num_exact=int(((rows[:, 0] == rows[:, 1]) & (rows[:, 1] == rows[:, 2])).sum()),
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


def path_figures(judgements: Sequence[Judgement]) -> dict[str, PathFigure]:
    """A figure for each path that answered."""
    total = sum(item.counts.num_right for item in judgements)
    figures = {}
    for path in dict.fromkeys(item.path for item in judgements if item.path):
        rows = _rows_by_case(item for item in judgements if item.path == path)
        right, answered, _ = rows.sum(axis=0)
        if answered:
            low, high = _interval(rows, _precision)
            share = float(right / total) if total else 0.0
            figures[path] = PathFigure(float(right / answered), low, high, share, int(answered))
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


def _rows_by_case(judgements: Iterable[Judgement]) -> Any:
    """The counts of each case: right, answered, gold; `(num_cases, 3)`."""
    cases: dict[tuple[str, str], Counts] = {}
    for item in judgements:
        key = (item.set_name, item.case_id)
        cases[key] = cases.get(key, Counts()) + item.counts
    rows = [(item.num_right, item.num_answered, item.num_gold) for item in cases.values()]
    return np.array(rows, float)


def _f1(sums: Any) -> Any:
    """F1 of rows of (right, answered, gold); 1 where nothing was to be found, and nothing was."""
    asked = sums[:, 1] + sums[:, 2]
    return np.where(asked > 0, 2 * sums[:, 0] / np.maximum(asked, 1), 1.0)


def _precision(sums: Any) -> Any:
    """Precision of rows of (right, answered, gold); 1 where nothing was answered."""
    return np.where(sums[:, 1] > 0, sums[:, 0] / np.maximum(sums[:, 1], 1), 1.0)


def _interval(rows: Any, score: Callable[[Any], Any]) -> tuple[float, float]:
    """The 95% interval of a score over resamples of the cases."""
    source = np.random.default_rng(_SEED)
    equally = np.full(len(rows), 1 / len(rows))
    scores = [
        score(source.multinomial(len(rows), equally, _NUM_AT_ONCE) @ rows)
        for _ in range(NUM_RESAMPLES // _NUM_AT_ONCE)
    ]
    low, high = np.quantile(np.concatenate(scores), [0.025, 0.975])
    return float(low), float(high)
