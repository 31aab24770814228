"""Specialists that have not seen a case, so that what they say of it is what they say of new ones.

Cases are cut into folds by document. For each fold every specialist that learns is fitted again
without the fold's cases, as its own training does it, but for the adapter of the encoder that tells
requests: that would take an hour, and n-grams and cues answer alone. Their scores are probabilities
at a temperature of their own, as the adapter's are, so that what is learnt of them holds for those.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from assay.errors import DocumentNotFoundError
from assay.training.classifiers import fit_without
from assay.training.clause_fit import Recipe, fit_model
from assay.training.contracts import LABELS, read_contracts, sentences_of
from assay.training.labelled_texts import SOURCES, read_texts
from assay.training.theft import TheftSettings, fit_tagger, read_sentences
from assay.units.fallbacks.clause_model import write_models
from assay.units.fallbacks.text_classifier import save_classifier

NUM_FOLDS = 5
#: Neighbouring rows of LawBench may be of one judgment: so many stay on one side of a fold.
_ROWS_A_GROUP = 15


def fold_of(case_id: str) -> int:
    """The fold of a case, by its name: the same wherever it is asked for."""
    name, _, number = case_id.rpartition(":")
    if name.startswith("lawbench") and number.isdecimal():
        case_id = f"{name}:{int(number) // _ROWS_A_GROUP}"
    return crc32(case_id.encode()) % NUM_FOLDS


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Folders of weights, one for each fold, none of which has seen that fold's cases."""

    folders: tuple[Path, ...]

    def weights_for(self, case_id: str) -> Path:
        """The folder whose specialists have not seen a case."""
        return self.folders[fold_of(case_id)]


def fit_held_out(data: Path, out: Path, tell: Callable[[str], None]) -> HeldOut:
    """Fits what `data` has labels for, and writes it into new folders below `out`; a set that is
    not there leaves its specialists as the package has them."""
    folders = tuple(out / f"fold{fold}" for fold in range(NUM_FOLDS))
    for folder in folders:
        folder.mkdir(parents=True)
    for fit in (_clauses, _theft, _classifiers):
        fit(data, folders, tell)
    return HeldOut(folders)


def _clauses(data: Path, folders: tuple[Path, ...], tell: Callable[[str], None]) -> None:
    try:
        contracts = read_contracts(data)
    except DocumentNotFoundError as error:
        tell(f"clauses are left as they are: {error.message}")
        return
    sentences = {kind: list(sentences_of(contracts, kind)) for kind in LABELS}
    for fold, folder in enumerate(folders):
        tell(f"clauses without fold {fold + 1}")
        models = {
            kind: fit_model(
                [item for item in found if fold_of(item.contract) != fold], kind, Recipe()
            )
            for kind, found in sentences.items()
        }
        write_models(folder / "clauses.json", models)


def _theft(data: Path, folders: tuple[Path, ...], tell: Callable[[str], None]) -> None:
    settings = TheftSettings()
    try:
        sentences = read_sentences(data, settings)
    except DocumentNotFoundError as error:
        tell(f"the tagger of thefts is left as it is: {error.message}")
        return
    for fold, folder in enumerate(folders):
        tell(f"the tagger of thefts without fold {fold + 1}")
        seen = [item for item in sentences if fold_of(item.row_id) != fold]
        fit_tagger(seen, settings, folder / "theft.crf")


def _classifiers(data: Path, folders: tuple[Path, ...], tell: Callable[[str], None]) -> None:
    for name, source in SOURCES.items():
        try:
            texts = read_texts(data, source)
        except DocumentNotFoundError as error:
            tell(f"{name} is left as it is: {error.message}")
            continue
        tell(f"{name} without each fold")
        folds = np.array([fold_of(group) for group in texts.groups])
        for fold, classifier in fit_without(texts, source.settings, folds).items():
            save_classifier(folders[fold] / f"{name}.npz", classifier)
