"""Reading text off pictures: engines that turn one picture into lines with boxes and certainty.

`base` is what an engine is; `rapid` (models inside the wheel, English and Chinese) and `tesseract`
(the program, where it is installed) are engines; `choice` finds the one asked for. An engine turns
a page that lies on its side or upside down and says by how much; `reading_order` makes one text of
its lines.
"""

from assay.documents.ocr.base import OcrEngine, OcrMode, OcrPage, TextLine, TurnDegrees
from assay.documents.ocr.choice import engine_for

__all__ = ["OcrEngine", "OcrMode", "OcrPage", "TextLine", "TurnDegrees", "engine_for"]
