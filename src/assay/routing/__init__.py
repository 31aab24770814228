"""What a request means, and what of a document it needs."""

from assay.routing.matcher import match_triggers
from assay.routing.relevance import RelevanceIndex, Scored, Share, score_shares, select_segments

__all__ = [
    "RelevanceIndex",
    "Scored",
    "Share",
    "match_triggers",
    "score_shares",
    "select_segments",
]
