"""From what a user asks for to a packed model in the store, and what can go wrong on the way."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import ssl
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from tiny_checkpoints import CONFIG, random_weights, write_folder, write_gguf

from assay.errors import (
    ChecksumError,
    ConfigError,
    DiskFullError,
    DownloadError,
    UnsupportedModelError,
)
from assay.models import download
from assay.models.load.safetensors import open_tensors
from assay.models.packed import WEIGHTS, load_packed
from assay.models.pull import PullProgress, pull_model
from assay.models.spec import KNOWN, Spec, parse_spec, safe_name
from assay.models.store import list_models, models_folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(download, "RETRY_DELAY_S", 0.0)
    # Plain HTTP on loopback needs none of the certificates, which take long to read.
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *args, **kwargs: None)
    for name in ("HF_TOKEN", "HF_ENDPOINT", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    return write_gguf(tmp_path / "Tiny Model.gguf", CONFIG, random_weights(CONFIG))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "repository", CONFIG, random_weights(CONFIG), num_shards=2)


def _visible() -> list[str]:
    """What stands in the store under a name of its own."""
    return [path.name for path in models_folder().iterdir() if not path.name.startswith(".")]


# What can be asked for


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("smollm2", "package", "smollm2"),
        ("pypi:some-model==1.0.post1", "package", "some-model-1.0.post1"),
        ("https://host/a/Model-Q4.gguf?x=1", "url", "model-q4"),
        ("Qwen/Qwen3-0.6B", "hub", "qwen--qwen3-0.6b"),
        ("./missing.gguf", "path", "missing"),
        ("/models/My%Model.gguf", "path", "my-model"),
    ],
)
def test_what_is_asked_for_has_a_kind_and_a_name(text: str, kind: str, name: str) -> None:
    spec = parse_spec(text)
    assert (spec.kind, spec.name) == (kind, name)


@pytest.mark.parametrize(
    "text",
    ["", "unknown", "pypi:", "pypi:x", "pypi:--index-url==1", "a/b/c", "https://h/x.zip",
     "http://host/x.gguf", "-x/y", "a/..", "pypi:x==1 y"],
)  # fmt: skip
def test_what_names_no_model_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_spec(text)


def test_names_cannot_leave_the_store() -> None:
    assert safe_name("../../etc/passwd") == "etc-passwd"
    assert safe_name("Ünïcode  Näme") == "n-code-n-me"
    with pytest.raises(ConfigError):
        safe_name("///")


# Paths


def test_a_file_and_a_folder_are_packed_under_their_own_names(gguf: Path, folder: Path) -> None:
    assert pull_model(str(gguf)).name == "tiny-model"
    assert pull_model(str(folder)).name == "repository"
    assert [model.name for model in list_models()] == ["repository", "tiny-model"]
    assert load_packed(models_folder() / "tiny-model", verify=True).config == CONFIG


def test_pulling_twice_does_nothing(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = pull_model(str(gguf))
    monkeypatch.setattr("assay.models.pull._fetch", None)
    monkeypatch.setattr("assay.models.pull._pack", None)
    assert pull_model(str(gguf)) == first


def test_another_model_of_the_same_name_is_refused(gguf: Path, tmp_path: Path) -> None:
    pull_model(str(gguf))
    other = tmp_path / "elsewhere" / gguf.name
    other.parent.mkdir()
    other.write_bytes(gguf.read_bytes())
    with pytest.raises(ConfigError, match="is taken"):
        pull_model(str(other))


def test_an_interrupt_leaves_no_model_and_the_next_pull_succeeds(gguf: Path) -> None:
    def interrupt(progress: PullProgress) -> None:
        if progress.stage == "pack" and progress.done_bytes:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull_model(str(gguf), progress=interrupt)
    assert _visible() == []
    pull_model(str(gguf))
    assert _visible() == ["tiny-model"]


def test_what_a_killed_pull_left_behind_is_removed(gguf: Path) -> None:
    leftover = models_folder() / ".tiny-model.0badf00d.partial"
    leftover.mkdir(parents=True)
    (leftover / "weights.safetensors").write_bytes(b"half")
    pull_model(str(gguf))
    assert not leftover.exists()


def test_a_second_pull_waits_for_the_first(gguf: Path) -> None:
    models_folder().mkdir(parents=True)
    waiting = threading.Event()

    def watch(progress: PullProgress) -> None:
        if progress.stage == "wait":
            waiting.set()

    with (models_folder() / ".tiny-model.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        thread = threading.Thread(target=pull_model, args=(str(gguf),), kwargs={"progress": watch})
        thread.start()
        assert waiting.wait(5)
        assert _visible() == []
    thread.join(5)
    assert _visible() == ["tiny-model"]


# Packages


def _serve_wheel(
    monkeypatch: pytest.MonkeyPatch, members: dict[str, bytes], *, sha256: str | None = None
) -> list[str]:
    """Stands in for pip: writes a wheel with these members. Returns the requirements asked for."""
    asked: list[str] = []

    def fetch(requirement: str, folder: Path, report: Any, total: int | None = None) -> Path:
        asked.append(requirement)
        with zipfile.ZipFile(folder / "tiny-1.whl", "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return folder / "tiny-1.whl"

    monkeypatch.setattr(download, "fetch_package", fetch)
    monkeypatch.setitem(KNOWN, "tiny", Spec("package", "tiny==1", "tiny", sha256))
    return asked


def test_a_package_is_fetched_checked_packed_and_cleared_away(
    gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = gguf.read_bytes()
    good = hashlib.sha256(content).hexdigest()
    asked = _serve_wheel(monkeypatch, {"pkg/m.gguf": content, "pkg/x.py": b""}, sha256=good)
    stages: list[str] = []
    path = pull_model("tiny", progress=lambda progress: stages.append(progress.stage))
    assert load_packed(path).name == "tiny"
    assert asked == ["tiny==1"]
    assert list(dict.fromkeys(stages)) == ["unpack", "pack"]
    assert sorted(item.name for item in models_folder().iterdir()) == [".tiny.lock", "tiny"]


def test_a_file_that_is_not_the_expected_one_is_refused_and_removed(
    gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = _serve_wheel(monkeypatch, {"m.gguf": gguf.read_bytes()}, sha256="0" * 64)
    for _ in range(2):
        with pytest.raises(ChecksumError, match="expected 0000"):
            pull_model("tiny")
    assert _visible() == []
    assert len(asked) == 2, "the bad wheel was kept"


@pytest.mark.parametrize("members", [{"x.py": b""}, {"a.gguf": b"", "b.gguf": b""}])
def test_a_package_without_exactly_one_model_is_refused(
    members: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    _serve_wheel(monkeypatch, members)
    with pytest.raises(DownloadError, match="GGUF files, expected one"):
        pull_model("tiny")


def test_a_damaged_wheel_is_a_checksum_error(tmp_path: Path) -> None:
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("m.gguf", b"GGUF" * 1000)
    content = bytearray(wheel.read_bytes())
    content[500] ^= 1
    wheel.write_bytes(content)
    with pytest.raises(ChecksumError, match="damaged"):
        download.extract_gguf(wheel, tmp_path / "m.gguf", None, lambda *_: None)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_while_unpacking_leaves_nothing(
    gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _serve_wheel(monkeypatch, {"m.gguf": gguf.read_bytes()})

    def full(progress: PullProgress) -> None:
        if progress.stage == "unpack":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(DiskFullError):
        pull_model("tiny", progress=full)
    assert _visible() == []
    assert not list(models_folder().rglob("*.part"))


def _fake_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    """Runs `script` with the shell in place of Python; its arguments are those of Python."""
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setattr(download.sys, "executable", str(fake))
    monkeypatch.setattr(download, "_POLL_S", 0.005)


def test_pip_is_asked_for_the_wheel_alone_and_its_growth_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'echo "$@" > "$TMPDIR/../asked"; echo 12345 > "$TMPDIR/growing"; sleep 0.05; '
    _fake_pip(monkeypatch, tmp_path, script + 'mv "$TMPDIR/growing" "$TMPDIR/../m-1.whl"')
    folder = tmp_path / "work"
    folder.mkdir()
    seen: list[tuple[str, int, int | None]] = []
    wheel = download.fetch_package("m==1", folder, lambda *report: seen.append(report), 6)
    assert wheel == folder / "m-1.whl"
    asked = (folder / "asked").read_text().split()
    assert asked[:3] == ["-m", "pip", "download"]
    assert {"--no-deps", "--only-binary=:all:", "m==1"} <= set(asked)
    assert ("m==1", 6, 6) in seen[:-1], "the growing file was not seen"


def test_what_pip_says_last_is_what_the_error_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "echo 'Looking'; echo 'ERROR: No matching distribution found for m==1' >&2; exit 1"
    _fake_pip(monkeypatch, tmp_path, script)
    with pytest.raises(DownloadError, match="No matching distribution found for m==1"):
        download.fetch_package("m==1", tmp_path, lambda *_: None)


def test_a_disk_that_fills_up_under_pip_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"echo 'ERROR: [Errno 28] {os.strerror(errno.ENOSPC)}' >&2; exit 1"
    _fake_pip(monkeypatch, tmp_path, script)
    with pytest.raises(DiskFullError):
        download.fetch_package("m==1", tmp_path, lambda *_: None)


def test_an_interrupt_stops_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fake_pip(monkeypatch, tmp_path, 'echo $$ > "$TMPDIR/../pid"; exec sleep 60')
    pid_file = tmp_path / "pid"

    def interrupt(*_: object) -> None:
        if pid_file.exists() and pid_file.read_text().strip():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download.fetch_package("m==1", tmp_path, interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


# A Hugging Face server, on loopback


class _Hub(ThreadingHTTPServer):
    """Serves the files of a folder as one repository, with ranges, as the hub does."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _HubHandler)
        self.folder = folder
        self.requests: list[tuple[str, str | None, str | None]] = []
        self.cut_after: dict[str, int] = {}
        self.fail: dict[str, list[int]] = {}
        self.hashes: dict[str, str] = {}
        self.redirect = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _HubHandler(BaseHTTPRequestHandler):
    server: _Hub

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


