"""Encoders: a text to a vector whose direction says what the text is about."""

from assay.encoders.adapter import Adapter
from assay.encoders.base import Encoder
from assay.encoders.minilm import load_minilm
from assay.encoders.minilm_part import MiniLmShape, load_minilm_part

__all__ = ["Adapter", "Encoder", "MiniLmShape", "load_minilm", "load_minilm_part"]
