"""What the units are held against: a model behind an OpenAI-compatible server, asked plainly.

It gets the document, the question in plain words and a JSON Schema that the server enforces (guided
JSON), and is told to quote. Its quotation is located in the document by us, and so are texts among
its values; what stands nowhere is counted as ungrounded. It is judged like the units.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import httpx
from jsonschema import Draft202012Validator, ValidationError

from assay.documents import Document
from assay.errors import AssayError, ConfigError
from assay.evaluation.base import Ask, Case, Finding, Place
from assay.evaluation.judgement import BASELINE, Response
from assay.evaluation.units import read_case

SYSTEM = (
    "You extract facts from documents. Answer in JSON: the value, and the exact words of the "
    "document that state it as the quote. If the document does not say, answer null."
)
PROMPT = "Document:\n{document}\n\nQuestion: {question}"
MAX_TOKENS = 384
#: Texts in answers are bounded: a small model often finds no end, and its JSON would be cut off.
MAX_CHARS = 200
TIMEOUT_S = 1800.0
#: A document that does not fit is cut to a half until it does, but not below this.
_LEAST_CHARS = 500
_NOT_FITTING = re.compile(r"context|maximum|too long|longer", re.IGNORECASE)


class BaselineAnswerer:
    """Asks the server at `url` (such as `http://127.0.0.1:8901/v1`) for `model`, or the first that
    it serves. Use it as an async context manager. Every ask has to have a plain question.
    `transport` takes the network's place where given."""

    system = BASELINE

    def __init__(
        self,
        url: str,
        model: str | None = None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url = url.rstrip("/")
        self._model = model
        self._client = httpx.AsyncClient(
            timeout=TIMEOUT_S,
            limits=httpx.Limits(max_connections=None),
            trust_env=False,
            transport=transport,
        )

    async def __aenter__(self) -> Self:
        """Raises `ConfigError` if no server answers there."""
        try:
            answer = await self._client.get(f"{self._url}/models", timeout=10)
            answer.raise_for_status()
            served = [item["id"] for item in answer.json()["data"]]
        except (httpx.HTTPError, KeyError, ValueError) as error:
            await self._client.aclose()
            raise ConfigError(
                f"no OpenAI-compatible server answers at {self._url}: {error!r}",
                remedy="give the URL that ends in /v1",
            ) from error
        self._model = self._model or served[0]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._client.aclose()

    async def answer(self, case: Case) -> tuple[Document, Sequence[Response]]:
        """As the protocol says."""
        try:
            document = await read_case(case)
        except AssayError as error:
            return Document(case.case_id, "", ""), [Response(error=error.code)] * len(case.asks)
        asked = (self._answer(ask, document) for ask in case.asks)
        return document, await asyncio.gather(*asked)

    async def _answer(self, ask: Ask, document: Document) -> Response:
        assert ask.plain is not None
        try:
            answer = json.loads(await self._generate(ask.plain.text, ask.plain.schema, document))
            finding, is_grounded = read_answer(answer, ask.plain.schema, document)
        except (httpx.HTTPError, LookupError, ValueError, ValidationError) as error:
            return Response(path=BASELINE, error=f"baseline_{type(error).__name__}")
        return Response(finding, BASELINE, num_ungrounded=int(not is_grounded))

    async def _generate(self, question: str, schema: Mapping[str, Any], document: Document) -> str:
        shown = document.text
        while True:
            reply = await self._client.post(
                f"{self._url}/chat/completions", json=self._body(question, schema, shown)
            )
            fits = reply.status_code != httpx.codes.BAD_REQUEST
            if fits or len(shown) <= _LEAST_CHARS or not _NOT_FITTING.search(reply.text):
                break
            shown = shown[: len(shown) // 2]
        reply.raise_for_status()
        return str(reply.json()["choices"][0]["message"]["content"])

    def _body(self, question: str, schema: Mapping[str, Any], shown: str) -> dict[str, Any]:
        return {
            "model": self._model,
            "messages": [
                {"role": "system", "content": SYSTEM},
                {"role": "user", "content": PROMPT.format(document=shown, question=question)},
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": answer_schema(schema), "strict": True},
            },
            "temperature": 0,
            "max_tokens": MAX_TOKENS,
        }


def answer_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an answer whose value is of this one."""
    return {
        "type": "object",
        "properties": {
            "value": bound(schema),
            "quote": {"type": ["string", "null"], "maxLength": MAX_CHARS},
        },
        "required": ["value", "quote"],
        "additionalProperties": False,
    }


def bound(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with a `maxLength` for every text that has none, and is not of a format."""
    found: dict[str, Any] = {}
    for key, item in schema.items():
        if key == "properties":
            found[key] = {name: bound(inner) for name, inner in item.items()}
        elif key == "anyOf":
            found[key] = [bound(inner) for inner in item]
        else:
            found[key] = bound(item) if key == "items" else item
    if _is_text(schema):
        found.setdefault("maxLength", MAX_CHARS)
    return found


def read_answer(
    answer: Mapping[str, Any], schema: Mapping[str, Any], document: Document
) -> tuple[Finding, bool]:
    """A baseline's answer as a finding, and whether all that it copied, and its quotation, stands
    in the document (white space folded, case ignored). The quotation supports the whole value.

    Raises:
        ValidationError: the server has not held it to the schema.
    """
    Draft202012Validator(answer_schema(schema)).validate(answer)
    value, quote = answer["value"], answer["quote"]
    if value is None:
        return Finding(), True
    texts = list(_copied(value, schema, ""))
    if quote:
        texts.append(("", quote))
    found = [(pointer, _locate(text, document.text)) for pointer, text in texts]
    places = tuple(Place(*span, pointer) for pointer, span in found if span)
    is_grounded = all(span for _, span in found) and (bool(found) or value is False)
    return Finding(value, places), is_grounded


def _copied(value: Any, schema: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, str]]:
    """The texts in a value that a document must hold: strings of no format, and no labels."""
    for branch in schema.get("anyOf", ()):
        yield from _copied(value, branch, pointer)
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _copied(
                item, schema.get("properties", {}).get(name, {}), f"{pointer}/{name}"
            )
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _copied(item, schema.get("items", {}), f"{pointer}/{index}")
    elif isinstance(value, str) and _is_text(schema):
        yield pointer, value


def _is_text(schema: Mapping[str, Any]) -> bool:
    """Whether a schema is that of words of the document: a string of no format, and no label."""
    return schema.get("type") in ("string", ["string", "null"]) and "format" not in schema


def _locate(wanted: str, text: str) -> tuple[int, int] | None:
    words = wanted.split()
    if not words:
        return None
    match = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return match.span() if match else None
