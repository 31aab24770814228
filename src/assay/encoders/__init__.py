"""Encoders: a text to a vector whose direction says what the text is about."""

from assay.encoders.adapter import Adapter
from assay.encoders.base import Encoder
from assay.encoders.minilm import load_minilm

__all__ = ["Adapter", "Encoder", "load_minilm"]
