"""Which names are taken for parties, and which term for each."""

import pytest

from assay.types import AnswerPath
from assay.units.fallbacks.party import PartyFallback, PartyHeuristic


def parties(text: str) -> list[tuple[str, str | None]]:
    """The names found and their roles, in document order."""
    found = sorted(PartyFallback().find(text), key=lambda item: item.start)
    return [
        (
            text[item.start : item.end],
            text[slice(*item.parts["role"])] if "role" in item.parts else None,
        )
        for item in found
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'This License Agreement (the "Agreement") is made by and between Alder Works, Inc., a '
            'Delaware corporation ("Licensor"), and Birch & Sons Ltd., a company organized under '
            'the laws of England ("Licensee"). WHEREAS, Licensor owns certain patents;',
            [("Alder Works, Inc.", "Licensor"), ("Birch & Sons Ltd.", "Licensee")],
        ),
        (
            'AGREEMENT\n\nBETWEEN:\n\n     CEDAR FREIGHT LLC\n     ("Cedar")\n\n     - and -\n\n'
            '     DOGWOOD (HONG KONG) LTD.\n     ("Dogwood")\n\nWHEREAS the parties agree:',
            [("CEDAR FREIGHT LLC", "Cedar"), ("DOGWOOD (HONG KONG) LTD.", "Dogwood")],
        ),
        (
            'Entered into by and among ELM, INC. (the "Company"), JOHN Q. ASHER III ("Asher") and '
            'ASHER MEDIA, INC. ("Media"), effective as of June 1, 1998.',
            [
                ("ELM, INC.", "Company"),
                ("JOHN Q. ASHER III", "Asher"),
                ("ASHER MEDIA, INC.", "Media"),
            ],
        ),
        (
            "made by and between: FIR LTD., with a place of business at 5 Hill Road, Leeds. "
            'Hereinafter referred to as "Customer" And GORSE LTD. with a place of business at '
            '7 Vale Street, York. Hereinafter referred to as "Contractor." Whereas Customer',
            [("FIR LTD.", "Customer"), ("GORSE LTD.", "Contractor")],
        ),
        (
            'by and between Hazel AG, a corporation with offices in Bonn and Kiel ("Hazel"), and '
            'Ivy Pte. Ltd. ("Ivy"). Recitals',
            [("Hazel AG", "Hazel"), ("Ivy Pte. Ltd.", "Ivy")],
        ),
        (
            "PARTIES\n\n(1) KESTREL FOUNDRY LIMITED, a company incorporated in England and Wales "
            'with company number 1 (the "Seller"); and\n\n(2) LINNET LLP, registered in Jersey and '
            'Guernsey (the "Buyer").\n\nBACKGROUND',
            [("KESTREL FOUNDRY LIMITED", "Seller"), ("LINNET LLP", "Buyer")],
        ),
        (
            'by and among (i) Holly Inc. ("Holly"), (ii) Ivy LLC ("Ivy") and (iii) Juniper Ltd. '
            '("Juniper"). RECITALS',
            [("Holly Inc.", "Holly"), ("Ivy LLC", "Ivy"), ("Juniper Ltd.", "Juniper")],
        ),
        (
            'is made by and between ____________ (the "Vendor"), and Plover School District, a '
            'public body ("PSD"). RECITALS',
            [("Plover School District", "PSD")],
        ),
        (
            "made by and between Rook Labs, Inc. and the Participant named below (the "
            '"Participant"). The parties agree as follows:',
            [("Rook Labs, Inc.", None)],
        ),
        (
            "between\nSwift Cable GmbH\nHafenweg 8\n71282 Teststadt\nand\n[COMPANY]\n[ADDRESS]\n1. "
            "The parties trade.",
            [("Swift Cable GmbH", None)],
        ),
        (
            "Dear Ms. Cedar:\n\nThis letter agreement sets out how Teal Partners LLC, "
            'a Delaware LLC ("Teal"), will advise Wren Robotics, Inc. (the "Company").',
            [("Teal Partners LLC", "Teal"), ("Wren Robotics, Inc.", "Company")],
        ),
        (
            "采购合同\n甲方：青松科技有限公司  地址：北京市\n"
            "乙方（供应商）：白桦贸易有限公司\n第一条",
            [("青松科技有限公司", "甲方"), ("白桦贸易有限公司", "乙方")],
        ),
    ],
)
def test_reads_the_parties_with_their_terms(
    text: str, expected: list[tuple[str, str | None]]
) -> None:
    """Each party once, by its whole name, with the term the agreement uses for it."""
    assert parties(text) == expected


