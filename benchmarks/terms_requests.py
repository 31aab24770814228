"""Requests in the jargon of trades, each with the unit that it means.

Written for this measurement, by who wrote the starter glossary; the glossary does not have all of
the words. A request is understood if its unit is chosen with at most one other.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.analysis.choosing import unit_triggers
from assay.routing import Router
from assay.terms import Glossary

MAX_OTHERS = 1

REQUESTS: tuple[tuple[str, str], ...] = (
    ("What is the SIR on this policy?", "extract_deductible"),
    ("Show the self-insured retention", "extract_deductible"),
    ("how big is the policy excess", "extract_deductible"),
    ("first-loss retention, please", "extract_deductible"),
    ("insured's own share of each claim", "extract_deductible"),
    ("is there a compulsory excess?", "extract_deductible"),
    ("underlying retention per occurrence", "extract_deductible"),
    ("what do we bear ourselves of each loss?", "extract_deductible"),
    ("找出自负额", "extract_deductible"),
    ("起赔额是多少", "extract_deductible"),
    ("起付线怎么规定", "extract_deductible"),
    ("自付比例写了多少", "extract_deductible"),
    ("本保单的自留额", "extract_deductible"),
    ("proper law of the contract?", "extract_clause"),
    ("lex causae", "extract_clause"),
    ("find the applicable law", "extract_clause"),
    ("is there a break option for the tenant?", "extract_clause"),
    ("can they walk away for convenience?", "extract_clause"),
    ("any walk-away right", "extract_clause"),
    ("does it roll over: evergreen provision?", "extract_clause"),
    ("tacit reconduction", "extract_clause"),
    ("LoL in this MSA", "extract_clause"),
    ("what is the cap on liability", "extract_clause"),
    ("exposure cap of the supplier", "extract_clause"),
    ("secrecy obligation of the recipient", "extract_clause"),
    ("NDA terms", "extract_clause"),
    ("vis major wording", "extract_clause"),
    ("FM event definition", "extract_clause"),
    ("any restrictive covenant on the founder", "extract_clause"),
    ("covenant not to compete", "extract_clause"),
    ("is there a take-or-pay", "extract_clause"),
    ("MOQ per quarter", "extract_clause"),
    ("rev share with the publisher", "extract_clause"),
    ("anti-assignment provision", "extract_clause"),
    ("tied supply arrangement", "extract_clause"),
    ("books and records inspection", "extract_clause"),
    ("准据法是哪国法", "extract_clause"),
    ("有没有竞业限制", "extract_clause"),
    ("提前解约怎么约定", "extract_clause"),
    ("能否债权让与", "extract_clause"),
    ("自动续约吗", "extract_clause"),
    ("天灾人祸如何处理", "extract_clause"),
    ("排他性合作约定", "extract_clause"),
    ("查账权", "extract_clause"),
    ("LDs per week of delay", "extract_penalty"),
    ("delay damages", "extract_penalty"),
    ("agreed damages for late delivery", "extract_penalty"),
    ("demurrage per day", "extract_penalty"),
    ("逾期罚息怎么算", "extract_penalty"),
    ("罚则", "extract_penalty"),
    ("commencement date", "extract_date"),
    ("long-stop date?", "extract_date"),
    ("drop-dead date for closing", "extract_date"),
    ("entry into force", "extract_date"),
    ("合同届满是什么时候", "extract_date"),
    ("签署日", "extract_date"),
    ("net 60 or net 90?", "extract_payment_terms"),
    ("settlement terms", "extract_payment_terms"),
    ("credit terms offered", "extract_payment_terms"),
    ("结算周期", "extract_payment_terms"),
    ("结款安排", "extract_payment_terms"),
    ("contracting party on the other side", "extract_party"),
    ("who is in the execution block", "extract_party"),
    ("names of the undersigned", "extract_party"),
    ("签约主体是谁", "extract_party"),
    ("缔约方名称", "extract_party"),
    ("coupon of the notes", "extract_percentage"),
    ("accrual rate", "extract_percentage"),
    ("票息多少", "extract_percentage"),
    ("registered office of the borrower", "extract_address"),
    ("principal place of business", "extract_address"),
    ("送达地点", "extract_address"),
    ("VRN of the supplier", "extract_identifier"),
    ("纳税人识别号", "extract_identifier"),
    ("收款账户", "extract_identifier"),
    ("vendor on the bill of sale", "extract_issuer"),
    ("销货单位", "extract_issuer"),
    ("balance due on this one", "extract_total"),
    ("sum payable", "extract_total"),
    ("应付总额", "extract_total"),
    ("positive covenants of the borrower", "extract_obligation"),
    ("履约责任有哪些", "extract_obligation"),
    ("all-in price per unit", "extract_currency"),
    ("合同总价", "extract_currency"),
    ("was there shoplifting or pickpocketing?", "extract_theft"),
    ("扒窃还是入户行窃", "extract_theft"),
    ("letter before action?", "detect_complaint"),
    ("客诉内容", "detect_complaint"),
    ("formal demand in the letter", "detect_request"),
    ("犯罪数额一共多少", "sum_amounts"),
    ("date of invoice", "extract_issue_date"),
    ("出票日", "extract_issue_date"),
)


def understood(router: Router, glossary: Glossary | None) -> Iterator[tuple[str, str, bool]]:
    """Each request, its unit, and whether it was chosen, read as `Analyzer` does."""
    triggers = unit_triggers()
    for request, unit in REQUESTS:
        read, named = (request, ()) if glossary is None else glossary.explain(request)
        chosen = router.route(read, triggers, terms=named).unit_names
        yield request, unit, unit in chosen and len(chosen) <= 1 + MAX_OTHERS


def trigger_accuracy(router: Router, glossary: Glossary | None) -> float:
    """The share of requests that are understood, in percent."""
    right = [is_right for _, _, is_right in understood(router, glossary)]
    return 100 * sum(right) / len(right)
