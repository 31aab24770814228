"""Documents with questions and gold quotations, cut to windows that a small model reads whole.

Read from the files that are there: `cuad_dev.jsonl` (contracts), `contractnli_dev.jsonl` with
`contractnli_hypotheses.json` (non-disclosure agreements) and `lawbench_zh_dev.jsonl` (Chinese
judgments, task `zh_mrc`). A document is held out by the hash of its id, so that the split depends
on neither seed nor order, and all windows of a document are on one side.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import InputError

_WINDOW_CHARS = 6000
#: Of a document's hash, this share is held out.
_HELD_OUT = 1 / 3
_LABEL_QUESTION = "What does the document say about {label}?"
_HYPOTHESIS_QUESTION = "Which sentence bears on this statement: {hypothesis}"


@dataclass(frozen=True, slots=True)
class Question:
    """A question whose answer is a quotation from the document."""

    text: str
    quote: str


@dataclass(frozen=True, slots=True)
class Example:
    """A window of a document with the questions that it answers."""

    name: str
    document: str
    questions: tuple[Question, ...]

    @property
    def held_out(self) -> bool:
        """Whether the document is for evaluation alone."""
        return hash_share(f"split {self.name}") < _HELD_OUT


@dataclass(frozen=True, slots=True)
class Corpus:
    """Examples to train on and examples held out; `digest` is the SHA-256 over all of them."""

    training: tuple[Example, ...]
    held_out: tuple[Example, ...]
    digest: str


def read_corpus(folder: Path, sizes: Mapping[str, tuple[int, int]], max_questions: int) -> Corpus:
    """Examples of each kind in `sizes` (kind -> how many to train on, how many to hold out).

    Raises:
        InputError: the folder has none of the files, or a file cannot be read.
    """
    training: list[Example] = []
    held_out: list[Example] = []
    for kind, (num_training, num_held_out) in sizes.items():
        found = [example for example in _read(kind, folder, max_questions) if example.questions]
        training += [item for item in found if not item.held_out][:num_training]
        held_out += [item for item in found if item.held_out][:num_held_out]
    if not training or not held_out:
        raise InputError(
            f"{folder}: no examples to train on and hold out",
            remedy=f"it needs {' or '.join(name for name, _ in _READERS.values())}",
        )
    training.sort(key=lambda example: hash_share(f"order {example.name}"))
    text = json.dumps([repr(example) for example in (*training, *held_out)])
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Corpus(tuple(training), tuple(held_out), digest)


def hash_share(text: str) -> float:
    """A number in [0, 1) that depends on `text` alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") / 2**48


def fold(text: str) -> str:
    """`text` with runs of white space made one space, or one line break if there is one in it."""
    return re.sub(r"\s+", lambda run: "\n" if "\n" in run[0] else " ", text).strip()


def _read(kind: str, folder: Path, max_questions: int) -> Iterator[Example]:
    name, reader = _READERS[kind]
    path = folder / name
    if not path.exists():
        return
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                for example in reader(row, folder):
                    kept = _some(example.questions, max_questions, example.name)
                    yield Example(example.name, example.document, kept)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: {error!r} in a row") from error


def _some(questions: Sequence[Question], count: int, name: str) -> tuple[Question, ...]:
    """At most `count` of the questions, in an order that depends on the texts alone."""
    return tuple(sorted(questions, key=lambda item: hash_share(name + item.text))[:count])


def _contract(row: Mapping[str, Any], _: Path) -> Iterator[Example]:
    """A window around one of the labelled clauses; all labels with a span in it are asked for."""
    spans = {label: clause["spans"] for label, clause in row["clauses"].items()}
    starts = sorted({span["start"] for found in spans.values() for span in found})
    if not starts:
        return
    anchor = starts[int(hash_share(f"anchor {row['id']}") * len(starts))]
    before = int(hash_share(f"before {row['id']}") * _WINDOW_CHARS * 0.9)
    first = max(0, min(anchor - before, len(row["text"]) - _WINDOW_CHARS))
    last = first + _WINDOW_CHARS
    questions = []
    for label, found in spans.items():
        inside = [span for span in found if first <= span["start"] and span["end"] <= last]
        if inside:
            longest = max(inside, key=lambda span: (span["end"] - span["start"], -span["start"]))
            text = _LABEL_QUESTION.format(label=label)
            questions.append(Question(text, fold(longest["text"])))
    yield Example(row["id"], fold(row["text"][first:last]), tuple(questions))


def _agreement(row: Mapping[str, Any], folder: Path) -> Iterator[Example]:
    """The start of a non-disclosure agreement; each hypothesis with evidence in it is asked."""
    hypotheses = json.loads((folder / "contractnli_hypotheses.json").read_text("utf-8"))
    questions = []
    for key, label in row["labels"].items():
        inside = [(start, end) for start, end in label["evidence"] if end <= _WINDOW_CHARS]
        if inside:
            start, end = inside[0]
            text = _HYPOTHESIS_QUESTION.format(hypothesis=hypotheses[key]["hypothesis"])
            questions.append(Question(text, fold(row["text"][start:end])))
    yield Example(row["id"], fold(row["text"][:_WINDOW_CHARS]), tuple(questions))


def _judgment(row: Mapping[str, Any], _: Path) -> Iterator[Example]:
    """A passage of a Chinese judgment with its question."""
    if row["task"] == "zh_mrc" and all(quote in row["text"] for quote in row["gold"]):
        question = Question(row["question"], "，".join(row["gold"]))
        yield Example(row["id"], fold(row["text"]), (question,))


#: Kind -> its file and how to read a row of it.
_READERS: Mapping[str, tuple[str, Callable[[Mapping[str, Any], Path], Iterator[Example]]]] = {
    "contracts": ("cuad_dev.jsonl", _contract),
    "agreements": ("contractnli_dev.jsonl", _agreement),
    "judgments": ("lawbench_zh_dev.jsonl", _judgment),
}
