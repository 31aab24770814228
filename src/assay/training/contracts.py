"""Contracts that lawyers marked, as sentences to learn each kind of clause from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.evaluation.base import Place, read_rows
from assay.evaluation.contract_gold import Label, read_label
from assay.evaluation.matching import is_placed
from assay.units.fallbacks.clause_cues import CUES, ClauseKind
from assay.units.fallbacks.clause_features import SentenceFeatures, read_features

#: The kinds that lawyers marked in CUAD, by the name of their label.
LABELS: Mapping[ClauseKind, str] = {
    "governing_law": "Governing Law",
    "termination": "Termination For Convenience",
    "renewal": "Renewal Term",
    "renewal_notice": "Notice Period To Terminate Renewal",
    "assignment": "Anti-Assignment",
    "liability_cap": "Cap On Liability",
    "license_grant": "License Grant",
    "exclusivity": "Exclusivity",
    "non_compete": "Non-Compete",
    "minimum_commitment": "Minimum Commitment",
    "revenue_sharing": "Revenue/Profit Sharing",
    "audit_rights": "Audit Rights",
    "insurance": "Insurance",
}


@dataclass(frozen=True, slots=True)
class Contract:
    """A text and, by kind, what is marked in it."""

    name: str
    text: str
    marked: Mapping[ClauseKind, Label]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that may be of some kind, and whether it is marked."""

    contract: str
    features: SentenceFeatures
    is_marked: bool


def read_contracts(folder: Path) -> list[Contract]:
    """The contracts of `cuad_dev.jsonl`, in the order of the file.

    Raises:
        DocumentNotFoundError: the folder has no such file.
    """
    return [
        Contract(
            row["id"],
            row["text"],
            {
                kind: read_label(row["text"], row["clauses"][label])
                for kind, label in LABELS.items()
            },
        )
        for row in read_rows(folder, "cuad", "dev")
    ]


def sentences_of(contracts: Sequence[Contract], kind: ClauseKind) -> Iterator[Sentence]:
    """All sentences that hold the trigger of a kind. One is marked if it shares half of the shorter
    of itself and a marked passage, wherever the words of that stand."""
    for contract in contracts:
        spans = list(contract.marked[kind].spans)
        for item in read_features(contract.text, CUES[kind]):
            is_marked = is_placed(Place(*item.span), spans)
            yield Sentence(contract.name, item, is_marked)
