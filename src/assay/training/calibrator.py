"""`assay train calibrator`: what answers' signals are worth, from labelled cases.

Figures are of answers judged by calibrators that had not seen their documents, given by
specialists that had not seen them either. The same records, recipe and seed give the same weights.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.analysis.absence import Absence, AbsenceWeights
from assay.analysis.abstention import Abstention, abstention_as_json, make_curve
from assay.analysis.confidence import Calibrator, save_calibrator
from assay.evaluation.answers import AskRecord, states_of
from assay.evaluation.calibration import (
    Outcome,
    absence_outcomes,
    absences_of,
    figures_of,
    given,
    outcomes_of,
)
from assay.training.absence_fit import fit_absence
from assay.training.calibrator_fit import Recipe, Rows, fit_calibrator, make_rows
from assay.training.held_out import NUM_FOLDS, fold_of

#: Fields with fewer answers have no curve of their own.
MIN_ANSWERS = 100
LOGISTIC = Recipe(hidden=(0, 0), num_members=1)


@dataclass(frozen=True, slots=True)
class Trained:
    """A calibrator fitted on all records, the curves of abstention, and what calibrators that had
    not seen a record's document made of it: `unseen`, `logistic` for the linear path alone, and
    `absences` for fields without an answer."""

    calibrator: Calibrator
    abstention: Abstention
    unseen: Sequence[Outcome]
    logistic: Sequence[Outcome]
    absences: Sequence[Outcome]


def train_calibrator(
    records: Sequence[AskRecord], recipe: Recipe, seed: int, tell: Callable[[str], None]
) -> Trained:
    """Fits, and measures by folds of documents."""
    # Every answer, as it looks whoever has spoken before.
    found = [(record, state) for record in records for state in states_of(record)]
    rows = make_rows([state for _, state in found], recipe.max_weight)
    folds = np.array([fold_of(record.case_id) for record, _ in found])
    logistic = _cross_validate(records, rows, folds, LOGISTIC, seed, tell)
    unseen = _cross_validate(records, rows, folds, recipe, seed, tell)
    tell("fitting on all answers")
    fitted = fit_calibrator(rows, recipe, seed)
    absences, kept = _judge_absences(absences_of(records, lambda _: fitted.confidence))
    calibrator = replace(fitted, absence=kept)
    return Trained(calibrator, curves_of(unseen), unseen, logistic, absences)


def _judge_absences(
    found: Sequence[tuple[AskRecord, Absence]],
) -> tuple[list[Outcome], AbsenceWeights]:
    """Absences judged out of fold, and the weights fitted on all."""
    labelled = [(fold_of(record.case_id), item, not record.has_gold) for record, item in found]
    weights = [
        fit_absence([(item, right) for at, item, right in labelled if at != fold])
        for fold in range(NUM_FOLDS)
    ]
    outcomes = absence_outcomes(found, lambda record: weights[fold_of(record.case_id)].confidence)
    return outcomes, fit_absence([(item, right) for _, item, right in labelled])


def curves_of(outcomes: Sequence[Outcome]) -> Abstention:
    """What precision each confidence comes to, of all answers and of fields with many."""
    by_family: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for item in outcomes:
        by_family[item.family].append((item.confidence, item.right))
    return Abstention(
        make_curve([pair for pairs in by_family.values() for pair in pairs]),
        {
            family: make_curve(pairs, 20)
            for family, pairs in by_family.items()
            if len(pairs) >= MIN_ANSWERS
        },
    )


def _cross_validate(
    records: Sequence[AskRecord],
    rows: Rows,
    folds: NDArray[np.int64],
    recipe: Recipe,
    seed: int,
    tell: Callable[[str], None],
) -> list[Outcome]:
    fitted = []
    for fold in range(NUM_FOLDS):
        tell(f"{'network' if recipe.hidden[0] else 'logistic'} without fold {fold + 1}")
        fitted.append(fit_calibrator(rows.chosen(folds != fold), recipe, seed))
    return outcomes_of(records, lambda record: fitted[fold_of(record.case_id)].confidence)


def make_card(
    records: Sequence[AskRecord], recipe: Recipe, seed: int, trained: Trained
) -> dict[str, Any]:
    """Data, recipe and figures, of JSON's types."""
    unseen, logistic = given(trained.unseen), given(trained.logistic)
    with_model = {(item.set_name, item.case_id) for item in records if _has_model(item)}
    return {
        "data": {
            name: {
                "num_cases": len({item.case_id for item in records if item.set_name == name}),
                "num_cases_with_model": sum(one == name for one, _ in with_model),
                "num_questions": count,
            }
            for name, count in sorted(Counter(item.set_name for item in records).items())
        },
        "settings": {**asdict(recipe), "seed": seed, "num_folds": NUM_FOLDS},
        "out_of_fold": {
            "all": figures_of(unseen),
            "scans": figures_of([item for item in unseen if item.record.is_scan]),
            "absences": figures_of(trained.absences),
            "by_path": _groups(unseen, lambda item: item.path.value if item.path else "none"),
            "by_set": _groups(unseen, lambda item: item.record.set_name),
            "by_field": _groups(unseen, lambda item: item.family),
        },
        "logistic_out_of_fold": {
            "all": figures_of(logistic),
            "scans": figures_of([item for item in logistic if item.record.is_scan]),
        },
    }


def save_trained(
    folder: Path, records: Sequence[AskRecord], recipe: Recipe, seed: int, trained: Trained
) -> tuple[Path, ...]:
    """Writes weights, card and, where matplotlib is installed, the picture; returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / "calibrator.npz", folder / "abstention.json", folder / "calibrator.json"]
    save_calibrator(written[0], trained.calibrator)
    _write_json(written[1], abstention_as_json(trained.abstention), indent=None)
    _write_json(written[2], make_card(records, recipe, seed, trained), indent=1)
    try:
        from assay.evaluation.calibration_picture import draw_calibration
    except ImportError:
        return tuple(written)
    unseen = given(trained.unseen)
    scans = [item for item in unseen if item.record.is_scan]
    written.append(folder / "calibration.png")
    groups = {"all": unseen, "scans": scans, "logistic, all": given(trained.logistic)}
    written[-1].write_bytes(draw_calibration(groups))
    return tuple(written)


def _write_json(path: Path, content: Any, *, indent: int | None) -> None:
    separators = (",", ":") if indent is None else None
    text = json.dumps(content, indent=indent, separators=separators, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def _has_model(record: AskRecord) -> bool:
    return any(path.value == "model" for path, _ in record.steps)


def _groups(outcomes: Sequence[Outcome], key: Callable[[Outcome], str]) -> dict[str, Any]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for item in outcomes:
        groups[key(item)].append(item)
    return {name: figures_of(group) for name, group in sorted(groups.items())}
