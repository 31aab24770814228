"""Who the parties to an agreement are, and by which word it calls each."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.party import PartyFallback, PartyHeuristic
from assay.units.fields import Verbatim
from assay.units.unit import Question, Unit
from assay.units.validators import between, looks_like_a_name, not_blank


class Party(BaseModel):
    name: Verbatim
    role: Verbatim | None = None


class Parties(BaseModel):
    parties: Annotated[
        list[Party] | None,
        Question(
            "Who are the parties to this agreement, and by which defined term is each called?",
            text_zh="本合同的当事人是谁？各方的简称是什么？",
            keywords={
                "by and between": 2.0,
                "between": 1.0,
                "entered into": 1.0,
                "party": 0.5,
                "hereinafter": 1.0,
                "甲方": 2.0,
                "乙方": 2.0,
            },
            head=6.0,
            num_segments=2,
            max_items=6,
            max_found=12,
            max_tokens=320,
            validators=(between(2, 200), looks_like_a_name, not_blank),
            fallbacks=(PartyFallback(), PartyHeuristic()),
        ),
    ] = None


UNIT = Unit(
    name="extract_party",
    summary="The parties to an agreement, each with the term that the text uses for it.",
    output=Parties,
    suits=("contract", "any"),
    triggers=("party", "counterparty", "who signed", "signatory", "当事人", "甲方", "乙方", "各方"),
)
