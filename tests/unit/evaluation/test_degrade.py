"""Pictures made worse: of the same size, different, and the same each time."""

import io

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image")

from assay.evaluation.degrade import DAMAGES, degrade  # noqa: E402


@pytest.fixture(scope="module")
def picture():
    grey = np.full((60, 80), 250, np.uint8)
    grey[20:40, 10:70:4] = 0
    out = io.BytesIO()
    Image.fromarray(grey).save(out, "PNG")
    return out.getvalue()


def pixels(content):
    return np.asarray(Image.open(io.BytesIO(content)).convert("L"), np.float32)


@pytest.mark.parametrize("damage", DAMAGES)
def test_each_damage_changes_the_picture_and_not_its_size(picture, damage):
    worse = degrade(picture, damage, seed=3)
    assert pixels(worse).shape == pixels(picture).shape
    assert np.abs(pixels(worse) - pixels(picture)).mean() > 1.0
    assert worse == degrade(picture, damage, seed=3)
