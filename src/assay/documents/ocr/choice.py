"""The OCR engine that is asked for, made once in a process, or an error that says how to get it."""

from __future__ import annotations

import shutil
from functools import cache
from importlib.util import find_spec

from assay.documents.ocr.base import OcrEngine, OcrMode
from assay.errors import ConfigError, ScannedDocumentError


def engine_for(mode: OcrMode, name: str) -> OcrEngine:
    """The engine for a document called `name`, which needs one.

    Raises:
        ScannedDocumentError: OCR is off, or the engine is not installed.
        ConfigError: no engine has this name.
    """
    match mode:
        case "rapidocr":
            if find_spec("rapidocr") is None or find_spec("onnxruntime") is None:
                raise _needs(name, "pip install 'assay[ocr]' and try again")
            return _rapid()
        case "tesseract":
            program = shutil.which("tesseract")
            if program is None:
                raise _needs(
                    name, "install Tesseract (apt-get install tesseract-ocr), or use --ocr rapidocr"
                )
            return _tesseract(program)
        case "off":
            raise _needs(name, "OCR is off: leave out --ocr off, or give a searchable PDF")
    raise ConfigError(f"no OCR engine {mode!r}", remedy="use rapidocr, tesseract or off")


def _needs(name: str, remedy: str) -> ScannedDocumentError:
    return ScannedDocumentError(f"{name} is a picture without a text layer", remedy=remedy)


@cache
def _rapid() -> OcrEngine:
    from assay.documents.ocr.rapid import RapidOcrEngine

    return RapidOcrEngine()


@cache
def _tesseract(program: str) -> OcrEngine:
    from assay.documents.ocr.tesseract import TesseractEngine

    return TesseractEngine(program)
