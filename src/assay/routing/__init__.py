"""What a request means, and what of a document it needs."""

from assay.routing.matcher import match_triggers
from assay.routing.relevance import RelevanceIndex, Scored, select_segments

__all__ = ["RelevanceIndex", "Scored", "match_triggers", "select_segments"]
