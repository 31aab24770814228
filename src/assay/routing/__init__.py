"""What a request means, and what of a document it needs."""

from assay.routing.descriptor import DIMENSIONS, Descriptor
from assay.routing.examples import LabelledRequest, labelled_requests, read_requests
from assay.routing.relevance import RelevanceIndex, Scored, Share, score_shares, select_segments
from assay.routing.route import Route, RoutedUnit
from assay.routing.router import Router, load_router
from assay.routing.rules import RouteRules
from assay.routing.statistics import RouteStatistics

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
