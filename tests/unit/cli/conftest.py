"""A stand-in for the analyzer: it finds sentences by their words, and fails where told to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import pytest

import assay.analysis
from assay.analysis import Analysis, ChainTable, Progress
from assay.analysis.choosing import unit_triggers
from assay.analysis.run import OnRun
from assay.backends.base import BackendInfo
from assay.cli import run
from assay.documents import Document
from assay.routing import Route, Router, load_router
from assay.terms import Glossary, GlossaryRegistry
from assay.types import AnswerPath, ErrorInfo, Evidence, FieldResult, Status, UnitResult, Usage
from assay.units import Task, all_units

INFO = BackendInfo("fake", "fake-model", 4096, "fake-model, int8, 2 threads")


def found(document: Document, value: Any, quote: str, name: str = "clause") -> UnitResult:
    """A unit of one field, answered with `value` on the evidence of `quote`."""
    start = document.text.index(quote)
    end = start + len(quote)
    evidence = (Evidence(start, end, quote, document.page_at(start), f"/{name}"),)
    one = FieldResult(Status.OK, value, evidence, 0.91, AnswerPath.MODEL)
    return UnitResult(
        Status.OK, {name: value}, evidence, 0.91, AnswerPath.MODEL, fields={name: one}
    )


def analysis_of(document: Document, results: dict[str, UnitResult]) -> Analysis:
    return Analysis(document, results, Usage(num_requests=1), {"total": 1234.5}, INFO)


@dataclass
class FakeAnalyzer:
    """Answers every unit with the document's first word. Records what it was asked."""

    fail: dict[str, Exception] = field(default_factory=dict)
    result: Callable[[Document, str], UnitResult] | None = None
    model: str = ""
    calls: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    load_error: Exception | None = None
    start_error: Exception | None = None
    engine: dict[str, Any] = field(default_factory=dict)
    info: BackendInfo = INFO
    closed: bool = False
    tasks: list[Task] = field(default_factory=list)
    tenant: str = ""
    chains: ChainTable | None = None
    on_run: OnRun | None = None
    warnings: tuple[ErrorInfo, ...] = ()
    min_precision: float | None = None
    glossaries: GlossaryRegistry = field(default_factory=GlossaryRegistry)
    router: Router | None = None
    routing: Route | None = None

    def set_glossary(self, tenant: str, glossary: Glossary, *, merges: bool | None = None) -> None:
        self.glossaries.set(tenant, glossary, merges=merges)

    def __call__(
        self,
        model: str,
        *,
        engine: Mapping[str, Any],
        chains: ChainTable | None,
        router: Router | None = None,
    ) -> Self:
        self.model, self.engine, self.chains = model, dict(engine), chains
        self.router = router or load_router()
        return self

    def route(self, ask: str, *, tenant: str = "") -> Route:
        assert self.router is not None
        entry = self.glossaries.get(tenant)
        read, terms = (ask, ()) if entry is None else entry.glossary.explain(ask)
        return self.router.route(read, unit_triggers(), tenant=tenant, terms=terms)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.closed = True

    @property
    def backend(self) -> Self:
        if self.load_error:
            raise self.load_error
        return self

    def start(self) -> None:
        if self.start_error:
            raise self.start_error

    def analyze(
        self,
        source: Document,
        *,
        units: Sequence[Task] | None = None,
        tenant: str = "",
        min_precision: float | None = None,
        on_progress: Callable[[Progress], None],
        on_run: OnRun | None = None,
        routing: Route | None = None,
    ) -> Analysis:
        self.routing = routing
        self.tasks, self.tenant, self.on_run = list(units or ()), tenant, on_run
        self.min_precision = min_precision
        askable = (Task(unit) for unit in all_units() if not unit.required_arguments)
        names = tuple(task.name for task in units or askable)
        self.calls.append((source.name, names))
        if source.name in self.fail:
            raise self.fail[source.name]
        results = {}
        for done, name in enumerate(names, 1):
            if self.result:
                results[name] = self.result(source, name)
            else:
                word = source.text.split()[0]
                results[name] = found(source, word, word)
            on_progress(Progress(name, results[name], done, len(names)))
        return replace(analysis_of(source, results), warnings=self.warnings, routing=routing)


@pytest.fixture
def analyzer(monkeypatch: pytest.MonkeyPatch) -> FakeAnalyzer:
    """The analyzer that the command gets."""
    fake = FakeAnalyzer()
    monkeypatch.setattr(assay.analysis, "Analyzer", fake)
    return fake


@dataclass
class Ran:
    """What a command line left: exit code, standard output and error."""

    code: int
    out: str
    err: str


@pytest.fixture
def command(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Ran]:
    """Runs `assay ARGUMENTS` in this process."""

    def call(*arguments: str | Path) -> Ran:
        capfdbinary.readouterr()
        code = run([str(item) for item in arguments])
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode(), err.decode())

    return call


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text("Harrowgate writes to Lindqvist.\nPayment is due on 22 August 2025.\n")
    return path


@pytest.fixture(name="found")
def _found() -> Callable[..., UnitResult]:
    return found


@pytest.fixture(name="analysis_of")
def _analysis_of() -> Callable[..., Analysis]:
    return analysis_of


@pytest.fixture(scope="session", autouse=True)
def _catalogue() -> None:
    """Imports the units once, outside the time of any one test."""
    all_units()
