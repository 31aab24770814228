"""One request, from document to results."""

from assay.analysis.analyzer import AsyncAnalyzer
from assay.analysis.blocking import Analyzer
from assay.analysis.chains import ChainTable
from assay.analysis.explain import Explanation
from assay.analysis.plan import Plan, make_plan
from assay.analysis.result import Analysis, Progress

__all__ = [
    "Analysis",
    "Analyzer",
    "AsyncAnalyzer",
    "ChainTable",
    "Explanation",
    "Plan",
    "Progress",
    "make_plan",
]