@pytest.fixture
def hub(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Hub]:
    server = _Hub(folder)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005})
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", server.url + "/")
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


SHARD = "model-00001-of-00002.safetensors"


def test_a_repository_is_fetched_and_packed(hub: _Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret")
    path = pull_model("acme/tiny")
    assert path.name == "acme--tiny"
    assert load_packed(path, verify=True).config == CONFIG
    assert {token for _, _, token in hub.requests} == {"Bearer secret"}
    assert _visible() == ["acme--tiny"]
    assert not list(models_folder().glob(".*.download"))


def test_an_interrupted_download_goes_on_where_it_stopped(hub: _Hub) -> None:
    size = (hub.folder / SHARD).stat().st_size
    hub.cut_after[SHARD] = size // 2
    pull_model("acme/tiny")
    spans = [span for path, span, _ in hub.requests if path.endswith(SHARD)]
    assert spans == [None, f"bytes={size // 2}-"]


def test_a_file_that_changed_meanwhile_is_fetched_anew(hub: _Hub) -> None:
    size = (hub.folder / SHARD).stat().st_size
    hub.cut_after[SHARD] = size // 2

    def interrupt(progress: PullProgress) -> None:
        if progress.item == SHARD and progress.done_bytes >= size // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull_model("acme/tiny", progress=interrupt)
    write_folder(hub.folder, CONFIG, random_weights(CONFIG, seed=1), num_shards=2)
    pull_model("acme/tiny")
    stored = open_tensors(models_folder() / "acme--tiny" / WEIGHTS)["final_norm.weight"].read()
    expected = random_weights(CONFIG, seed=1)["model.norm.weight"]
    assert stored.tolist() == expected.tolist()


def test_a_passing_failure_of_the_server_is_waited_out_and_a_lasting_one_is_not(
    hub: _Hub,
) -> None:
    hub.fail["tokenizer.json"] = [503, 429]
    hub.fail["config.json"] = [500] * 99
    with pytest.raises(DownloadError, match="500"):
        pull_model("acme/tiny")
    hub.fail["config.json"] = []
    pull_model("acme/tiny")


@pytest.mark.parametrize("status", [401, 403])
def test_a_repository_that_is_closed_asks_for_a_token(hub: _Hub, status: int) -> None:
    hub.fail["config.json"] = [status]
    with pytest.raises(DownloadError, match="HF_TOKEN"):
        pull_model("acme/tiny")


def test_a_repository_that_is_not_there_is_a_download_error(hub: _Hub) -> None:
    with pytest.raises(DownloadError, match="404"):
        pull_model("acme/other")
    assert _visible() == []


@pytest.mark.parametrize("redirect", [True, False])
def test_the_hash_that_the_server_announces_is_checked(hub: _Hub, redirect: bool) -> None:
    hub.redirect = redirect
    hub.hashes[SHARD] = hashlib.sha256((hub.folder / SHARD).read_bytes()).hexdigest()
    hub.hashes["model-00002-of-00002.safetensors"] = "1" * 64
    with pytest.raises(ChecksumError, match="model-00002"):
        pull_model("acme/tiny")
    assert _visible() == []
    del hub.hashes["model-00002-of-00002.safetensors"]
    pull_model("acme/tiny")


def test_an_unsupported_model_is_refused_before_its_weights_are_fetched(hub: _Hub) -> None:
    write_folder(hub.folder, CONFIG, {}, overrides={"architectures": ["GptOssForCausalLM"]})
    with pytest.raises(UnsupportedModelError, match="GptOss"):
        pull_model("acme/tiny")
    assert [path.rsplit("/", 1)[1] for path, _, _ in hub.requests] == ["config.json"]


def test_an_index_cannot_write_outside_the_folder(hub: _Hub) -> None:
    (hub.folder / "model.safetensors.index.json").write_text(
        '{"weight_map": {"x": "../../../evil.safetensors"}}'
    )
    with pytest.raises(DownloadError, match="outside"):
        pull_model("acme/tiny")


def test_a_disk_that_fills_up_while_downloading_leaves_nothing(hub: _Hub) -> None:
    def full(progress: PullProgress) -> None:
        if progress.item == SHARD and progress.done_bytes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(DiskFullError):
        pull_model("acme/tiny", progress=full)
    assert _visible() == []
    assert not list(models_folder().rglob("*.part"))


def test_too_little_room_is_found_before_downloading(
    hub: _Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 10})
    monkeypatch.setattr(download.shutil, "disk_usage", lambda path: usage)
    with pytest.raises(DiskFullError, match="are free"):
        pull_model("acme/tiny")


def test_a_file_is_fetched_by_its_address(hub: _Hub, gguf: Path) -> None:
    (hub.folder / "Tiny-Q8.gguf").write_bytes(gguf.read_bytes())
    path = pull_model(f"{hub.url}/cdn/Tiny-Q8.gguf")
    assert path.name == "tiny-q8"
    assert load_packed(path, verify=True).config == CONFIG


def test_a_server_that_does_not_answer_is_a_download_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(DownloadError, match="run the command again"):
        pull_model("acme/tiny")


def test_a_download_of_unknown_length_reports_no_total(tmp_path: Path) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=iter([b"GG", b"UF"]))

    seen: list[tuple[str, int, int | None]] = []
    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        assert download.fetch_file(
            client, "https://h/m", tmp_path / "m", lambda *report: seen.append(report)
        )
    assert seen == [("m", 0, None), ("m", 2, None), ("m", 4, None)]
    assert (tmp_path / "m").read_bytes() == b"GGUF"
