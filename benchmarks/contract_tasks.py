"""The work of the contracts benchmark: documents, questions, prompts and answers' schemas.

Two sets of four questions, all with gold: the first is asked of documents never seen, the second
of the same documents afterwards. Every engine gets the same words; an answer is JSON with a value
and a quotation. Where an engine can, both are copied from the document (`grounded`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.documents import Document, segment_document
from assay.types import Message, Source
from assay.units import get_unit
from assay.units.excerpt import Excerpt, read_passages
from benchmarks.cuad import LABELS, Contract

#: The same limits for every engine but `assay`, whose units set their own. A model that cannot find
#: an end runs into them: low ones favour engines that do not ground.
MAX_TOKENS = {"value": 128, "list": 128, "clause": 192}
SYSTEM = "You read documents and answer with words copied from them. (Session {salt}.)"
PROMPT = "{document}\n\n{question}\nCopy the exact words of the text above. Answer in JSON."
HEAD_CHARS = 6000
MAX_WHOLE_TOKENS = 7500

Shape = Literal["value", "list", "clause"]


@dataclass(frozen=True)
class Question:
    """A field of the catalogue with gold in CUAD. A clause is its own quotation."""

    unit: str
    field: str
    shape: Shape

    @property
    def label(self) -> str:
        return LABELS[self.unit, self.field]

    @property
    def text(self) -> str:
        return get_unit(self.unit).fields[self.field].question.text

    def schema(self, *, grounded: bool) -> dict[str, Any]:
        """What an answer must look like; with `grounded`, copied from the sources."""

        def leaf(granularity: str) -> dict[str, Any]:
            return {"type": "string"} | ({"x-verbatim": granularity} if grounded else {})

        value: dict[str, Any] = leaf("word")
        if self.shape == "list":
            value = {"type": "array", "items": value, "minItems": 1, "maxItems": 6}
        properties = {"value": value, "quote": leaf("sentence")}
        if self.shape == "clause":
            del properties["value"]
        return {
            "type": "object",
            "properties": {
                name: {"anyOf": [schema, {"type": "null"}]} for name, schema in properties.items()
            },
            "required": list(properties),
            "additionalProperties": False,
        }


COLD = (
    Question("extract_party", "parties", "list"),
    Question("extract_date", "agreement", "value"),
    Question("extract_clause", "governing_law", "clause"),
    Question("extract_clause", "assignment", "clause"),
)
WARM = (
    Question("extract_date", "effective", "value"),
    Question("extract_date", "expiry", "value"),
    Question("extract_clause", "termination", "clause"),
    Question("extract_clause", "liability_cap", "clause"),
)


@dataclass(frozen=True)
class Task:
    """One question on one contract, whose text is what is shown of it."""

    contract: Contract
    question: Question

    def messages(self, shown: str, salt: str) -> tuple[Message, ...]:
        """The prompt: the document first. A new `salt` makes every document unseen again."""
        content = PROMPT.format(document=shown, question=self.question.text)
        return (Message("system", SYSTEM.format(salt=salt)), Message("user", content))


@dataclass(frozen=True)
class Answered:
    """What came of a task. `values` are the texts of the answer; empty says that there is none.

    `is_whole` says that the answer was finished and parses. Forced tokens cost no decode step.
    `num_generations` is how many answers of a model are behind it.
    `num_cached_tokens` is None where the engine does not tell.
    """

    task: Task
    values: tuple[str, ...]
    quote: str | None
    latency_s: float
    num_prompt_tokens: int = 0
    num_cached_tokens: int | None = None
    num_decoded_tokens: int = 0
    num_forced_tokens: int = 0
    num_generations: int = 1
    is_whole: bool = True


def heads(contracts: Iterable[Contract], num_docs: int) -> list[Contract]:
    """The first 6,000 characters of each contract."""
    cut = [Contract(item.name, item.text[:HEAD_CHARS], item.clauses) for item in contracts]
    return cut[:num_docs]


def wholes(
    contracts: Iterable[Contract], num_docs: int, count_tokens: Callable[[str], int]
) -> list[Contract]:
    """The whole contracts of up to 7,500 tokens."""
    kept = [item for item in contracts if count_tokens(item.text) <= MAX_WHOLE_TOKENS]
    return kept[:num_docs]


def make_tasks(contracts: Sequence[Contract], questions: Sequence[Question]) -> list[Task]:
    """Every question on every contract, a contract's questions side by side."""
    return [Task(contract, question) for contract in contracts for question in questions]


def whole_excerpt(contract: Contract) -> Excerpt:
    """All of a contract's text as passages with sentence boundaries, white space folded."""
    document = Document(contract.name, contract.text, "text/plain")
    regions = [(item.start, item.end, item.boundaries) for item in segment_document(document)]
    passages = read_passages(contract.text, regions).passages
    return Excerpt(passages, (False,) * len(passages))


def sources_of(excerpt: Excerpt) -> tuple[Source, ...]:
    return tuple(passage.as_source() for passage in excerpt.passages)


def read_answer(answer: Mapping[str, Any] | None) -> tuple[tuple[str, ...], str | None]:
    """The values and the quotation of an answer to `Question.schema`."""
    if not isinstance(answer, Mapping):
        return (), None
    quote = answer.get("quote")
    value = answer.get("value") if "value" in answer else quote
    values = value if isinstance(value, list) else [value]
    return tuple(item for item in values if isinstance(item, str) and item.strip()), quote
