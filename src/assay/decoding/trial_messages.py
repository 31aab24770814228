"""What a back end and the process in which it tries constraints tell each other.

Each message is one JSON object in UTF-8 behind its length in bytes, 4 bytes big-endian. Nothing
is pickled: the process on either side reads data only.

::

    -> {"tokenizer_json", "vocab_size", "eos_token_ids", "memory_bytes"}      once, at the start
    <- VERDICT                                                                 ready, or why not
    -> {"constraint": CONSTRAINT, "timeout_s"}                                 any number of times
    <- VERDICT

    CONSTRAINT   {"schema", "sources": [[text, [boundary, …]], …]} | {"pattern"} | {"grammar"}
    VERDICT      {"error": null | {"type", "message", "remedy"}}

`timeout_s` is of processor time: a trial that takes more is answered by the end of the process.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from assay.errors import (
    AssayError,
    ConstraintError,
    GrammarTooComplexError,
    InvalidGrammarError,
    UnsupportedKeywordError,
    UnsupportedModelError,
)
from assay.types import Constraint, JsonConstraint, LarkConstraint, RegexConstraint, Source

_HEADER_BYTES = 4
_ERRORS: dict[str, type[AssayError]] = {
    kind.__name__: kind
    for kind in (
        ConstraintError,
        GrammarTooComplexError,
        InvalidGrammarError,
        UnsupportedKeywordError,
        UnsupportedModelError,
    )
}


def write_message(file: IO[bytes], body: bytes) -> None:
    file.write(len(body).to_bytes(_HEADER_BYTES, "big") + body)
    file.flush()


def read_message(file: IO[bytes]) -> dict[str, Any] | None:
    """The next message, or None where the other side is gone."""
    header = file.read(_HEADER_BYTES)
    length = int.from_bytes(header, "big")
    body = file.read(length)
    if len(header) < _HEADER_BYTES or len(body) < length:
        return None
    message: dict[str, Any] = json.loads(body)
    return message


def encode(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, default=_plain).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def constraint_to_json(constraint: Constraint) -> dict[str, Any]:
    if isinstance(constraint, JsonConstraint):
        sources = [[source.text, source.boundaries] for source in constraint.sources]
        return {"schema": constraint.schema, "sources": sources}
    if isinstance(constraint, RegexConstraint):
        return {"pattern": constraint.pattern}
    return {"grammar": constraint.grammar}


def constraint_from_json(values: Mapping[str, Any]) -> Constraint:
    if "schema" in values:
        sources = tuple(Source(text, tuple(bounds)) for text, bounds in values["sources"])
        return JsonConstraint(values["schema"], sources)
    if "pattern" in values:
        return RegexConstraint(values["pattern"])
    return LarkConstraint(values["grammar"])


def error_to_json(error: BaseException) -> dict[str, Any]:
    """What `error_from_json` makes an equal error of, where it is one of ours."""
    if isinstance(error, AssayError):
        return {"type": type(error).__name__, "message": error.message, "remedy": error.remedy}
    return {"type": "", "message": repr(error)[:400], "remedy": None}


def error_from_json(values: Mapping[str, Any]) -> AssayError:
    kind = _ERRORS.get(values["type"], AssayError)
    return kind(values["message"], remedy=values["remedy"])


def too_much_memory(memory_bytes: int) -> GrammarTooComplexError:
    """The refusal of a constraint whose compilation went past its memory or stack."""
    return GrammarTooComplexError(
        f"compiling the constraint took more than {memory_bytes // 2**20} MB, or too deep a stack",
        remedy="simplify the schema, regex or grammar, or shorten the source",
    )
