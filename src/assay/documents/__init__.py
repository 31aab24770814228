"""Bytes into text that every offset refers to, and the text into sentences and segments.

One file a format (`text`, `pdf`, `docx`, `html`, `email`), chosen by `sniff` from the bytes first
and the name second. The libraries behind them are imported only when such a file is read.
`Document.text` is made once, here; all offsets are code points into it.
"""

from assay.documents.document import Document, Page
from assay.documents.read import read_document
from assay.documents.segment import Segment, segment_document

__all__ = ["Document", "Page", "Segment", "read_document", "segment_document"]
