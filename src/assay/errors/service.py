"""What a service refuses, and what it keeps things in."""

from __future__ import annotations

from assay.errors.base import AssayError, InputError


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


class BudgetExceededError(AssayError):
    """What a request may take is more than is free of its tenant's budget."""

    code = "budget_exceeded"
    http_status = 429


class RateLimitError(AssayError):
    """A tenant asks more often than it may; `retry_after_s` says when the next may come."""

    code = "rate_limited"
    http_status = 429

    def __init__(self, message: str, *, remedy: str | None = None, retry_after_s: int = 1) -> None:
        super().__init__(message, remedy=remedy)
        self.retry_after_s = retry_after_s


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
