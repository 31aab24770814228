"""Pictures made worse, as bad copies and bad cameras do, to see what is said of what is unclear.

Needs Pillow, which comes with `assay[ocr]`. The same picture, kind and seed give the same bytes.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

if TYPE_CHECKING:
    from PIL.Image import Image

Damage = Literal["blurred", "noisy", "squeezed", "coarse", "faded"]
DAMAGES: tuple[Damage, ...] = get_args(Damage)


def degrade(picture: bytes, damage: Damage, seed: int = 0) -> bytes:
    """The picture as a PNG or JPEG of the same size, damaged.

    `blurred`: out of focus. `noisy`: grains. `squeezed`: JPEG of low quality. `coarse`: scanned at
    about half the resolution. `faded`: little contrast, and grains. The seed says how much.
    """
    from PIL import Image, ImageFilter

    random = np.random.default_rng(seed)
    strength = float(random.uniform(0.5, 1.0))
    image = Image.open(io.BytesIO(picture)).convert("L")
    if damage == "blurred":
        image = image.filter(ImageFilter.GaussianBlur(0.6 + 1.4 * strength))
    elif damage == "noisy":
        image = _grains(image, random, 60 * strength)
    elif damage == "coarse":
        share = 0.75 - 0.35 * strength
        small = image.resize((round(image.width * share), round(image.height * share)))
        image = small.resize(image.size)
    elif damage == "faded":
        faded = np.asarray(image, np.float32) * (0.6 - 0.45 * strength) + 110 + 90 * strength
        image = _grains(Image.fromarray(np.clip(faded, 0, 255).astype(np.uint8)), random, 6.0)
    out = io.BytesIO()
    if damage == "squeezed":
        image.save(out, "JPEG", quality=round(14 - 10 * strength))
    else:
        image.save(out, "PNG")
    return out.getvalue()


def _grains(image: Image, random: np.random.Generator, deviation: float) -> Image:
    from PIL import Image as Pillow

    grey = np.asarray(image, np.float32)
    noise = random.standard_normal(grey.shape, np.float32) * np.float32(deviation)
    return Pillow.fromarray(np.clip(grey + noise, 0, 255).astype(np.uint8))
