"""Bodies of requests and answers, as OpenAPI describes them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DocumentInput(_Strict):
    """A document: one that was uploaded, by its `id`, or plain `text`."""

    id: str | None = Field(None, description="A document of POST /v1/documents.")
    text: str | None = Field(None, description="The document itself, as text.")
    name: str = Field("document.txt", description="What to call a document given as text.")

    @model_validator(mode="after")
    def _one_of_both(self) -> DocumentInput:
        if (self.id is None) == (self.text is None):
            raise ValueError("give either id or text")
        return self


class UnitInput(_Strict):
    """A unit with its arguments."""

    unit: str
    arguments: dict[str, Any] = {}


class Asked(_Strict):
    """What is asked of a document. Without `units` and `ask`, what suits its kind runs."""

    units: list[str | UnitInput] | None = Field(None, description="See GET /v1/units.")
    ask: str | None = Field(None, description="A request in words; it is mapped to units.")
    project: str = Field("", max_length=100, description="Where its usage is counted.")
    wait: bool = Field(True, description="False: answer 202 at once, to be polled.")
    stream: bool = Field(False, description="True: server-sent events, one as each unit ends.")


class AnalysisRequest(Asked):
    """What to analyse, and what to ask of it."""

    document: DocumentInput


class AnalysisBody(BaseModel):
    """An analysis; `results` by unit once it is done, `error` if it failed."""

    id: str
    object: Literal["analysis"] = "analysis"
    status: Literal["running", "done", "failed"]
    created_at: float
    ended_at: float | None = None
    document: dict[str, Any] | None = None
    results: dict[str, Any] | None = None
    usage: dict[str, Any] | None = None
    timing_ms: dict[str, float] | None = None
    routing: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class DocumentBody(BaseModel):
    """A document that was uploaded."""

    id: str
    object: Literal["document"] = "document"
    name: str
    media_type: str | None
    created_at: float
    num_bytes: int


class UnitBody(BaseModel):
    """A unit: what it finds, as a JSON Schema, and the arguments it takes."""

    name: str
    object: Literal["unit"] = "unit"
    summary: str
    version: str
    output_schema: dict[str, Any]
    arguments_schema: dict[str, Any] | None


class ListBody(BaseModel):
    """A list of one kind of thing."""

    object: Literal["list"] = "list"
    data: list[Any]


class GlossaryBody(BaseModel):
    """A glossary: how many terms, and a digest that names what is in it."""

    object: Literal["glossary"] = "glossary"
    num_terms: int
    digest: str
    merges: bool
    created_at: float


class UsageRowBody(BaseModel):
    """What was used in a month for a project by a unit."""

    month: str
    project: str
    unit: str
    num_results: int
    num_prompt_tokens: int
    num_answer_tokens: int


class BudgetBody(BaseModel):
    """How a month's budget stands; `cost` is what was spent, in `currency`."""

    month: str
    num_tokens: int
    num_spent: int
    num_reserved: int
    cost: str
    currency: str


class UsageBody(BaseModel):
    """Usage, and the budget where there is one."""

    object: Literal["usage"] = "usage"
    data: list[UsageRowBody]
    budget: BudgetBody | None


class ErrorDetail(BaseModel):
    """What went wrong, in OpenAI's shape; `remedy` says what to do about it."""

    message: str
    type: str
    code: str
    param: str | None = None
    remedy: str | None = None


class ErrorBody(BaseModel):
    error: ErrorDetail
