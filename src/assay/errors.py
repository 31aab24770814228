"""Every error that Assay raises on purpose.

Bad input from anywhere raises one of these, with one clear line and, where there is one, the
remedy. `assert` is kept for what cannot happen.

::

    AssayError
    ├── InputError                     the caller can mend it (400)
    │   ├── DocumentError
    │   │   ├── DocumentNotFoundError      no_such_file
    │   │   ├── EmptyDocumentError         empty_document
    │   │   ├── UnsupportedDocumentError   unsupported_document
    │   │   ├── BrokenDocumentError        broken_document
    │   │   ├── EncryptedDocumentError     encrypted_document
    │   │   └── ScannedDocumentError       scanned_document
    │   ├── UnitError
    │   │   ├── UnknownUnitError           unknown_unit
    │   │   ├── UnknownFieldError          unknown_field
    │   │   ├── NoMatchingUnitError        no_matching_unit
    │   │   ├── UnitArgumentError          invalid_argument
    │   │   └── UnitDeclarationError       invalid_unit
    │   ├── RecordError                    invalid_record
    │   ├── GlossaryError                  invalid_glossary
    │   ├── ConfigError                    invalid_config
    │   ├── SamplingError                  invalid_sampling
    │   ├── PromptTooLongError             prompt_too_long
    │   ├── ConstraintError
    │   │   ├── InvalidGrammarError        invalid_grammar
    │   │   ├── UnsupportedKeywordError    unsupported_keyword
    │   │   └── GrammarTooComplexError     grammar_too_complex
    │   ├── AuthenticationError            not_authenticated (401)
    │   ├── ForbiddenError                 forbidden (403)
    │   ├── NotFoundError                  not_found (404)
    │   ├── ConflictError                  conflict (409)
    │   └── TooLargeError                  too_large (413)
    ├── StoreError                     what a service keeps things in (503)
    │   ├── SealBrokenError                seal_broken
    │   └── AuditBrokenError               audit_broken
    ├── ModelError                     the installation can be mended
    │   ├── ModelNotPulledError            model_not_pulled
    │   ├── UnsupportedModelError          unsupported_model
    │   ├── CorruptModelError              corrupt_model
    │   └── PullError
    │       ├── DownloadError              download_failed
    │       ├── ChecksumError              checksum_mismatch
    │       └── DiskFullError              disk_full
    ├── CapacityError                  no room now (503)
    │   └── EngineStoppedError             engine_stopped
    ├── TokenLimitError                token_limit
    └── CancelledError                 cancelled
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


class AssayError(Exception):
    """Base of all errors raised on purpose.

    `code` is stable and machine-readable; `http_status` is what a server answers with; `remedy`
    says what to do about it, or is None where nothing can be said.
    """

    code: ClassVar[str] = "internal_error"
    http_status: ClassVar[int] = 500

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})" if self.remedy else self.message


class InputError(AssayError):
    """The request, a file or a flag is wrong; the caller can mend it."""

    code = "invalid_input"
    http_status = 400


class DocumentError(InputError):
    """A document cannot be read."""

    code = "invalid_document"


class DocumentNotFoundError(DocumentError):
    """There is no such file, or it is not a readable regular file."""

    code = "no_such_file"


class EmptyDocumentError(DocumentError):
    """The document holds no text."""

    code = "empty_document"


class UnsupportedDocumentError(DocumentError):
    """The bytes are of a format that no reader takes, whatever the file's name says."""

    code = "unsupported_document"
    http_status = 415


class BrokenDocumentError(DocumentError):
    """The format is known but the bytes are damaged."""

    code = "broken_document"


class EncryptedDocumentError(DocumentError):
    """The document asks for a password."""

    code = "encrypted_document"


class ScannedDocumentError(DocumentError):
    """The document has pages but no text layer: it is a scan."""

    code = "scanned_document"


class UnitError(InputError):
    """A unit is unknown or badly declared."""

    code = "invalid_unit"


class UnknownUnitError(UnitError):
    """No unit has this name."""

    code = "unknown_unit"


class UnknownFieldError(UnitError):
    """A unit has no field of that name."""

    code = "unknown_field"


