"""Models that cannot be fetched or loaded, and answers that did not come."""

from __future__ import annotations

from assay.errors.base import AssayError


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
