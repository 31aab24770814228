"""Labelled texts to train classifiers on, by the name of the classifier."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assay.errors import DocumentNotFoundError
from assay.training.adapters import AdapterSettings
from assay.training.classifiers import ClassifierSettings, Texts

Row = Mapping[str, Any]
Labelled = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a classifier's texts come from: a file, what of its rows is a text (with label and
    group), whose data it is, and how to fit them."""

    file: str
    read: Callable[[Row], Iterator[Labelled]]
    credit: str
    settings: ClassifierSettings


def read_texts(folder: Path, source: Source) -> Texts:
    """Raises `DocumentNotFoundError` if the folder does not hold the file."""
    path = folder / source.file
    if not path.is_file():
        raise DocumentNotFoundError(f"there is no {path}")
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    texts, labels, groups = zip(*(item for row in rows for item in source.read(row)), strict=True)
    return Texts(texts, labels, groups)


def _complaint(row: Row) -> Iterator[Labelled]:
    yield row["text"], row["product"], row["id"]


def _request(row: Row) -> Iterator[Labelled]:
    yield row["text"], "request" if row["is_request"] else "other", row["id"]


_NUMBER = re.compile(r"\(?-?[$£€]?[\d,]*\.?\d+%?\)?")
_TIMES_100 = re.compile(r"[*x×]\s*100\b|%")
_SHAPES: tuple[tuple[str, str], ...] = (
    (r"N[-–]N", "change"),
    (r"N(?:\+N)+", "sum"),
    (r"N(?:\+N)+/N", "average"),
    (r"N[-–]N/N|N/N[-–]N", "growth"),
    (r"N/N", "share"),
)


def _question(row: Row) -> Iterator[Labelled]:
    for question in row["questions"]:
        kind = _kind_of(question)
        if kind:
            yield question["question"], kind, row["id"]


def _kind_of(question: Row) -> str | None:
    """What a question asks to be done, from how its answer was derived."""
    kind = question["answer_type"]
    if kind == "count":
        return "count"
    if kind == "multi-span":
        return "list"
    if kind == "arithmetic":
        return _operation_of(question["derivation"])
    if question["req_comparison"]:
        return "which"
    if question["answer_from"] == "text":
        return "passage"
    return "lookup" if _NUMBER.fullmatch(question["answer"][0].strip()) else "passage"


def _operation_of(derivation: str) -> str | None:
    """The operation of a derivation such as `(24.5-24.9)/24.9`; None for one that is rare."""
    plain = re.sub(r"[$£€¥%\s\[\]()]", "", _TIMES_100.sub("", derivation))
    shape = re.sub(r"(^|[-–+/])[-–]N", r"\1N", re.sub(r"[\d,]*\.?\d+", "N", plain))
    found = (name for pattern, name in _SHAPES if re.fullmatch(pattern, shape))
    return next(found, None)


SOURCES: Mapping[str, Source] = MappingProxyType(
    {
        "complaint": Source(
            "cfpb_dev.jsonl",
            _complaint,
            "CFPB narratives (public data; labels as collected in an MIT repository)",
            ClassifierSettings(max_words=2, vector_factor=1.0, strength=3.0),
        ),
        "request": Source(
            "email_intent_dev.jsonl",
            _request,
            "Parakweet Labs EmailIntentDataSet (Apache-2.0)",
            ClassifierSettings(
                max_words=3,
                strength=5.0,
                num_folds=5,
                cue_factor=0.5,
                adapter=AdapterSettings(),
                by_likeness=True,
            ),
        ),
        "question": Source(
            "tatqa_dev.jsonl",
            _question,
            "TAT-QA (CC BY 4.0)",
            ClassifierSettings(max_words=3, vector_factor=1.0, strength=30.0),
        ),
    }
)
