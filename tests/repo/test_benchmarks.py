"""Every benchmark runs to its last line on a tiny model; workers of peers are started and ended."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from tiny_packed import pack_tiny

from benchmarks import contracts, kv, kv_curves, kv_plots, kv_scorer, soak, tiers, trace
from benchmarks.contract_tasks import COLD, WARM
from benchmarks.cuad import LABELS
from benchmarks.gemm import layer_shapes, measure_ceiling
from benchmarks.peers import registry
from benchmarks.peers.base import PeerError, PeerRequest
from benchmarks.peers.piped import PipedPeer
from benchmarks.peers.rates import peak_session_mb
from benchmarks.peers.registry import choose_peers

SUPPORT = Path(__file__).parents[1] / "support"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(pack_tiny(tmp_path_factory.mktemp("model"), max_position_embeddings=8192).path)


@pytest.fixture
def one_thread() -> Iterator[None]:
    num_threads = torch.get_num_threads()
    yield
    torch.set_num_threads(num_threads)


def last_line(capsys: pytest.CaptureFixture[str]) -> dict:
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_contracts_reports_both_of_our_ways_for_every_round(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contracts, "make_contract", lambda seed, _: f"Contract {seed} of 1 May.")
    rows = [
        {
            "id": f"{i}",
            "text": f"Agreement {i} is made on 3 March 2024 between Alder Ltd and Birch GmbH.",
            "clauses": {q.label: {"answer": "", "spans": []} for q in (*COLD, *WARM)},
        }
        for i in range(2)
    ]
    (tmp_path / "cuad_dev.jsonl").write_text("\n".join(map(json.dumps, rows)))
    arguments = ["--data", str(tmp_path), "--docs", "2", "--repeats", "1", "--model", model]
    assert contracts.main([*arguments, "--sets", "heads", "--kv-gib", "1"]) == 0
    figures = last_line(capsys)
    for round_name in ("cold_8", "warm_8"):
        for engine in ("assay", "assay_whole"):
            assert figures[round_name][engine]["num_requests"] == 8
            assert figures[round_name][engine]["rps"] > 0
            assert figures[round_name][engine]["invented"] == 0
    assert figures["warm_8"]["assay_whole"]["cached_tokens"] > 0
    assert 0 < figures["forced_shares"]["assay_whole"] < 1
    assert figures["forced_share"] == figures["forced_shares"]["assay"]


def test_tiers_are_found_and_saving_is_measured(
    model: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    one_thread: None,
) -> None:
    for name, small in (("NUM_TOKENS", 64), ("BATCH", 2), ("CONTEXT", 40), ("NUM_DECODED", 20)):
        monkeypatch.setattr(tiers, name, small)
    assert tiers.main(["--model", model, "--repeats", "1", "--threads", "1"]) == 0
    figures = last_line(capsys)
    for tier in ("live", "host", "disk"):
        assert 0 < figures[tier]["found_ms"]["median"] < figures[tier]["first_token_ms"]["median"]
    assert set(figures["save_ms_a_block"]) == {"growing", "grown"}
    assert figures["decoding"]["saved_blocks"]["max"] > 0


def test_kv_measures_every_mode_against_the_full_cache(
    model: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    one_thread: None,
) -> None:
    monkeypatch.setattr(kv, "NUM_ATTACHED", 2)
    monkeypatch.setattr(kv_scorer, "NUM_TOKENS", 600)
    law = "This Agreement is governed by the laws of England."
    text = "This Agreement is made on 3 March 2024 between Alder Ltd and Birch GmbH. "
    text += "Nothing else is said here. " * 60 + law
    clauses: dict = {label: {"answer": "", "spans": []} for label in LABELS.values()}
    clauses["Governing Law"]["spans"] = [
        {"start": text.index(law), "end": len(text), "text": law},
    ]
    row = {"id": "made up", "text": text, "clauses": clauses}
    (tmp_path / "cuad_dev.jsonl").write_text(json.dumps(row))
    arguments = ["--data", str(tmp_path), "--model", model, "--timed-docs", "1"]
    assert kv.main([*arguments, "--threads", "1"]) == 0
    figures = last_line(capsys)
    assert figures["modes"].keys() == kv.MODES.keys()
    for mode in figures["modes"].values():
        assert mode["blocks_not_given_back"] == 0
        assert 0 < mode["kv_bytes"] <= mode["peak_kv_bytes"]
        # What a first prompt's slices compute of the preamble counts as found by the prompt.
        assert 0 < mode["reuse_cold"] <= mode["reuse_cold_most"] + 0.01
        assert mode["ttft_ms"] > 0
        assert mode["step_ms"] > 0
        assert mode["perplexity"] > 1
    decoding = {name: mode["decode_kv_bytes"] for name, mode in figures["modes"].items()}
    assert decoding["best"] < decoding["retention"] < decoding["dense"]
    assert figures["attach_2000_ms"] > 0
    assert 0 < figures["scorer_ms"] < figures["refresh_ms"]


def test_curves_show_that_what_is_left_out_takes_no_memory(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], one_thread: None
) -> None:
    arguments = ["--modes", "dense", "descriptor", "--contexts", "600", "1200", "--repeats", "1"]
    arguments += ["--threads", "1", "--model", model, "--png", str(tmp_path)]
    assert kv_curves.main(arguments) == 0
    contexts = last_line(capsys)["contexts"]
    grown = {
        name: by_tokens["1200"]["kv_bytes"] - by_tokens["600"]["kv_bytes"]
        for name, by_tokens in contexts.items()
    }
    assert grown["dense"] == pytest.approx(600 * 256, rel=0.1)
    assert grown["descriptor"] < 0.25 * grown["dense"]
    assert (tmp_path / "kv_contexts.png").stat().st_size > 1000


def test_trace_brings_every_request_back(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "trace.csv"
    lines = [f"{i / 10},{60 + 10 * i},{2 + i}" for i in range(6)]
    path.write_text("\n".join(["t_seconds,input_tokens,output_tokens", *lines]))
    arguments = ["--trace", str(path), "--scale", "0.5", "--tokens", "1", "--model", model]
    assert trace.main(arguments) == 0
    figures = last_line(capsys)
    assert figures["outcomes"] == {"ok": 6}
    assert figures["num_lost"] == figures["num_blocks_held"] == 0


def test_soak_balances_its_books(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--minutes", "0.02", "--idle-every", "0.4", "--concurrency", "3"]
    assert soak.main([*arguments, "--model", model]) == 0
    figures = last_line(capsys)
    assert figures["num_checks_passed"] == figures["num_checks"] >= 1
    assert figures["num_requests"] > 0
    assert figures["num_surprises"] == figures["num_blocks_not_given_back"] == 0


def test_the_ceiling_counts_every_matrix_of_a_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    from tiny_checkpoints import CONFIG

    monkeypatch.setattr("benchmarks.gemm._MIN_SECONDS", 0.001)
    ceiling = measure_ceiling(CONFIG, "bf16", 32)
    assert ceiling["us"].keys() == layer_shapes(CONFIG).keys()
    expected = 32 / (CONFIG.num_layers * sum(ceiling["us"].values()) / 1e6)
    assert ceiling["tok_s"] == pytest.approx(expected, rel=0.05)


def echo(tmp_path: Path, *arguments: str, batch_timeout_s: float = 20) -> PipedPeer:
    return PipedPeer(
        "echo",
        Path(sys.executable),
        "echo_worker",
        arguments,
        tmp_path / "echo.log",
        environment={"PYTHONPATH": str(SUPPORT)},
        start_timeout_s=20,
        batch_timeout_s=batch_timeout_s,
    )


def test_a_worker_answers_in_the_order_of_the_requests_and_is_ended(tmp_path: Path) -> None:
    peer = echo(tmp_path)
    try:
        answers = peer.generate([PeerRequest([1], 3), PeerRequest([2], 4)])
        assert [(item.text, item.num_tokens) for item in answers] == [("[1]", 3), ("[2]", 4)]
        assert peak_session_mb(peer.pid) > 1
        with pytest.raises(PeerError, match="unlucky"):
            peer.generate([PeerRequest([13], 1)])
    finally:
        peer.close()
        peer.close()
    with pytest.raises(ProcessLookupError):
        os.kill(peer.pid, 0)


def test_a_worker_that_does_not_answer_in_time_is_given_up(tmp_path: Path) -> None:
    peer = echo(tmp_path, batch_timeout_s=0.1)
    try:
        with pytest.raises(PeerError, match="in time"):
            peer.generate([PeerRequest([99], 1)])
    finally:
        peer.close()


def test_a_worker_that_cannot_load_says_why(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match="no engine here"):
        echo(tmp_path, "--broken")


def test_peers_are_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "is_installed", lambda name: name != "vllm")
    assert choose_peers(None) == ()
    assert choose_peers("all") == ("openvino", "openvino_leaders", "llama_cpp")
    assert choose_peers("llama_cpp,openvino_evict") == ("llama_cpp", "openvino_evict")
    with pytest.raises(PeerError, match="not installed"):
        choose_peers("vllm")
    with pytest.raises(PeerError, match="unknown peer"):
        choose_peers("nothing")


def test_a_curve_without_some_points_is_drawn(tmp_path: Path) -> None:
    """Where the cache had no room for all sequences there is no step of all of them."""
    point = {"ttft_ms": 9.0, "kv_bytes": 2.0**20, "step_ms": 1.0}
    figures = {
        "dense": {"512": point, "2048": {**point, "step_ms": None}},
        "retention": {"512": {**point, "step_ms": None}},
    }
    kv_plots.draw_contexts(figures, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 0
