"""The declaration of an atomic analysis unit.

A unit is one object in one file: a pydantic output model whose fields each carry a `Question`.
Each field is asked, validated and answered by itself, so that one failing leaves the others whole.

::

    class Dates(BaseModel):
        agreement: Annotated[
            Date | None,
            Question("On what date was the agreement made?", keywords={"dated": 1.0}, …),
        ] = None

    UNIT = Unit(name="extract_date", summary="…", output=Dates, triggers=("date",))
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, get_args

from pydantic import BaseModel

from assay.errors import UnitDeclarationError
from assay.types import GenerationRequest, Message, SamplingParams
from assay.units.excerpt import Excerpt
from assay.units.fallbacks.base import DraftFallback, Fallback
from assay.units.schemas import generation_schema, model_fields

#: A validator looks at a field's JSON value and its quotations, and returns a complaint or None.
Validator = Callable[[Any, tuple[str, ...]], str | None]

DEFAULT_SYSTEM = "You read documents and answer with words copied from them."
# What is the same in every question stands before the document, where it is computed once. With
# SmolLM2's template it ends with a block of 16 tokens: a rest would be computed with every segment.
_DEFAULT_OPENING = "Copy exact words of the text below. Answer in JSON.\n\n"
DEFAULT_PROMPT = f"{_DEFAULT_OPENING}$document\n\n$examples$question"

#: Behind every question.
PREPARATION_PRIORITY = 100

_NAME = re.compile(r"[a-z][a-z0-9_]{2,63}")
_PLACEHOLDERS = frozenset({"document", "question", "examples"})


@dataclass(frozen=True, slots=True)
class Example:
    """A few-shot example: what a text says, and the field's answer to it."""

    excerpt: str
    answer: Any


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for one field, and how its answer is found, checked and replaced.

    `keywords` weigh the words by which segments are chosen; `head` and `tail` favour the start and
    the end of the document. `num_segments` bounds what the model sees, `max_items` the length of a
    list that it writes, `max_found` that of one which a fallback finds in the whole document.

    An answer whose confidence reaches `enough` ends the chain; one that stays below `floor` counts
    as absent. Where there are `cues` (patterns, case ignored), only sentences in which one stands
    are offered for copying.
    """

    text: str
    keywords: Mapping[str, float]
    text_zh: str | None = None
    head: float = 0.0
    tail: float = 0.0
    num_segments: int = 4
    cues: tuple[str, ...] = ()
    max_tokens: int = 160
    max_items: int = 8
    max_found: int = 1000
    examples: tuple[Example, ...] = ()
    validators: tuple[Validator, ...] = ()
    fallbacks: tuple[Fallback | DraftFallback, ...] = ()
    enough: float = 0.8
    floor: float = 0.25


@dataclass(frozen=True, slots=True)
class UnitField:
    """A field of a unit's output: its name, type (less the question), question and the schema of
    what a model writes for it. `family` names the field for calibration."""

    name: str
    annotation: Any
    question: Question
    schema: Mapping[str, Any]
    family: str


@dataclass(frozen=True)
class Unit:
    """An atomic analysis unit.

    `triggers` are the words of a request that mean it. `prompt` is a template with the
    placeholders `$document`, `$examples` and `$question`, and nothing else: no code, no logic.

    Raises:
        UnitDeclarationError: the declaration contradicts itself; the message says where.
    """

    name: str
    summary: str
    output: type[BaseModel]
    triggers: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("en", "zh")
    system: str = DEFAULT_SYSTEM
    prompt: str = DEFAULT_PROMPT
    version: str = "1"

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UnitDeclarationError(
                f"{self.name!r} is not a unit name", remedy="use lower case, digits and underscores"
            )
        found = {
            match["named"] or match["braced"] or match[0]
            for match in string.Template.pattern.finditer(self.prompt)
        }
        if found - _PLACEHOLDERS or not {"document", "question"} <= found:
            raise UnitDeclarationError(
                f"the prompt of {self.name} has the placeholders {sorted(found)}",
                remedy="it needs $document and $question, and may have $examples",
            )
        if self.prompt.index("document") > self.prompt.index("question"):
            raise UnitDeclarationError(
                f"the prompt of {self.name} asks before it shows the document",
                remedy="put $document first: every question on it then shares its cached keys",
            )
        if not self.fields:
            raise UnitDeclarationError(f"{self.name} asks nothing")

    @cached_property
    def fields(self) -> Mapping[str, UnitField]:
        """The output model's fields in order."""
        return {
            name: _unit_field(self.name, name, annotation)
            for name, annotation in model_fields(self.output).items()
        }

    def messages(
        self, unit_field: UnitField, excerpt: Excerpt, *, chinese: bool
    ) -> tuple[Message, ...]:
        """The prompt for one field: the document first, the question last."""
        question = unit_field.question
        asked = question.text_zh if chinese and question.text_zh else question.text
        filled = {
            "document": excerpt.text,
            "question": asked,
            "examples": "".join(
                f"Example: “{item.excerpt}” gives {_to_json({unit_field.name: item.answer})}\n"
                for item in question.examples
            ),
        }
        content = string.Template(self.prompt).substitute(filled)
        opening = string.Template(self.prompt[: self._document_at]).substitute(filled)
        segments = [(len(opening) + start, len(opening) + end) for start, end in excerpt.segments]
        return (
            Message("system", self.system),
            Message("user", content, tuple(segments), excerpt.document, excerpt.numbers),
        )

    @property
    def opening(self) -> tuple[str, str]:
        """What stands before the document in its prompts. Units that begin alike share what a model
        makes of a document."""
        return self.system, self.prompt[: self._document_at]

    @property
    def has_public_preamble(self) -> bool:
        """Whether nothing but the package's own words stands before the document in its prompts."""
        return self.opening == (DEFAULT_SYSTEM, _DEFAULT_OPENING)

    def preparation(self, excerpt: Excerpt, cache_salt: str) -> GenerationRequest:
        """What has a back end read an excerpt once, for the unit's questions to come."""
        messages = self.messages(next(iter(self.fields.values())), excerpt, chinese=False)
        return GenerationRequest(
            messages,
            sampling=SamplingParams(max_tokens=1),
            cache_salt=cache_salt,
            priority=PREPARATION_PRIORITY,
            is_preamble_public=self.has_public_preamble,
        )

    @cached_property
    def _document_at(self) -> int:
        """Where the document's placeholder stands in the prompt."""
        found = string.Template.pattern.finditer(self.prompt)
        return next(
            match.start() for match in found if "document" in (match["named"], match["braced"])
        )


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _unit_field(unit_name: str, name: str, annotation: Any) -> UnitField:
    questions = [item for item in get_args(annotation)[1:] if isinstance(item, Question)]
    if len(questions) != 1:
        raise UnitDeclarationError(
            f"{unit_name}.{name} has {len(questions)} questions", remedy="annotate it with one"
        )
    (question,) = questions
    inner, *marks = get_args(annotation)
    for mark in marks:
        inner = inner if mark is question else Annotated[inner, mark]
    if not question.keywords and not question.head and not question.tail:
        raise UnitDeclarationError(
            f"{unit_name}.{name} does not say where in a document it stands",
            remedy="give keywords, head or tail",
        )
    schema = {
        "type": "object",
        "properties": {name: generation_schema(inner, max_items=question.max_items)},
        "required": [name],
        "additionalProperties": False,
    }
    return UnitField(name, inner, question, schema, f"{unit_name}.{name}")


__all__ = [
    "DEFAULT_PROMPT",
    "DEFAULT_SYSTEM",
    "Example",
    "Question",
    "Unit",
    "UnitField",
    "Validator",
]
