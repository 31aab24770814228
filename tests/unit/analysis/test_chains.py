"""Which chain answers which unit for whom."""

import pytest

from assay.analysis.chains import ChainTable
from assay.errors import ConfigError
from assay.types import AnswerPath
from assay.units.chain import CHEAPEST_FIRST, MODEL_FIRST, RULES_ONLY, Chain

TABLE = """
units:
  "*": cheapest-first
  extract_party: {steps: [specialist, model], enough: 0.9, strict: true}
tenants:
  acme:
    extract_date: rules-only
    "*": model-first
"""


def test_the_nearest_setting_wins(tmp_path):
    path = tmp_path / "chains.yaml"
    path.write_text(TABLE, encoding="utf-8")
    table = ChainTable.load(path)
    own = Chain((AnswerPath.SPECIALIST, AnswerPath.MODEL), enough=0.9, strict=True)
    assert table.chain_for("extract_party") == own
    assert table.chain_for("extract_date") == CHEAPEST_FIRST
    assert table.chain_for("extract_date", "acme") == RULES_ONLY
    assert table.chain_for("extract_party", "acme") == MODEL_FIRST
    assert table.chain_for("extract_party", "other") == own
    assert ChainTable().chain_for("extract_date") is None


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ([], "no mapping"),
        ({"unit": {}}, "unknown key 'unit'"),
        ({"units": {"extract_party": "fastest"}}, "no chain 'fastest'"),
        ({"units": {"extract_party": {"steps": ["oracle"]}}}, "units.extract_party.steps.0"),
        ({"units": {"extract_party": {"steps": []}}}, "units.extract_party.steps"),
        ({"tenants": {"acme": {"*": {"enough": 2}}}}, "tenants.acme.\\*.enough"),
        ({"tenants": {"acme": {"*": {"enouhg": 1}}}}, "enouhg"),
    ],
)
def test_what_no_table_can_say_is_told_with_its_place(content, told):
    with pytest.raises(ConfigError, match=told):
        ChainTable.from_mapping(content or "x" if content == [] else content)


@pytest.mark.parametrize("content", [None, b"units: [", b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read_is_a_config_error(tmp_path, content):
    path = tmp_path / "chains.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"chains\.yaml cannot be read"):
        ChainTable.load(path)
