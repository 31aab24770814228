"""Documents and analyses: a tenant's own, sealed."""

import pytest

from assay.errors import ConflictError, InputError, NotFoundError, SealBrokenError
from assay.server.store.analyses import AnalysisStatus, AnalysisStore
from assay.server.store.documents import DocumentStore
from assay.server.store.sealing import MasterKeys
from assay.server.store.tenants import TenantStore


@pytest.fixture
def tenants(kept) -> TenantStore:
    kept.tenants.create("acme")
    kept.tenants.create("globex")
    return kept.tenants


@pytest.fixture
def documents(kept, tenants) -> DocumentStore:
    return DocumentStore(kept.database, tenants)


@pytest.fixture
def analyses(kept, tenants) -> AnalysisStore:
    return AnalysisStore(kept.database, tenants)


def test_a_document_comes_back_byte_by_byte(documents) -> None:
    data = bytes(range(256))
    made = documents.add("acme", data, "合同.pdf", "application/pdf")
    assert documents.get("acme", made.document_id) == (made, data)
    assert documents.all("acme") == [made]


def test_another_tenants_document_is_not_there(documents) -> None:
    made = documents.add("acme", b"secret", "a.txt", None)
    for attempt in (documents.get, documents.delete):
        with pytest.raises(NotFoundError):
            attempt("globex", made.document_id)
    assert documents.all("globex") == []
    documents.delete("acme", made.document_id)
    with pytest.raises(NotFoundError):
        documents.get("acme", made.document_id)


def test_no_word_of_a_document_lies_open(documents, stored_bytes) -> None:
    documents.add("acme", b"the covenant of Alder", "alder-covenant.txt", None)
    stored = stored_bytes()
    assert b"acme" in stored
    assert b"covenant" not in stored


def test_an_analysis_runs_and_ends(analyses) -> None:
    begun, is_new = analyses.begin("acme", b"h")
    assert is_new
    assert analyses.get("acme", begun.analysis_id).status is AnalysisStatus.RUNNING
    analyses.finish("acme", begun.analysis_id, AnalysisStatus.DONE, {"results": {"x": "é"}})
    ended = analyses.get("acme", begun.analysis_id)
    assert (ended.status, ended.content) == (AnalysisStatus.DONE, {"results": {"x": "é"}})
    with pytest.raises(NotFoundError):
        analyses.get("globex", begun.analysis_id)


def test_the_same_idempotency_key_leads_to_the_same_analysis(analyses) -> None:
    first, _ = analyses.begin("acme", b"h", "k")
    again, is_new = analyses.begin("acme", b"h", "k")
    assert (again.analysis_id, is_new) == (first.analysis_id, False)
    other, is_new = analyses.begin("globex", b"h", "k")
    assert is_new
    assert other.analysis_id != first.analysis_id
    with pytest.raises(ConflictError):
        analyses.begin("acme", b"another request", "k")


def test_what_a_dead_server_left_running_is_told_as_failed(analyses) -> None:
    begun, _ = analyses.begin("acme", b"h")
    done, _ = analyses.begin("acme", b"h")
    analyses.finish("acme", done.analysis_id, AnalysisStatus.DONE, {})
    assert analyses.fail_running({"error": {"code": "capacity"}}) == 1
    assert analyses.get("acme", begun.analysis_id).status is AnalysisStatus.FAILED
    assert analyses.get("acme", done.analysis_id).status is AnalysisStatus.DONE


def test_a_new_master_key_takes_over(kept, documents, settings) -> None:
    made = documents.add("acme", b"data", "a.txt", None)
    old = MasterKeys.open(settings.master_key_path)
    new = old.with_new_key()
    assert kept.tenants.seal_anew(new) == 2
    alone = MasterKeys(new.current, {new.current: new.keys[new.current]})
    tenants = TenantStore(kept.database, alone)
    assert DocumentStore(kept.database, tenants).get("acme", made.document_id)[1] == b"data"
    with pytest.raises(SealBrokenError, match="not at hand"):
        TenantStore(kept.database, old).data_key("acme")


@pytest.mark.parametrize("name", ["", "Acme", "a/b", "-a", "a" * 64, "租户"])
def test_names_that_are_none_are_refused(kept, name: str) -> None:
    with pytest.raises(InputError):
        kept.tenants.create(name)


def test_a_name_is_given_once(tenants) -> None:
    with pytest.raises(ConflictError):
        tenants.create("acme")
