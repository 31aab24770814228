"""Cues of clauses on the business itself: licences, exclusivity, competition, minimum quantities,
shares of revenue.
"""

from assay.units.fallbacks.cues import Cues, make_cues

CUES: dict[str, Cues] = {
    "license_grant": make_cues(
        r"licen[cs]e|\bright\s+to\s+use|\bgrants?\b|\bpermit(?:s|ted)?\s+to\s+use|许可|授权|授予",
        r"licen[cs]e|grant|许可|授权",
        (3.5, r"\bgrants?\b[^;]{0,160}\b(?:sub-?)?licen[cs]e"),
        (2.5, r"\b(?:hereby|herein)\s+grants?\b|\bgrants?\s+(?:to\s+)?\w+[^;]{0,60}\bright\b"),
        (
            2.0,
            r"\bnon-?\s?exclusive|\bnon-?\s?transferable|\broyalty-?\s?free|\bworld-?\s?wide|\birrevocable|\bperpetual|\bsub-?\s?licen[cs]eable|\bfully[\s-]+paid",
        ),
        (
            1.5,
            r"\b(?:right|licen[cs]e)\b[^;]{0,60}\bto\s+(?:use|reproduce|copy|distribute|market|sell|make|display|modify|access|practice|manufacture)\b",
        ),
        (
            1.0,
            r"\btrade-?marks?|\bsoftware\b|\bpatents?|\bcopyright|\bintellectual\s+property|\blikeness|\bmarks\b|\bcontent\b|\bidentification\b|\btechnology\b",
        ),
        (
            -3.0,
            r"\b(?:no|not|nor|neither|nothing)\b[^;]{0,60}\b(?:licen[cs]es?|grant(?:s|ed|ing)?)\b",
        ),
        (
            -2.5,
            r"\bterminat|\bexpir|\blicen[cs]e\s+fees?|\bpermits?\s+and\b|\blicen[cs]es\s*,?\s+(?:and|or)?\s*permits|\bgovernmental|\blicensed\s+(?:attorney|broker)|\bwarrant",
        ),
        (-1.5, r"\bconsent\b|\bindemn|\bconfidential|\bsecurity\s+interest|\bequitable|\binjunct"),
        (4.0, r"(?:授予|许可)[^。；]{0,50}(?:使用|许可|权利)|授权[^。；]{0,20}使用"),
        (-3.0, r"不(?:构成|视为|意味)[^。；]{0,30}(?:许可|授权)"),
    ),
    "exclusivity": make_cues(
        r"exclusiv|\bsole(?:ly)?\b|\b(?:any|no)\s+(?:other|one|third)\b|\banyone\s+other|\brequirements\b|\bother\s+than\b|\banother\s+(?:company|person|entity|party)|独家|排他|唯一|独占",
        r"exclusiv|独家|排他",
        (
            3.0,
            r"\b(?:grants?|appoints?|designates?|accepts?|engages?|retains?)\b[^;]{0,160}\b(?<!non-)(?<!non)exclusive\b",
        ),
        (
            2.5,
            r"\b(?:is|be|are|as)\s+(?:the\s+|its\s+|an?\s+)?(?:sole\s+and\s+)?(?<!non-)exclusive\b",
        ),
        (
            2.5,
            r"\bexclusive\s+(?:right|licen[cs]e|distributor|provider|supplier|agent|sponsor|manufacturer|representative|dealer|purchas)",
        ),
        (
            2.0,
            r"\bexclusively\b[^.;]{0,60}\b(?:purchase|buy|sell|use|source|from|to)\b|\bexclusivity\b",
        ),
        (
            2.5,
            r"\b(?:shall|will|agrees?)\s+(?:to\s+)?not\b[^;]{0,60}\b(?:appoint|grant|engage|enter\s+into|licen[cs]e|authori[sz]e|permit)\b[^;]{0,140}\b(?:any\s+other|anyone|third\s+part|another|other\s+person|similar)",
        ),
        (
            2.0,
            r"\b(?:all|100%|one\s+hundred\s+percent)\b[^.;]{0,40}\b(?:of\s+its\s+)?requirements\b",
        ),
        (-3.5, r"\bnon-?\s?exclusive"),
        (
            -3.0,
            r"\bexclusive\s+(?:of|jurisdiction|venue|remed\w+|property|ownership|owner)\b|\bexclusively\s+(?:in|by\s+the\s+(?:courts?|laws?))|\bnot\s+exclusive\b",
        ),
        (
            -2.0,
            r"\bcourts?\b|\bremed(?:y|ies)\b|\bsole\s+(?:discretion|cost|expense|risk|option|remedy)|\bownership\b|\bsales?\s+tax",
        ),
        (4.0, r"独家|排他|独占"),
        (2.0, r"不得[^。；]{0,30}(?:授权|委托|许可)[^。；]{0,20}(?:第三方|他人|其他)"),
        (-3.0, r"非独家|非排他|非独占"),
    ),
    "non_compete": make_cues(
        r"compet|\bsimilar\b|\bbusiness\s+dealings|non-?solicit|\bnot\s+to\s+(?:develop|engage|sell|market)|竞争|竞业|同类|同业",
        r"non-?\s?compet|restrictive\s+covenant|competition|竞业|不竞争",
        (
            3.0,
            r"\b(?:shall|will|agrees?|undertakes?|may|covenants?)\s+(?:that\s+\w+\s+(?:shall|will)\s+)?(?:to\s+)?not\b[^;]{0,240}\bcompet",
        ),
        (
            2.5,
            r"\bnot\s+(?:to\s+)?(?:directly\s+or\s+indirectly\s*,?\s+)?(?:engage|enter|promote|market|sell|develop|manufacture|distribute|provide|endorse|participate|own|invest|carry)\b[^;]{0,200}\b(?:compet|similar|same\s+or\s+similar|business)",
        ),
        (2.0, r"\bcompet(?:itive|ing|es?|itors?)\b[^;]{0,60}\b(?:with|product|business|service)"),
        (
            1.5,
            r"\bfor\s+a\s+period\s+of\b|\bduring\s+the\s+term\b|\b(?:years?|months?)\s+(?:after|following|thereafter)|\bperiod\s+of\b[^;]{0,40}\b(?:from|after)\b",
        ),
        (2.0, r"\bnon-?\s?compet"),
        (1.0, r"\bcompetitors?\b"),
        (
            -3.0,
            r"\bcompetent\b|\bunfair\s+competition|\bcompetitive\s+(?:bid|price|pricing|process|rates?|basis|harm|disadvantage)|\bantitrust",
        ),
        (
            -2.0,
            r"\bconfidential|\bdisclos|\bproprietary\s+information|\btrade-?marks?\b|\bconfusingly\s+similar",
        ),
        (-2.0, r"\bother\s+similar\b|\bsimilar\s+(?:events?|laws?|terms)|\bterminate\b"),
        (4.0, r"不得[^。；]{0,60}(?:竞争|同类|同业|竞业)|竞业(?:限制|禁止)"),
        (1.0, r"竞争|竞业"),
    ),
    "minimum_commitment": make_cues(
        r"\bminimum|\bat\s+least\b|\bnot\s+less\s+than|\bno\s+less\s+than|\bless\s+than\b|\bcommit(?:ment|ted)\b|\bquota|\bshortfall|\bguarantee|\bfirm\s+order|最低|最少|不少于|不低于|保底|起订",
        r"minimum|commitment|quota|guarantee|最低|保底",
        (
            3.0,
            r"\bminimum\b[^;]{0,50}\b(?:purchase|order|quantit\w+|volume|commitment|royalt\w+|sales?|payment|fee|guarantee\w*|amounts?|number|annual|monthly|users?|units?|net)\b",
        ),
        (
            2.0,
            r"\b(?:purchase|order|buy|sell|pay|spend|take|generate|provide|devote|make|perform|commit)\w*\b[^;]{0,120}\b(?:at\s+least|(?:not|no)\s+(?:be\s+)?(?:less|fewer)\s+than|a\s+minimum|minimum\s+of)\b",
        ),
        (
            2.0,
            r"\b(?:annual|yearly|monthly|quarterly|calendar\s+year|per\s+(?:year|month|quarter))\b[^;]{0,120}\b(?:minimum|at\s+least|not\s+less)|\b(?:minimum|at\s+least|not\s+less)\b[^;]{0,120}\b(?:annual|year|month|quarter)",
        ),
        (
            2.5,
            r"\bguaranteed?\s+minimum|\bminimum\s+guarantee|\bpurchase\s+commitment|\bshortfall\b",
        ),
        (
            1.0,
            r"\b(?:shall|will|must|agrees?|guarantees?)\b[^;]{0,100}\b(?:minimum|at\s+least|not\s+less)",
        ),
        (1.0, r"\bunits\b|\bpurchase\b|\$|%|\bvolume\b"),
        (-3.0, r"\binsur|\bper\s+occurrence|\bliabilit|\bcoverage\b|\bnotice\b|\bnotify\b"),
        (
            -2.0,
            r"\bdays?\s+(?:prior|before|in\s+advance|written|notice)|\bprior\s+written\b|\bbusiness\s+days?\b|\baudit|\binspect",
        ),
        (
            -2.0,
            r"\bvoting|\bmajority|\bshares\b|\bsecurit|\bconfidential|\bdegree\s+of\s+care|\bno\s+less\s+(?:favou?rable|stringent|protective|restrictive)|\bcredit\s+rating",
        ),
        (
            2.0,
            r"\b(?:purchase|order|buy)\b[^;]{0,80}\b(?:(?:not|no)\s+less\s+than|at\s+least|a\s+minimum\s+of)"
            r"\b[^;]{0,60}(?:%|\bpercent\b|\brequirements\b|\bunits\b)",
        ),
        (4.0, r"(?:最低|最少|保底)[^。；]{0,20}(?:采购|购买|订购|销售|数量|金额|量|额|费)|起订量"),
        (3.0, r"(?:采购|购买|订购|销售)[^。；]{0,40}(?:不少于|不低于|至少)"),
    ),
    "revenue_sharing": make_cues(
        r"\brevenues?\b|\bprofits?\b|\broyalt|\bcommission|\bpercent|%|\bnet\s+sales|分成|分润|收益|提成|佣金|利润",
        r"revenue|royalt|commission|profit|fees?|compensation|分成|佣金|分配",
        (
            3.0,
            r"(?:%|\bpercent\b|\bpercentage\b|\bone-?\s?half|\bshare\b)[^;]{0,140}\b(?:revenues?|profits?|net\s+(?:sales|income|proceeds|receipts)|gross\s+(?:sales|margin|receipts|proceeds)|proceeds)\b",
        ),
        (
            3.0,
            r"\b(?:revenues?|profits?)[\s-]+shar|\bshar\w+\s+(?:of\s+)?(?:the\s+)?(?:\w+\s+){0,3}(?:revenues?|profits?)",
        ),
        (
            2.5,
            r"\broyalt(?:y|ies)\b[^;]{0,120}(?:%|\bpercent|\bof\s+net|\bon\s+(?:all|each))|\bcommissions?\b[^;]{0,120}(?:%|\bpercent)",
        ),
        (
            1.5,
            r"\b(?:pay|paid|receive|entitled|retain|remit|earn|allocat|distribut|split|divid)\w*\b[^;]{0,200}(?:%|\bpercent|\broyalt|\bcommission)",
        ),
        (1.0, r"\b(?:net|gross|adjusted)\s+(?:sales|revenues?|profits?|income)"),
        (
            -3.0,
            r"\binterest\b|\bprime\s+rate|\bper\s+annum|\bvoting|\bownership|\boutstanding\s+(?:shares|capital)|\bloss\s+of\b|\blost\b|\bconsequential",
        ),
        (
            -2.0,
            r"\bliabilit|\bdiscount|\bprice\s+increase|\bInternal\s+Revenue|\binsur|\btax\b|\bdepartment\s+of\s+revenue|\blate\s+(?:fee|charge|payment)",
        ),
        (
            4.0,
            r"(?:分成|分润|提成|佣金)[^。；]{0,40}(?:%|％|百分之|比例)|(?:收入|收益|利润)[^。；]{0,40}(?:%|％|百分之|分成|分配)",
        ),
    ),
}
