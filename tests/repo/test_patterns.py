"""Loading the units compiles nothing, and what is compiled later is without mistakes."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import subprocess
import sys

import assay
from assay.patterns import LazyPattern

# Notes each pattern that is compiled by one of our files.
PROBE = """
import sys, traceback
import re._compiler as compiler
compile, ours = compiler.compile, []
def watch(pattern, flags=0):
    callers = [f.filename for f in traceback.extract_stack()[:-1] if "/re/" not in f.filename]
    if "/assay/" in callers[-1]:
        ours.append(pattern)
    return compile(pattern, flags)
compiler.compile = watch
from assay.units.catalogue import all_units
assert len(all_units()) > 20
print(len(ours), "numpy" in sys.modules)
"""


def test_loading_every_unit_compiles_no_rules_and_needs_no_numpy() -> None:
    """But for the one pattern by which the units' own names are checked."""
    told = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=True, timeout=60
    )
    assert told.stdout == "1 False\n"


def test_every_pattern_compiles() -> None:
    for module in pkgutil.walk_packages(assay.__path__, "assay."):
        if module.name.startswith(("assay.units", "assay.normalize", "assay.documents")):
            importlib.import_module(module.name)
    patterns = [item for item in gc.get_objects() if type(item) is LazyPattern]
    ours = [item for item in patterns if item.pattern != "("]  # a test's own
    assert len(ours) > 300
    assert all(item.groups >= 0 for item in ours)
