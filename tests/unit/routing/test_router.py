"""The router that comes with the package: what it makes of requests, by itself and under rules."""

import threading
import time

import pytest

from assay.errors import ConfigError, CorruptModelError
from assay.routing import RouteRules, load_router
from assay.routing.head import load_head, save_head
from assay.routing.route import By

TRIGGERS = {
    "extract_party": ("party",),
    "extract_date": ("date",),
    "extract_currency": ("amount",),
    "extract_clause": ("clause",),
    "compare_numeric_range": ("at least",),
    "detect_complaint": ("complaint",),
}
OWN = {**TRIGGERS, "extract_demurrage": ("demurrage", "滞期费")}


@pytest.fixture(scope="module")
def router():
    router = load_router()
    router.read("warm")
    return router


def ruled(router, **rule):
    content = {"rules": [{"name": "ours", "words": ["premium"], **rule}]}
    return router.with_rules(RouteRules.from_mapping(content))


@pytest.mark.parametrize(
    ("text", "units", "active"),
    [
        ("Which companies are party to this?", {"extract_party"}, {"entity"}),
        ("when does the policy run out", {"extract_date"}, {"temporal"}),
        (
            "names of the partys and the signing date",
            {"extract_party", "extract_date"},
            {"entity", "temporal"},
        ),
        ("is the rent above 900 euros", {"compare_numeric_range"}, {"numeric"}),
        ("列出金额", {"extract_currency"}, {"numeric"}),
        ("这位客户是在投诉吗", {"detect_complaint"}, {"sentiment"}),
    ],
)
def test_requests_mean_units_and_dimensions(router, text, units, active):
    route = router.route(text, TRIGGERS)
    assert set(route.unit_names) == units
    assert set(route.descriptor.active) == active
    assert {unit.by for unit in route.units} == {By.MODEL}


@pytest.mark.parametrize(
    "text", ["what is the weather like", "my card was swallowed by the machine", "给我放首歌", ""]
)
def test_what_fits_no_unit_is_refused_and_the_nearest_are_named(router, text):
    route = router.route(text, TRIGGERS)
    assert route.is_refused
    assert route.as_json()["refused"] is True
    assert set(route.nearest()) <= set(TRIGGERS)
    assert len(route.nearest()) == 3


def test_only_units_that_there_are_can_be_meant(router):
    assert router.route("list the dates", {"extract_party": ("party",)}).unit_names != (
        "extract_date",
    )


def test_a_unit_it_was_not_trained_on_is_reached_by_its_trigger_words(router):
    route = router.route("when is the demurrage due, and on what date does the lease end?", OWN)
    assert route.units[0].name == "extract_demurrage"
    assert route.units[0].by is By.TRIGGER
    assert "extract_date" in route.unit_names
    assert router.route("滞期费", OWN).unit_names == ("extract_demurrage",)
    assert "extract_demurrage" not in router.route("list the dates", OWN).unit_names


def test_a_rule_takes_the_place_of_what_the_router_would_say(router):
    own = ruled(router, units=["extract_currency"], descriptor=["numeric"])
    route = own.route("when does the premium change", TRIGGERS)
    assert route.unit_names == ("extract_currency",)
    assert route.units[0].by is By.RULE
    assert route.descriptor.active == ("numeric",)
    assert route.as_json()["rule"] == {"name": "ours", "words": "premium"}
    assert own.route("when does it end", TRIGGERS).rule is None


def test_a_rule_that_adds_comes_on_top(router):
    own = ruled(router, units=["extract_currency"], descriptor=["numeric"], adds=True)
    route = own.route("list the dates and the premium", TRIGGERS)
    assert route.unit_names[0] == "extract_currency"
    assert "extract_date" in route.unit_names
    assert {"numeric", "temporal"} <= set(route.descriptor.active)


def test_a_rule_that_refuses_refuses_even_what_fits(router):
    own = ruled(router, refuse="ask the broker", tenants=["acme"])
    route = own.route("list the dates and the premium", TRIGGERS, tenant="acme")
    assert route.is_refused
    assert route.rule.reason == "ask the broker"
    assert not own.route("list the dates and the premium", TRIGGERS).is_refused


def test_a_rule_may_not_name_a_unit_that_there_is_not(router):
    with pytest.raises(ConfigError, match="which there is not"):
        ruled(router, units=["extract_nothing"]).route("dates", TRIGGERS)


def test_a_segment_is_described_in_the_same_five_numbers(router):
    money = router.describe(
        "The Buyer shall pay USD 25,000 and a further EUR 3,100 in fees, or 4%."
    )
    plain = router.describe("The parties have had several friendly meetings about the plan.")
    assert money.numeric > 0.5 > plain.numeric


def test_threads_share_one_router(router):
    texts = ["list the dates", "who signed", "列出金额"] * 4
    expected = [router.route(text, TRIGGERS) for text in texts]
    found = [None] * len(texts)

    def work(number):
        found[number] = router.route(texts[number], TRIGGERS)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_it_is_small_and_quick(router):
    assert router.num_parameters <= 12_000_000
    taken = []
    for _ in range(9):
        started = time.thread_time()
        router.route("who are the parties, and when does it end?", TRIGGERS)
        taken.append(time.thread_time() - started)
    assert min(taken) < 0.03  # the least: a machine with other work beside it slows the rest


def test_the_head_survives_being_stored(router, tmp_path):
    save_head(tmp_path / "router.npz", router.head)
    again = load_head(tmp_path / "router.npz")
    assert again.settings == router.head.settings
    assert (again.weights["units"] == router.head.weights["units"]).all()
    (tmp_path / "router.npz").write_bytes(b"no archive")
    with pytest.raises(CorruptModelError):
        load_head(tmp_path / "router.npz")


def test_units_are_meant_by_what_a_glossary_says_of_a_request(router):
    request = "and the quay bond?"
    assert "extract_currency" not in router.route(request, TRIGGERS).unit_names
    route = router.route(request, TRIGGERS, terms=("Amount", "nothing of the kind"))
    assert route.units[0].name == "extract_currency"
    assert route.units[0].by is By.TRIGGER
