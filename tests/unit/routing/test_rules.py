"""An operator's rules: what can be said in them, and when they speak."""

import pytest

from assay.errors import ConfigError
from assay.routing.rules import RouteRules

PREMIUM = {"name": "premium", "words": ["premium", "保费"], "units": ["extract_currency"]}
ADVICE = {"name": "advice", "words": ["should we sign"], "refuse": "no legal advice"}


def rules(*items):
    return RouteRules.from_mapping({"rules": list(items)})


def test_the_first_rule_whose_words_stand_there_speaks():
    table = rules(ADVICE, PREMIUM)
    rule, fired = table.fired("Should we sign, given the premium?", "")
    assert (rule.name, fired.words, fired.reason) == ("advice", "should we sign", "no legal advice")
    assert table.fired("保费多少", "")[0].name == "premium"
    assert table.fired("who signed it", "") is None


def test_a_rule_of_some_tenants_is_for_them_alone():
    table = rules(PREMIUM | {"tenants": ["acme"]})
    assert table.fired("the premium", "acme") is not None
    assert table.fired("the premium", "other") is None
    assert table.fired("the premium", "") is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "no list"),
        ({"rules": [PREMIUM], "defaults": 1}, "unknown key 'defaults'"),
        ({"rules": ["premium"]}, "rule 1 is no mapping"),
        ({"rules": [PREMIUM | {"regex": ".*"}]}, "unknown key 'regex'"),
        ({"rules": [{**PREMIUM, "words": "premium"}]}, "words is no list"),
        ({"rules": [{**PREMIUM, "words": [7]}]}, "words is no text"),
        ({"rules": [{"words": ["a"], "units": ["x"]}]}, "name is no text"),
        ({"rules": [PREMIUM | {"refuse": "no"}]}, "either units or refuse"),
        ({"rules": [{"name": "x", "words": ["a"]}]}, "either units or refuse"),
        ({"rules": [ADVICE | {"adds": True}]}, "neither add nor describe"),
        ({"rules": [PREMIUM | {"adds": "yes"}]}, "neither true nor false"),
        ({"rules": [PREMIUM | {"descriptor": ["colour"]}]}, "no dimension 'colour'"),
        ({"rules": [PREMIUM, PREMIUM]}, "two routing rules are named 'premium'"),
    ],
)
def test_what_no_rule_can_say_is_refused(content, message):
    with pytest.raises(ConfigError, match=message):
        RouteRules.from_mapping(content)


def test_a_rule_for_a_unit_that_there_is_not_is_told():
    with pytest.raises(ConfigError, match="'premium' names the unit 'extract_currency'"):
        rules(PREMIUM).check(["extract_date"])


def test_rules_are_read_from_a_file(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_text("rules:\n  - {name: a, words: [b], units: [c]}\n", encoding="utf-8")
    assert RouteRules.load(path).rules[0].units == ("c",)
    path.write_text("rules: [", encoding="utf-8")
    with pytest.raises(ConfigError, match="cannot be read"):
        RouteRules.load(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        RouteRules.load(tmp_path / "none.yaml")
