"""The glossary that comes with Assay: terms of finance, law and insurance, English and Chinese.

`python -m glossary.build` makes the table from the sources beside it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from assay.terms.glossary import Glossary
from assay.terms.table import read_glossary

#: What stands for it where a file is asked for.
STARTER = "starter"


@cache
def starter_glossary() -> Glossary:
    """The glossary, read and compiled at first use."""
    table = files("assay.terms") / "starter.csv"
    return read_glossary(table.read_bytes(), name="starter.csv")