class NoMatchingUnitError(UnitError):
    """No unit answers a request made in words."""

    code = "no_matching_unit"


class UnitArgumentError(UnitError):
    """An argument of a unit is unknown, missing or of another type."""

    code = "invalid_argument"


class UnitDeclarationError(UnitError):
    """A unit's declaration contradicts itself."""


class RecordError(InputError):
    """A record of runs cannot be read, or does not have what is asked for."""

    code = "invalid_record"


@dataclass(frozen=True, slots=True)
class BadRow:
    """What is wrong with a line (counted from 1) of a table."""

    line: int
    complaint: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.complaint}"


class GlossaryError(InputError):
    """A table of terms cannot be used. `rows` are all its faults, by line."""

    code = "invalid_glossary"

    def __init__(
        self, message: str, *, remedy: str | None = None, rows: Sequence[BadRow] = ()
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.rows = tuple(rows)


class ConfigError(InputError):
    """A configuration key or value is not known."""

    code = "invalid_config"


class SamplingError(InputError):
    """A sampling parameter is out of range."""

    code = "invalid_sampling"


class PromptTooLongError(InputError):
    """Prompt and answer do not fit the model's positions or the cache."""

    code = "prompt_too_long"


class ConstraintError(InputError):
    """A schema, regex or grammar cannot be used."""

    code = "invalid_constraint"


class InvalidGrammarError(ConstraintError):
    """The schema, regex or grammar does not parse."""

    code = "invalid_grammar"


class UnsupportedKeywordError(ConstraintError):
    """A JSON Schema keyword that cannot be enforced; never ignored in silence."""

    code = "unsupported_keyword"


class GrammarTooComplexError(ConstraintError):
    """The grammar went past a limit of the parser."""

    code = "grammar_too_complex"


class AuthenticationError(InputError):
    """The request carries no valid key."""

    code = "not_authenticated"
    http_status = 401


class ForbiddenError(InputError):
    """The key is valid, but not for this."""

    code = "forbidden"
    http_status = 403


class NotFoundError(InputError):
    """There is no such thing, or it is another tenant's."""

    code = "not_found"
    http_status = 404


class ConflictError(InputError):
    """What is asked contradicts what is there already."""

    code = "conflict"
    http_status = 409


class TooLargeError(InputError):
    """The request is larger than the service takes."""

    code = "too_large"
    http_status = 413


class StoreError(AssayError):
    """What a service keeps things in does not answer."""

    code = "store_unavailable"
    http_status = 503


class SealBrokenError(StoreError):
    """What is kept does not open with the key at hand."""

    code = "seal_broken"
    http_status = 500


class AuditBrokenError(StoreError):
    """The audit log is not as it was written."""

    code = "audit_broken"
    http_status = 500


class ModelError(AssayError):
    """A model cannot be fetched or loaded."""

    code = "model_error"


class ModelNotPulledError(ModelError):
    """The model is not in the cache folder."""

    code = "model_not_pulled"
    http_status = 503


class UnsupportedModelError(ModelError):
    """An architecture, tokenizer or tensor type that the engine does not run."""

    code = "unsupported_model"


class CorruptModelError(ModelError):
    """A model file is damaged or incomplete."""

    code = "corrupt_model"


class PullError(ModelError):
    """Fetching or packing a model failed; nothing half-written was left."""

    code = "pull_failed"


class DownloadError(PullError):
    """The network or the index did not deliver."""

    code = "download_failed"


class ChecksumError(PullError):
    """What was delivered is not what was expected."""

    code = "checksum_mismatch"


class DiskFullError(PullError):
    """The disk has no room for the model."""

    code = "disk_full"


class CapacityError(AssayError):
    """There is no room now; the same request may go through later."""

    code = "capacity"
    http_status = 503


class EngineStoppedError(CapacityError):
    """The engine has been closed, or died, with the request in flight."""

    code = "engine_stopped"


class TokenLimitError(AssayError):
    """The answer reached its token limit before it was complete."""

    code = "token_limit"


class CancelledError(AssayError):
    """The caller cancelled the request."""

    code = "cancelled"
    http_status = 499
