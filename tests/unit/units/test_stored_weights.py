"""Weights are the package's, or for a while another folder's."""

from assay.units.fallbacks.stored import weights_from, weights_path


def test_a_folder_takes_the_package_s_place_for_what_it_has(tmp_path):
    (tmp_path / "clauses.json").write_text("{}")
    shipped = weights_path("clauses.json")
    with weights_from(tmp_path):
        assert weights_path("clauses.json") == tmp_path / "clauses.json"
        assert weights_path("theft.crf").parent == shipped.parent
    assert weights_path("clauses.json") == shipped


def test_a_rule_answers_from_the_folder_in_use(tmp_path):
    from assay.units.fallbacks.clause_model import shipped_model

    (tmp_path / "clauses.json").write_text("{}")
    assert shipped_model("assignment") is not None
    with weights_from(tmp_path):
        assert shipped_model("assignment") is None
