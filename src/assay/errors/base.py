"""What all errors have."""

from __future__ import annotations

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
