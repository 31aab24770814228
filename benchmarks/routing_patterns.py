"""The baseline that the router is measured against: regular expressions for each unit.

Written with care, by the same hands and from the same labelled requests as the router's, and not
from the ones that it is measured on. A unit is meant where its pattern stands in the request; a
comparison or a check takes the place of what it compares or checks.
"""

from __future__ import annotations

import re

from assay.training.unit_dimensions import dimensions_of

_PATTERNS: dict[str, tuple[str, ...]] = {
    "extract_party": (
        r"\bpart(?:y|ies)\b", r"counter-?part", r"signator", r"who (?:signed|is the|are the)",
        r"\b(?:buyer|seller|landlord|tenant|lessor|lessee|licensor|licensee)s? name",
        r"names? of", r"当事人", r"甲方", r"乙方", r"双方", r"各方", r"签约方", r"买方", r"卖方",
        r"主体",
    ),
    "extract_date": (
        r"\bdates?\b", r"\bwhen (?:does|do|did|was|is)\b", r"effective", r"expir", r"start",
        r"\bend(?:s|ing)?\b", r"日期", r"什么时候", r"何时", r"生效", r"到期", r"哪天", r"哪一天",
        r"时间",
    ),
    "extract_clause": (
        r"clause", r"provision", r"section", r"governing law", r"which law", r"jurisdiction",
        r"court", r"terminat", r"liabilit", r"confidential", r"indemn", r"assign", r"renew",
        r"arbitrat", r"dispute", r"non-?compete", r"exclusiv", r"条款", r"适用.*法律", r"管辖",
        r"保密",
        r"解除", r"终止", r"争议", r"约定", r"原文",
    ),
    "extract_currency": (
        r"\bamounts?\b", r"money", r"price", r"\bfees?\b", r"\bcosts?\b", r"\brent\b",
        r"currenc", r"dollar", r"euro", r"\$", r"€", r"金额", r"价格", r"价款", r"费用",
        r"多少钱", r"租金",
        r"币种", r"款项",
    ),
    "extract_percentage": (
        r"percent", r"per cent", r"%", r"interest rate", r"\brates?\b", r"royalt",
        r"commission", r"百分", r"利率", r"比例", r"税率", r"费率",
    ),
    "extract_number": (
        r"how many", r"numbers?\b(?! of the)", r"quantit", r"\bcounts?\b", r"head ?count",
        r"数量", r"数字", r"人数", r"多少(?:人|个|名)",
    ),
    "extract_identifier": (
        r"account number", r"\biban\b", r"\bvat\b", r"tax (?:id|number)",
        r"registration number", r"identifier",
        r"(?:invoice|policy|contract|claim|order|reference) (?:number|no)", r"\bisin\b",
        r"\blei\b", r"账号", r"税号", r"编号", r"号码", r"信用代码", r"身份证", r"保单号", r"账户",
    ),
    "extract_address": (
        r"address", r"where (?:is|are|does|should|do)", r"located", r"registered office", r"地址",
        r"在哪", r"住所", r"坐落", r"什么地方",
    ),
    "extract_total": (
        r"\btotal", r"altogether", r"amount due", r"in all\b", r"bottom line", r"合计", r"总额",
        r"总计", r"总金额", r"一共", r"总共",
    ),
    "extract_deductible": (
        r"deductible", r"\bexcess\b", r"self-insured", r"retention", r"免赔", r"自付",
    ),
    "extract_payment_terms": (
        r"payment", r"\bpa(?:y|id)\b.*\b(?:days|when|due|within)", r"net \d+", r"net days",
        r"when .*\bpa(?:y|id)\b", r"付款", r"支付", r"账期", r"结算",
    ),
    "extract_obligation": (
        r"obligat", r"dut(?:y|ies)", r"obliged", r"\bmust\b.*\bdo\b", r"have to do", r"commit",
        r"responsib", r"required to", r"义务", r"职责", r"必须做", r"应当做", r"不得做",
    ),
    "validate_date_format": (
        r"date format", r"dates? .*(?:format|written|iso|yyyy|dd)",
        r"(?:iso|yyyy|dd/mm).*dates?", r"日期.*(?:格式|写法|写成|形式|规范)",
    ),
    "compare_numeric_range": (
        r"\bbetween\b.*\d", r"exceed",
        r"\b(?:above|below|under|over|at least|at most|less than|more than|within"
        r"|higher than|lower than)\b.*(?:\d|million|thousand|limit|range)",
        r"(?:超过|低于|高于|大于|小于|不少于).*(?:[\d%元万]|限)", r"之间", r"范围",
    ),
    "compare_periods": (
        r"(?:longer|shorter) than", r"which .*(?:longer|shorter)", r"compare .*(?:period|term)",
        r"period.*(?:exceed|versus|vs)", r"长于", r"短于", r"哪个.*(?:长|短)", r"比较.*期",
    ),
    "detect_complaint": (
        r"complain", r"complaint", r"grievance", r"dissatisf", r"unhappy", r"投诉", r"抱怨",
        r"不满",
    ),
    "classify_sentiment": (
        r"sentiment", r"\btone\b", r"\bmood\b", r"positive", r"negative", r"\bfeel", r"angry",
        r"情绪", r"情感", r"语气", r"态度", r"正面", r"负面",
    ),
    "classify_document": (
        r"(?:kind|type|sort|category) of (?:document|file|paper)",
        r"(?:doc|document|file) type", r"classify .*document", r"what .*document is", r"文件类型",
        r"文档类型", r"什么文件", r"哪类", r"什么类型",
    ),
    "check_statement": (
        r"is it (?:true|correct|right)", r"true or false", r"verify (?:that|the)",
        r"does the .* (?:say|allow|forbid|permit|prohibit|require)", r"\bstatement\b",
        r"^(?:may|can) the", r"confirm", r"是否属实", r"说法", r"核实", r"允许", r"禁止",
    ),
}  # fmt: skip
_COMPILED = {
    name: re.compile("|".join(patterns), re.IGNORECASE) for name, patterns in _PATTERNS.items()
}
#: Where the first is meant, the others are what it works on.
_INSTEAD = {
    "compare_numeric_range": {
        "extract_currency", "extract_percentage", "extract_number", "extract_total",
        "extract_deductible",
    },
    "compare_periods": {"extract_date", "compare_numeric_range", "extract_clause"},
    "validate_date_format": {"extract_date", "check_statement"},
    "check_statement": {"extract_clause", "extract_obligation", "extract_date"},
    "extract_payment_terms": {"extract_date"},
    "extract_total": {"extract_currency"},
    "extract_identifier": {"extract_number"},
    "classify_document": {"extract_clause"},
}  # fmt: skip


def route_by_patterns(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Units and dimensions; none if nothing matches."""
    found = {name for name, pattern in _COMPILED.items() if pattern.search(text)}
    for name in sorted(found):
        if name in found:
            found -= _INSTEAD.get(name, set())
    units = tuple(sorted(found))
    return units, dimensions_of(units)
