"""The answers that a calibrator is fitted to: of a model, and of specialists new to a case."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from assay.backends.base import Backend
from assay.backends.local import LocalBackend
from assay.evaluation.answered_cases import Choice, choose_cases, collect_records
from assay.evaluation.answers import AskRecord
from assay.evaluation.units import NoModel
from assay.training.held_out import fit_held_out


def gather_answers(
    data: Path,
    sets: Sequence[str],
    choice: Choice,
    model: str,
    kept: Path | None,
    tell: Callable[[str], None],
) -> list[AskRecord]:
    """The records of the development parts of sets. What the file `kept` has is not asked again.

    Raises:
        ConfigError: there is no such set.
        DocumentNotFoundError: a set's file is not there.
        ModelNotPulledError: the model is not there.
    """
    alone, together = choose_cases(sets, data, "dev", choice)
    backend: Backend = LocalBackend(model) if together else NoModel()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            held_out = fit_held_out(data, Path(scratch), tell)
            alone, together = (
                [replace(item, weights=held_out.weights_for(item.case.case_id)) for item in cases]
                for cases in (alone, together)
            )
            return collect_records(alone, together, backend, kept, tell)
    finally:
        backend.close()
