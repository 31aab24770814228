"""What runs where nobody says what to run."""

import pytest

from assay import Analyzer
from assay.analysis.choosing import choose_tasks, kind_of, suiting_tasks
from assay.analysis.plan import make_plan
from assay.backends.scripted import ScriptedBackend
from assay.documents import read_document
from assay.terms import TenantTerms, read_glossary

INVOICE = "INVOICE\nInvoice number: 17\nBill to: Birch Ltd.\nQty  Unit price\nAmount due: EUR 40.00"
CONTRACT = """SUPPLY AGREEMENT. This Agreement is made by and between Alder Inc. and Birch Ltd. The
parties agree that the governing law is that of Norway. In witness whereof they signed."""
CHINESE = "采购合同。甲方：苏州甲公司。乙方：青岛乙公司。本合同自签字之日起生效。违约责任：……"


def names(text: str) -> list[str]:
    return [task.name for task in suiting_tasks(read_document(text.encode()))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [(INVOICE, "invoice"), (CONTRACT, "contract"), (CHINESE, "contract"), ("Good day.", "any")],
)
def test_kinds_are_told_by_their_words(text, kind):
    assert kind_of(text) == kind


def test_units_run_on_the_kinds_that_they_suit():
    assert names(INVOICE)[0] == names(CONTRACT)[0] == "classify_document"
    assert {"extract_total", "extract_issuer"} <= set(names(INVOICE))
    assert {"extract_clause", "extract_party"} <= set(names(CONTRACT))
    assert "extract_clause" not in names(INVOICE)
    assert "extract_total" not in names(CONTRACT)
    assert {"extract_party", "extract_date", "extract_currency"} <= set(names("Good day."))


GLOSSARY = read_glossary(
    "term,aliases,kind\ndeductible,basement line;起保线,insurance\ngoverning law,lex x,law\n"
)


def test_a_request_in_a_tenant_s_words_means_what_its_glossary_says():
    with Analyzer(backend=ScriptedBackend(lambda request: {})) as analyzer:
        analyzer.set_glossary("acme", GLOSSARY)
        for request in ("show the basement line", "列出起保线"):
            assert analyzer.route(request).unit_names != ("extract_deductible",)
            asked = choose_tasks((), analyzer.route(request, tenant="acme"))
            assert [task.name for task in asked] == ["extract_deductible"]


def test_passages_are_found_by_other_names_of_what_a_question_looks_for():
    filler = "Nothing of the kind stands in this paragraph, however long it is made to be here."
    text = "\n\n".join([*[filler] * 30, "Lex x: Norway.", *[filler] * 30])
    document = read_document(text.encode())
    task = choose_tasks(["extract_clause"])[0]
    field = next(
        item for item in task.unit.fields.values() if "governing law" in item.question.keywords
    )
    plain = make_plan(document, [task]).excerpt_for(field)[0]
    widened = make_plan(document, [task], terms=TenantTerms(GLOSSARY)).excerpt_for(field)[0]
    assert "Lex x" not in plain.text
    assert "Lex x" in widened.text


def test_a_model_is_told_where_terms_stand_only_if_they_are_merged():
    document = read_document(b"The basement line.\n\nNothing else.")
    for merges in (False, True):
        plan = make_plan(document, (), terms=TenantTerms(GLOSSARY, merges))
        shown = plan.reading.document
        found = [
            shown.segments[i][start:end]
            for i, spans in enumerate(shown.terms)
            for start, end in spans
        ]
        assert found == (["basement line"] if merges else [])
