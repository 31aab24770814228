"""What can be asked for, and under which name it is kept."""

from __future__ import annotations

import pytest

from assay.errors import ConfigError
from assay.models.spec import parse_spec, safe_name


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
