"""What every back end checks of a request before it starts."""

from __future__ import annotations

import math

from assay.errors import InputError, SamplingError
from assay.types import GenerationRequest

MAX_LOGPROBS = 20


def check_request(request: GenerationRequest) -> None:
    """Checks a request's own consistency, whatever the model.

    Raises:
        InputError: there is no message.
        SamplingError: names the parameter and its range.
    """
    if not request.messages:
        raise InputError("a request needs at least one message")
    sampling = request.sampling
    if sampling.max_tokens < 1:
        raise SamplingError(f"max_tokens must be at least 1, not {sampling.max_tokens}")
    if not (math.isfinite(sampling.temperature) and sampling.temperature >= 0):
        raise SamplingError(f"temperature must be 0 or more, not {sampling.temperature}")
    if not 0 < sampling.top_p <= 1:
        raise SamplingError(f"top_p must be above 0 and at most 1, not {sampling.top_p}")
    if not 0 <= sampling.num_logprobs <= MAX_LOGPROBS:
        raise SamplingError(
            f"num_logprobs must be between 0 and {MAX_LOGPROBS}, not {sampling.num_logprobs}"
        )
    if not all(sampling.stop):
        raise SamplingError("a stop string must not be empty")
    if sampling.stop and request.constraint is not None:
        raise SamplingError(
            "stop strings would cut a constrained answer before it is valid",
            remedy="drop either the stop strings or the constraint",
        )
