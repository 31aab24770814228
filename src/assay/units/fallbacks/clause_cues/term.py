"""Cues of clauses on how long an agreement runs: its end, its renewal, notice against it."""

from assay.units.fallbacks.cues import Cues, make_cues

CUES: dict[str, Cues] = {
    "termination": make_cues(
        r"terminat|cancel|解除|终止",
        r"terminat|cancellation|解除|终止",
        (
            2.0,
            r"\b(?:may|right\s+to|entitled\s+to|option\s+to)\b[^.;]{0,120}\b(?:terminate|cancel)\b",
        ),
        (
            2.5,
            r"\b(?:terminat|cancel)\w*\b[^;]{0,220}\b(?:without\s+(?:\w+\s+){0,2}(?:cause|reason)"
            r"|for\s+convenience|(?:for\s+)?any\s+(?:or\s+no\s+)?reason"
            r"|no\s+reason|at\s+(?:any\s+time|will)|with\s+or\s+without\s+cause"
            r"|sole\s+(?:and\s+absolute\s+)?discretion|convenience)",
        ),
        (
            1.5,
            r"\b(?:at\s+any\s+time|for\s+convenience|without\s+cause"
            r"|for\s+any\s+reason)\b[^;]{0,120}\b(?:terminat|cancel)",
        ),
        (
            1.0,
            r"\b(?:days?|months?|weeks?)\W{0,4}\s+(?:\w+\s+){0,2}(?:written\s+|advance\s+)?notice",
        ),
        (
            3.5,
            r"\b(?:until\s+(?:\w+\s+)?terminated|termination)\s+by\s+(?:either|any|a|one)\b"
            r"|\b(?:desires?|wishes|elects?)\s+to\s+(?:terminate|cancel)\b",
        ),
        (-1.5, r"\bmutual(?:ly)?\b"),
        # For cause after all, or the effects of an end.
        (
            -2.5,
            r"\bat\s+any\s+time\b[^;]{0,140}\b(?:if\b|in\s+the\s+event|upon\s+the\s+occurrence"
            r"|for\s+cause)",
        ),
        (
            -3.0,
            r"\bterminations?\s+(?:\w+\s+\w+\s+)?of\b[^.;]{0,140}\bfor\s+any\s+(?:or\s+no\s+)?reason",
        ),
        (1.0, r"\b(?:this|the)\s+(?:\w+\s+)?agreement\b"),
        (0.5, r"\b(?:either|each|both)\s+part(?:y|ies)\b"),
        (
            -0.5,
            r"\bbreach|\bdefault|bankrupt|insolven|\bfail(?:s|ure|ed)?\b|\bforce\s+majeure"
            r"|change\s+(?:of|in)\s+control|\bviolat",
        ),
        (
            -2.0,
            r"\b(?:upon|after|following|event\s+of|effect\s+of|date\s+of"
            r"|in\s+connection\s+with)\s+(?:\w+\s+){0,4}(?:termination|expiration)",
        ),
        # What is renewed, or survives, unless the sentence first gives a right to end.
        (-3.0, r"\brenew|\A(?!.{0,400}\bmay\b[^.;]{0,60}\bterminate).*?\bsurviv"),
        (
            -3.0,
            r"\bterminat\w*\s+(?:\w+\s+){0,2}(?:employment|relationship|discussions|negotiations"
            r"|access|use)\b",
        ),
        (0.5, r"\bmay\s+be\s+(?:terminated|cancell?ed)\b"),
        (-2.0, r"\bpurchase\s+order\b"),
        (3.0, r"(?:有权|可以?|均可)[^。；]{0,20}(?:解除|终止)|(?:解除|终止)(?:本)?(?:合同|协议)"),
        (1.0, r"提前[^。；]{0,12}(?:通知|书面)"),
        (1.0, r"(?:任何|任意|一|双)方[^。；]{0,40}(?:解除|终止)"),
        (-1.0, r"逾期|不可抗力"),
        (-3.0, r"(?:解除|终止)后|继续有效"),
    ),
    "renewal": make_cues(
        r"\brenew|\bexten[ds]|\b(?:month|year)[\s-]+to[\s-]+(?:month|year)\b|续签|续期|续展|续约|顺延|延续",
        r"renew|extension|\bterm\b|续签|续期|期限",
        (
            3.0,
            r"(?:\b(?:automatic(?:ally)?|shall|will|may|be)\b[^.;]{0,60}|\b(?:agreement|contract|lease"
            r"|term|it)\s+(?:then\s+|automatically\s+)?)\b(?:renew|extend)(?:s|ed|al|als)?\b[^.;]{0,160}\b(?:successive|additional|further|consecutive|periods?"
            r"|terms?|years?|months?|year-to-year|annual)",
        ),
        (2.5, r"\b(?:option|right)s?\b[^.;]{0,60}\b(?:renew|extend)"),
        (1.5, r"\bautomatic(?:ally)?\b"),
        (1.0, r"\brenewal\s+(?:term|period)s?\b|\brenewals?\b"),
        (1.0, r"\b(?:this|the)\s+(?:\w+\s+)?agreement\b|\b(?:initial\s+)?term\b"),
        (0.5, r"\bsuccessive\b|\bunless\b"),
        (
            -2.5,
            r"\bextend(?:s|ed)?\s+(?:to|beyond)\b|\bextent\b|\bextended\s+warrant|\bcredit\b"
            r"|\binsurance\b|\bwarranty\b|\bdelivery\b",
        ),
        (-2.5, r"\brestrict\w*|\b(?:obligations?|protections?)\b[^.;]{0,80}\bextend"),
        (-1.5, r"\bpayment\b|\bdeadline\b|\bdomain\b"),
        (-3.0, r"\bamended\b|\bmodified\b"),
        (-2.0, r"\bnot\s+(?:to\s+)?renew\b[^;]{0,60}\bproduct"),
        (
            5.0,
            r"\bmonth[\s-]+to[\s-]+month\b|\byear[\s-]+to[\s-]+year\b"
            r"|\b(?:\w+[\s-]+)?renewable\b[^.;]{0,60}\b(?:terms?|periods?|years?)\b",
        ),
        (3.5, r"(?:续签|续期|续展|续约|自动延续|自动顺延|自动延长)"),
        (-2.5, r"顺延(?:付款|交付|履行)"),
    ),
    "renewal_notice": make_cues(
        r"\brenew|\bexten[ds]|\b(?:month|year)[\s-]+to[\s-]+(?:month|year)\b|\bexpir\w+\s+of\s+the\b|续签|续期|续展|续约|顺延|延续|期满|届满",
        r"renew|extension|\bterm\b|续签|续期|期限",
        (
            3.0,
            r"\brenew\w*\b[^;]{0,300}\b(?:notice|notif\w+|notification|request\w*)\b[^;]{0,200}\b(?:days?|months?)\b",
        ),
        (
            2.5,
            r"\b(?:unless|provided|until)\b[^;]{0,120}\b(?:days?|months?)\b[^;]{0,80}\b(?:prior|before|notice)",
        ),
        (
            2.0,
            r"\b(?:days?|months?)\W{0,3}\s+(?:\w+\s+){0,3}(?:prior|before|in\s+advance)\b[^;]{0,120}\b(?:end|expir\w+|anniversary|renewal|term)\b",
        ),
        (
            1.5,
            r"\b(?:not\s+(?:to\s+)?(?:renew|be\s+renewed|extend)|non-?renewal|intent(?:ion)?\s+(?:not\s+)?to)\b",
        ),
        (1.0, r"\bautomatic(?:ally)?\b"),
        (-2.0, r"\bbreach|\bdefault\b|\binsurance\b|\bproduct\s+line"),
        (4.0, r"(?:期满|届满|到期)[^。；]{0,30}(?:日|天|月)[^。；]{0,40}(?:通知|书面)"),
        (
            2.0,
            r"(?:提前|前)[^。；]{0,20}(?:日|天|月)[^。；]{0,30}(?:通知|书面)[^。；]{0,40}(?:不再续|不续|续签|续期|续约)",
        ),
        (1.0, r"续签|续期|续展|续约|顺延"),
    ),
}
