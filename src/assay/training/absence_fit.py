"""Fits how sure an absence is: penalised logistic regression by Newton's steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.analysis.absence import Absence, AbsenceWeights

#: Penalties on the squares of what evidence weighs (the constant is free) and of shifts.
_DECAYS, _SHIFT_DECAY = (0.01, 1.0, 1.0), 2.0
_NUM_STEPS = 25


def fit_absence(found: Sequence[tuple[Absence, bool]]) -> AbsenceWeights:
    """The weights for absences of which it is known whether there was nothing; those of a package
    without any, if there are none."""
    if not found:
        return AbsenceWeights()
    keys = sorted({key for item, _ in found for key in item.shift_keys()})
    columns = {key: 3 + number for number, key in enumerate(keys)}
    rows = np.zeros((len(found), 3 + len(keys)))
    for row, (item, _) in zip(rows, found, strict=True):
        row[:3] = item.evidence()
        row[[columns[key] for key in item.shift_keys()]] = 1.0
    right = np.array([is_right for _, is_right in found], np.float64)
    decay = np.array([*_DECAYS, *[_SHIFT_DECAY] * len(keys)])
    solved = np.zeros(rows.shape[1])
    for _ in range(_NUM_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ solved, -30, 30)))
        gradient = rows.T @ (right - chance) - decay * solved
        curvature = (rows.T * (chance * (1 - chance))) @ rows + np.diag(decay)
        solved = solved + np.linalg.solve(curvature, gradient)
    constant, odds, silence = solved[:3].tolist()
    # What was nearly believed never speaks for an absence.
    shifts = dict(zip(keys, solved[3:].tolist(), strict=True))
    return AbsenceWeights((constant, min(odds, 0.0), silence), shifts)
