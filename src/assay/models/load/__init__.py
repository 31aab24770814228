"""Reading checkpoints: GGUF files and Hugging Face folders, into one `ModelSource`.

Only packing comes here; serving reads what was packed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import ModelError, UnsupportedModelError

if TYPE_CHECKING:
    from assay.models.load.source import ModelSource


def open_source(path: Path) -> ModelSource:
    """Opens a GGUF file or a Hugging Face folder for packing.

    Raises:
        CorruptModelError: damaged or incomplete.
        UnsupportedModelError: a format, architecture, tensor type or tokenizer not known.
        ModelError: there is nothing at `path`.
    """
    if path.is_dir():
        from assay.models.load.huggingface import open_folder

        return open_folder(path)
    if not path.is_file():
        raise ModelError(f"{path}: no such file or folder")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF" and path.suffix != ".gguf":
            raise UnsupportedModelError(
                f"{path} is neither a GGUF file nor a folder",
                remedy="give a .gguf file or a folder with config.json and *.safetensors",
            )
    from assay.models.load.gguf import open_gguf

    return open_gguf(path)
