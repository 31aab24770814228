"""`import assay` is cheap, and what it offers is there and explained."""

from __future__ import annotations

import subprocess
import sys

import pytest

import assay


@pytest.mark.parametrize("name", sorted(set(assay.__all__) - {"__version__"}))
def test_a_public_name_resolves_and_is_documented(name) -> None:
    assert (getattr(assay, name).__doc__ or "").strip()


def test_the_type_checker_and_the_interpreter_see_the_same_names() -> None:
    assert set(assay._HOME_OF) | {"__version__"} == set(assay.__all__)


def test_importing_loads_no_library_and_takes_little_time() -> None:
    probe = (
        "import sys, time\n"
        "before = set(sys.modules); started = time.process_time()\n"
        "import assay\n"
        "print(time.process_time() - started)\n"
        "print(sorted({n.split('.')[0] for n in set(sys.modules) - before} "
        "- set(sys.stdlib_module_names)))\n"
    )
    times = []
    for _ in range(3):
        ran = subprocess.run(
            [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=30
        )
        seconds, modules = ran.stdout.splitlines()
        times.append(float(seconds))
        assert modules == "['assay']"
    assert min(times) < 0.2
