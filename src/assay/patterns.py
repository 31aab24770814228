"""Regular expressions that are compiled when they are first used.

Rules are written in many patterns, of which a request uses a few. Compiled at import they would
take most of the time that the command needs to start.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, except that a mistake in the pattern is found at its first use.

    `assay` keeps its patterns in constants of modules; a test compiles them all.
    """
    return cast("re.Pattern[AnyStr]", LazyPattern(pattern, flags))


class LazyPattern:
    """Stands in for a `re.Pattern`, and takes each of its attributes over when it is asked for.

    The functions of `re` do not take it in a pattern's place; its own methods do the same.
    """

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, value)
        return value

    def __repr__(self) -> str:
        return f"lazy_pattern({self.pattern!r}, {self._flags})"
