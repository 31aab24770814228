"""CUAD: real contracts with lawyers' labels, 18 of its 41 types (CC BY 4.0).

Rows: `text`, and `clauses[label] = {answer, spans: [{start, end, text}]}`. The words of a span may
stand at several places, each of which counts as evidence.

- Dates, the governing law and the parties are values: right if the value is the lawyers' `answer`,
  and the evidence stands where they marked it.
- All else is a passage: how well the quotation covers it is measured in characters (overlap F1,
  from 0 to 1 for each contract). Whole spans would have been either too hard (one sentence of a
  marked paragraph earns nothing) or too easy (a page that holds the sentence earns all), and would
  depend on how lawyers cut their passages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.documents import Document
from assay.evaluation.base import (
    Ask,
    Case,
    Counts,
    Finding,
    PlainQuestion,
    read_rows,
    text_document,
)
from assay.evaluation.contract_dates import judge_date
from assay.evaluation.contract_gold import Label, read_label
from assay.evaluation.contract_names import judge_law, judge_parties
from assay.evaluation.matching import overlap_f1


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT = {"type": "string"}
_DATE = {"anyOf": [_object(iso={"type": "string", "format": "date"}), {"type": "null"}]}
_LAW = {"anyOf": [_object(jurisdiction=_TEXT), {"type": "null"}]}
_PARTIES = {"type": ["array", "null"], "items": _object(name=_TEXT), "minItems": 1, "maxItems": 8}
_PASSAGE = {"type": "string", "maxLength": 500}
_PASSAGES = {"type": ["array", "null"], "items": _PASSAGE, "minItems": 1, "maxItems": 3}

#: Label -> unit, its field, and the question for a baseline.
LABELS: Mapping[str, tuple[str, str, PlainQuestion]] = {
    "Parties": (
        "extract_party",
        "parties",
        PlainQuestion("Who are the parties to this contract (full names)?", _PARTIES),
    ),
    "Agreement Date": (
        "extract_date",
        "agreement",
        PlainQuestion("On what date was this contract made or signed?", _DATE),
    ),
    "Effective Date": (
        "extract_date",
        "effective",
        PlainQuestion("On what date does this contract take effect?", _DATE),
    ),
    "Expiration Date": (
        "extract_date",
        "expiry",
        PlainQuestion("On what date does the initial term of this contract end?", _DATE),
    ),
    "Governing Law": (
        "extract_clause",
        "governing_law",
        PlainQuestion("The law of which state or country governs this contract?", _LAW),
    ),
    **{
        label: ("extract_clause", field, PlainQuestion(f"Quote {what}, word by word.", _PASSAGES))
        for label, field, what in (
            ("Document Name", "document_name", "the name of this contract"),
            ("Renewal Term", "renewal", "what says how this contract is renewed or extended"),
            (
                "Notice Period To Terminate Renewal",
                "renewal_notice",
                "what says how long before the end notice must be given to stop a renewal",
            ),
            ("Exclusivity", "exclusivity", "what makes this contract or a right in it exclusive"),
            ("Non-Compete", "non_compete", "what restricts a party from competing"),
            (
                "Termination For Convenience",
                "termination",
                "what lets a party terminate this contract without cause",
            ),
            ("Anti-Assignment", "assignment", "what says whether this contract may be assigned"),
            (
                "Minimum Commitment",
                "minimum_commitment",
                "what sets a minimum amount or quantity to be bought or paid",
            ),
            ("License Grant", "license_grant", "what grants a licence"),
            ("Audit Rights", "audit_rights", "what lets a party audit books, records or premises"),
            ("Cap On Liability", "liability_cap", "what limits the liability of a party"),
            ("Insurance", "insurance", "what requires a party to keep insurance"),
            (
                "Revenue/Profit Sharing",
                "revenue_sharing",
                "what requires revenue or profit to be shared",
            ),
        )
    },
}
_STARTS = ("Effective Date", "Agreement Date")


class Cuad:
    name = "cuad"

    def read(self, folder: Path, split: str) -> Iterator[Case]:
        for row in read_rows(folder, self.name, split):
            text = row["text"]
            gold = {label: read_label(text, entry) for label, entry in row["clauses"].items()}
            asks = tuple(
                Ask(field, unit, (label, gold), plain=plain)
                for label, (unit, field, plain) in LABELS.items()
                if label in gold
            )
            yield Case(row["id"], "en", text_document(row["id"], text), asks)

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:
        labels: Mapping[str, Label]
        label, labels = ask.gold
        gold = labels[label]
        if label == "Parties":
            return judge_parties(gold, finding, document)
        if label == "Governing Law":
            return judge_law(gold, finding)
        if label.endswith(" Date"):
            starts = [labels[name] for name in _STARTS if label == "Expiration Date"]
            return judge_date(gold, starts, finding)
        answered = finding.value is not None
        if not answered or not gold.passages:
            return Counts(0, int(answered), int(bool(gold.passages)))
        return Counts(overlap_f1(finding.places, gold.passages), 1, 1)


SET = Cuad()
