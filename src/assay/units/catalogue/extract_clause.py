"""The clauses that a reviewer looks for first, quoted sentence by sentence; the law by name."""

from typing import Annotated, Any

from pydantic import BaseModel

from assay.units.fallbacks.clause import ClauseFallback, ClauseHeuristic, ClauseKind
from assay.units.fallbacks.clause_cues import CUES
from assay.units.fallbacks.document_name import DocumentNameFallback, DocumentNameHeuristic
from assay.units.fallbacks.jurisdiction import GoverningLawFallback, GoverningLawHeuristic, is_place
from assay.units.fallbacks.sentences import OPERATIVE_PATTERN
from assay.units.fields import Clause, Verbatim
from assay.units.unit import Question, Unit
from assay.units.validators import between, mentions, not_blank

# Whatever a model is asked for it copies something; it needs more than that to count.
_FLOOR = 0.3


def _weights(written: str) -> dict[str, float]:
    """`words 2, other words 1.5` as words with their weights."""
    parts = (part.strip().rpartition(" ") for part in written.split(","))
    return {words: float(weight) for words, _, weight in parts}


class GoverningLaw(BaseModel):
    """The sentence that says which law governs, and the state or country that it names."""

    clause: Clause
    jurisdiction: Verbatim | None = None


def _names_a_place(value: Any, _quotes: tuple[str, ...]) -> str | None:
    """The jurisdiction is a name, and stands in the sentence."""
    place = value.get("jurisdiction") if isinstance(value, dict) else None
    if place is None or (place in value["clause"] and is_place(place)):
        return None
    return f"{place[:40]!r} is no state or country of that sentence"


def _ask(kind: ClauseKind, text: str, text_zh: str, keywords: str, *cues: str) -> Question:
    """A question for one kind of clause. One of the patterns `cues` (by default what makes a
    sentence worth weighing) stands in an answer, in a sentence that sets something and is no
    heading."""
    cue, verb = "|".join(cues) or CUES[kind].trigger.pattern, OPERATIVE_PATTERN
    in_a_sentence = (
        rf"(?={cue})[\s\S]{{0,240}}?(?:{verb})",
        rf"(?={verb})[\s\S]{{0,240}}?(?:{cue})",
    )
    is_law = kind == "governing_law"
    return Question(
        text,
        keywords=_weights(keywords),
        text_zh=text_zh,
        num_segments=2,
        max_tokens=480,
        max_items=4,
        cues=in_a_sentence,
        floor=_FLOOR,
        validators=(
            _names_a_place if is_law else between(15, 4000),
            mentions(*in_a_sentence),
        ),
        fallbacks=(
            (GoverningLawFallback(), GoverningLawHeuristic())
            if is_law
            else (ClauseFallback(kind=kind), ClauseHeuristic(kind=kind))
        ),
    )


