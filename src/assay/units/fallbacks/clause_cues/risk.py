"""Cues of clauses on who bears what: the law, limits of liability, damages, force majeure."""

from assay.units.fallbacks.cues import Cues, make_cues

CUES: dict[str, Cues] = {
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
    "liability_cap": make_cues(
        r"liab|damages|责任|赔偿|损失|\b(?:sole|exclusive)\b[^.;]{0,40}\b(?:remed|obligation)",
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
        (3.0, r"\b(?:sole|exclusive)\s+(?:and\s+exclusive\s+)?(?:remed|obligation|liability)"),
        (1.5, r"\brecourse\b"),
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
}
