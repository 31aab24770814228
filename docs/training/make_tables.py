"""Writes the tables of docs/training/README.md from card.json.

python docs/training/make_tables.py            write them
python docs/training/make_tables.py --check    fail if they are not what would be written
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
TARGET = FOLDER / "README.md"
_BETWEEN = re.compile(r"(<!-- tables -->\n).*(<!-- end -->)", re.DOTALL)


def kept_table(card: dict[str, Any]) -> str:
    """Nats a token and attention covered, by what decides and the share kept."""
    held_out = card["held_out"]
    full = held_out["full_nll"]
    shares = list(next(iter(held_out["kept"].values())))
    head = " | ".join(f"{100 * float(share):g}%" for share in shares)
    lines = [
        f"All pairs in sight: **{full:.3f}** nats a token of the gold quotation. With a share kept "
        "(in brackets: the share of the answer's attention on kept pairs):",
        "",
        f"| what decides | {head} |",
        "|---|" + "---|" * len(shares),
    ]
    for name, by_share in held_out["kept"].items():
        cells = (f"{item['nll']:.3f} ({100 * item['coverage']:.0f}%)" for item in by_share.values())
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def router_table(card: dict[str, Any]) -> str:
    """What the modes that the router picks come to."""
    router = card["router"]
    shares = ", ".join(f"{name} {100 * share:.0f}%" for name, share in router["shares"].items())
    enough = f"{100 * router['min_coverage']:g}%"
    rows = {
        "heads": shares,
        f"mode is the cheapest that covers {enough}": f"{100 * router['accuracy']:.0f}% of heads",
        f"mode covers {enough}": f"{100 * router['covered']:.0f}% of heads",
        "query-key pairs attended, of the dense number": f"{100 * router['attended']:.0f}%",
        "nats a token": f"{router['nll']:.3f}, with all pairs {router['full_nll']:.3f}",
    }
    return "\n".join(
        ["| router | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())]
    )


def factor_line(card: dict[str, Any]) -> str:
    nlls = card["attention_factor_nll"]
    tried = ", ".join(f"{factor}: {nll:.3f}" for factor, nll in nlls.items())
    return f"Nats a token by the factor of the queries' attention, at 25%, in validation: {tried}."


def document() -> str:
    card = json.loads((FOLDER / "card.json").read_text(encoding="utf-8"))
    tables = "\n\n".join([kept_table(card), factor_line(card), router_table(card)])
    text = TARGET.read_text(encoding="utf-8")
    return _BETWEEN.sub(lambda match: f"{match[1]}\n{tables}\n\n{match[2]}", text)


def main() -> None:
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != document():
            sys.exit(f"{TARGET} is out of date; run docs/training/make_tables.py")
        return
    TARGET.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
