"""Who issued a receipt, an invoice or a bill."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.issuer import IssuerFallback
from assay.units.fields import Verbatim
from assay.units.unit import Question, Unit
from assay.units.validators import between, looks_like_a_name, not_blank


class Issuer(BaseModel):
    issuer: Annotated[
        Verbatim | None,
        Question(
            "Which company or shop issued this receipt or invoice?",
            text_zh="这张票据由哪家公司或商店开具？",
            keywords={"ltd": 0.5, "sdn bhd": 1.0, "company": 0.5, "有限公司": 1.0, "公司": 0.5},
            head=6.0,
            num_segments=1,
            validators=(between(2, 120), looks_like_a_name, not_blank),
            fallbacks=(IssuerFallback(),),
        ),
    ] = None


UNIT = Unit(
    name="extract_issuer",
    summary="The company or shop that issued a receipt, an invoice or a bill.",
    output=Issuer,
    suits=("invoice", "receipt"),
    triggers=("issuer", "seller", "shop", "merchant", "who issued", "商家", "开票方", "销售方"),
)
