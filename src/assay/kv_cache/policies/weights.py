"""Trained weights: one archive for each kind and shape of model.

`KIND-SHAPE.npz` holds named arrays, float16. A model of another shape has none; models fine-tuned
from the same one share them. `assay train scorer` writes them to `ASSAY_HOME/weights`, which goes
before those that ship with the package.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.config import assay_home
from assay.errors import CorruptModelError
from assay.models.config import ModelConfig

Kind = Literal["scorer", "router", "sketch", "merger"]
_PACKAGED = Path(__file__).with_name("weights")


def user_folder() -> Path:
    """Where a user's own weights are. It need not exist."""
    return assay_home() / "weights"


def weights_name(kind: Kind, config: ModelConfig) -> str:
    """The file's name: what must agree for weights to make sense at all."""
    shape = f"{config.num_layers}x{config.num_heads}x{config.num_kv_heads}x{config.head_dim}"
    return f"{kind}-{config.architecture}-{shape}-{config.hidden_size}-{config.vocab_size}.npz"


def load_weights(kind: Kind, config: ModelConfig) -> Mapping[str, NDArray[np.float32]] | None:
    """The arrays by name, as float32; None if there are none for a model of this shape.

    Raises:
        CorruptModelError: the file cannot be read.
    """
    name = weights_name(kind, config)
    found = [folder / name for folder in (user_folder(), _PACKAGED) if (folder / name).exists()]
    if not found:
        return None
    path = found[0]
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return {name: archive[name].astype(np.float32) for name in archive.files}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise CorruptModelError(
            f"{path} cannot be read: {error}", remedy="remove it, or install assay again"
        ) from error


def save_weights(path: Path, arrays: Mapping[str, NDArray[np.float32]]) -> None:
    """Writes the arrays as float16; the same arrays give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    halves = {name: array.astype(np.float16) for name, array in sorted(arrays.items())}
    np.savez(path, **halves)  # type: ignore[arg-type]  # numpy's stub takes the names for options
