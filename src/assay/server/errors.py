"""From exceptions to answers: one body, in OpenAI's shape, whatever went wrong."""

from __future__ import annotations

import logging
import secrets
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from assay.errors import AssayError, AuthenticationError, RateLimitError

_LOG = logging.getLogger("assay.server")
_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "invalid_request_error",
    415: "invalid_request_error",
    422: "invalid_request_error",
    429: "rate_limit_error",
}


def error_body(error: AssayError) -> dict[str, Any]:
    """The body that tells of an error."""
    return _body(error.http_status, error.message, error.code, remedy=error.remedy)


def install_handlers(app: FastAPI) -> None:
    """Has every exception of `app` answered in the one shape."""
    app.add_exception_handler(AssayError, _on_assay_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_exception_handler(Exception, _on_bug)


def _body(
    status: int, message: str, code: str, *, param: str | None = None, remedy: str | None = None
) -> dict[str, Any]:
    kind = _TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    detail = {"message": message, "type": kind, "code": code, "param": param, "remedy": remedy}
    return {"error": detail}


async def _on_assay_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, AssayError)
    headers = {}
    if isinstance(error, AuthenticationError):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, RateLimitError):
        headers["Retry-After"] = str(error.retry_after_s)
    return JSONResponse(error_body(error), error.http_status, headers)


async def _on_invalid_request(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    param = ".".join(str(part) for part in first["loc"] if part != "body")
    if first["type"] == "json_invalid":
        return JSONResponse(_body(400, "the body is no JSON", "invalid_json"), 400)
    message = f"{param}: {first['msg']}" if param else first["msg"]
    return JSONResponse(_body(422, message, "invalid_request", param=param or None), 422)


async def _on_http_exception(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, AssayError):  # raised while the body was being read
        return await _on_assay_error(request, error.__cause__)
    code = {404: "no_such_route", 405: "method_not_allowed"}.get(error.status_code, "http_error")
    message = f"{request.method} {request.url.path}: {error.detail}"
    body = _body(error.status_code, message, code)
    return JSONResponse(body, error.status_code, error.headers)


async def _on_bug(request: Request, error: Exception) -> JSONResponse:
    number = secrets.token_hex(4)
    _LOG.error("bug %s in %s %s", number, request.method, request.url.path, exc_info=error)
    message = f"something went wrong here, not with the request; the log has it as {number}"
    return JSONResponse(_body(500, message, AssayError.code), 500)
