"""The states of a field's run, how they follow each other, and the trace of having been in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    PLANNED = "planned"
    GENERATING = "generating"
    VALIDATING = "validating"
    FALLING_BACK = "falling_back"
    DONE = "done"
    FAILED = "failed"


TRANSITIONS: dict[State, frozenset[State]] = {
    State.PLANNED: frozenset({State.GENERATING, State.FALLING_BACK, State.FAILED}),
    State.GENERATING: frozenset({State.VALIDATING, State.FALLING_BACK, State.FAILED}),
    State.VALIDATING: frozenset({State.GENERATING, State.FALLING_BACK, State.DONE}),
    State.FALLING_BACK: frozenset({State.GENERATING, State.VALIDATING, State.DONE, State.FAILED}),
    State.DONE: frozenset(),
    State.FAILED: frozenset(),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a trace: the state entered, when (ms since the run began), and why."""

    state: State
    at_ms: float
    note: str
