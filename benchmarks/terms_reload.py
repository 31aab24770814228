"""How long a tenant's glossary takes to replace while requests run, and whether one fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay import Analyzer
from assay.backends.scripted import ScriptedBackend
from assay.documents import Document, read_document
from assay.errors import AssayError
from assay.terms import read_glossary
from assay.types import Status

TENANT = "bench"
NUM_THREADS = 2


@dataclass(frozen=True, slots=True)
class Reloads:
    """Seconds of each reload, from the bytes of the table until requests have it, by the clock and
    of the processor, and what became of the requests meanwhile."""

    seconds: Sequence[float]
    processor_seconds: Sequence[float]
    num_requests: int
    num_failed: int


def measure_reloads(table: Path, text: str, num_reloads: int) -> Reloads:
    """Replaces the glossary `num_reloads` times while threads ask rules, no model, about `text`."""
    document = read_document(text.encode())
    data = table.read_bytes()
    failures: list[str] = []
    counts = [0] * NUM_THREADS
    stop = threading.Event()
    with Analyzer(backend=ScriptedBackend(lambda _: "{}")) as analyzer:
        analyzer.set_glossary(TENANT, read_glossary(data))

        def ask(number: int) -> None:
            while not stop.is_set():
                failures.extend(_failures(analyzer, document))
                counts[number] += 1

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(NUM_THREADS)]
        for thread in threads:
            thread.start()
        seconds, processor_seconds = [], []
        for _ in range(num_reloads):
            time.sleep(0.5)
            started, own = time.perf_counter(), time.thread_time()
            glossary = read_glossary(data)
            analyzer.set_glossary(TENANT, glossary)
            entry = analyzer.glossaries.get(TENANT)
            assert entry is not None
            assert entry.glossary is glossary
            seconds.append(time.perf_counter() - started)
            processor_seconds.append(time.thread_time() - own)
        stop.set()
        for thread in threads:
            thread.join()
    return Reloads(seconds, processor_seconds, sum(counts), len(failures))


def _failures(analyzer: Analyzer, document: Document) -> list[str]:
    try:
        done = analyzer.analyze(document, ask="what is the SIR?", tenant=TENANT)
    except AssayError as error:
        return [str(error)]
    results = done.results
    if list(results) != ["extract_deductible"]:
        return [f"the request was taken for {list(results)}"]
    return [name for name, result in results.items() if result.status is Status.ERROR]
