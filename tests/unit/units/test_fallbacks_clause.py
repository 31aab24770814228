"""Which sentence is the operative one of each kind of clause."""

import pytest

from assay.units.fallbacks.clause import ClauseFallback, ClauseHeuristic, ClauseKind

_LAW = "This Agreement shall be governed by and construed under the laws of the State of Utah."
_END = (
    "Either party may terminate this Agreement at any time without cause upon sixty (60) days' "
    "written notice."
)
_SECRET = "The Receiving Party shall hold the Confidential Information in strict confidence."
_ASSIGN = (
    "Neither party may assign this Agreement without the prior written consent of the other party."
)
_CAP = "In no event shall either party's aggregate liability exceed the fees paid in the last year."
_LATE = (
    "For each week of delay the Supplier shall pay liquidated damages of 2% of the price, and not "
    "a penalty."
)
_FORCE = (
    "Neither party is liable for a delay caused by events beyond its reasonable control, such as "
    "flood."
)
_RENEW = "Thereafter this Agreement shall automatically renew for successive one-year terms."

_NOTICE = (
    "It shall automatically renew for one year unless a party gives notice of non-renewal at least "
    "sixty (60) days prior to the end of the then current term."
)
_GRANT = (
    "Licensor hereby grants to Licensee a non-exclusive, non-transferable, royalty-free license to "
    "use the Marks."
)
_SOLE = "Vendor hereby appoints Dealer as its exclusive distributor of the Products in Norway."
_COMPETE = (
    "During the term the Dealer shall not, directly or indirectly, sell any product that competes "
    "with the Products."
)
_LEAST = "In each calendar year the Dealer shall purchase a minimum of 5,000 units of the Products."
_SHARE = "The Publisher shall pay the Author a royalty of eight percent (8%) of net sales."
_AUDIT = (
    "Licensor may, upon reasonable notice, audit the books and records of Licensee during normal "
    "business hours."
)
_INSURE = (
    "Supplier shall maintain commercial general liability insurance of at least $1,000,000 per "
    "occurrence."
)

_CONTRACT = "\n\n".join(
    [
        "TABLE OF CONTENTS\n12. Governing Law ......... 8\n13. Assignment ......... 9",
        "Vendor is a corporation organized under the laws of Ohio. The fee is due on delivery.",
        "All inventions are hereby assigned to Buyer, with the title and copyright in them.",
        "8. Term. " + _RENEW,
        "9. Termination. " + _END + " Sections 3 and 5 survive the termination of this Agreement.",
        '10. Confidentiality. "Confidential Information" means all data disclosed. ' + _SECRET,
        "11. Damages. " + _LATE + " " + _CAP,
        "12. Governing Law. " + _LAW,
        "13. Assignment. " + _ASSIGN,
        "14. Force Majeure. " + _FORCE,
        "15. License. " + _GRANT,
        "16. Exclusivity. " + _SOLE + " " + _COMPETE,
        "17. Minimum. " + _LEAST + " " + _SHARE,
        "18. Audit. " + _AUDIT,
        "19. Insurance. " + _INSURE + " Proof of insurance will be sent on request.",
        "20. Renewal. " + _NOTICE,
    ]
)


_CLAUSES: list[tuple[ClauseKind, str]] = [
    ("governing_law", _LAW),
    ("termination", _END),
    ("confidentiality", _SECRET),
    ("assignment", _ASSIGN),
    ("liability_cap", _CAP),
    ("liquidated_damages", _LATE),
    ("force_majeure", _FORCE),
    ("renewal", _RENEW),
    ("renewal_notice", _NOTICE),
    ("license_grant", _GRANT),
    ("exclusivity", _SOLE),
    ("non_compete", _COMPETE),
    ("minimum_commitment", _LEAST),
    ("revenue_sharing", _SHARE),
    ("audit_rights", _AUDIT),
    ("insurance", _INSURE),
]


@pytest.mark.parametrize(("kind", "sentence"), _CLAUSES)
def test_finds_the_operative_sentence(kind: ClauseKind, sentence: str) -> None:
    """Not the heading, the table of contents, a definition or a reference from elsewhere."""
    found = ClauseFallback(kind=kind).find(_CONTRACT)
    assert any(_CONTRACT[item.start : item.end].endswith(sentence) for item in found[:2])


