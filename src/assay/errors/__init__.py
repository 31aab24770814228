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
    │   ├── PrecisionUnreachableError      precision_unreachable
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
    ├── BudgetExceededError            budget_exceeded (429)
    ├── RateLimitError                 rate_limited (429)
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

from assay.errors.base import (
    AssayError,
    InputError,
)
from assay.errors.inputs import (
    BadRow,
    BrokenDocumentError,
    ConfigError,
    ConstraintError,
    DocumentError,
    DocumentNotFoundError,
    EmptyDocumentError,
    EncryptedDocumentError,
    GlossaryError,
    GrammarTooComplexError,
    InvalidGrammarError,
    NoMatchingUnitError,
    PrecisionUnreachableError,
    PromptTooLongError,
    RecordError,
    SamplingError,
    ScannedDocumentError,
    UnitArgumentError,
    UnitDeclarationError,
    UnitError,
    UnknownFieldError,
    UnknownUnitError,
    UnsupportedDocumentError,
    UnsupportedKeywordError,
)
from assay.errors.running import (
    CancelledError,
    CapacityError,
    ChecksumError,
    CorruptModelError,
    DiskFullError,
    DownloadError,
    EngineStoppedError,
    ModelError,
    ModelNotPulledError,
    PullError,
    TokenLimitError,
    UnsupportedModelError,
)
from assay.errors.service import (
    AuditBrokenError,
    AuthenticationError,
    BudgetExceededError,
    ConflictError,
    ForbiddenError,
    NotFoundError,
    RateLimitError,
    SealBrokenError,
    StoreError,
    TooLargeError,
)

__all__ = [
    "AssayError",
    "AuditBrokenError",
    "AuthenticationError",
    "BadRow",
    "BrokenDocumentError",
    "BudgetExceededError",
    "CancelledError",
    "CapacityError",
    "ChecksumError",
    "ConfigError",
    "ConflictError",
    "ConstraintError",
    "CorruptModelError",
    "DiskFullError",
    "DocumentError",
    "DocumentNotFoundError",
    "DownloadError",
    "EmptyDocumentError",
    "EncryptedDocumentError",
    "EngineStoppedError",
    "ForbiddenError",
    "GlossaryError",
    "GrammarTooComplexError",
    "InputError",
    "InvalidGrammarError",
    "ModelError",
    "ModelNotPulledError",
    "NoMatchingUnitError",
    "NotFoundError",
    "PrecisionUnreachableError",
    "PromptTooLongError",
    "PullError",
    "RateLimitError",
    "RecordError",
    "SamplingError",
    "ScannedDocumentError",
    "SealBrokenError",
    "StoreError",
    "TokenLimitError",
    "TooLargeError",
    "UnitArgumentError",
    "UnitDeclarationError",
    "UnitError",
    "UnknownFieldError",
    "UnknownUnitError",
    "UnsupportedDocumentError",
    "UnsupportedKeywordError",
    "UnsupportedModelError",
]
