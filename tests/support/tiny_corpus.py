"""A folder of made-up contracts with questions, in the form that training reads."""

from __future__ import annotations

import json
from pathlib import Path

CLAUSES = {
    "Governing Law": "This Agreement is governed by the laws of {place}.",
    "Renewal Term": "It renews for {n} years at a time.",
}
PLACES = ("England", "Ontario", "Bavaria", "Delaware", "Ireland", "Singapore")


def write_contracts(folder: Path, num_contracts: int) -> Path:
    """Writes `cuad_dev.jsonl` with short contracts, both clauses labelled in each."""
    folder.mkdir(exist_ok=True)
    rows = []
    for number in range(num_contracts):
        text = f"SUPPLY   AGREEMENT\n\nmade as of day {number}.\n"
        clauses = {"Non-Compete": {"answer": "", "spans": []}}
        for label, form in CLAUSES.items():
            quote = form.format(place=PLACES[number % len(PLACES)], n=number + 2)
            start = len(text)
            text += quote + "\n"
            span = {"start": start, "end": start + len(quote), "text": quote}
            clauses[label] = {"answer": quote, "spans": [span]}
        rows.append({"id": f"made:{number}", "text": text, "clauses": clauses})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "cuad_dev.jsonl").write_text(lines, encoding="utf-8")
    return folder
