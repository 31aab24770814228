"""`assay train theft`: the tagger of Chinese judgments, from LawBench's labelled sentences.

Figures are out of fold: sentences of one judgment follow one another in the data, so folds are made
of runs of ids. The same data and settings give the same weights.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pycrfsuite

from assay.errors import DocumentNotFoundError
from assay.units.fallbacks.theft import spans_of_tags
from assay.units.fallbacks.theft_features import theft_features

_FILE = "lawbench_zh_dev.jsonl"
_KINDS = {
    "犯罪嫌疑人": "suspects",
    "受害人": "victims",
    "被盗货币": "stolen_money",
    "物品价值": "item_values",
    "盗窃获利": "proceeds",
    "被盗物品": "stolen_items",
    "作案工具": "tools",
    "时间": "times",
    "地点": "places",
    "组织机构": "organisations",
}
Entity = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TheftSettings:
    """L1 and L2 of the CRF's likelihood, its iterations, and how folds are cut."""

    c1: float = 0.1
    c2: float = 0.05
    max_iterations: int = 120
    num_folds: int = 10
    rows_a_group: int = 15
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A labelled sentence; sentences of one `group` may be of one judgment."""

    text: str
    entities: frozenset[Entity]
    tags: tuple[str, ...]
    group: int
    row_id: str = ""


def read_sentences(folder: Path, settings: TheftSettings) -> list[Sentence]:
    """Raises `DocumentNotFoundError` if the folder does not hold the data."""
    path = folder / _FILE
    if not path.is_file():
        raise DocumentNotFoundError(f"there is no {path}")
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    found = [_sentence(row, settings.rows_a_group) for row in rows if row["task"] == "zh_theft_ner"]
    return sorted(found, key=lambda item: item.group)


def train_theft(
    sentences: Sequence[Sentence], settings: TheftSettings, path: Path, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Writes the weights, and returns the card: settings and out-of-fold figures by kind."""
    groups = sorted({item.group for item in sentences})
    random.Random(settings.seed).shuffle(groups)
    fold_of = {group: number % settings.num_folds for number, group in enumerate(groups)}
    right, given, asked = Counter[str](), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as scratch:
        weights = Path(scratch) / "fold.crf"
        for fold in range(settings.num_folds):
            tell(f"fold {fold + 1} of {settings.num_folds}")
            fit_tagger(
                (item for item in sentences if fold_of[item.group] != fold), settings, weights
            )
            for item in (item for item in sentences if fold_of[item.group] == fold):
                found = _found(weights, item.text)
                right.update(kind for kind, _ in found & item.entities)
                given.update(kind for kind, _ in found)
                asked.update(kind for kind, _ in item.entities)
    tell("fitting on all sentences")
    fit_tagger(sentences, settings, path)
    kinds = [*_KINDS.values()]
    return {
        "data": "LawBench zh_theft_ner (Apache-2.0; upstream CAIL)",
        "num_sentences": len(sentences),
        "settings": asdict(settings),
        "out_of_fold": {
            "all": _figures(right.total(), given.total(), asked.total()),
            **{kind: _figures(right[kind], given[kind], asked[kind]) for kind in kinds},
        },
    }


def _sentence(row: Mapping[str, Any], rows_a_group: int) -> Sentence:
    text = row["text"]
    tags = ["O"] * len(text)
    for item in sorted(row["gold"], key=lambda item: -len(item["text"])):
        for match in re.finditer(re.escape(item["text"]), text):
            start, end = match.span()
            if item["start"] not in (None, start) or set(tags[start:end]) != {"O"}:
                continue
            kind = _KINDS[item["type"]]
            tags[start:end] = [f"B-{kind}", *itertools.repeat(f"I-{kind}", end - start - 1)]
    entities = frozenset((_KINDS[item["type"]], item["text"]) for item in row["gold"])
    group = int(row["id"].split(":")[-1]) // rows_a_group
    return Sentence(text, entities, tuple(tags), group, row["id"])


def fit_tagger(sentences: Iterable[Sentence], settings: TheftSettings, path: Path) -> None:
    """Writes the weights of a tagger fitted on all of the sentences."""
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params(
        {
            "c1": settings.c1,
            "c2": settings.c2,
            "max_iterations": settings.max_iterations,
            "feature.possible_transitions": True,
        }
    )
    for item in sentences:
        trainer.append(theft_features(item.text), item.tags)
    trainer.train(str(path))


def _found(weights: Path, text: str) -> frozenset[Entity]:
    tagger = pycrfsuite.Tagger()
    with tagger.open(str(weights)):
        tags = tagger.tag(theft_features(text))
    return frozenset((kind, text[start:end]) for kind, start, end in spans_of_tags(tags))


def _figures(right: int, given: int, asked: int) -> dict[str, float]:
    return {
        "precision": round(right / max(given, 1), 3),
        "recall": round(right / max(asked, 1), 3),
        "f1": round(2 * right / max(given + asked, 1), 3),
        "n": asked,
    }
