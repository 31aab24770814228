"""What a request means, and what of a document it needs.

The router brings NumPy and the encoder with it, and is imported when it is first named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.routing.descriptor import DIMENSIONS, Descriptor
from assay.routing.examples import LabelledRequest, labelled_requests, read_requests
from assay.routing.relevance import RelevanceIndex, Scored, Share, score_shares, select_segments
from assay.routing.route import Route, RoutedUnit
from assay.routing.rules import RouteRules
from assay.routing.statistics import RouteStatistics

if TYPE_CHECKING:
    from assay.routing.router import Router, load_router

__all__ = [
    "DIMENSIONS",
    "Descriptor",
    "LabelledRequest",
    "RelevanceIndex",
    "Route",
    "RouteRules",
    "RouteStatistics",
    "RoutedUnit",
    "Router",
    "Scored",
    "Share",
    "labelled_requests",
    "load_router",
    "read_requests",
    "score_shares",
    "select_segments",
]


def __getattr__(name: str) -> Any:
    if name not in ("Router", "load_router"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from assay.routing import router

    return getattr(router, name)
