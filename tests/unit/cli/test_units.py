"""`assay units new` and `check`, and units that are found by lying in a folder."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from assay.units import all_units


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder whose units are part of the catalogue."""
    found = tmp_path / "units"
    found.mkdir()
    monkeypatch.setenv("ASSAY_UNITS", str(found))
    all_units.cache_clear()
    yield found
    all_units.cache_clear()


@pytest.mark.parametrize("flags", [(), ("--python",)])
def test_one_new_file_is_a_unit_everywhere(command, folder, letter, analyzer, flags) -> None:
    """In the command, the library and the schema, with nothing else changed."""
    ran = command("units", "new", "extract_expiry_day", "--dir", folder, *flags)
    assert ran.code == 0, ran.err
    all_units.cache_clear()
    assert "extract_expiry_day" in command("units").out
    described = json.loads(command("units", "extract_expiry_day", "--json").out)
    assert described["value"]["properties"]["value"]
    assert "extract_expiry_day" in {unit.name for unit in all_units()}
    assert command("analyze", letter, "--unit", "extract_expiry_day").code == 0
    assert command("analyze", letter, "--ask", "what is the expiry day?").code == 0
    assert "extract_expiry_day" in [task.name for task in analyzer.tasks]


@pytest.mark.slow
def test_the_test_of_a_skeleton_fails_until_the_unit_finds_something(command, tmp_path) -> None:
    command("units", "new", "extract_expiry_day", "--dir", tmp_path)
    test = tmp_path / "test_extract_expiry_day.py"
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    assert subprocess.run(pytest_run, capture_output=True, check=False).returncode == 1
    text = test.read_text(encoding="utf-8")
    text = text.replace("Write a passage here that", "The expiry day is 5 May 2024, which")
    test.write_text(text.replace("what is to be quoted", "5 May 2024"), encoding="utf-8")
    ran = subprocess.run(pytest_run, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_nothing_is_written_over(command, tmp_path) -> None:
    assert command("units", "new", "extract_day", "--dir", tmp_path).code == 0
    before = sorted(path.read_bytes() for path in tmp_path.iterdir())
    ran = command("units", "new", "extract_day", "--dir", tmp_path, "--python")
    assert (ran.code, "there already" in ran.err) == (2, True)
    assert sorted(path.read_bytes() for path in tmp_path.iterdir()) == before
    assert command("units", "new", "Extract Day", "--dir", tmp_path).code == 2


def test_check_tells_what_cannot_run_from_what_is_unwise(command, tmp_path) -> None:
    command("units", "new", "extract_day", "--dir", tmp_path)
    fine = tmp_path / "extract_day.yaml"
    ran = command("units", "check", fine)
    assert (ran.code, "is fine" in ran.out) == (0, True)
    unwise = tmp_path / "unwise.yaml"
    unwise.write_text(fine.read_text(encoding="utf-8").replace("label:", "# label:"), "utf-8")
    ran = command("units", "check", fine, unwise)
    assert (ran.code, "no fallback" in ran.out) == (1, True)
    broken = tmp_path / "broken.py"
    broken.write_text("UNIT = 1 / 0", encoding="utf-8")
    ran = command("units", "check", broken, fine, tmp_path / "none.yaml")
    assert ran.code == 2
    assert "ZeroDivisionError" in ran.err
    assert "none.yaml" in ran.err
    assert "is fine" in ran.out


def test_a_folder_that_is_not_there_is_told(command, monkeypatch, folder) -> None:
    monkeypatch.setenv("ASSAY_UNITS", str(folder / "nowhere"))
    ran = command("units")
    assert (ran.code, "ASSAY_UNITS" in ran.err) == (2, True)
