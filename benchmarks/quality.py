"""How often the units are right on labelled data: `assay eval`, as a benchmark.

    python -m benchmarks.quality --data DIR [--split dev] [--sets A,B] [--limit N] [--baseline URL]

Takes what `assay eval` takes, prints what it prints, and ends with its JSON object.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from assay.cli import run


def main(arguments: Sequence[str] | None = None) -> int:
    return run(["eval", *(sys.argv[1:] if arguments is None else arguments)])


if __name__ == "__main__":
    sys.exit(main())