class Clauses(BaseModel):
    document_name: Annotated[
        Verbatim | None,
        Question(
            "What is the title of this document?",
            text_zh="本文件的标题是什么？",
            keywords=_weights("agreement 1, contract 1, 合同 1, 协议 1"),
            head=8.0,
            num_segments=1,
            max_tokens=40,
            validators=(between(3, 160), not_blank),
            fallbacks=(DocumentNameFallback(), DocumentNameHeuristic()),
        ),
    ] = None
    governing_law: Annotated[
        GoverningLaw | None,
        _ask(
            "governing_law",
            "Which sentence says which law governs this agreement?",
            "哪一句规定了本合同适用的法律？",
            "governing law 2, governed by 2, laws of 1.5, construed 1, jurisdiction 0.7, "
            "适用法律 2, 法律 1",
            r"\blaws?\b",
            "法律",
        ),
    ] = None
    termination: Annotated[
        list[Clause] | None,
        _ask(
            "termination",
            "Which sentence says how a party may terminate this agreement?",
            "哪一句规定了如何解除或终止本合同？",
            "terminate this agreement 2, termination 1.5, for convenience 2, written notice 1, "
            "at any time 1, 解除 2, 终止 2",
        ),
    ] = None
    renewal: Annotated[
        list[Clause] | None,
        _ask(
            "renewal",
            "Which sentence says how this agreement is renewed?",
            "哪一句规定了合同如何续期？",
            "renewal 1.5, renew 2, automatically renew 2.5, successive 1.5, extend 0.7, 续期 2, "
            "续签 2, 续展 2",
            r"\brenew",
            r"\bexten(?:d|sion)",
            "续[期签展约]|自动(?:延续|顺延|延长)",
        ),
    ] = None
    renewal_notice: Annotated[
        list[Clause] | None,
        _ask(
            "renewal_notice",
            "Which sentence says how long before the end notice must be given to stop a renewal?",
            "哪一句规定了不再续期须提前多久通知？",
            "renew 2, notice 1, days prior 1.5, not to renew 2.5, automatically renew 2, 续期 2, "
            "续签 2, 不再续 2, 提前 1",
            r"\brenew\w*\b[\s\S]{0,400}\b(?:days?|months?)\b",
            r"\b(?:days?|months?)\b[\s\S]{0,400}\brenew",
            r"续[期签展约][\s\S]{0,80}[日天月]|[日天月][\s\S]{0,80}续[期签展约]",
        ),
    ] = None
    assignment: Annotated[
        list[Clause] | None,
        _ask(
            "assignment",
            "Which sentence says whether a party may assign this agreement?",
            "哪一句规定了合同权利义务能否转让？",
            "assign this agreement 2, assignment 2, assign 1.5, prior written consent 1, "
            "transfer 0.7, 转让 2",
            r"\bassign(?:s|ed|ing|able|ment)?\b",
            r"\btransfer\w*\b[^.;]{0,80}\b(?:agreement|contract|rights?|obligations?|interests?)\b",
            "转让",
        ),
    ] = None
    liability_cap: Annotated[
        list[Clause] | None,
        _ask(
            "liability_cap",
            "Which sentence limits the liability of a party?",
            "哪一句限制了赔偿责任？",
            "limitation of liability 2, in no event 1.5, shall not exceed 1.5, "
            "aggregate liability 2, consequential damages 1.5, liable 1, 责任限制 2, 不超过 1.5, "
            "赔偿 1",
            r"\bliab",
            r"\bdamages\b",
            r"\bexclusive\s+remed",
            "责任[^。；]{0,40}(?:不超过|为限|上限)",
            "赔偿",
            "不(?:承担|负)[^。；]{0,30}(?:间接|附带|利润)",
        ),
    ] = None
    confidentiality: Annotated[
        list[Clause] | None,
        _ask(
            "confidentiality",
            "Which sentence obliges the parties to keep information confidential?",
            "哪一句规定了保密义务？",
            "confidential information 2, confidentiality 2, disclose 1, non-disclosure 1.5, "
            "保密 2, 商业秘密 1.5",
        ),
    ] = None
    liquidated_damages: Annotated[
        list[Clause] | None,
        _ask(
            "liquidated_damages",
            "Which sentence sets liquidated damages or a penalty?",
            "哪一句规定了违约金？",
            "liquidated damages 2.5, penalty 2, late delivery 1, per day of delay 1.5, "
            "违约金 2.5, 滞纳金 2",
            "liquidated",
            "penalt",
            "违约金",
            "滞纳金",
        ),
    ] = None
    force_majeure: Annotated[
        list[Clause] | None,
        _ask(
            "force_majeure",
            "Which sentence excuses a party for events beyond its control?",
            "哪一句规定了不可抗力？",
            "force majeure 2.5, beyond its reasonable control 2, act of god 1.5, 不可抗力 2.5",
            "force majeure",
            r"beyond\b[^.;]{0,80}\bcontrol",
            "acts? of god",
            "不可抗力",
            "不能预见",
        ),
    ] = None
    license_grant: Annotated[
        list[Clause] | None,
        _ask(
            "license_grant",
            "Which sentence grants a licence or a right to use something?",
            "哪一句授予了许可或使用权？",
            "hereby grants 2.5, license 1.5, licence 1.5, non-exclusive 1.5, right to use 1.5, "
            "royalty-free 1.5, 许可 2, 授予 2, 授权 1.5",
        ),
    ] = None
    exclusivity: Annotated[
        list[Clause] | None,
        _ask(
            "exclusivity",
            "Which sentence makes a party's right or duty exclusive?",
            "哪一句规定了独家或排他的权利义务？",
            "exclusive 2, exclusively 2, exclusivity 2.5, sole 1, exclusive distributor 2, 独家 2, "
            "排他 2",
        ),
    ] = None
    non_compete: Annotated[
        list[Clause] | None,
        _ask(
            "non_compete",
            "Which sentence forbids a party to compete?",
            "哪一句规定了竞业限制？",
            "compete 2, competing 2, competitive 1.5, competitor 1.5, non-competition 2.5, "
            "similar 0.7, 竞争 2, 竞业 2, 同类 1",
        ),
    ] = None
    minimum_commitment: Annotated[
        list[Clause] | None,
        _ask(
            "minimum_commitment",
            "Which sentence sets a minimum that a party must buy, sell or pay?",
            "哪一句规定了最低采购、销售或付款数额？",
            "minimum 2, at least 1, not less than 1, minimum purchase 2.5, commitment 1.5, "
            "shortfall 2, 最低 2, 不少于 1.5, 保底 2",
        ),
    ] = None
    revenue_sharing: Annotated[
        list[Clause] | None,
        _ask(
            "revenue_sharing",
            "Which sentence gives a party a share of revenue or profit?",
            "哪一句规定了收入或利润的分成？",
            "royalty 2, percent of net sales 2.5, revenue 1.5, profit 1, commission 1.5, share 1, "
            "分成 2.5, 佣金 2, 利润 1",
        ),
    ] = None
    audit_rights: Annotated[
        list[Clause] | None,
        _ask(
            "audit_rights",
            "Which sentence lets a party audit books, records or premises?",
            "哪一句规定了审计或检查的权利？",
            "audit 2.5, inspect 2, books and records 2, examine 1, records 1, 审计 2.5, 查阅 2, "
            "检查 1",
        ),
    ] = None
    insurance: Annotated[
        list[Clause] | None,
        _ask(
            "insurance",
            "Which sentence requires a party to keep insurance?",
            "哪一句规定了投保义务？",
            "insurance 2.5, maintain insurance 2, insured 1.5, coverage 1, per occurrence 2, "
            "投保 2.5, 保险 2",
        ),
    ] = None


UNIT = Unit(
    name="extract_clause",
    summary="The title, the governing law and the sentences of fifteen kinds of clauses.",
    output=Clauses,
    suits=("contract",),
    triggers=(
        "clause",
        "title",
        "governing law",
        "termination",
        "terminate",
        "renewal",
        "renew",
        "assignment",
        "liability",
        "confidentiality",
        "liquidated damages",
        "penalty",
        "force majeure",
        "license",
        "licence",
        "exclusivity",
        "exclusive",
        "non-compete",
        "minimum commitment",
        "revenue sharing",
        "royalty",
        "audit",
        "insurance",
        "条款",
        "适用法律",
        "解除",
        "续期",
        "转让",
        "保密",
        "违约金",
        "不可抗力",
        "许可",
        "独家",
        "竞业",
        "分成",
        "审计",
        "保险",
    ),
)
