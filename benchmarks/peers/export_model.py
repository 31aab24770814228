"""Writes a GGUF file as a Hugging Face folder, weights dequantised, for engines that want one.

    python -m benchmarks.peers.export_model GGUF FOLDER

Runs in vLLM's virtual environment: it needs transformers and gguf.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any


def export_model(gguf: Path, folder: Path) -> None:
    """Writes beside `folder` first, so that a folder which is there is whole."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    model: Any = AutoModelForCausalLM.from_pretrained(
        gguf.parent, gguf_file=gguf.name, dtype=torch.bfloat16
    )
    # Dequantised weights that still claim to be quantised would be refused on loading.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.hf_quantizer = None
    model.is_quantized = False
    model.save_pretrained(part)
    AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(part)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gguf", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    export_model(options.gguf, options.folder)


if __name__ == "__main__":
    main()
