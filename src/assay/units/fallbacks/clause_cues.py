"""What the sentences of each kind of clause say: the cues by which `clause.py` knows them."""

from __future__ import annotations

from typing import Literal

from assay.units.fallbacks.cues import Cues, make_cues

ClauseKind = Literal[
    "governing_law",
    "termination",
    "confidentiality",
    "assignment",
    "liability_cap",
    "liquidated_damages",
    "force_majeure",
    "renewal",
]


CUES: dict[ClauseKind, Cues] = {
    "governing_law": make_cues(
        r"\blaws?\b|法律|法规",
        r"governing\s+law|applicable\s+law|choice\s+of\s+law|governed\s+by|适用法律|法律适用"
        r"|争议解决",
        (3.0, r"\bgoverned\b[^.;]{0,160}\blaws?\b"),
        (2.0, r"\b(?:construed|interpreted|enforced|enforceable)\b[^.;]{0,160}\blaws?\b"),
        (
            1.5,
            r"\b(?:construed|interpreted)\b[^.;]{0,60}\b(?:accordance\s+with|according\s+to|under|by)"
            r"\s+(?:the\s+)?(?:\w+\s+){0,2}laws?\s+of\b",
        ),
        (2.0, r"\blaws?\b[^.;]{0,120}\b(?:shall|will)\s+(?:govern|apply|control)"),
        (3.0, r"\blaws\s+of\b[^;]{0,160}\bgoverns?\b"),
        (2.0, r"\b(?:interpretation|construction|remedies)\b[^.;]{0,160}\blaws?\b"),
        (
            1.0,
            r"\bthis\s+(?:\w+\s+)?(?:agreement|contract|lease|note|confirmation)\b|\bagreement\b",
        ),
        (0.5, r"\blaws\s+of\b"),
        (-3.0, r"\b(?:organi[sz]ed|incorporated|existing|formed)\b[^.;]{0,60}\bunder\s+the\s+laws"),
        (-1.5, r"\bcomply\b|\bcompliance\b|\bviolat"),
        (
            4.0,
            r"适用[^。；]{0,30}法律|受[^。；]{0,30}法律[^。；]{0,10}(?:管辖|约束|保护)"
            r"|依照[^。；]{0,30}法律[^。；]{0,10}解释",
        ),
    ),
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
    "confidentiality": make_cues(
        r"confiden|disclos|secre|保密|秘密",
        r"confiden|non-?\s?disclosure|proprietary\s+information|secrecy|保密",
        (
            3.0,
            r"\b(?:shall|will|must|agrees?|undertakes?)\b[^.;]{0,120}\b(?:keep|hold|maintain"
            r"|treat|retain|preserve)\b[^.;]{0,120}\b(?:confiden|secre|strict)",
        ),
        (
            2.5,
            r"\b(?:shall|will|agrees?|may"
            r"|must)\s+(?:that\s+\w+\s+\w+\s+)?not\b[^.;]{0,100}\b(?:disclose|divulge|reveal"
            r"|publish)",
        ),
        (1.0, r"\bconfidential\s+information\b|\bproprietary\s+information\b"),
        (0.5, r"\b(?:each|either|neither|receiving|recipient)\s+party\b|\bthird\s+part"),
        (0.5, r"\bprior\s+written\s+consent\b|\bexcept\b"),
        (
            2.0,
            r"\bnot\s+(?:to\s+)?(?:\w+\s+or\s+)?(?:disclose|divulge|reveal)\b"
            r"|\b(?:agrees?|undertakes?)\s+to\s+(?:keep|hold|treat|maintain|preserve)\b",
        ),
        (
            -2.0,
            r"\bmeans?\b|\b(?:shall|does)\s+(?:not\s+)?(?:include|be\s+deemed|apply)"
            r"|\brepresents?\s+and\s+warrants?",
        ),
        (-2.0, r"\A\W*(?:\(?\w\)\W*)?whereas\b|\bsurviv|\btermination\s+of\s+this"),
        (
            -3.0,
            r"\b(?:no\s+obligations?|(?:not|neither\s+party\b[^.;]{0,30})\s+(?:be\s+)?(?:obligated"
            r"|required|apply))\b",
        ),
        (-1.5, r"\breturn\b|\bdestroy|\bomitted\b|\bfiled\s+separately|\bdisclosure\s+schedule"),
        (2.5, r"(?:应|须|负有|承担)[^。；]{0,40}(?:保密|秘密)"),
        (2.0, r"不得[^。；]{0,60}(?:披露|泄露|透露|公开)"),
        (0.5, r"保密"),
    ),
    "assignment": make_cues(
        r"assign|transfer|delegat|转让|转移",
        r"assign|transfer|successors|delegation|转让",
        (
            3.0,
            r"\bneither\b[^.;]{0,160}\b(?:assign|transfer)|\bno\s+(?:party"
            r"|assignment)\b[^.;]{0,100}\b(?:assign|transfer|valid|made)",
        ),
        (
            2.5,
            r"\b(?:may|shall|will|can|must|agrees?)\s*(?:not|no)\b[^.;]{0,140}\b(?:assign"
            r"|transfer)",
        ),
        (
            2.5,
            r"\bnot\s+(?:be\s+)?(?:\w+\s+){0,3}(?:assign(?:ed|able)|transferr?(?:ed|able))\b"
            r"|\bnon-?assignable",
        ),
        (1.5, r"\b(?:may|shall|can|right\s+to)\b[^.;]{0,100}\bassign\b"),
        (1.0, r"\b(?:without|with|prior|requires?)\b[^.;]{0,80}\bconsent\b"),
        (
            1.5,
            r"\b(?:this|the)\s+(?:\w+\s+)?agreement\b|\brights\s+(?:and"
            r"|or)\s+(?:\w+\s+)?(?:obligations|duties)|\bhereunder\b",
        ),
        (
            -2.5,
            r"\bintellectual\s+property|\bpatent|\bcopyright|\btitle\b|\bwork\s+product"
            r"|\binvention|\btrade-?mark|\bdata\b|\bsoftware\b",
        ),
        (
            -3.0,
            r"\bassignments?\s+of\s+(?:\w+\s+)?(?:employees|staff|personnel)|\bnot\s+disclose\b",
        ),
        (-2.5, r"\bhereby\b[^.;]{0,20}\bassigns?\b|\bassigned\s+to\b"),
        (-1.0, r"\bnon-?transferable\b"),
        (3.0, r"(?:不得|不能|未经[^。；]{0,30}同意)[^。；]{0,40}转让"),
        (1.0, r"转让"),
    ),
    "liability_cap": make_cues(
        r"liab|damages|责任|赔偿|损失",
        r"limit(?:ation|ed|s)?\s+(?:of|on)\s+(?:\w+\s+)?(?:liability|damages|remed)|liability"
        r"|责任限制|责任范围",
        # A cap on the sum comes before a waiver of kinds of loss.
        (
            5.5,
            r"\bliab\w*[^;]{0,260}\b(?:exceed|(?<!not\s)limited\s+to|greater\s+than|more\s+than"
            r"|in\s+excess\s+of)\b",
        ),
        (
            3.0,
            r"\b(?:in\s+no\s+event|under\s+no\s+circumstances|neither\s+party|no\s+party"
            r"|not)\b[^;]{0,200}\b(?:liable|liability|responsible)\b",
        ),
        (2.0, r"\b(?:consequential|incidental|indirect|punitive|exemplary)\b"),
        (1.0, r"\b(?:aggregate|total|maximum|cumulative|entire)\b"),
        (
            1.0,
            r"\blost\s+profits|\bloss\s+of\s+(?:profits?|business|use|goodwill|revenue)"
            r"|\bpossibility\s+of\s+such",
        ),
        (1.0, r"\b(?:sole|exclusive)\s+(?:and\s+exclusive\s+)?(?:remed|obligation|liability)"),
        (-2.0, r"\bliable\s+for\s+(?:the\s+|any\s+)?(?:disclosure|accuracy|fees?|costs)\b"),
        (-2.0, r"\binsur(?:ance|ed)\b|\bindemnify\b|\bhold\s+harmless"),
        (-2.0, r"\bforce\s+majeure|\bbeyond\b[^.;]{0,40}\bcontrol|\bacts?\s+of\s+god"),
        (-1.0, r"\btaxes\b|\bemployees?\b|\bdebts\b|\bthird\s+part"),
        (-3.0, r"\blimits\s+of\b|\bper\s+occurrence\b"),
        (
            6.0,
            r"(?:责任|赔偿)[^。；]{0,40}(?:不超过|不得超过|以[^。；]{0,20}为限|上限)"
            r"|(?:不超过|以)[^。；]{0,30}为(?:限|上限)[^。；]{0,10}(?:责任|赔偿)",
        ),
        (3.0, r"不(?:承担|负)[^。；]{0,30}(?:间接|附带|可得利益|利润)"),
        (-2.0, r"逾期|违约金"),
    ),
    "liquidated_damages": make_cues(
        r"liquidated|penalt|late\s+(?:fee|charge|payment)|违约金|滞纳金|罚款|罚金",
        r"liquidated\s+damages|penalt|late\s+(?:fees?|charges?)|违约",
        (3.0, r"\bliquidated\s+damages\b"),
        (2.0, r"\bnot\s+(?:as\s+)?(?:a\s+)?penalt"),
        (
            1.5,
            r"\b(?:pay|owe|liable|entitled)\b[^.;]{0,160}\b(?:liquidated|penalt|late\s+(?:fee"
            r"|charge))",
        ),
        (2.5, r"\bpenalt(?:y|ies)\s+(?:of|equal|in\s+the\s+amount|at\s+the\s+rate)"),
        (
            2.0,
            r"\blate\s+(?:fee|charge|payment)s?\b[^.;]{0,100}(?:%|percent|\$|\bper\s+(?:day"
            r"|month|annum))",
        ),
        (-2.0, r"\btax(?:es)?\b|\blevied\b|\bgovernment"),
        (1.0, r"\$|%|\bpercent\b|\bper\s+(?:day|week|month)\b"),
        (
            -2.0,
            r"\bpenalties\b[^.;]{0,40}\b(?:interest|taxes|fines)|\b(?:taxes|fines"
            r"|interest)\b[^.;]{0,30}\bpenalties|civil\s+penalt",
        ),
        (-2.0, r"\bwithout\s+(?:any\s+)?(?:penalty|liability)"),
        (3.0, r"违约金"),
        (2.0, r"滞纳金|罚款|罚金"),
        (1.0, r"支付|承担|按|%|％|百分之|千分之|万分之"),
    ),
    "force_majeure": make_cues(
        r"force\s+majeure|\bcontrol\b|acts?\s+of\s+god|不可抗力|不能预见",
        r"force\s+majeure|excusable\s+delays?|不可抗力",
        (2.0, r"\bforce\s+majeure\b"),
        (3.0, r"\bbeyond\s+(?:[\w'’-]+\s+){0,6}control\b"),
        (2.0, r"\bacts?\s+of\s+god\b"),
        (
            1.5,
            r"\b(?:not|neither|nor|no\s+party|excused?|relieved)\b[^;]{0,200}\b(?:liable"
            r"|liability|responsible|breach|default|perform|delay)",
        ),
        (0.5, r"\b(?:war|strike|flood|fire|earthquake|riot|terroris)"),
        (-2.0, r"\bmore\s+than\s+fifty\b|\bvoting\b|\baffiliate\b"),
        (-2.0, r"[\"”]\s*(?:shall\s+)?means?\b"),
        (4.0, r"(?:因|由于|遭受|遇|发生)[^。；]{0,20}不可抗力"),
        (2.0, r"不可抗力"),
        (3.0, r"不能预见[^。；]{0,12}不能避免|(?:免除|不承担)[^。；]{0,20}责任"),
        (-3.0, r"(?:有权|可以?|均可)[^。；]{0,20}(?:解除|终止)"),
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
            3.0,
            r"\bmonth[\s-]+to[\s-]+month\b|\byear[\s-]+to[\s-]+year\b"
            r"|\b(?:\w+[\s-]+)?renewable\b[^.;]{0,60}\b(?:terms?|periods?|years?)\b",
        ),
        (3.5, r"(?:续签|续期|续展|续约|自动延续|自动顺延|自动延长)"),
        (-2.5, r"顺延(?:付款|交付|履行)"),
    ),
}
