"""What is generated is up to date, and what the README says to type exists."""

from __future__ import annotations

import importlib.util
import io
import re
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import click
import pytest

from assay.cli.group import COMMANDS, cli

ROOT = Path(__file__).parents[2]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_is_documented_as_it_is() -> None:
    written = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    assert written == load(ROOT / "docs" / "make_command.py").document()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_examples(name) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert f"assay {name}" in (command.epilog or "")


def members(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_the_examples_are_what_the_script_makes(monkeypatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    made = load(ROOT / "examples" / "make_examples.py").make_all()
    for name, data in made.items():
        kept = (ROOT / "examples" / name).read_bytes()
        if name.endswith(".docx"):  # how well zlib packs differs from machine to machine
            assert members(kept) == members(data), name
        else:
            assert kept == data, name


def shell_lines() -> list[str]:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:sh|bash)\n(.*?)```", readme, re.DOTALL)
    lines = "\n".join(blocks).splitlines()
    return [line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()]


def test_the_readme_types_commands_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    seen = set()
    for line in shell_lines():
        word, *rest = line.split()
        seen.add(word)
        if word == "make":
            assert set(rest) <= targets, line
        elif word == "assay":
            command = cli.get_command(click.Context(cli), rest[0])
            assert command is not None, line
            options = {o for p in command.params for o in p.opts}
            assert {item for item in rest if re.match(r"--?[a-z]", item)} <= options, line
            for item in rest:
                if item.startswith("examples/"):
                    assert (ROOT / item).is_file(), line
        elif word == "python":
            assert (ROOT / rest[0]).is_file() or rest[0] == "-m", line
        else:
            assert word in ("git", "cd", "pip"), line
    assert {"make", "assay"} <= seen


def test_the_links_of_the_readme_lead_somewhere() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [item for item in re.findall(r"\]\(([^)]+)\)", readme) if "://" not in item]
    assert links
    for link in links:
        assert (ROOT / link.split("#")[0]).exists(), link
