from assay.terms import Glossary, GlossaryRegistry, TenantTerms, Term, starter_glossary

GLOSSARY = Glossary(
    [
        Term("deductible", ("SIR", "self-insured retention"), "insurance", "en"),
        Term("免赔额", ("自负额",), "insurance", "zh"),
    ]
)


def test_finds_terms_by_any_of_their_names():
    text = "The SIR; 自负额 per loss."
    found = GLOSSARY.find(text)
    assert [(text[m.start : m.end], m.term.name) for m in found] == [
        ("SIR", "deductible"),
        ("自负额", "免赔额"),
    ]
    assert found[0].as_json(text)["text"] == "SIR"


def test_says_a_request_in_the_words_of_the_terms():
    assert GLOSSARY.explain("the SIR?") == ("the SIR?; deductible", ("deductible",))
    assert GLOSSARY.explain("the deductible") == ("the deductible", ())


def test_widens_keywords_by_the_other_names_of_what_is_a_term():
    widened = GLOSSARY.widen({"deductible": 2.0, "deductible clause": 1.0, "SIR": 0.5})
    assert widened["self-insured retention"] == 1.6
    assert widened["SIR"] == 0.5
    assert "自负额" not in widened


def test_a_registry_swaps_whole_glossaries_and_keeps_the_switch():
    registry = GlossaryRegistry({"a": TenantTerms(GLOSSARY, merges=True)})
    begun = registry.get("a")
    other = Glossary([Term("clause")])
    registry.set("a", other)
    assert begun.glossary is GLOSSARY
    assert registry.get("a") == TenantTerms(other, merges=True)
    registry.set("b", GLOSSARY)
    assert not registry.get("b").merges
    registry.remove("a")
    assert registry.get("a") is None
    assert list(registry) == ["b"]


def test_glossaries_are_told_apart_by_content():
    assert GLOSSARY.digest == Glossary(GLOSSARY.terms).digest
    assert GLOSSARY.digest != Glossary(GLOSSARY.terms[:1]).digest


def test_the_starter_glossary_knows_the_trade():
    glossary = starter_glossary()
    assert len(glossary) >= 12_000
    text = "D&O insurance with an SIR of USD 5m; governing law: 适用法律"
    assert {match.term.kind for match in glossary.find(text)} == {"insurance", "currency", "law"}
