"""The rules of English times, gathered by importing their modules."""

from assay.normalize.temporal.english import (
    clock,
    dates,
    day_parts,
    distances,
    edges,
    figures,
    lengths,
    names,
    nth,
    stretches,
    together,
    turns,
    units,
    zone_times,
)
from assay.normalize.temporal.english.grammar import ENGLISH

__all__ = [
    "ENGLISH",
    "clock",
    "dates",
    "day_parts",
    "distances",
    "edges",
    "figures",
    "lengths",
    "names",
    "nth",
    "stretches",
    "together",
    "turns",
    "units",
    "zone_times",
]
