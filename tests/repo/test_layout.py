"""The shape of the source: no file outgrows a reader, every module says what it is for."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "assay").rglob("*.py"))
MAX_LINES = 350


def test_no_source_file_is_too_long() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCES
    }
    assert {name: n for name, n in lengths.items() if n > MAX_LINES} == {}


def test_every_module_opens_with_its_purpose() -> None:
    bare = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if (source := path.read_text(encoding="utf-8")) and not ast.get_docstring(ast.parse(source))
    ]
    assert bare == []


def test_nothing_is_left_to_do() -> None:
    left = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in SOURCES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"\b(TODO|FIXME|XXX)\b|raise NotImplementedError", line)
    ]
    assert left == []


def test_only_the_command_imports_click_and_rich() -> None:
    importers = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            if {name.split(".")[0] for name in names} & {"click", "rich"}:
                importers.add(path.relative_to(ROOT / "src" / "assay").parts[0])
    assert importers == {"cli"}


def test_every_change_has_a_fragment_of_a_known_kind() -> None:
    """Fragments are `changelog.d/NAME.KIND.md`, one sentence or more."""
    for path in (ROOT / "changelog.d").iterdir():
        if path.name == "README.md":
            continue
        assert re.fullmatch(r"[a-z0-9-]+\.(added|changed|fixed|removed)\.md", path.name), path.name
        assert path.read_text(encoding="utf-8").strip(), path.name
