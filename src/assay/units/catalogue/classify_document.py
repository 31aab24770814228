"""What kind of document this is."""

from typing import Annotated, Literal

from pydantic import BaseModel

from assay.units.chain import RULES_ONLY
from assay.units.fallbacks.document_cues import DOCUMENT_CUES
from assay.units.fallbacks.label_cues import CueFallback
from assay.units.shown import ShownBy
from assay.units.unit import Question, Unit

Kind = Literal[
    "contract",
    "invoice",
    "receipt",
    "email",
    "letter",
    "report",
    "judgment",
    "insurance_claim",
    "resume",
]

#: A label is given however unsure it is: its confidence says so.
_FLOOR = 0.02
_CUES = CueFallback(DOCUMENT_CUES, least=2.0, opening=800)


class DocumentKind(BaseModel):
    kind: Annotated[
        Annotated[Kind, ShownBy(_CUES.show)] | None,
        Question(
            "What kind of document is this?",
            text_zh="这是哪一类文件？",
            head=3.0,
            fallbacks=(_CUES,),
            floor=_FLOOR,
        ),
    ] = None


UNIT = Unit(
    name="classify_document",
    summary="What kind of document this is: a contract, an invoice, a letter …",
    output=DocumentKind,
    chain=RULES_ONLY,
    triggers=("document type", "kind of document", "classify document", "文件类型", "文档类型"),
)