@pytest.mark.parametrize(("kind", "sentence"), _CLAUSES)
def test_the_heuristic_has_the_sentence_near_the_top(kind: ClauseKind, sentence: str) -> None:
    """Counting words finds it, though it may take a definition for the clause."""
    found = ClauseHeuristic(kind=kind).find(_CONTRACT)
    assert any(_CONTRACT[item.start : item.end].endswith(sentence) for item in found[:2])


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("governing_law", "本合同适用中华人民共和国法律。"),
        ("termination", "任何一方有权提前三十日书面通知对方解除本合同。"),
        ("confidentiality", "双方应对在履行中知悉的商业秘密承担保密义务，不得向第三方披露。"),
        ("assignment", "未经对方书面同意，任何一方不得转让本合同项下的权利义务。"),
        ("liability_cap", "乙方的赔偿责任总额不超过本合同总价款。"),
        ("liquidated_damages", "逾期交货的，乙方应按日支付合同金额万分之五的违约金。"),
        ("force_majeure", "因不可抗力不能履行合同的，根据影响部分或者全部免除责任。"),
        ("renewal", "期满前双方无异议的，本合同自动续期一年。"),
        ("renewal_notice", "任何一方不再续期的，应在期满前六十日书面通知对方。"),
        ("license_grant", "许可方授予被许可方在中国境内使用该商标的非独占许可。"),
        ("exclusivity", "甲方委托乙方为该产品在华东地区的独家经销商。"),
        ("non_compete", "合同期内乙方不得经营与甲方产品相竞争的同类产品。"),
        ("minimum_commitment", "乙方每年向甲方采购产品的数量不少于五千台。"),
        ("revenue_sharing", "双方按净收入的百分之三十比例进行分成。"),
        ("audit_rights", "甲方有权每年一次查阅乙方的账簿和凭证。"),
        ("insurance", "乙方应当为设备投保财产一切险，保险金额不低于设备价款。"),
    ],
)
def test_finds_chinese_clauses(kind: ClauseKind, sentence: str) -> None:
    """The same kinds in Chinese, sentence by sentence."""
    text = "第一条 标的。乙方向甲方供应设备。" + sentence + "本合同一式两份。"
    found = ClauseFallback(kind=kind).find(text)
    assert text[found[0].start : found[0].end] == sentence


@pytest.mark.parametrize(
    "kind",
    [
        "governing_law",
        "assignment",
        "liability_cap",
        "liquidated_damages",
        "force_majeure",
        "renewal",
    ],
)
def test_a_contract_without_the_clause_gives_none(kind: ClauseKind) -> None:
    """Sentences that share a word with the clause are not it."""
    text = (
        "Vendor is a company organized and existing under the laws of Ohio. The goods shall be "
        "transferred to the warehouse by truck. The software is a patent of Vendor. The premium "
        "of the insurance policy is due at its renewal. Quality control shall be done weekly."
    )
    assert ClauseFallback(kind=kind).find(text) == ()


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (
            "termination",
            "The Buyer may terminate this Lease for convenience on ninety days' notice.",
        ),
        ("termination", "This Agreement continues until terminated by either party upon notice."),
        (
            "termination",
            "Either side may terminate this Deed without cause, but its duties of secrecy survive.",
        ),
        (
            "liability_cap",
            "Neither party shall be liable to the other for lost profits or indirect damages.",
        ),
        ("renewal", "On its expiry this Agreement renews for successive periods of one year each."),
        ("renewal", "Thereafter the lease runs from month-to-month and may end on any Sunday."),
        ("liability_cap", "A Party's total liability under this Deed is limited to EUR 40,000."),
        ("governing_law", "This Note shall be construed in accordance with the laws of Samoa."),
        ("force_majeure", "No party is in breach for a delay due to events beyond its control."),
        ("confidentiality", "The Recipient undertakes to treat all Data as strictly confidential."),
    ],
)
def test_a_better_sentence_wins_over_its_like(kind: ClauseKind, sentence: str) -> None:
    """Headings, rights to end for cause, recitals, exceptions and effects of an end are not it."""
    text = (
        "13. TERM AND RENEWAL\n\n14. TERMINATION FOR CONVENIENCE\n\n15. LIMITATION OF LIABILITY\n\n"
        "WHEREAS the parties may disclose confidential information to each other; and\n\n"
        "Either party may terminate this Agreement at any time if the other is in breach of it. "
        "Termination of this Agreement for any reason shall not release any party from its duties. "
        "The Company's liability for forecasts, including but not limited to orders, is below. "
        "The Company may not induce any of the staff to terminate their employment at any time. "
        "The Recipient shall not be liable for the disclosure of what is public. "
        "The Restricted Period shall be extended by further periods of a breach. "
        "No obligation of confidentiality applies to information that is or becomes public. "
        f"{sentence} Nothing in this Agreement may be construed as a partnership under state law."
    )
    found = ClauseFallback(kind=kind).find(text)
    assert text[found[0].start : found[0].end] == sentence


