"""Whether 0.9 means nine of ten: how well confidences match what was right.

    python -m benchmarks.calibration --data DIR [--split dev] [--sets A,B] [--limit N] [--png FILE]

Has every path answer the evaluation sets' questions, pictures also in damaged versions, and
measures the calibrator in the package on the answers that the units' own chains give: expected
calibration error (ECE, ten bins), Brier's score, precision at 90% coverage, and what
`--min-precision` comes to. The package's weights were fitted on the development parts: for the
split "dev" specialists are fitted anew without the cases they answer, and the figure of
calibrators that had not seen a case stands beside that of the package (`cross_validated`). With
`--backend none` only fallbacks answer. `--answers FILE` keeps what was answered, so that measuring
again takes seconds. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.analysis.abstention import shipped_abstention
from assay.analysis.confidence import absence_confidence_of, confidence_of
from assay.backends.base import Backend
from assay.backends.local import LocalBackend
from assay.errors import DocumentNotFoundError, InputError, PrecisionUnreachableError
from assay.evaluation import get_set
from assay.evaluation.answered_cases import SETS, Choice, choose_cases, collect_records
from assay.evaluation.answers import AskRecord
from assay.evaluation.calibration import (
    Outcome,
    absence_outcomes,
    absences_of,
    figures_of,
    given,
    outcomes_of,
    reliability,
)
from assay.evaluation.run import read_cases
from assay.evaluation.units import NoModel

TRAINED_ON = "dev"
ASKED_PRECISIONS = (0.8, 0.9, 0.95)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with NAME_SPLIT.jsonl")
    parser.add_argument("--split", default=TRAINED_ON)
    parser.add_argument("--sets", help="names of evaluation sets, with commas (all that DIR has)")
    parser.add_argument("--limit", type=int, help="only N cases of each set")
    parser.add_argument("--model-limit", type=int, default=100, help="the model in N cases (100)")
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--backend", default="local", choices=("local", "none"))
    parser.add_argument(
        "--answers", type=Path, help="keep answers in this file, and take them from it"
    )
    parser.add_argument("--png", type=Path, help="draw reliability, and risk by coverage")
    options = parser.parse_args(arguments)
    try:
        names = _names(options)
        records = _records(options, names)
    except InputError as error:
        print(f"calibration: {error}", file=sys.stderr)
        return 2
    found = {"in the package": given(outcomes_of(records, lambda _: confidence_of))}
    if options.split == TRAINED_ON:
        from assay.training.calibrator import train_calibrator
        from assay.training.calibrator_fit import Recipe

        trained = train_calibrator(records, Recipe(), 0, _tell)
        found["cross-validated"] = given(trained.unseen)
        found["logistic, cross-validated"] = given(trained.logistic)
    absences = absence_outcomes(
        absences_of(records, lambda _: confidence_of), lambda _: absence_confidence_of
    )
    for name, outcomes in (*found.items(), ("absences, in the package", absences)):
        _report(name, outcomes)
    if options.png:
        from assay.evaluation.calibration_picture import draw_calibration

        options.png.write_bytes(draw_calibration(found))
    print(json.dumps({**_as_json(found, records), "absences": figures_of(absences)}))
    return 0


def _names(options: argparse.Namespace) -> list[str]:
    """The sets named, or those with a file.

    Raises:
        ConfigError: there is no such set.
        DocumentNotFoundError: no set has a file.
    """
    if options.sets:
        return [name.strip() for name in options.sets.split(",")]
    names = []
    for name in SETS:
        try:
            read_cases(get_set(name), options.data, options.split, 1)
            names.append(name)
        except DocumentNotFoundError as error:
            print(f"{name} is left out: {error.message}", file=sys.stderr)
    if not names:
        raise DocumentNotFoundError(f"{options.data} has no set of the split {options.split}")
    return names


def _records(options: argparse.Namespace, names: Sequence[str]) -> list[AskRecord]:
    choice = Choice(options.limit, 0 if options.backend == "none" else options.model_limit)
    if options.split == TRAINED_ON:
        from assay.training.calibrator_answers import gather_answers

        return gather_answers(options.data, names, choice, options.model, options.answers, _tell)
    alone, together = choose_cases(names, options.data, options.split, choice)
    backend: Backend = LocalBackend(options.model) if together else NoModel()
    try:
        return collect_records(alone, together, backend, options.answers, _tell)
    finally:
        backend.close()


def _tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _report(name: str, outcomes: Sequence[Outcome]) -> None:
    print(name)
    groups = {"all": list(outcomes), "scans": [item for item in outcomes if item.record.is_scan]}
    for item in outcomes:
        groups.setdefault(item.record.set_name, []).append(item)
    for item in outcomes:
        groups.setdefault(item.path.value if item.path else "absent", []).append(item)
    for group, members in groups.items():
        figures = "  ".join(f"{key} {value}" for key, value in figures_of(members).items())
        print(f"  {group:14s} {figures}")
    for item in reliability(outcomes):
        print(f"  said {item.confidence:.2f}  right {item.right:.2f}  of {item.count}")


def _as_json(found: dict[str, list[Outcome]], records: Sequence[AskRecord]) -> dict[str, Any]:
    def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
        scans = figures_of([item for item in outcomes if item.record.is_scan])
        figures = figures_of(outcomes)
        return {
            "ece": figures["ece"],
            "ece_scans": scans["ece"] if scans["n"] else None,
            **{key: value for key, value in figures.items() if key != "ece"},
            "n_scans": scans["n"],
        }

    package, *others = found.values()
    names = ("cross_validated", "logistic_cross_validated")
    return {
        **summary(package),
        "by_set": {
            name: figures_of([item for item in package if item.record.set_name == name])
            for name in sorted({item.record.set_name for item in package})
        },
        "min_precision": {str(asked): _abstain(records, asked) for asked in ASKED_PRECISIONS},
        **{name: summary(outcomes) for name, outcomes in zip(names, others, strict=False)},
    }


def _abstain(records: Sequence[AskRecord], asked: float) -> dict[str, Any]:
    """What is given, and right of it, where so much of it has to be right."""
    curves = shipped_abstention()
    try:
        curves.confidence_for(asked, "")
    except PrecisionUnreachableError as error:
        return {"error": error.code}
    needed = {item.family: curves.confidence_for(asked, item.family) for item in records}
    outcomes = outcomes_of(records, lambda _: confidence_of, needed=needed)
    kept = [item for item in given(outcomes) if item.confidence >= needed[item.family]]
    return {
        "precision": figures_of(kept)["right"],
        "coverage": round(len(kept) / max(1, len(given(outcomes))), 4),
        "n": len(kept),
    }


if __name__ == "__main__":
    sys.exit(main())
