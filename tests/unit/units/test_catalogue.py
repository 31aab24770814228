"""The units that come with Assay."""

import importlib
import pkgutil
import sys

import pytest

import assay.units.catalogue as catalogue
from assay.errors import UnknownUnitError
from assay.units import all_units, get_unit

NAMES = [
    "extract_clause",
    "extract_currency",
    "extract_date",
    "extract_party",
    "extract_payment_terms",
    "extract_percentage",
]


def test_the_catalogue_is_what_lies_in_its_folder():
    assert [unit.name for unit in all_units()] == NAMES


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
