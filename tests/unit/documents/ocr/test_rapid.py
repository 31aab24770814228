"""What is made of RapidOCR's answers, with models that a test plays."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from assay.documents.ocr.rapid import RapidOcrEngine
from assay.errors import ScannedDocumentError

pytest.importorskip("rapidocr.main")


def box(left: float, top: float, right: float, bottom: float) -> list[list[float]]:
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


class Models:
    """Finds `boxes`; reads each crop as `text`, surely if black is at its left end, as in a picture
    that stands upright."""

    def __init__(self, boxes: list[list[list[float]]], text: str = "a b") -> None:
        self.boxes, self.text = boxes, text

    def preprocess_img(self, picture: Any) -> tuple[Any, dict[str, Any]]:
        return picture, {"preprocess": {"ratio_h": 1.0, "ratio_w": 1.0}}

    def detect_and_crop(self, picture: Any, record: dict[str, Any]) -> tuple[None, Any]:
        record["padding_1"] = {"left": 0, "top": 0}
        return None, SimpleNamespace(boxes=self.boxes)

    def recognize_txt(self, crops: list[Any]) -> Any:
        scores = [0.95 if crop[:, :5].mean() < crop[:, -5:].mean() else 0.4 for crop in crops]
        words = SimpleNamespace(
            words=[["a"], ["b"]], word_cols=[[2], [7]], line_txt_len=10, confs=[0.9, 0.8, 0.7]
        )
        return SimpleNamespace(
            txts=[self.text] * len(crops), scores=scores, word_results=[words] * len(crops)
        )


def engine_with(models: Models) -> RapidOcrEngine:
    engine = RapidOcrEngine()
    engine._models = models
    return engine


def upright() -> np.ndarray:
    """A page with two lines that start in black."""
    picture = np.full((200, 300, 3), 255, dtype=np.uint8)
    picture[20:40, 10:30] = picture[60:80, 10:30] = 0
    return picture


LINES = [box(10, 20, 210, 40), box(10, 60, 210, 80)]


def test_characters_have_the_places_and_certainties_of_the_recogniser():
    page = engine_with(Models(LINES)).read(upright())
    assert (page.turned, [line.text for line in page.lines]) == (0, ["a b", "a b"])
    first = page.lines[0]
    assert np.isnan(first.boxes[1]).all()
    assert first.quality.tolist() == pytest.approx([0.9, 0.8, 0.7])
    centres = (first.boxes[[0, 2], 0] + first.boxes[[0, 2], 2]) / 2
    assert centres.tolist() == pytest.approx([60, 160], abs=1)
    assert first.boxes[0, [1, 3]].tolist() == [20, 40]


def test_characters_share_the_line_where_their_places_do_not_fit_the_text():
    (line, _) = engine_with(Models(LINES, text="abcd")).read(upright()).lines
    assert line.boxes[:, 0].tolist() == [10, 60, 110, 160]
    assert line.quality.tolist() == pytest.approx([0.95] * 4)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_is_turned_upright_and_its_boxes_with_it(degrees):
    lying = np.ascontiguousarray(np.rot90(upright(), degrees // 90))
    boxes = {
        90: [box(20, 90, 40, 290), box(60, 90, 80, 290)],
        180: [box(90, 160, 290, 180), box(90, 120, 290, 140)],
        270: [box(160, 10, 180, 210), box(120, 10, 140, 210)],
    }[degrees]
    page = engine_with(Models(boxes)).read(lying)
    assert page.turned == degrees
    assert [line.boxes[0, [1, 3]].tolist() for line in page.lines] == [[20, 40], [60, 80]]
    assert page.lines[0].boxes[0, 0] == pytest.approx(10, abs=30)


def test_a_page_without_boxes_has_no_lines():
    assert engine_with(Models([])).read(upright()).lines == ()


def test_what_the_models_raise_becomes_one_error():
    class Failing(Models):
        def recognize_txt(self, crops: list[Any]) -> Any:
            raise RuntimeError("out of memory")

    with pytest.raises(ScannedDocumentError, match="OCR failed: out of memory"):
        engine_with(Failing(LINES)).read(upright())


@pytest.fixture
def restless_threads():
    """Threads take turns after every few instructions."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_one_picture_is_read_at_a_time_whatever_the_number_of_threads(restless_threads):
    """The models keep state between their steps."""

    class Watched(Models):
        reader = 0

        def preprocess_img(self, picture: Any) -> tuple[Any, dict[str, Any]]:
            self.reader = threading.get_ident()
            return super().preprocess_img(picture)

        def recognize_txt(self, crops: list[Any]) -> Any:
            assert self.reader == threading.get_ident()
            return super().recognize_txt(crops)

    engine = engine_with(Watched(LINES))
    with ThreadPoolExecutor(4) as threads:
        pages = list(threads.map(engine.read, [upright()] * 8))
    assert [len(page.lines) for page in pages] == [2] * 8
