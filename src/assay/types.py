"""The values that travel between the layers: what is asked of a model, and what a unit answers.

Nothing here has behaviour beyond checks and conversions to JSON. All are immutable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from assay.reports import CacheReport

# ---------------------------------------------------------------------------------------------
# What is asked of a back end


@dataclass(frozen=True, slots=True)
class PromptDocument:
    """A whole document as prompts show it: the texts of its segments, in order.

    Where prompts show adjoining segments, `SEGMENT_SEPARATOR` stands between them. `terms` are, for
    each segment, stretches of it (code points, end exclusive; ascending and apart) that a back end
    may read as one token each; none at all where it is empty.
    """

    segments: tuple[str, ...]
    terms: tuple[tuple[tuple[int, int], ...], ...] = ()

    def __post_init__(self) -> None:
        assert not self.terms or len(self.terms) == len(self.segments)


SEGMENT_SEPARATOR = "\n"
#: Token ids from here on stand for whole terms in prompts; no vocabulary reaches so far.
FIRST_TERM_ID = 1 << 62


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation, rendered by the model's own chat template.

    `segments` are stretches of the content (code points, end exclusive), ascending and apart, that
    may stand in other prompts too: what a back end computes of them it may keep and use again.
    Where they are parts of a `document`, `chosen` are their numbers in it, one each, ascending: a
    back end may then compute them in the document's own order, and the content is only what the
    message says to one that does not.
    """

    role: Literal["system", "user", "assistant"]
    content: str
    segments: tuple[tuple[int, int], ...] = ()
    document: PromptDocument | None = None
    chosen: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        assert self.document is None or len(self.chosen) == len(self.segments)


@dataclass(frozen=True, slots=True)
class Source:
    """A stretch of text that `Verbatim` leaves may copy from.

    `boundaries` are the code-point offsets, ascending, at which a span of granularity "sentence"
    may start or end besides the ends of the text.
    """

    text: str
    boundaries: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class JsonConstraint:
    """The answer is one JSON value valid against `schema`.

    A leaf `{"type": "string", "x-verbatim": "char" | "word" | "sentence"}` takes only a span of
    one of `sources`, starting and ending at that granularity, at least one unit long.
    """

    schema: Mapping[str, Any]
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class RegexConstraint:
    """The answer matches `pattern` (Rust regex syntax, anchored at both ends)."""

    pattern: str


@dataclass(frozen=True, slots=True)
class LarkConstraint:
    """The answer is derived from `grammar` (llguidance's dialect of Lark)."""

    grammar: str


Constraint = JsonConstraint | RegexConstraint | LarkConstraint


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """How tokens are chosen. `temperature` 0 is greedy.

    `stop` strings end the answer and are not part of it. `num_logprobs` is how many alternatives
    are reported beside each token (0: the chosen token's only).
    """

    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int | None = None
    stop: tuple[str, ...] = ()
    num_logprobs: int = 0


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """One prompt and what its answer must look like.

    `messages` go through the chat template; a last message of role "assistant" is continued, not
    closed. `cache_salt` separates cached keys and values: equal prompts under different salts
    share nothing, except, where `is_preamble_public` says that it is nobody's secret, what stands
    before the first segment of the messages. Lower `priority` runs first.
    """

    messages: tuple[Message, ...]
    constraint: Constraint | None = None
    sampling: SamplingParams = field(default_factory=SamplingParams)
    cache_salt: str = ""
    priority: int = 0
    is_preamble_public: bool = False


