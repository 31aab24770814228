"""A Hugging Face server on loopback, as much of one as pulling needs."""

from __future__ import annotations

import hashlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class TinyHub(ThreadingHTTPServer):
    """Serves the files of a folder as one repository, with ranges, as the hub does."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = folder
        self.requests: list[tuple[str, str | None, str | None]] = []
        self.cut_after: dict[str, int] = {}
        self.fail: dict[str, list[int]] = {}
        self.hashes: dict[str, str] = {}
        self.redirect = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: TinyHub

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        server, name = self.server, self.path.rsplit("/", 1)[1]
        span = self.headers.get("Range")
        server.requests.append((self.path, span, self.headers.get("Authorization")))
        path = server.folder / name
        if statuses := server.fail.get(name):
            return self._finish(statuses.pop(0))
        if self.path.startswith("/acme/tiny/") and server.redirect and path.exists():
            return self._finish(302, Location=f"{server.url}/cdn/{name}", **self._linked(name))
        if not self.path.startswith(("/acme/tiny/resolve/main/", "/cdn/")) or not path.exists():
            return self._finish(404)
        content = path.read_bytes()
        tag = f'"{hashlib.md5(content).hexdigest()}"'
        start, status = 0, 200
        if span and self.headers.get("If-Range") == tag:
            start, status = int(span.removeprefix("bytes=").rstrip("-")), 206
        self.send_response(status)
        self.send_header("Content-Length", str(len(content) - start))
        self.send_header("ETag", tag)
        for key, value in self._linked(name).items():
            self.send_header(key, value)
        self.end_headers()
        end = server.cut_after.pop(name, len(content))
        self.wfile.write(content[start:end])
        return None

    def _linked(self, name: str) -> dict[str, str]:
        value = self.server.hashes.get(name)
        return {"X-Linked-ETag": f'"{value}"'} if value else {}

    def _finish(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", "0")
        self.end_headers()
