"""The units that come with Assay."""

import importlib
import pkgutil
import re
import sys

import pytest

import assay.units.catalogue as catalogue
from assay.errors import UnknownUnitError
from assay.units import all_units, get_unit
from assay.units.catalogue.extract_date import Expiry

NAMES = [unit.name for unit in all_units()]


def test_the_catalogue_is_what_lies_in_its_folder():
    """A unit is named as its file is."""
    assert sorted(item.name for item in pkgutil.iter_modules(catalogue.__path__)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_field_has_a_fallback_and_a_question_in_both_languages(name):
    for field in get_unit(name).fields.values():
        assert field.question.fallbacks, field.name
        assert field.question.text_zh, field.name


def test_a_new_file_is_a_new_unit(tmp_path, monkeypatch):
    """Nothing but the file has to change."""
    (tmp_path / "extract_town.py").write_text(
        "from typing import Annotated\n"
        "from pydantic import BaseModel\n"
        "from assay.units.fields import Verbatim\n"
        "from assay.units.unit import Question, Unit\n"
        "class Town(BaseModel):\n"
        "    town: Annotated[Verbatim, Question('Which?', keywords={'town': 1.0})]\n"
        "UNIT = Unit(name='extract_town', summary='The town.', output=Town)\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(catalogue, "__path__", [*catalogue.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    all_units.cache_clear()
    try:
        assert get_unit("extract_town").summary == "The town."
    finally:
        all_units.cache_clear()
        sys.modules.pop("assay.units.catalogue.extract_town", None)
    assert any(module.name == "extract_town" for module in pkgutil.iter_modules([str(tmp_path)]))


@pytest.mark.parametrize("wrong", ["extract_partys", "party", "Extract-Party"])
def test_an_unknown_unit_suggests_the_near_ones(wrong):
    with pytest.raises(UnknownUnitError, match="extract_party"):
        get_unit(wrong)


def test_a_name_like_no_other_points_to_the_list():
    with pytest.raises(UnknownUnitError, match="assay units"):
        get_unit("zzzzzzzz")


CLAUSES = [
    field
    for field in get_unit("extract_clause").fields.values()
    if field.name != "document_name"  # which is a heading
]


@pytest.mark.parametrize("field", CLAUSES, ids=lambda field: field.name)
@pytest.mark.parametrize(
    "heading",
    [
        "13. TERM, RENEWAL, TERMINATION AND ASSIGNMENT",
        "Limitation of Liability; Liquidated Damages; Confidential Information",
        "第八条 不可抗力与违约金",
        "第九条 适用法律、保密、转让、续期与解除",
    ],
)
def test_a_heading_is_never_offered_as_a_clause(field, heading):
    """A model may copy only sentences in which a cue of the question stands."""
    assert not any(re.search(cue, heading, re.IGNORECASE) for cue in field.question.cues)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("governing_law", "This Deed is governed by the laws of Fiji."),
        ("termination", "EITHER PARTY MAY CANCEL THIS ORDER AT ANY TIME."),
        ("confidentiality", "双方对商业秘密负有保密义务，不得披露。"),
        ("assignment", "Neither party may transfer its rights under this Lease."),
        ("liability_cap", "卖方的赔偿责任以合同总价款为限。"),
        ("liquidated_damages", "A penalty of 2% is due for each week."),
        ("force_majeure", "因不能预见的情况不能履行的，免除责任。"),
        ("renewal", "This Agreement renews for one year."),
        ("renewal_notice", "It renews unless notice is given thirty days before its end."),
        ("license_grant", "许可方授予被许可方使用该商标的权利。"),
        ("exclusivity", "The Dealer is the exclusive seller in Norway."),
        ("non_compete", "No Member may compete with the Company."),
        ("minimum_commitment", "Buyer shall order at least ten units a month."),
        ("revenue_sharing", "Each party keeps 50% of the profit."),
        ("audit_rights", "Lessor may inspect the books at any time."),
        ("insurance", "承租人应当为房屋投保火灾保险。"),
    ],
)
def test_a_clause_is_offered(name, sentence):
    """Present tense, capitals and Chinese all count as setting something."""
    question = get_unit("extract_clause").fields[name].question
    assert any(re.search(cue, sentence, re.IGNORECASE) for cue in question.cues)
    assert not any(check(sentence, (sentence,)) for check in question.validators[1:])


def test_a_payment_by_transfer_is_not_offered_as_an_assignment():
    question = get_unit("extract_clause").fields["assignment"].question
    sentence = "We will pay it by bank transfer within ten days."
    assert not any(re.search(cue, sentence, re.IGNORECASE) for cue in question.cues)


@pytest.mark.parametrize(
    ("text", "duration", "perpetual"),
    [
        ("the fifth (5th) anniversary of the Effective Date", "P5Y", False),
        ("the 10th anniversary of its signing", "P10Y", False),
        ("two years from the Effective Date", "P2Y", False),
        ("It continues in force until terminated by either party.", None, True),
        ("It continues until terminated by thirty (30) days' prior written notice.", None, True),
        ("This Agreement is valid for an indefinite period.", None, True),
        ("It continues for the Service Period, unless terminated earlier.", None, False),
        ("until the last order is filled", None, False),
    ],
)
def test_the_end_of_a_term_in_words(text, duration, perpetual):
    """An anniversary is a length; a term that somebody must end has none."""
    (read,) = Expiry.readings(text)
    assert (read.iso, read.duration, read.perpetual) == (None, duration, perpetual)


@pytest.mark.parametrize(
    ("start", "end", "over"),
    [
        ("2031-05-03", "two years from the Effective Date", "2033-05-03"),
        ("2024-02-29", "the first anniversary of the Effective Date", "2025-02-28"),
        ("2031-11-30", "three (3) months after the date hereof", "2032-02-29"),
        ("2031-05-03", "30 days from the date of this Agreement", "2031-06-02"),
        ("2031-05-03", "自本合同生效之日起三年", "2034-05-03"),
        ("2031-05-03", "31 December 2040", "2040-12-31"),
        ("2031-05-03", "two years from the first delivery", None),
        ("2031-05-03", "two years", None),
        ("2031-05", "two years from the Effective Date", None),
        ("2031-05-03", "until terminated", None),
    ],
)
def test_the_day_a_term_is_over_is_counted_only_from_what_the_words_name(start, end, over):
    """Never from a date that the term is not said to begin with."""
    computed = get_unit("extract_date").computed["term_over"]
    (expiry,) = (item.model_dump() for item in Expiry.readings(end))
    operands = {"effective": {"text": "", "iso": start}, "expiry": expiry}
    assert computed.mark.function(operands, {}) == over


@pytest.mark.parametrize("name", ["agreement", "effective", "expiry"])
def test_a_day_without_its_year_is_complained_about(name):
    """ "20 October" dates no agreement."""
    question = get_unit("extract_date").fields[name].question
    assert any(check({"iso": "--10-20"}, ("20 October",)) for check in question.validators)
    assert not any(
        check({"iso": "2025-10-20"}, ("20 October 2025",)) for check in question.validators
    )
