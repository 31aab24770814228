"""Cues of clauses on a party's duties besides the business: secrecy, assignment, audits,
insurance.
"""

from assay.units.fallbacks.cues import Cues, make_cues

CUES: dict[str, Cues] = {
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
    "audit_rights": make_cues(
        r"\baudit|\binspect|\bexamin|\bbooks\b|\brecords\b|\baccess\b|\breview\b|审计|查阅|检查|核查|查账|账簿",
        r"audit|inspection|records|审计|检查|查阅",
        (
            3.0,
            r"\b(?:right|entitled|may|permit|allow|access|authori[sz]ed)\b[^;]{0,140}\b(?:audit|inspect|examin)",
        ),
        (
            2.5,
            r"\b(?:audit|inspect|examin)\w*\b[^;]{0,120}\b(?:books|records|accounts|facilit|premises|procedures|compliance)",
        ),
        (
            2.0,
            r"\b(?:books|records)\b[^;]{0,140}\b(?:available|inspect|audit|examin|access|review)",
        ),
        (1.5, r"\b(?:keep|maintain|retain)\b[^;]{0,80}\b(?:books|records)\b"),
        (1.5, r"\baudits?\b"),
        (
            1.0,
            r"\b(?:reasonable|business\s+days?|prior)\s+(?:written\s+|advance\s+)?notice\b|\bnormal\s+business\s+hours|\bauditors?\b|\bcertified\s+public|\baccountant",
        ),
        (
            1.5,
            r"\b(?:underpa|discrepanc|under-?report|cost\s+of\s+(?:the|such|any)\s+(?:audit|inspection|examination))",
        ),
        (
            -2.0,
            r"\baudited\s+financial|\breject\w*|\bdefect|\bconfidential\s+information\b|\bgovernmental\s+(?:entity|authorit)",
        ),
        (-1.5, r"\bwarrant\w*|\bindemn|\bsubpoena|\bmedical"),
        (4.0, r"(?:有权|可以?)[^。；]{0,30}(?:审计|查阅|检查|核查|查账)"),
        (1.5, r"审计|查阅|账簿|凭证"),
    ),
    "insurance": make_cues(
        r"\binsur|保险|投保|\bcoverage\b|\bdeductible|\bpolic(?:y|ies)\b",
        r"insurance|保险",
        (
            3.0,
            r"\b(?:maintain|carry|carries|procure|obtain|provide|purchase|keep|secure|effect)\w*\b[^;]{0,160}\binsurance",
        ),
        (
            2.5,
            r"\b(?:commercial|comprehensive|general|product|automobile|professional|employers?|workers?|umbrella|excess)\b[^;]{0,60}\b(?:liability|compensation)\b[^;]{0,60}\b(?:insurance|coverage|limit)",
        ),
        (
            2.0,
            r"\bcertificates?\s+of\s+insurance|\badditional(?:ly)?\s+(?:named\s+)?insured|\bnamed\s+(?:as\s+)?(?:an\s+)?insured",
        ),
        (
            2.0,
            r"\binsurance\s+(?:polic|coverage|carriers?|compan|required|requirements?)|\bself-?insur",
        ),
        (
            1.5,
            r"\bper\s+occurrence|\bcombined\s+single\s+limit|\baggregate\b|\bA\.?M\.?\s+Best|\bunderwrit|\bdeductible",
        ),
        (1.0, r"\$\s?\d|\bmillion\b|\blimits?\b"),
        (1.0, r"\bcancel\w*\b|\brenew"),
        (
            -2.5,
            r"\blife\s+insurance|\bhealth\s+insurance|\bemployee\s+benefit|\binsurance\s+(?:products?|center|quotes?|agent|industry|business|provider)\b|\bdeath\s+benefit|\bpayroll",
        ),
        (-1.0, r"\bpolic(?:y|ies)\s+and\s+procedures|\bprivacy\s+polic"),
        (3.5, r"(?:投保|购买|办理)[^。；]{0,30}保险|保险[^。；]{0,30}(?:保额|金额|单)"),
        (1.0, r"保险"),
    ),
}
