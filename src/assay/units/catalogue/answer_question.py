"""Answers a question on a report: words and figures quoted, or a number computed from them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel

from assay.units.derived import Derived, DerivedLeaf
from assay.units.fallbacks.operations import Operation, compute
from assay.units.fallbacks.question_answer import QuestionFallback
from assay.units.fields import Verbatim
from assay.units.unit import Question, Unit


class Arguments(BaseModel):
    """`question` is in English or Chinese."""

    question: str


class Answer(Derived):
    """Either `spans` are the answer, or `number` is, computed from `operands`. `scale` is that of
    the figures, where the document gives it apart from them."""

    operation: Operation
    spans: list[Verbatim]
    operands: list[Verbatim]
    scale: Literal["thousand", "million", "billion", "percent"] | None = None
    number: Annotated[str | None, DerivedLeaf()] = None

    @classmethod
    def derive(cls, value: Mapping[str, Any]) -> Mapping[str, Any]:
        if value["operation"] == "quote":
            return {"number": None}
        return {"number": compute(value["operation"], value["operands"])}


class Answers(BaseModel):
    answer: Annotated[
        Answer | None,
        Question(
            "$question",
            text_zh="$question",
            keywords_from=("question",),
            fallbacks=(QuestionFallback(),),
            floor=0.1,
        ),
    ] = None


UNIT = Unit(
    name="answer_question",
    summary="The answer to a question: words quoted, or a number computed from figures quoted.",
    output=Answers,
    arguments=Arguments,
    triggers=("question", "问题"),
)
