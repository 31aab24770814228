"""The plain words of each kind of clause, and how often the sentence with most of them was it."""

from __future__ import annotations

from assay.units.fallbacks.clause_cues import ClauseKind

PLAIN_WORDS: dict[ClauseKind, tuple[str, ...]] = {
    "governing_law": ("governed", "laws of", "law", "construed", "jurisdiction", "法律", "管辖"),
    "termination": (
        "terminate",
        "terminated",
        "notice",
        "at any time",
        "either party",
        "解除",
        "终止",
    ),
    "renewal": ("renew", "renewal", "automatically", "successive", "term", "extend", "续"),
    "renewal_notice": ("renew", "notice", "days", "prior", "unless", "expiration", "续", "通知"),
    "assignment": ("assign", "transfer", "consent", "neither party", "rights", "转让", "同意"),
    "liability_cap": ("liable", "liability", "damages", "exceed", "consequential", "责任", "赔偿"),
    "confidentiality": ("confidential info", "confidence", "disclos", "third part", "保密", "披露"),
    "liquidated_damages": (
        "liquidated damages",
        "penalty",
        "late",
        "delay",
        "违约金",
        "逾期",
        "支付",
    ),
    "force_majeure": ("force majeure", "control", "act of god", "delay", "不可抗力"),
    "license_grant": ("grant", "license", "licence", "non-exclusive", "use", "许可", "授予"),
    "exclusivity": ("exclusive", "sole", "exclusively", "territory", "appoint", "独家", "排他"),
    "non_compete": ("compete", "competi", "similar", "shall not", "during", "竞争", "同类"),
    "minimum_commitment": (
        "minimum",
        "at least",
        "less than",
        "purchase",
        "annual",
        "最低",
        "不少于",
    ),
    "revenue_sharing": ("revenue", "royalt", "percent", "%", "net sales", "profit", "分成", "佣金"),
    "audit_rights": ("audit", "inspect", "records", "books", "right to", "审计", "查阅", "检查"),
    "insurance": ("insurance", "insured", "coverage", "policy", "per occurrence", "保险", "投保"),
}
#: On contracts read by lawyers; for kinds that they did not label, estimates.
PRECISION: dict[ClauseKind, float] = {
    "governing_law": 0.8,
    "termination": 0.35,
    "renewal": 0.35,
    "renewal_notice": 0.3,
    "assignment": 0.75,
    "liability_cap": 0.7,
    "confidentiality": 0.45,
    "liquidated_damages": 0.4,
    "force_majeure": 0.5,
    "license_grant": 0.5,
    "exclusivity": 0.3,
    "non_compete": 0.2,
    "minimum_commitment": 0.3,
    "revenue_sharing": 0.2,
    "audit_rights": 0.4,
    "insurance": 0.5,
}
