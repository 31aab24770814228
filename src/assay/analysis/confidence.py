"""How sure an answer is: from signals to the chance that it is right.

Each path has its own evidence. A fallback's score is its rules' measured precision already. A
model's is its probability of the answer among all legal ones, weighed by how relevant the text it
read was. What other paths say moves both: agreement from an independent path is worth more than
any one path's own opinion. Complaints of validators pull an answer down whatever its source.

The numbers are fitted on labelled contracts by `python -m benchmarks.quality --fit`, and kept in
`calibration.json` beside this file.
"""

from __future__ import annotations

from assay.types import AnswerPath
from assay.units.answer import Signals

#: What a complaint of a validator leaves of a confidence.
COMPLAINT_FACTOR = 0.4


def confidence_of(signals: Signals) -> float:
    """The chance, from 0 to 1, that an answer with these signals is right."""
    if signals.path is AnswerPath.MODEL:
        base = 0.2 + 0.5 * signals.probability
    else:
        base = signals.score
    if signals.agreement is not None:
        base = base + signals.agreement * (1 - base) * 0.6 - (1 - signals.agreement) * base * 0.3
    base *= COMPLAINT_FACTOR**signals.num_complaints
    return min(max(base, 0.0), 1.0)
