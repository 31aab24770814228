"""The identifiers that a document names, by form, check digits and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.normalize.identifier import find_identifiers
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans

# How many strings of the form pass by chance: 1 in 97 (ISO 7064), 31, 11, or 10 (Luhn).
_SCORES = {
    "iban": 0.98,
    "lei": 0.98,
    "credit_code": 0.97,
    "resident_id": 0.9,
    "vat": 0.9,
    "isin": 0.9,
}
_SCORE_WRONG = 0.8


@dataclass(frozen=True, slots=True)
class IdentifierFallback:
    """Finds identifiers, each distinct one once; those whose check digits are right first."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        seen: set[str] = set()
        found: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            for mention in find_identifiers(document_text[start:end]):
                value = mention.values[0]
                if value.value in seen:
                    continue
                seen.add(value.value)
                score = _SCORES[value.kind] if value.valid else _SCORE_WRONG
                found.append(Candidate(start + mention.start, start + mention.end, score))
        return rank(found)
