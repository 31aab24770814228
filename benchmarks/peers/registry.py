"""Which peers there are, which of them are installed, and how each is started.

`make peers` installs them under `.peers/`: a virtual environment each, and the model as they load
it. `openvino_leaders` is OpenVINO with a client that sends one question of each document ahead,
`openvino_evict` OpenVINO with cache eviction and hence without prefix caching: about as fast as
`openvino` on documents never seen, a third as fast on seen ones, so it runs only when named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from assay.models.packed import PackedModel
from benchmarks.peers.base import Peer, PeerError, PeerModel
from benchmarks.peers.child import ROOT
from benchmarks.peers.piped import PipedPeer
from benchmarks.peers.vllm import VllmPeer

PEERS = ROOT / ".peers"
MODEL_NAME = "smollm2"


def peer_model(packed: PackedModel) -> PeerModel:
    """The model that `make peers` left, for a packed model of ours that is the same.

    Raises:
        PeerError: it is not there, or `packed` is another one.
    """
    if packed.name != MODEL_NAME:
        raise PeerError(f"peers hold {MODEL_NAME}, not {packed.name}: leave out --peers or --model")
    gguf = PEERS / "models" / f"{MODEL_NAME}.gguf"
    if not gguf.is_file():
        raise PeerError("the peers' model is not there: run make peers")
    config = packed.config
    return PeerModel(gguf, gguf.with_suffix(""), config.eos_token_ids, config.vocab_size)


def _start_vllm(model: PeerModel, kv_gib: int) -> Peer:
    return VllmPeer(PEERS / "vllm", model, PEERS / "logs" / "vllm.log", kv_gib=kv_gib)


def _start_piped(name: str, environment: str, extra: Sequence[str], model: PeerModel) -> Peer:
    return PipedPeer(
        name,
        PEERS / environment / "bin" / "python",
        f"benchmarks.peers.{environment}_worker",
        [str(model.gguf), "--eos", *map(str, model.eos_token_ids), *extra],
        PEERS / "logs" / f"{name}.log",
    )


def _start_openvino(name: str, extra: Sequence[str], model: PeerModel, kv_gib: int) -> Peer:
    return _start_piped(name, "openvino", ["--kv-gib", str(kv_gib), *extra], model)


def _start_llama_cpp(model: PeerModel, _kv_gib: int) -> Peer:
    return _start_piped("llama_cpp", "llama_cpp", [], model)


#: Name -> (folder of its environment, how it is started).
_STARTS: dict[str, tuple[str, Callable[[PeerModel, int], Peer]]] = {
    "vllm": ("vllm", _start_vllm),
    "openvino": ("openvino", partial(_start_openvino, "openvino", ())),
    "openvino_leaders": ("openvino", partial(_start_openvino, "openvino_leaders", ("--leaders",))),
    "openvino_evict": ("openvino", partial(_start_openvino, "openvino_evict", ("--evict",))),
    "llama_cpp": ("llama_cpp", _start_llama_cpp),
}
NAMES = tuple(_STARTS)
#: Not among `all`.
ONLY_BY_NAME = ("openvino_evict",)


def is_installed(name: str) -> bool:
    """Whether `make peers` has finished with this peer's environment."""
    return (PEERS / _STARTS[name][0] / ".installed").is_file()


def choose_peers(wanted: str | None) -> tuple[str, ...]:
    """The peers of an option's value: none, `all` that are installed (without `ONLY_BY_NAME`), or
    names with commas.

    Raises:
        PeerError: a name is unknown or not installed.
    """
    if wanted is None:
        return ()
    if wanted == "all":
        return tuple(name for name in NAMES if is_installed(name) and name not in ONLY_BY_NAME)
    names = tuple(wanted.split(","))
    for name in names:
        if name not in _STARTS:
            raise PeerError(f"unknown peer {name!r}; known: {', '.join(NAMES)}")
        if not is_installed(name):
            raise PeerError(f"{name} is not installed: run make peers")
    return names


@contextmanager
def started(name: str, model: PeerModel, *, kv_gib: int = 3) -> Iterator[Peer]:
    """The running peer; its process ends with the block, whatever happens in it."""
    peer = _STARTS[name][1](model, kv_gib)
    try:
        yield peer
    finally:
        peer.close()
