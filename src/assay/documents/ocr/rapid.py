"""RapidOCR: PP-OCR's detection and recognition of lines, in ONNX, with the models in the wheel.

https://github.com/RapidAI/RapidOCR; PP-OCR: https://arxiv.org/abs/2009.09941. A picture is read in
three steps of our own, so that a page is turned before its lines are read: boxes are found, the
page's way up is told from them and from a sample of lines, all lines are recognised.
"""

from __future__ import annotations

import math
import os
import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.documents.ocr.base import OcrPage, Picture, TextLine, TurnDegrees, even_boxes
from assay.documents.ocr.turning import Quads, lies_on_side, sizes, skew_of, turn
from assay.errors import ScannedDocumentError

_MAX_THREADS = 4
# Lines read with less certainty than this are mostly no text.
_LEAST_QUALITY = 0.5
# So many lines, about as long as costs least to read, are read first; where they are read with less
# certainty than this, they are tried upside down, too.
_SAMPLE, _SAMPLE_RATIO, _SURELY_UPRIGHT = 6, 6.0, 0.9
# Boxes this much higher than wide are a figure or a letter by itself; higher ones run upwards.
_LONE_CHARACTER = (1.5, 2.5)


class RapidOcrEngine:
    """Loads its models at first use, in half a second. One picture is read at a time, on up to
    `_MAX_THREADS` threads."""

    name = "rapidocr"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: Any = None

    def read(self, picture: Picture) -> OcrPage:
        """See `OcrEngine.read`."""
        with self._lock:
            try:
                return self._read(picture)
            except Exception as error:
                # The models answer what they cannot take with whatever their runtime raises.
                raise ScannedDocumentError(f"OCR failed: {error}") from error

    def _read(self, picture: Picture) -> OcrPage:
        models = self._load()
        picture = np.ascontiguousarray(picture[:, :, ::-1])  # the models want blue, green, red
        small, record = models.preprocess_img(picture)
        found = _detect(models, small, record)
        if not len(found):
            return OcrPage(())
        degrees: TurnDegrees = 90 if lies_on_side(found) else 0
        small, quads = turn(small, found, degrees)
        if self._is_upside_down(small, quads):
            small, quads = turn(small, quads, 180)
            degrees = 270 if degrees else 180
        lines = self._recognise(_crops(small, quads), quads)
        ratio_h, ratio_w = record["preprocess"]["ratio_h"], record["preprocess"]["ratio_w"]
        if degrees in (90, 270):
            ratio_h, ratio_w = ratio_w, ratio_h
        scale = np.array([ratio_w, ratio_h, ratio_w, ratio_h], dtype=np.float32)
        return OcrPage(
            tuple(TextLine(line.text, line.boxes * scale, line.quality) for line in lines),
            degrees,
            skew_of(quads),
        )

    def _load(self) -> Any:
        if self._models is None:
            from rapidocr import RapidOCR

            threads = min(_MAX_THREADS, os.cpu_count() or 1)
            self._models = RapidOCR(
                params={
                    "Global.log_level": "critical",
                    "Global.use_cls": False,
                    "Global.return_word_box": True,
                    "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                }
            )
        return self._models

    def _is_upside_down(self, picture: Picture, quads: Quads) -> bool:
        width, height = sizes(quads)
        sample = np.argsort(np.abs(width / np.maximum(height, 1) - _SAMPLE_RATIO))[:_SAMPLE]
        crops = _crops(picture, quads[sample])
        upright = self._certainty(crops)
        if upright >= _SURELY_UPRIGHT:
            return False
        return self._certainty([np.rot90(crop, 2) for crop in crops]) > upright

    def _certainty(self, crops: list[Picture]) -> float:
        return float(np.mean(self._models.recognize_txt(crops).scores))

    def _recognise(self, crops: list[Picture], quads: Quads) -> list[TextLine]:
        read = self._models.recognize_txt(crops)
        lines = []
        for text, score, words, quad in zip(
            read.txts, read.scores, read.word_results, quads, strict=True
        ):
            if text.strip() and score >= _LEAST_QUALITY:
                lines.append(_line(text, score, words, quad))
        return lines


def _detect(models: Any, picture: Picture, record: dict[str, Any]) -> Quads:
    """The boxes of lines, in the pixels of `picture`."""
    from rapidocr.main import RapidOCRError

    try:
        _, found = models.detect_and_crop(picture, record)
    except RapidOCRError:  # nothing found
        return np.empty((0, 4, 2), dtype=np.float32)
    padding = record["padding_1"]
    shift = np.array([padding["left"], padding["top"]], dtype=np.float32)
    height, width = picture.shape[:2]
    boxes: Quads = np.asarray(found.boxes, dtype=np.float32).reshape(-1, 4, 2) - shift
    boxes[..., 0], boxes[..., 1] = boxes[..., 0].clip(0, width), boxes[..., 1].clip(0, height)
    return boxes


def _crops(picture: Picture, quads: Quads) -> list[Picture]:
    from rapidocr.utils.process_img import get_rotate_crop_image

    crops = []
    for quad, width, height in zip(quads, *sizes(quads), strict=True):
        crop = get_rotate_crop_image(picture, quad.copy())
        if _LONE_CHARACTER[0] <= height / max(width, 1) < _LONE_CHARACTER[1]:
            crop = np.ascontiguousarray(np.rot90(crop, -1))  # it had been laid on its side
        crops.append(crop)
    return crops


def _line(text: str, score: float, words: Any, quad: npt.NDArray[np.float32]) -> TextLine:
    """A line with a box for each character, from the steps of the recogniser that gave it."""
    columns = [column for word in words.word_cols for column in word]
    inked = [index for index, char in enumerate(text) if not char.isspace()]
    if len(columns) != len(inked) or len(words.confs) != len(text) or not words.line_txt_len:
        (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
        line = even_boxes(text, left, top, right, bottom)
        return TextLine(text, line.boxes, np.full(len(text), score, dtype=np.float32))
    centres = (np.array(columns, dtype=np.float32) + 0.5) / words.line_txt_len
    edges = _edges(np.clip(centres, 0.0, 1.0))
    boxes = np.full((len(text), 4), math.nan, dtype=np.float32)
    for index, (start, end) in zip(inked, edges.tolist(), strict=True):
        top = quad[0] + np.outer((start, end), quad[1] - quad[0])
        bottom = quad[3] + np.outer((start, end), quad[2] - quad[3])
        corners = np.concatenate((top, bottom))
        boxes[index] = *corners.min(axis=0), *corners.max(axis=0)
    return TextLine(text, boxes, np.array(words.confs, dtype=np.float32))


def _edges(centres: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Where characters start and end, as parts of the line: as wide as the usual step between
    two, but never over half the way to the next."""
    if len(centres) == 1:
        return np.array([[0.0, 1.0]], dtype=np.float32)
    steps = np.maximum(np.diff(centres), 1e-4)
    half = np.minimum(float(np.median(steps)), steps) / 2
    before = np.concatenate((half[:1], half))
    after = np.concatenate((half, half[-1:]))
    return np.clip(np.stack((centres - before, centres + after), axis=1), 0.0, 1.0)