def test_a_party_named_twice_comes_once() -> None:
    """A title page and a preamble that name the same parties give two candidates, not four."""
    text = (
        "SUPPLY AGREEMENT\n\nBY AND BETWEEN\n\nJUNIPER INC.\n\nAND\n\nKAURI INC.\n\n"
        'This Agreement is made by and between Juniper Inc. ("Seller") and Kauri Inc. ("Buyer"). '
        "RECITALS"
    )
    assert parties(text) == [("Juniper Inc.", "Seller"), ("Kauri Inc.", "Buyer")]


def test_signature_blocks_answer_where_no_list_does() -> None:
    """Without a preamble the names over the signatures are found, less surely."""
    text = "The fee is due monthly.\n\nLARCH SYSTEMS, INC.\nBy: ____\n\nMAPLE GROUP LLC\nBy: ____\n"
    found = PartyFallback().find(text)
    assert {text[item.start : item.end] for item in found} == {
        "LARCH SYSTEMS, INC.",
        "MAPLE GROUP LLC",
    }
    listed = PartyFallback().find('between Oak Inc. ("A") and Pine Inc. ("B").')
    assert max(item.score for item in found) < min(item.score for item in listed)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The difference between price and cost is shared between the parties.",
        "No statement in this memo binds anyone.",
    ],
)
def test_text_without_parties_gives_none(text: str) -> None:
    """The word "between" alone makes no party."""
    assert PartyFallback().find(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "This Agreement is entered into by the Department of Roads and Public Works (DRPW) and "
            "__________ on ______.",
            ["Department of Roads and Public Works"],
        ),
        (
            "The parties to this Agreement are the Ohio Ministry of Health and Human Services and "
            "________ (Contractor).",
            ["Ohio Ministry of Health and Human Services"],
        ),
        (
            "This Agreement is by and between Teak River Community d.b.a. Teak Inn and Resort "
            'located at 5 Mill Lane ("Inn"), and Upas Inc. ("Guest").',
            ["Teak River Community", "Upas Inc."],
        ),
        (
            "Agreed:\n\nVIBURNUM CORPORATION WILLOW SYSTEMS CORPORATION\nBy: Ann Lee By: Bo Kay\n",
            ["VIBURNUM CORPORATION", "WILLOW SYSTEMS CORPORATION"],
        ),
        ("Signed.\nCompany Name: Yew, Inc.\nBy: /s/ Ann Lee\n", ["Yew, Inc."]),
        (
            "This Agreement is between (Party One) having an office at ______ and Zelkova Inc. "
            "(Party Two), having an office at 5 Mill Lane.",
            ["Zelkova Inc."],
        ),
        (
            'This Deed is by and between Alder Inc. ("Alder"), ANN LEE, an individual ("Lee") and '
            'BO KAY, an individual ("Kay").',
            ["Alder Inc.", "ANN LEE", "BO KAY"],
        ),
        ("Signature Date Broker Company\nBy: ______\n", []),
    ],
)
def test_names_of_bodies_and_of_signers_are_whole(text: str, expected: list[str]) -> None:
    """An "and" in a body's name splits it not; signers on one line are two; a form's words none."""
    assert [name for name, _ in parties(text)] == expected


def test_the_heuristic_takes_no_description_for_a_name() -> None:
    text = "It is a Delaware LLC, in Utah. Company rules hold, including but not Limited."
    assert PartyHeuristic().find(text) == ()


def test_the_heuristic_takes_a_name_whole() -> None:
    text = "It was sold to Birch und Technik GmbH, then to 4411-2093 Ontario Inc. of Toronto."
    found = sorted(PartyHeuristic().find(text), key=lambda item: item.start)
    names = [text[item.start : item.end] for item in found]
    assert names == ["Birch und Technik GmbH", "4411-2093 Ontario Inc."]


def test_regions_limit_what_is_read() -> None:
    """Nothing outside the regions is a candidate, and offsets stay those of the document."""
    preamble = 'by and between Quince Inc. ("Q") and Rowan Inc. ("R").'
    text = "x " * 50 + preamble
    assert PartyFallback().find(text, [(0, 100)]) == ()
    (first, _) = sorted(PartyFallback().find(text, [(100, len(text))]), key=lambda c: c.start)
    assert text[first.start : first.end] == "Quince Inc."


def test_the_heuristic_prefers_early_and_frequent_names() -> None:
    """It knows no lists: a name with a corporate ending weighs by place and repetition."""
    text = (
        "Spruce Foods, Inc. meets Teak Ltd. " + "Spruce Foods, Inc. pays. " * 5 + "Yew Corp. " * 1
    )
    found = PartyHeuristic().find(text)
    assert text[found[0].start : found[0].end] == "Spruce Foods, Inc."
    assert PartyHeuristic().path is AnswerPath.HEURISTIC
    assert found[0].score < 0.9
