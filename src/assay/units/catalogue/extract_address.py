"""The postal address that a document gives first: on a receipt or a letter, its issuer's."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.address import AddressFallback
from assay.units.fields import Verbatim
from assay.units.unit import Question, Unit
from assay.units.validators import between, not_blank


class Address(BaseModel):
    address: Annotated[
        Verbatim | None,
        Question(
            "What is the postal address at the head of this document?",
            text_zh="文首的地址是什么？",
            keywords={
                "address": 2.0,
                "street": 1.0,
                "road": 1.0,
                "jalan": 1.0,
                "located at": 1.5,
                "place of business": 1.5,
                "地址": 2.0,
                "路": 0.5,
                "号": 0.5,
            },
            head=4.0,
            num_segments=2,
            validators=(between(8, 300), not_blank),
            fallbacks=(AddressFallback(),),
        ),
    ] = None


UNIT = Unit(
    name="extract_address",
    summary="The postal address at the head of a receipt, a bill or a letter.",
    output=Address,
    suits=("invoice", "receipt"),
    triggers=("address", "where", "地址", "住所"),
)
