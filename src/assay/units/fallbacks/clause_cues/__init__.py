"""What the sentences of each kind of clause say: the cues by which `clause.py` knows them."""

from typing import Literal, get_args

from assay.units.fallbacks.clause_cues import business, duties, risk, term
from assay.units.fallbacks.cues import Cues

ClauseKind = Literal[
    "governing_law",
    "termination",
    "renewal",
    "renewal_notice",
    "assignment",
    "liability_cap",
    "confidentiality",
    "liquidated_damages",
    "force_majeure",
    "license_grant",
    "exclusivity",
    "non_compete",
    "minimum_commitment",
    "revenue_sharing",
    "audit_rights",
    "insurance",
]
KINDS: tuple[ClauseKind, ...] = get_args(ClauseKind)
_ALL = {**term.CUES, **risk.CUES, **duties.CUES, **business.CUES}
CUES: dict[ClauseKind, Cues] = {kind: _ALL[kind] for kind in KINDS}