@pytest.mark.parametrize("fallback", [ClauseFallback, ClauseHeuristic])
@pytest.mark.parametrize("kind", [kind for kind, _ in _CLAUSES])
def test_a_heading_is_never_an_answer(fallback, kind: ClauseKind) -> None:
    """Neither in capitals nor in title case nor in Chinese, with or without a number."""
    text = (
        "8. TERM, TERMINATION, RENEWAL AND ASSIGNMENT OF THIS AGREEMENT BY EITHER PARTY\n\n"
        "9. Limitation of Liability and Liquidated Damages for Late Payment or Delay\n\n"
        "10. Confidential Information, Force Majeure and Governing Law of This Agreement\n\n"
        "第八条 不可抗力与违约责任\n\n第九条 合同的转让、续期与解除条件\n\n"
        "第十条 适用法律与保密义务约定\n"
    )
    assert fallback(kind=kind).find(text) == ()


def test_the_heading_some_sentences_above_counts() -> None:
    """Of two sentences alike, the one under the heading of its kind comes first."""
    rule = "一方严重违约，经催告后三十日内仍未改正的，对方有权解除合同。"
    other = "设备经两次修理仍不合格的，买方有权解除合同。"
    text = (
        f"第五条 质量保证\n5.1 保修期为二十四个月，自验收之日起算，费用由卖方负担。{other}\n\n"
        "第十条 期限与解除\n10.1 本合同自签字之日起生效。"
        f"{'本合同一式两份，双方各执一份。' * 5}{rule}\n"
    )
    found = ClauseFallback("termination").find(text)
    assert text[found[0].start : found[0].end] == rule


def test_a_cap_on_the_sum_and_a_waiver_of_kinds_of_loss_are_both_found() -> None:
    """Both limit liability."""
    cap = "The total liability of each party in any year shall not exceed EUR 90,000."
    waiver = (
        "Neither party is liable for loss of profit, loss of use or any indirect or consequential "
        "loss."
    )
    text = f"The price is due on delivery of all goods. {waiver} {cap}"
    found = ClauseFallback("liability_cap").find(text)
    assert {text[item.start : item.end] for item in found} == {cap, waiver}


def test_a_late_payment_is_no_cap_on_liability() -> None:
    """Not to be liable for being late limits no liability; a sum does."""
    text = (
        "卖方未开具发票的，买方有权顺延付款而不承担逾期责任。"
        "任何一方的赔偿责任总额不超过合同总价款。"
    )
    found = ClauseFallback("liability_cap").find(text)
    assert [text[item.start : item.end] for item in found] == [
        "任何一方的赔偿责任总额不超过合同总价款。"
    ]


def test_the_surer_sentence_comes_first() -> None:
    """A plain mention scores below the clause itself."""
    text = (
        "Buyer may not transfer the passwords to a third party under this Agreement. "
        "Neither party may assign this Agreement or its rights hereunder without consent."
    )
    first, *rest = ClauseFallback("assignment").find(text)
    assert text[first.start : first.end].startswith("Neither party")
    assert all(item.score < first.score for item in rest)


def test_candidates_are_whole_sentences_of_the_regions() -> None:
    """A region without the clause gives none; offsets stay those of the document."""
    start = _CONTRACT.index("12. Governing Law. This")
    assert ClauseFallback("governing_law").find(_CONTRACT, [(0, start)]) == ()
    (found, *_) = ClauseFallback("governing_law").find(_CONTRACT, [(start, len(_CONTRACT))])
    assert _CONTRACT[found.start : found.end].endswith(_LAW)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (
            "liability_cap",
            "Recipient shall indemnify Discloser against all losses, damages and liability that "
            "follow from the acts of its staff.",
        ),
        (
            "license_grant",
            "No right to use a patent and no license is granted by either party by this paper.",
        ),
    ],
)
def test_the_heuristic_leaves_what_a_model_passed_over(kind: ClauseKind, sentence: str) -> None:
    """Words of the kind are not enough where the cues speak for something else."""
    assert ClauseHeuristic(kind=kind).find(sentence) == ()


def test_a_sentence_that_denies_a_right_grants_none() -> None:
    """Even where its words are those of a grant."""
    text = (
        "Nothing in this paper grants Recipient a licence of any patent, trademark or other "
        "intellectual property of Discloser, except the right to copy what it is given."
    )
    assert ClauseFallback(kind="license_grant").find(text) == ()
