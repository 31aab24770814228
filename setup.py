"""The part of the build that `pyproject.toml` cannot say: operators in C++, where they can run.

Optional: with no compiler, or one that does not know the instructions, the package installs
without them and PyTorch does their work.
"""

import platform
from pathlib import Path

from setuptools import Extension, setup

FOLDER = Path("src/assay/kernels/native")
INSTRUCTION_SETS = ("f", "bw", "dq", "vl", "vnni", "bf16")


def extensions() -> list[Extension]:
    if platform.system() != "Linux" or platform.machine() not in ("x86_64", "AMD64"):
        return []
    return [
        Extension(
            "assay.kernels._native",
            sources=sorted(str(path) for path in FOLDER.glob("*.cpp")),
            depends=sorted(str(path) for path in FOLDER.glob("*.hpp")),
            language="c++",
            extra_compile_args=[
                "-std=c++17",
                "-O3",
                "-g0",
                "-fno-math-errno",
                "-mfma",
                *(f"-mavx512{name}" for name in INSTRUCTION_SETS),
                # Only compiled against: the runtime is PyTorch's (see kernels/library.py).
                "-fopenmp",
                # GCC's own intrinsics start from undefined vectors.
                "-Wno-uninitialized",
                "-Wno-maybe-uninitialized",
            ],
            optional=True,
        )
    ]


setup(ext_modules=extensions())
