"""The API, without a model: units go on to their fallbacks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from assay.analysis import AsyncAnalyzer
from assay.cli.unit_skeletons import write_skeleton
from assay.evaluation.units import NoModel
from assay.server.app import create_app
from assay.server.store.budgets import Budget
from assay.server.store.glossaries import GlossaryStore
from assay.server.store.keys import Scope
from assay.units import all_units

TEXT = (
    "This Supply Agreement is made on 3 May 2031 between Alder Castings Ltd and Birch Rotors Inc. "
    "It is governed by the laws of the State of Oregon."
)


@pytest.fixture
def tokens(kept) -> dict[str, str]:
    kept.tenants.create("acme")
    kept.tenants.create("globex")
    _, acme = kept.keys.create("acme")
    _, globex = kept.keys.create("globex")
    _, narrow = kept.keys.create("acme", scopes=[Scope.USAGE])
    return {"acme": acme, "globex": globex, "narrow": narrow}


@pytest.fixture
def client(settings, kept, tokens) -> Iterator[TestClient]:
    app = create_app(settings, kept, AsyncAnalyzer(backend=NoModel()))
    with TestClient(app, raise_server_exceptions=False) as client:
        client.headers["Authorization"] = f"Bearer {tokens['acme']}"
        yield client


def ask(client: TestClient, **changes: object):
    body = {"document": {"text": TEXT}, "units": ["extract_date"], **changes}
    return client.post("/v1/analyses", json=body)


def test_an_analysis_is_answered_with_evidence(client) -> None:
    answer = ask(client)
    assert answer.status_code == 200
    result = answer.json()["results"]["extract_date"]
    assert result["value"]["agreement"]["iso"] == "2031-05-03"
    (evidence,) = [item for item in result["evidence"] if item["pointer"] == "/agreement"]
    assert TEXT[evidence["start"] : evidence["end"]] == evidence["quote"] == "3 May 2031"


def test_a_request_in_words_is_routed_and_the_answer_says_how(client) -> None:
    answer = ask(client, units=None, ask="which law governs this agreement?").json()
    assert list(answer["results"]) == ["extract_clause"]
    assert answer["routing"]["active"] == ["clause"]


def test_an_analysis_can_be_fetched_and_forgotten(client) -> None:
    made = ask(client).json()
    assert client.get(f"/v1/analyses/{made['id']}").json() == made
    assert client.delete(f"/v1/analyses/{made['id']}").status_code == 204
    assert client.get(f"/v1/analyses/{made['id']}").status_code == 404


def test_who_does_not_wait_polls(client) -> None:
    answer = ask(client, wait=False)
    assert answer.status_code == 202
    place = answer.headers["Location"]
    for _ in range(200):
        body = client.get(place).json()
        if body["status"] != "running":
            break
    assert body["status"] == "done"
    assert "extract_date" in body["results"]


def test_a_stream_tells_of_each_unit_and_ends_with_the_whole(client) -> None:
    answer = ask(client, stream=True, units=["extract_date", "extract_party"])
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [block.split("\n") for block in answer.text.strip().split("\n\n")]
    names = [lines[0].removeprefix("event: ") for lines in events]
    assert names == ["started", "unit", "unit", "done"]
    last = json.loads(events[-1][1].removeprefix("data: "))
    assert last["status"] == "done"
    assert set(last["results"]) == {"extract_date", "extract_party"}


def test_a_document_is_uploaded_once_and_asked_twice(client) -> None:
    made = client.post("/v1/documents", files={"file": ("supply.txt", TEXT)})
    assert made.status_code == 201
    for unit in ("extract_date", "extract_party"):
        answer = ask(client, document={"id": made.json()["id"]}, units=[unit])
        assert answer.json()["document"]["name"] == "supply.txt"
    assert client.get("/v1/documents").json()["data"] == [made.json()]
    assert client.delete(f"/v1/documents/{made.json()['id']}").status_code == 204


def test_a_file_can_be_sent_along(client) -> None:
    answer = client.post(
        "/v1/analyses/upload",
        files={"file": ("supply.txt", TEXT)},
        data={"units": "extract_date, extract_party"},
    )
    assert answer.status_code == 200
    assert set(answer.json()["results"]) == {"extract_date", "extract_party"}


def test_another_tenant_finds_nothing(client, tokens) -> None:
    analysis = ask(client).json()["id"]
    document = client.post("/v1/documents", files={"file": ("a.txt", TEXT)}).json()["id"]
    client.headers["Authorization"] = f"Bearer {tokens['globex']}"
    assert client.get(f"/v1/analyses/{analysis}").status_code == 404
    assert client.get(f"/v1/documents/{document}").status_code == 404
    assert ask(client, document={"id": document}).status_code == 404
    assert client.get("/v1/documents").json()["data"] == []


def test_what_a_budget_does_not_cover_is_refused_and_leaves_nothing(client, kept) -> None:
    kept.budgets.set("acme", Budget(0))
    answer = ask(client)
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "budget_exceeded")
    kept.budgets.set("acme", None)
    assert ask(client).status_code == 200


def test_who_asks_too_often_is_told_when_to_come_again(settings, kept, tokens) -> None:
    limited = replace(settings, requests_per_minute=2)
    app = create_app(limited, kept, AsyncAnalyzer(backend=NoModel()))
    with TestClient(app) as client:
        headers = [{"Authorization": f"Bearer {tokens[name]}"} for name in ("acme", "globex")]
        codes = [client.get("/v1/documents", headers=headers[0]).status_code for _ in range(3)]
        refused = client.get("/v1/documents", headers=headers[0])
        assert codes == [200, 200, 429]
        assert int(refused.headers["Retry-After"]) in (29, 30)
        assert client.get("/v1/documents", headers=headers[1]).status_code == 200


def test_usage_is_counted_by_project_and_unit(client) -> None:
    ask(client, project="claims")
    ask(client, project="claims")
    ask(client, units=["extract_party"])
    usage = client.get("/v1/usage").json()
    counts = {(row["project"], row["unit"]): row["num_results"] for row in usage["data"]}
    assert counts == {("claims", "extract_date"): 2, ("", "extract_party"): 1}
    assert usage["budget"] is None
    assert client.get("/v1/usage?month=1999-01").json()["data"] == []


def test_the_same_idempotency_key_is_analysed_once(client) -> None:
    body = {"document": {"text": TEXT}, "units": ["extract_date"]}
    headers = {"Idempotency-Key": "one"}
    first = client.post("/v1/analyses", json=body, headers=headers).json()
    assert client.post("/v1/analyses", json=body, headers=headers).json() == first
    body["units"] = ["extract_party"]
    assert client.post("/v1/analyses", json=body, headers=headers).status_code == 409


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"units": ["extract_dates"]}, 400, "unknown_unit"),
        ({"units": [{"unit": "extract_date", "arguments": {"x": 1}}]}, 400, "invalid_argument"),
        ({"units": None, "ask": "order me a pizza"}, 400, "no_matching_unit"),
        ({"document": {}}, 422, "invalid_request"),
        ({"document": {"text": "a", "id": "b"}}, 422, "invalid_request"),
        ({"document": {"text": "  "}}, 400, "empty_document"),
        ({"document": {"id": "doc_0"}}, 404, "not_found"),
        ({"unit": ["extract_date"]}, 422, "invalid_request"),
        ({"document": {"text": "a" * 200_000}}, 413, "too_large"),
    ],
)
def test_what_is_wrong_with_a_request_is_told(client, changes, status: int, code: str) -> None:
    answer = ask(client, **changes)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["message"]


def test_a_body_without_a_length_is_bounded_too(client) -> None:
    chunks = (b'{"document": {"text": "' if n == 0 else b"a" * 10_000 for n in range(20))
    answer = client.post("/v1/analyses", content=chunks)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_what_is_no_json_is_told(client) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/v1/analyses", content=b"{", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_json")


@pytest.mark.parametrize("header", [None, "", "Bearer ", "Bearer assay_0_0", "Basic YTpi"])
@pytest.mark.parametrize("route", ["/v1/units", "/v1/documents", "/v1/analyses/x"])
def test_no_route_opens_without_a_key(client, header: str | None, route: str) -> None:
    del client.headers["Authorization"]
    answer = client.get(route, headers={} if header is None else {"Authorization": header})
    assert answer.status_code == 401
    assert answer.json()["error"]["type"] == "authentication_error"
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_key_does_what_its_scopes_say(client, tokens) -> None:
    client.headers["Authorization"] = f"Bearer {tokens['narrow']}"
    answer = client.get("/v1/units")
    assert answer.status_code == 403
    assert "analyze" in answer.json()["error"]["message"]


def test_all_units_are_described(client) -> None:
    listed = client.get("/v1/units").json()["data"]
    (unit,) = [item for item in listed if item["name"] == "extract_date"]
    assert "agreement" in unit["output_schema"]["properties"]
    assert client.get("/v1/units/extract_date").json() == unit
    assert client.get("/v1/units/extract_dates").status_code == 400


def test_one_new_file_is_a_unit_of_the_api(client, tmp_path, monkeypatch) -> None:
    write_skeleton("extract_expiry_day", tmp_path, python=False)
    monkeypatch.setenv("ASSAY_UNITS", str(tmp_path))
    all_units.cache_clear()
    try:
        unit = client.get("/v1/units/extract_expiry_day").json()
        listed = [item["name"] for item in client.get("/v1/units").json()["data"]]
        answer = ask(client, units=["extract_expiry_day"]).json()
    finally:
        all_units.cache_clear()
    assert unit["output_schema"]["properties"]
    assert "extract_expiry_day" in listed
    assert "extract_expiry_day" in answer["results"]


def test_metrics_are_for_who_has_the_scope(client, kept) -> None:
    assert client.get("/metrics").status_code == 403
    ask(client)
    ask(client, units=None, ask="who are the parties?")
    _, token = kept.keys.create("acme", scopes=[Scope.ADMIN])
    text = client.get("/metrics", headers={"Authorization": f"Bearer {token}"}).text
    assert 'assay_http_requests_total{route="POST /v1/analyses",status="200"} 2.0' in text
    assert re.search(r'assay_unit_results_total{.*status="ok",unit="extract_party"} 1.0', text)
    assert 'assay_routed_unit_total{tenant="acme",unit="extract_party"} 1.0' in text
    assert 'assay_analyses{state="running"} 0.0' in text


def test_a_glossary_is_put_refused_whole_and_taken_away(client, kept) -> None:
    _, token = kept.keys.create("acme", scopes=[Scope.GLOSSARIES, Scope.ANALYZE])
    client.headers["Authorization"] = f"Bearer {token}"

    def put(table: str):
        return client.put("/v1/glossaries", files={"file": ("terms.csv", table)})

    good = "term,aliases,kind,language\nexpiry date,drop-dead day,date,en\n"
    assert client.get("/v1/glossaries").status_code == 404
    made = put(good).json()
    assert made["num_terms"] == 1
    refused = put("term,aliases,kind,language\n,x,y,en\n")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_glossary")
    assert "line 2" in refused.json()["error"]["message"]
    assert client.get("/v1/glossaries").json() == made
    routing = ask(client, units=None, ask="drop-dead day?").json()["routing"]
    assert [unit["name"] for unit in routing["units"]] == ["extract_date"]
    assert client.delete("/v1/glossaries").status_code == 204
    assert client.get("/v1/glossaries").status_code == 404


def test_glossaries_are_there_after_a_restart(settings, kept, tokens) -> None:
    table = b"term,aliases,kind,language\nexpiry date,drop-dead day,date,en\n"
    GlossaryStore(kept.database, kept.tenants).put("acme", table, False)
    analyzer = AsyncAnalyzer(backend=NoModel())
    with TestClient(create_app(settings, kept, analyzer)):
        assert list(analyzer.glossaries) == ["acme"]


def test_health_is_open_to_all(client) -> None:
    del client.headers["Authorization"]
    assert client.get("/healthz").json() == {"status": "ok"}
    ready = client.get("/readyz")
    assert ready.json()["parts"]["store"] == "answers"


def test_what_was_done_is_written_down(client, kept) -> None:
    made = ask(client).json()
    client.get("/v1/units", headers={"Authorization": "Bearer wrong"})
    refused, created = kept.audit.entries(limit=2)
    assert (created.event.tenant, created.event.subject) == ("acme", made["id"])
    assert (refused.event.action, refused.event.outcome) == ("authenticate", "refused")
    kept.audit.verify()


def test_a_bug_is_told_as_one(client, monkeypatch) -> None:
    def fail(self: object, tenant: str) -> None:
        raise ZeroDivisionError("hidden detail")

    monkeypatch.setattr("assay.server.store.documents.DocumentStore.all", fail)
    answer = client.get("/v1/documents")
    assert answer.status_code == 500
    assert "hidden" not in answer.text


def test_routes_that_are_none_are_told_in_the_same_shape(client) -> None:
    assert client.get("/v2").json()["error"]["code"] == "no_such_route"
    assert client.put("/v1/units").json()["error"]["code"] == "method_not_allowed"
