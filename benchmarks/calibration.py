"""Whether 0.9 means nine of ten: how well confidences match what was right.

    python -m benchmarks.calibration --data DIR [--split dev] [--sets A,B] [--limit N] [--write]

Runs every path of every field that the evaluation sets ask for, fits the logistic model of
`assay.analysis.confidence` on four fifths of the cases and measures it on the fifth, five times
over, so that no case is judged by parameters fitted on it. Prints the expected calibration error
(ECE, ten bins), the Brier score and the precision at 90% coverage of the answers kept, for the
parameters in the package and for the cross-validated fit. `--write` stores a fit on all cases in
the package. With `--backend none` only fallbacks answer, and the model's parameters stay as they
are. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.analysis import Plan, make_plan
from assay.analysis.confidence import Calibration, features_of, shipped_calibration
from assay.backends.base import Backend
from assay.backends.local import LocalBackend
from assay.documents import Document
from assay.errors import DocumentError, InputError, UnknownUnitError
from assay.evaluation import Ask, Case, EvaluationSet, Finding, Place, get_set
from assay.evaluation.run import read_cases
from assay.evaluation.units import NoModel, read_case
from assay.types import AnswerPath
from assay.units import Task, UnitField, get_unit
from assay.units.answer import Answer, Signals
from assay.units.machine import FieldRun

NUM_FOLDS = 5
NUM_BINS = 10
#: Strength of the pull of weights and shifts towards their priors: few answers, few certainties.
RIDGE, PRIOR_RIDGE, SHIFT_RIDGE = 0.3, 4.0, 2.0
#: What a weight is pulled towards, where that is not 0: a rule's own measured precision counts as
#: it stands; a validator's complaint and a fallback's silence count against an answer.
PRIORS = {"score": 1.0, "complaints": -1.0, "silence": -0.5}
CALIBRATION_FILE = Path(__file__).parent.parent / "src/assay/analysis/calibration.json"


@dataclass(frozen=True)
class Sample:
    """An answer that a path gave, and how right it was (0 to 1). Answers of one `run` compete; an
    empty `run` marks one seen before the others had spoken, which is for fitting alone."""

    case: int
    signals: Signals
    right: float
    run: str


def rightness(evaluation_set: EvaluationSet, ask: Ask, document: Document, answer: Answer) -> float:
    """The share of what was given or should have been that is right."""
    places = tuple(Place(item.start, item.end, item.pointer) for item in answer.standings)
    counts = evaluation_set.judge(ask, document, Finding(answer.value, places))
    return counts.num_right / max(1, counts.num_answered + counts.num_gold - counts.num_right)


async def collect(cases: Sequence[tuple[EvaluationSet, Case]], backend: Backend) -> list[Sample]:
    """Runs all paths of all fields asked for; each answer once alone and once beside the others."""
    samples: list[Sample] = []
    for number, (evaluation_set, case) in enumerate(cases):
        try:
            document = await read_case(case)
        except DocumentError:
            continue
        plan = make_plan(document, ())
        runs = {ask_number: _run(ask, plan, backend) for ask_number, ask in enumerate(case.asks)}
        running = {key: run for key, run in runs.items() if run is not None}
        await asyncio.gather(*(run.run() for run in running.values()))
        for key, run in running.items():
            for answer in run.answers:
                if answer.value is None:
                    continue
                right = rightness(evaluation_set, case.asks[key], document, answer)
                samples.append(Sample(number, answer.signals, right, f"{number}/{key}"))
                if answer.signals.path is AnswerPath.MODEL:
                    alone = replace(answer.signals, agreement=None, num_silent=0)
                    samples.append(Sample(number, alone, right, ""))
        if number % 20 == 19 or number + 1 == len(cases):
            print(f"{number + 1}/{len(cases)} cases, {len(samples)} answers", flush=True)
    return samples


def _run(ask: Ask, plan: Plan, backend: Backend) -> FieldRun | None:
    """A run of all paths of the field that answers; None if there is no such unit or field."""
    try:
        unit = get_unit(ask.unit) if isinstance(ask.unit, str) else ask.unit
    except UnknownUnitError:
        return None
    if ask.answered_by not in unit.fields:
        return None
    field = _run_all_paths(unit.fields[ask.answered_by])
    task = plan.field_task(
        Task(unit, ask.arguments), field, backend, shipped_calibration().confidence
    )
    return FieldRun(task)


def _run_all_paths(field: UnitField) -> UnitField:
    return replace(field, question=replace(field.question, enough=2.0))


def fit(samples: Sequence[Sample]) -> Calibration:
    """The ridge-penalised logistic regression of rightness on features, one for each path."""
    weights: dict[str, dict[str, float]] = {}
    shifts: dict[str, dict[str, float]] = {}
    for path in AnswerPath:
        mine = [sample for sample in samples if sample.signals.path is path]
        if not mine:
            weights[path.value] = dict(shipped_calibration().weights[path])
            continue
        names = ["bias", *features_of(mine[0].signals)]
        families = sorted({sample.signals.family for sample in mine})
        rows = np.zeros((len(mine), len(names) + len(families)))
        for row, sample in zip(rows, mine, strict=True):
            features = {"bias": 1.0, **features_of(sample.signals)}
            row[: len(names)] = [features[name] for name in names]
            row[len(names) + families.index(sample.signals.family)] = 1.0
        prior = np.array(
            [1.0 if name == "score" else 0.0 for name in names] + [0.0] * len(families)
        )
        pulls = [PRIOR_RIDGE if name in PRIORS else RIDGE for name in names]
        penalty = np.array(pulls + [SHIFT_RIDGE] * len(families))
        penalty[0] = 0.01
        solved = _newton(rows, np.array([sample.right for sample in mine]), prior, penalty)
        rounded = [round(float(value), 4) for value in solved]
        weights[path.value] = dict(zip(names, rounded[: len(names)], strict=True))
        shifts[path.value] = dict(zip(families, rounded[len(names) :], strict=True))
    return Calibration(weights, shifts)


def _newton(rows: Any, right: Any, prior: Any, penalty: Any, num_steps: int = 30) -> Any:
    solved = prior.copy()
    for _ in range(num_steps):
        chance = 1 / (1 + np.exp(-rows @ solved))
        gradient = rows.T @ (right - chance) - penalty * (solved - prior)
        curvature = rows.T * (chance * (1 - chance)) @ rows + np.diag(penalty)
        solved = solved + np.linalg.solve(curvature, gradient)
    return solved


def kept_answers(samples: Iterable[Sample], calibration: Calibration) -> list[tuple[float, float]]:
    """(confidence, rightness) of the surest answer of each run."""
    best: dict[str, tuple[float, float]] = {}
    for sample in samples:
        if sample.run:
            scored = (calibration.confidence(sample.signals), sample.right)
            best[sample.run] = max(best.get(sample.run, (-1.0, 0.0)), scored)
    return list(best.values())


def reliability(pairs: Sequence[tuple[float, float]]) -> list[dict[str, float]]:
    """Ten bins of equal width: mean confidence, share right, count."""
    bins: list[list[tuple[float, float]]] = [[] for _ in range(NUM_BINS)]
    for confidence, right in pairs:
        bins[min(NUM_BINS - 1, int(confidence * NUM_BINS))].append((confidence, right))
    return [
        {
            "confidence": sum(item[0] for item in group) / len(group),
            "right": sum(item[1] for item in group) / len(group),
            "count": len(group),
        }
        for group in bins
        if group
    ]


def measure(pairs: Sequence[tuple[float, float]]) -> dict[str, float]:
    bins = reliability(pairs)
    ece = sum(item["count"] * abs(item["confidence"] - item["right"]) for item in bins) / len(pairs)
    brier = sum((confidence - right) ** 2 for confidence, right in pairs) / len(pairs)
    surest = sorted(pairs, reverse=True)[: max(1, round(0.9 * len(pairs)))]
    return {
        "ece": round(ece, 4),
        "brier": round(brier, 4),
        "precision_at_90_coverage": round(sum(right for _, right in surest) / len(surest), 4),
        "right": round(sum(right for _, right in pairs) / len(pairs), 4),
        "n": len(pairs),
    }


def cross_validated(samples: Sequence[Sample]) -> list[tuple[float, float]]:
    pairs: list[tuple[float, float]] = []
    for fold in range(NUM_FOLDS):
        fitted = fit([sample for sample in samples if sample.case % NUM_FOLDS != fold])
        held_out = [sample for sample in samples if sample.case % NUM_FOLDS == fold]
        pairs.extend(kept_answers(held_out, fitted))
    return pairs


def write_calibration(calibration: Calibration, note: str) -> None:
    content: Mapping[str, Any] = {"fitted_on": note, **asdict(calibration)}
    CALIBRATION_FILE.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with NAME_SPLIT.jsonl")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--sets", default="cuad", help="names of evaluation sets, with commas")
    parser.add_argument("--limit", type=int, help="only N cases of each set")
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--backend", default="local", choices=("local", "none"))
    parser.add_argument("--write", action="store_true", help="store the fit in the package")
    options = parser.parse_args(arguments)
    try:
        cases = [
            (item, case)
            for item in map(get_set, options.sets.split(","))
            for case in read_cases(item, options.data, options.split, options.limit)
        ]
    except InputError as error:
        print(f"calibration: {error}", file=sys.stderr)
        return 2
    backend: Backend = NoModel() if options.backend == "none" else LocalBackend(options.model)
    try:
        samples = asyncio.run(collect(cases, backend))
    finally:
        backend.close()
    shipped = measure(kept_answers(samples, shipped_calibration()))
    pairs = cross_validated(samples)
    fitted = measure(pairs)
    for name, figures in (("in the package", shipped), ("cross-validated fit", fitted)):
        print(f"{name:20s} " + "  ".join(f"{key} {value}" for key, value in figures.items()))
    for item in reliability(pairs):
        print(f"  said {item['confidence']:.2f}  right {item['right']:.2f}  of {item['count']:.0f}")
    if options.write:
        note = f"{options.sets}, {options.split} split, {len(cases)} cases"
        write_calibration(fit(samples), note)
    print(json.dumps({**shipped, "cross_validated": fitted}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