@dataclass(frozen=True, slots=True)
class GeneratedToken:
    """A token of an answer. A forced token was the only legal one: no decision was made on it.

    `logprob` is natural-log, under the constraint (renormalised over the legal tokens); 0.0 for a
    forced token. `margin` is the probability of the chosen token less that of the best other one.
    `entropy` is that of the choice among the legal tokens, in nats.
    """

    token_id: int
    text: str
    logprob: float
    forced: bool
    margin: float = 1.0
    alternatives: tuple[tuple[int, float], ...] = ()
    entropy: float = 0.0


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """Where a `Verbatim` leaf stands: `sources[source].text[start:end]` is its value.

    `pointer` is the leaf's JSON pointer (RFC 6901). `num_occurrences` counts the places in all
    sources where the same text stands; the span is the first, in the order the sources were given.
    `first_token`, `last_token` bound the answer's tokens that spell it (end exclusive).
    """

    pointer: str
    source: int
    start: int
    end: int
    num_occurrences: int = 1
    first_token: int = 0
    last_token: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts of tokens. Forced tokens cost no decode step; cached ones no prefill."""

    num_prompt_tokens: int = 0
    num_cached_tokens: int = 0
    num_decoded_tokens: int = 0
    num_forced_tokens: int = 0
    num_requests: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.num_prompt_tokens + other.num_prompt_tokens,
            self.num_cached_tokens + other.num_cached_tokens,
            self.num_decoded_tokens + other.num_decoded_tokens,
            self.num_forced_tokens + other.num_forced_tokens,
            self.num_requests + other.num_requests,
        )


FinishReason = Literal["stop", "length", "cancelled"]


@dataclass(frozen=True, slots=True)
class Generation:
    """A finished answer. `text` is complete and valid under the constraint iff `finish_reason`
    is "stop". `cache` is there if a KV cache served it; answers are equal whatever it says."""

    text: str
    tokens: tuple[GeneratedToken, ...]
    finish_reason: FinishReason
    usage: Usage
    spans: tuple[SourceSpan, ...] = ()
    cache: CacheReport | None = field(default=None, compare=False)


# ---------------------------------------------------------------------------------------------
# What a unit answers


class Status(StrEnum):
    """How a unit ended."""

    OK = "ok"
    PARTIAL = "partial"
    ABSENT = "absent"
    AMBIGUOUS = "ambiguous"
    ERROR = "error"


class AnswerPath(StrEnum):
    """Which step of the fallback chain answered."""

    MODEL = "model"
    SPECIALIST = "specialist"
    HEURISTIC = "heuristic"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in PDF points from the page's top left corner."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quotation: `quote == document.text[start:end]`, in code points, end exclusive.

    `pointer` says which leaf of the unit's value it supports. `page` counts from 1, and is None
    where the format has no pages.
    """

    start: int
    end: int
    quote: str
    page: int | None
    pointer: str = ""
    boxes: tuple[Box, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "quote": self.quote,
            "page": self.page,
            "pointer": self.pointer,
            "boxes": [
                {
                    "page": box.page,
                    "left": round(box.left, 1),
                    "top": round(box.top, 1),
                    "right": round(box.right, 1),
                    "bottom": round(box.bottom, 1),
                }
                for box in self.boxes
            ],
        }


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """Why a unit, or one field of it, has no answer. `code` is an `AssayError.code`."""

    code: str
    message: str

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message}


@dataclass(frozen=True, slots=True)
class FieldResult:
    """One field of a unit: its own status, confidence and path.

    `value` is JSON-compatible, or None when there is none. `candidates` are the leaves that the
    document leaves open, each `{"pointer": …, "readings": […]}`, when the status is ambiguous.
    """

    status: Status
    value: Any
    evidence: tuple[Evidence, ...]
    confidence: float
    path: AnswerPath | None
    error: ErrorInfo | None = None
    candidates: tuple[Any, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "status": self.status.value,
            "confidence": round(self.confidence, 4),
            "path": self.path.value if self.path else None,
            "candidates": list(self.candidates),
            "error": self.error.as_json() if self.error else None,
        }


@dataclass(frozen=True, slots=True)
class UnitResult:
    """What one unit found in one document.

    `confidence` is the least of its answered fields'. `path` is that of the field with the least
    confidence.
    """

    status: Status
    value: Any
    evidence: tuple[Evidence, ...]
    confidence: float
    path: AnswerPath | None
    error: ErrorInfo | None = None
    fields: Mapping[str, FieldResult] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)

    def as_json(self) -> dict[str, Any]:
        return {
            "status": self.status.value,
            "value": self.value,
            "evidence": [item.as_json() for item in self.evidence],
            "confidence": round(self.confidence, 4),
            "path": self.path.value if self.path else None,
            "error": self.error.as_json() if self.error else None,
            "fields": {name: item.as_json() for name, item in self.fields.items()},
        }
