"""A model behind an OpenAI-compatible server, asked plainly, and what its answers are taken for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest

from assay.errors import ConfigError
from assay.evaluation import Ask, Case, Finding, Place, PlainQuestion
from assay.evaluation.base import text_document
from assay.evaluation.baseline import BaselineAnswerer, bound, read_answer
from assay.evaluation.judgement import Response

DOCUMENT = text_document("letter", "Sent from  Bergen\nby Ada Berg on 3 May 2021.")
TEXT_OR_NULL = {"type": ["string", "null"]}
NAMES = {
    "type": "array",
    "items": {"type": "object", "properties": {"name": {"type": "string"}}},
}
DATE = {
    "anyOf": [
        {"type": "object", "properties": {"iso": {"type": "string", "format": "date"}}},
        {"type": "null"},
    ]
}


def read(value: Any, quote: str | None, schema: dict[str, Any]) -> tuple[Finding, bool]:
    return read_answer({"value": value, "quote": quote}, schema, DOCUMENT)


def test_texts_and_quotations_are_located() -> None:
    finding, is_grounded = read([{"name": "ada berg"}], "from Bergen by", NAMES)
    assert is_grounded
    assert finding.value == [{"name": "ada berg"}]
    assert finding.places == (Place(21, 29, "/0/name"), Place(5, 20, ""))


def test_a_name_that_is_nowhere_is_ungrounded() -> None:
    finding, is_grounded = read([{"name": "Ida Berg"}], "Bergen", NAMES)
    assert not is_grounded
    assert finding.places == (Place(11, 17, ""),)


def test_a_computed_value_is_grounded_by_its_quotation() -> None:
    assert read({"iso": "2021-05-03"}, "3 May 2021", DATE)[1]
    assert not read({"iso": "2021-05-03"}, "4 May 2021", DATE)[1]
    assert not read({"iso": "2021-05-03"}, None, DATE)[1]


def test_a_label_is_no_quotation() -> None:
    finding, is_grounded = read("letter", "Sent", {"enum": ["letter", "invoice"]})
    assert (is_grounded, finding.places) == (True, (Place(0, 4, ""),))


def test_null_and_no_need_no_quotation() -> None:
    assert read(None, "nothing of the kind", DATE) == (Finding(), True)
    assert read(False, None, {"type": ["boolean", "null"]})[1]


def test_texts_are_bounded_unless_they_have_a_bound_or_a_format() -> None:
    assert bound(DATE) == DATE
    names = bound(NAMES)
    assert names["items"]["properties"]["name"] == {"type": "string", "maxLength": 200}
    kept = {"type": "string", "maxLength": 500}
    assert bound({"type": "array", "items": kept})["items"] == kept


CASE = Case(
    "1",
    "en",
    DOCUMENT,
    (Ask("place", "find_town", "Bergen", plain=PlainQuestion("Which town?", TEXT_OR_NULL)),),
)


def ask(reply: Callable[[dict[str, Any]], httpx.Response], case: Case = CASE) -> Sequence[Response]:
    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/models":
            return httpx.Response(200, json={"data": [{"id": "served"}]})
        assert request.url.path == "/v1/chat/completions"
        return reply(json.loads(request.content))

    async def run() -> Sequence[Response]:
        transport = httpx.MockTransport(handle)
        async with BaselineAnswerer("http://there/v1/", transport=transport) as answerer:
            return (await answerer.answer(case))[1]

    return asyncio.run(run())


def completion(content: str) -> httpx.Response:
    return httpx.Response(200, json={"choices": [{"message": {"content": content}}]})


def test_a_question_is_asked_with_its_document_and_schema() -> None:
    asked: list[dict[str, Any]] = []

    def reply(body: dict[str, Any]) -> httpx.Response:
        asked.append(body)
        return completion('{"value": "Bergen", "quote": "Sent from Bergen"}')

    (town,) = ask(reply)
    assert town == Response(Finding("Bergen", (Place(11, 17), Place(0, 17))), "baseline")
    (body,) = asked
    assert body["model"] == "served"
    assert body["temperature"] == 0
    assert DOCUMENT.text in body["messages"][1]["content"]
    assert body["messages"][1]["content"].endswith("Which town?")
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["value"] == {**TEXT_OR_NULL, "maxLength": 200}


def test_a_document_that_does_not_fit_is_cut_until_it_does() -> None:
    lengths: list[int] = []

    def reply(body: dict[str, Any]) -> httpx.Response:
        lengths.append(len(body["messages"][1]["content"]))
        if lengths[-1] > 3000:
            return httpx.Response(400, text="the maximum context length is 700 tokens")
        return completion('{"value": null, "quote": null}')

    case = Case("1", "en", text_document("long", "Bergen. " * 1000), CASE.asks)
    assert ask(reply, case) == [Response(Finding(), "baseline")]
    assert len(lengths) == 3


@pytest.mark.parametrize(
    "reply",
    [
        completion('{"value": "Ber'),
        completion('{"quote": "Bergen"}'),
        completion('["Bergen"]'),
        completion('{"value": 5, "quote": null}'),
        httpx.Response(500, text="no"),
        httpx.Response(400, text="unknown keyword"),
    ],
)
def test_an_answer_that_fails_is_an_error_and_no_finding(reply: httpx.Response) -> None:
    (town,) = ask(lambda _: reply)
    assert town.finding == Finding()
    assert town.error.startswith("baseline_")


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    async def run() -> None:
        transport = httpx.MockTransport(lambda _: httpx.Response(404))
        async with BaselineAnswerer("http://there", transport=transport):
            pass

    with pytest.raises(ConfigError, match="ends in /v1"):
        asyncio.run(run())
