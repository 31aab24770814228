"""Whether a document says what a statement says, says otherwise, or does not say.

Softmax over a few features of the sentences most like the statement (`weights/statement.json`, from
`assay train statements`): a weak judge, above all of contradictions; docs/training has the figures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from assay.types import AnswerPath
from assay.units.fallbacks.base import Draft, Standing

if TYPE_CHECKING:
    import numpy as np

Verdict = Literal["entailed", "contradicted", "not_mentioned"]
VERDICTS: tuple[Verdict, ...] = ("entailed", "contradicted", "not_mentioned")
_WEIGHTS = Path(__file__).with_name("weights") / "statement.json"


@dataclass(frozen=True, slots=True)
class StatementFallback:
    """Judges the argument `statement`: `{verdict, evidence}` with the sentence most like it, which
    is evidence of "not_mentioned" too: nothing comes nearer. `score` is the verdict's
    probability."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:
        # With NumPy and the encoder, which the catalogue does not need.
        import numpy as np

        from assay.encoders import load_minilm
        from assay.units.fallbacks.statement_features import StatementReader
        from assay.units.fallbacks.text_classifier import softmax

        compared = StatementReader(document_text, load_minilm()).compare(arguments["statement"])
        if compared is None:
            return None
        weights, bias = _weights()
        chances = softmax(np.asarray(weights @ compared.features + bias, np.float32))
        best = int(chances.argmax())
        start, end = compared.spans[0]
        standings = (Standing("/verdict", start, end), Standing("/evidence", start, end))
        value = {"verdict": VERDICTS[best], "evidence": document_text[start:end]}
        return Draft(value, standings, float(chances[best]))


@cache
def _weights() -> tuple[np.ndarray[Any, np.dtype[np.float64]], np.ndarray[Any, Any]]:
    import numpy as np

    stored = json.loads(_WEIGHTS.read_text(encoding="utf-8"))
    return np.array(stored["weights"]), np.array(stored["bias"])
