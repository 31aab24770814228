"""The command `assay`. The one package that imports click and rich.

Exit codes: 0 all went well; 1 a unit ended in an error, or a bug; 2 some input was bad; 130 ended
by Ctrl-C, 143 by SIGTERM, 141 when the reader of standard output went away. Results go to
standard output, all else to standard error, one line a complaint.

`--help`, `--version`, `units` and `text` load no engine: every command imports what it needs when
it runs, and click itself is imported under the guard of `Interrupts`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from assay.cli.interrupts import Interrupts
from assay.cli.output import discard_scratch_files


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Runs the command with `argv` (by default that of the process) and ends the process."""
    with Interrupts(discard_scratch_files) as interrupts:
        code = run(argv)
        if interrupts.received:
            # Whatever still runs in other threads is not waited for.
            discard_scratch_files()
            sys.stderr.flush()
            os._exit(128 + interrupts.received)
    sys.exit(code)


def run(argv: Sequence[str] | None = None) -> int:
    """Runs the command with `argv` and returns its exit code; never raises an `Exception`."""
    try:
        from assay.cli.group import invoke

        return invoke(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return 130
