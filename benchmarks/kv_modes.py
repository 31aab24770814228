"""The modes that the KV benchmark compares: what a prompt holds and what the engine keeps of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.engine.config import EngineConfig
from benchmarks.kv_engine import EnginePrompt, MeasuredEngine
from benchmarks.kv_tasks import Question, Reading


@dataclass(frozen=True)
class Mode:
    """`reads_whole`: the prompt holds the whole document, not the passages chosen for a question.
    `settings` are the engine's, by name."""

    name: str
    reads_whole: bool
    settings: Mapping[str, Any] = field(default_factory=dict)

    def config(self, **settings: Any) -> EngineConfig:
        """The mode's engine; `settings` are those that all modes have in common."""
        return EngineConfig.from_mapping({**settings, **self.settings})

    def prompt(
        self, engine: MeasuredEngine, reading: Reading, question: Question, wording: int = 0
    ) -> EnginePrompt:
        """What a question on a document comes to."""
        make = reading.whole_messages if self.reads_whole else reading.chosen_messages
        return engine.encode(make(question, wording))


#: `dense` is what the others are held against.
REFERENCE = "dense"
MODES: Mapping[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode("dense", reads_whole=True, settings={"slices": "off"}),
        Mode(
            "local_global", reads_whole=True, settings={"slices": "off", "policy": "local_global"}
        ),
        Mode("retention", reads_whole=True, settings={"slices": "off", "policy": "retention"}),
        Mode("descriptor", reads_whole=False, settings={"slices": "chained"}),
        Mode("independent", reads_whole=False, settings={"slices": "independent"}),
        Mode(
            "best",
            reads_whole=False,
            settings={"slices": "independent", "policy": "descriptor+retention"},
        ),
    )
}
