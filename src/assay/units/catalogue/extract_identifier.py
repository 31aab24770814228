"""The identifiers that a document names: of accounts, companies, securities and people."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.identifier import IdentifierFallback
from assay.units.fields import Identifier
from assay.units.unit import Question, Unit
from assay.units.validators import not_blank


class Identifiers(BaseModel):
    identifiers: Annotated[
        list[Identifier] | None,
        Question(
            "Which account, company or tax numbers does this text name?",
            text_zh="文中提到哪些账号、统一社会信用代码或证件号码？",
            keywords={
                "IBAN": 3.0,
                "LEI": 2.0,
                "ISIN": 2.0,
                "VAT": 2.0,
                "account": 1.0,
                "registration": 1.0,
                "identifier": 1.0,
                "信用代码": 3.0,
                "账号": 2.0,
                "身份证": 2.0,
                "税号": 2.0,
            },
            num_segments=4,
            max_items=8,
            max_tokens=200,
            validators=(not_blank,),
            fallbacks=(IdentifierFallback(),),
        ),
    ] = None


UNIT = Unit(
    name="extract_identifier",
    summary="Account, company, security and tax numbers, with their check digits tested.",
    output=Identifiers,
    suits=("invoice", "insurance_claim", "any"),
    triggers=(
        "identifier",
        "iban",
        "lei",
        "isin",
        "vat number",
        "tax number",
        "account number",
        "信用代码",
        "账号",
        "税号",
        "身份证",
    ),
)
