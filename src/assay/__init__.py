"""Documents into typed JSON that can be trusted.

::

    import assay

    with assay.Analyzer() as analyzer:
        analysis = analyzer.analyze("contract.pdf", units=["extract_party", "extract_date"])
        print(analysis.results["extract_party"].value)

Names are imported on first use, so that `import assay` stays cheap and loads no engine.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from assay.analysis import Analysis, Analyzer, AsyncAnalyzer
    from assay.documents import Document, read_document
    from assay.errors import AssayError
    from assay.routing import Route, Router, RouteRules, load_router
    from assay.types import Evidence, FieldResult, Status, UnitResult
    from assay.units import Unit

_HOME_OF = {
    "Analysis": "assay.analysis",
    "Analyzer": "assay.analysis",
    "AsyncAnalyzer": "assay.analysis",
    "Document": "assay.documents",
    "read_document": "assay.documents",
    "AssayError": "assay.errors",
    "Route": "assay.routing",
    "RouteRules": "assay.routing",
    "Router": "assay.routing",
    "load_router": "assay.routing",
    "Evidence": "assay.types",
    "FieldResult": "assay.types",
    "Status": "assay.types",
    "UnitResult": "assay.types",
    "Unit": "assay.units",
}

__all__ = [
    "Analysis",
    "Analyzer",
    "AssayError",
    "AsyncAnalyzer",
    "Document",
    "Evidence",
    "FieldResult",
    "Route",
    "RouteRules",
    "Router",
    "Status",
    "Unit",
    "UnitResult",
    "__version__",
    "load_router",
    "read_document",
]


def __getattr__(name: str) -> Any:
    try:
        home = _HOME_OF[name]
    except KeyError:
        raise AttributeError(f"module 'assay' has no attribute {name!r}") from None
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
