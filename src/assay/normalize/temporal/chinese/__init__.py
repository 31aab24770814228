"""The rules of Chinese times, gathered by importing their modules."""

from assay.normalize.temporal.chinese import clock, dates, lengths, relative, together
from assay.normalize.temporal.chinese.grammar import CHINESE

__all__ = ["CHINESE", "clock", "dates", "lengths", "relative", "together"]
