"""The work of the KV benchmark: contracts, the questions with gold, and prompts that differ in
what of the document they hold.

A question's constraint, and what may be copied, are the product's own (`units.sources`), whatever
the prompt holds. Another *wording* of a question has another prompt from the question on, so that
a document can be known to the cache and the question new.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from assay.analysis.plan import Plan, make_plan
from assay.documents import read_document
from assay.models.tokenizer import Tokenizer
from assay.types import JsonConstraint, Message
from assay.units import Task, Unit, UnitField, get_unit
from assay.units.excerpt import Excerpt, read_passages
from assay.units.sources import make_offer
from benchmarks.cuad import LABELS, Contract

#: What a question begins with in its second, third, … wording; the first is the catalogue's.
WORDINGS = ("", "Look closely. ", "Read again. ", "Think of the text above. ")
MAX_GOLD_TOKENS = 64


@dataclass(frozen=True)
class Question:
    """A field of the catalogue that CUAD has a label for."""

    unit: Unit
    field: UnitField

    @property
    def key(self) -> tuple[str, str]:
        return self.unit.name, self.field.name

    def worded(self, wording: int) -> UnitField:
        """The field with its question in another wording."""
        question = self.field.question
        text = WORDINGS[wording % len(WORDINGS)] + question.text
        return replace(self.field, question=replace(question, text=text))


def all_questions() -> tuple[Question, ...]:
    """Every field with gold."""
    return tuple(Question(get_unit(unit), get_unit(unit).fields[name]) for unit, name in LABELS)


@dataclass(frozen=True)
class Reading:
    """A contract, cut and indexed, with a prompt that holds all of it that fits a model."""

    contract: Contract
    plan: Plan
    whole: Excerpt

    def chosen_messages(self, question: Question, wording: int = 0) -> tuple[Message, ...]:
        """The product's prompt: the passages that the question needs."""
        return question.unit.messages(
            question.worded(wording), self.chosen(question), chinese=self.plan.is_chinese
        )

    def whole_messages(self, question: Question, wording: int = 0) -> tuple[Message, ...]:
        """The same words around the whole document."""
        return question.unit.messages(
            question.worded(wording), self.whole, chinese=self.plan.is_chinese
        )

    def chosen(self, question: Question) -> Excerpt:
        """The passages that a question needs; none if nothing in them can be copied."""
        excerpt, _ = self.plan.excerpt_for(question.field)
        return make_offer(question.field, excerpt).excerpt

    @cached_property
    def asked(self) -> tuple[Question, ...]:
        """The questions that reach a model: those with something to copy."""
        return tuple(question for question in all_questions() if self.chosen(question).passages)

    def constraint(self, question: Question) -> JsonConstraint:
        """What the product lets a model write."""
        excerpt, _ = self.plan.excerpt_for(question.field)
        offer = make_offer(question.field, excerpt)
        return JsonConstraint(
            question.field.schema, tuple(item.as_source() for item in offer.sources)
        )

    def gold(self, question: Question) -> str | None:
        """The first gold quotation, white space folded; None if there is none."""
        spans = self.contract.gold_spans(LABELS[question.key])
        if not spans:
            return None
        return " ".join(self.contract.text[slice(*spans[0])].split()) or None


def read_contract(
    contract: Contract, tokenizer: Tokenizer, max_model_len: int, questions: Sequence[Question]
) -> Reading:
    """The contract with as many of its passages, from the first on, as leave room for every
    question and its answer in `max_model_len` tokens."""
    document = read_document(contract.text.encode(), name="contract.txt")
    units = {question.unit.name: question.unit for question in questions}
    plan = make_plan(document, [Task(item) for item in units.values()])
    regions = [(item.start, item.end, item.boundaries) for item in plan.segments]
    passages = read_passages(document.text, regions).passages
    whole = Excerpt(passages, (False,) * len(passages))
    rooms = []
    for question in questions:
        for wording in range(len(WORDINGS)):
            messages = question.unit.messages(
                question.worded(wording), whole.only([False] * len(whole.passages)), chinese=False
            )
            num_around = len(tokenizer.encode_chat(messages))
            num_written = max(question.field.question.max_tokens, 2 * MAX_GOLD_TOKENS)
            rooms.append(max_model_len - num_around - num_written)
    return Reading(contract, plan, cut(whole, min(rooms), tokenizer.count))


def cut(excerpt: Excerpt, num_tokens: int, count_tokens: Callable[[str], int]) -> Excerpt:
    """The passages from the first on that take up to `num_tokens` tokens, line breaks counted."""
    kept = []
    for passage in excerpt.passages:
        num_tokens -= count_tokens(passage.text) + 1
        kept.append(num_tokens >= 0)
    return excerpt.only(kept)
