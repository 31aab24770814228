"""The clauses that a reviewer looks for first, each quoted whole."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.clause import ClauseFallback, ClauseHeuristic, ClauseKind
from assay.units.fallbacks.sentences import OPERATIVE_PATTERN
from assay.units.fields import Clause
from assay.units.unit import Question, Unit
from assay.units.validators import between, mentions


def _ask(
    kind: ClauseKind, text: str, text_zh: str, keywords: dict[str, float], *cues: str
) -> Question:
    """A question for one kind of clause; `cues` are patterns one of which it must mention, in a
    sentence that sets something and is no heading."""
    cue, verb = "|".join(cues), OPERATIVE_PATTERN
    in_a_sentence = (
        rf"(?={cue})[\s\S]{{0,240}}?(?:{verb})",
        rf"(?={verb})[\s\S]{{0,240}}?(?:{cue})",
    )
    return Question(
        text,
        keywords=keywords,
        text_zh=text_zh,
        num_segments=2,
        max_tokens=480,
        cues=in_a_sentence,
        validators=(between(15, 4000), mentions(*in_a_sentence)),
        fallbacks=(ClauseFallback(kind=kind), ClauseHeuristic(kind=kind)),
    )


class Clauses(BaseModel):
    governing_law: Annotated[
        Clause | None,
        _ask(
            "governing_law",
            "Which sentence says which law governs this agreement?",
            "哪一句规定了本合同适用的法律？",
            {
                "governing law": 2.0,
                "governed by": 2.0,
                "laws of": 1.5,
                "construed": 1.0,
                "jurisdiction": 0.7,
                "适用法律": 2.0,
                "法律": 1.0,
            },
            r"\blaws?\b",
            "法律",
        ),
    ] = None
    termination: Annotated[
        Clause | None,
        _ask(
            "termination",
            "Which sentence says how a party may terminate this agreement?",
            "哪一句规定了如何解除或终止本合同？",
            {
                "terminate this agreement": 2.0,
                "termination": 1.5,
                "for convenience": 2.0,
                "written notice": 1.0,
                "at any time": 1.0,
                "解除": 2.0,
                "终止": 2.0,
            },
            "terminat",
            "cancel",
            "解除",
            "终止",
        ),
    ] = None
    confidentiality: Annotated[
        Clause | None,
        _ask(
            "confidentiality",
            "Which sentence obliges the parties to keep information confidential?",
            "哪一句规定了保密义务？",
            {
                "confidential information": 2.0,
                "confidentiality": 2.0,
                "disclose": 1.0,
                "non-disclosure": 1.5,
                "保密": 2.0,
                "商业秘密": 1.5,
            },
            "confiden",
            "disclos",
            "secre",
            "保密",
            "秘密",
        ),
    ] = None
    assignment: Annotated[
        Clause | None,
        _ask(
            "assignment",
            "Which sentence says whether a party may assign this agreement?",
            "哪一句规定了合同权利义务能否转让？",
            {
                "assign this agreement": 2.0,
                "assignment": 2.0,
                "assign": 1.5,
                "prior written consent": 1.0,
                "transfer": 0.7,
                "转让": 2.0,
            },
            r"\bassign(?:s|ed|ing|able|ment)?\b",
            r"\btransfer\w*\b[^.;]{0,80}\b(?:agreement|contract|rights?|obligations?|interests?)\b",
            "转让",
        ),
    ] = None
    liability_cap: Annotated[
        Clause | None,
        _ask(
            "liability_cap",
            "Which sentence limits the liability of a party?",
            "哪一句限制了赔偿责任？",
            {
                "limitation of liability": 2.0,
                "in no event": 1.5,
                "shall not exceed": 1.5,
                "aggregate liability": 2.0,
                "consequential damages": 1.5,
                "liable": 1.0,
                "责任限制": 2.0,
                "不超过": 1.5,
                "赔偿": 1.0,
            },
            r"\bliab",
            r"\bdamages\b",
            "责任[^。；]{0,40}(?:不超过|为限|上限)",
            "赔偿",
            "不(?:承担|负)[^。；]{0,30}(?:间接|附带|利润)",
        ),
    ] = None
    liquidated_damages: Annotated[
        Clause | None,
        _ask(
            "liquidated_damages",
            "Which sentence sets liquidated damages or a penalty?",
            "哪一句规定了违约金？",
            {
                "liquidated damages": 2.5,
                "penalty": 2.0,
                "late delivery": 1.0,
                "per day of delay": 1.5,
                "违约金": 2.5,
                "滞纳金": 2.0,
            },
            "liquidated",
            "penalt",
            "违约金",
            "滞纳金",
        ),
    ] = None
    force_majeure: Annotated[
        Clause | None,
        _ask(
            "force_majeure",
            "Which sentence excuses a party for events beyond its control?",
            "哪一句规定了不可抗力？",
            {
                "force majeure": 2.5,
                "beyond its reasonable control": 2.0,
                "act of god": 1.5,
                "不可抗力": 2.5,
            },
            "force majeure",
            r"beyond\b[^.;]{0,80}\bcontrol",
            "acts? of god",
            "不可抗力",
            "不能预见",
        ),
    ] = None
    renewal: Annotated[
        Clause | None,
        _ask(
            "renewal",
            "Which sentence says how this agreement is renewed?",
            "哪一句规定了合同如何续期？",
            {
                "renewal": 1.5,
                "renew": 2.0,
                "automatically renew": 2.5,
                "successive": 1.5,
                "extend": 0.7,
                "续期": 2.0,
                "续签": 2.0,
                "续展": 2.0,
            },
            r"\brenew",
            r"\bexten(?:d|sion)",
            "续[期签展约]|自动(?:延续|顺延|延长)",
        ),
    ] = None


UNIT = Unit(
    name="extract_clause",
    summary="The operative sentences of eight clauses, from governing law to renewal.",
    output=Clauses,
    triggers=(
        "clause",
        "governing law",
        "termination",
        "terminate",
        "confidentiality",
        "assignment",
        "liability",
        "liquidated damages",
        "penalty",
        "force majeure",
        "renewal",
        "renew",
        "条款",
        "适用法律",
        "解除",
        "保密",
        "转让",
        "违约金",
        "不可抗力",
        "续期",
    ),
)
