"""In which order the paths to an answer are tried, and what ends them."""

from __future__ import annotations

from dataclasses import dataclass

from assay.types import AnswerPath


@dataclass(frozen=True, slots=True)
class Chain:
    """`steps` in order; a path that is left out is not tried. An answer whose confidence reaches
    `enough` ends the chain, one that stays below `floor` counts as absent; None leaves both to the
    question. A `strict` chain keeps no answer that a validator complains of or that has several
    readings.
    """

    steps: tuple[AnswerPath, ...]
    enough: float | None = None
    floor: float | None = None
    strict: bool = False


#: The best reader first, the others where it fails or is unsure.
MODEL_FIRST = Chain((AnswerPath.MODEL, AnswerPath.SPECIALIST, AnswerPath.HEURISTIC))
#: What costs least first: the model only where rules are unsure.
CHEAPEST_FIRST = Chain((AnswerPath.HEURISTIC, AnswerPath.SPECIALIST, AnswerPath.MODEL))
#: Rules alone, without a model.
RULES_ONLY = Chain((AnswerPath.SPECIALIST, AnswerPath.HEURISTIC))

NAMED_CHAINS = {
    "model-first": MODEL_FIRST,
    "cheapest-first": CHEAPEST_FIRST,
    "rules-only": RULES_ONLY,
}
