"""What is wrong with a document, a unit, a request to a model, or a setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors.base import InputError


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


class PrecisionUnreachableError(InputError):
    """So few mistakes are asked for as no confidence is known to leave."""

    code = "precision_unreachable"


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
