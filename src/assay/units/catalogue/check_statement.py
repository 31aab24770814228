"""Whether a document entails a statement, contradicts it, or does not mention it."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.statement import StatementFallback, Verdict
from assay.units.fields import Clause
from assay.units.shown import ShownBy, whole_sentence
from assay.units.unit import Question, Unit

#: A label is given however unsure it is: its confidence says so.
_FLOOR = 0.02


class Arguments(BaseModel):
    """`statement` is one sentence."""

    statement: str


class Check(BaseModel):
    """`evidence` is the sentence that says most of the statement."""

    verdict: Annotated[Verdict, ShownBy(whole_sentence)]
    evidence: Clause


class Checks(BaseModel):
    check: Annotated[
        Check | None,
        Question(
            "Does the text say that: $statement? Copy the sentence that says so, or otherwise.",
            text_zh="文中是否说明：$statement？请抄录相关句子。",
            keywords_from=("statement",),
            fallbacks=(StatementFallback(),),
            floor=_FLOOR,
        ),
    ] = None


UNIT = Unit(
    name="check_statement",
    summary="Whether a statement is entailed, contradicted or not mentioned, with the sentence.",
    output=Checks,
    arguments=Arguments,
    triggers=("check", "verify", "is it true", "核对", "核实"),
)
