"""Whether the compiled operators can run, and what is said where they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.engine.precision import processor_flags
from assay.kernels import library


def test_a_processor_that_lacks_instructions_is_told_which() -> None:
    flags = set(library.REQUIRED_FLAGS) - {"avx512_bf16", "avx512_vnni"}
    assert library.why_not(flags) == "the processor lacks avx512_vnni, avx512_bf16"
    assert library.why_not(()) is not None


def test_an_installation_without_the_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_library_path", lambda: None)
    library.load.cache_clear()
    try:
        assert "not compiled" in str(library.why_not(library.REQUIRED_FLAGS))
        assert library.load() is None
    finally:
        library.load.cache_clear()


def test_a_broken_library_is_reported_not_raised(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = tmp_path / "broken.so"
    broken.write_bytes(b"not a library")
    monkeypatch.setattr(library, "_library_path", lambda: broken)
    library.load.cache_clear()
    try:
        assert library.why_not(library.REQUIRED_FLAGS) == "their library cannot be loaded"
    finally:
        library.load.cache_clear()
    assert "cannot be used" in caplog.text


def test_the_flags_asked_for_are_those_the_system_reports() -> None:
    """A name that Linux never prints would rule the operators out everywhere."""
    flags = processor_flags()
    if "avx512_bf16" not in flags:
        pytest.skip("not such a processor")
    assert set(library.REQUIRED_FLAGS) <= flags
