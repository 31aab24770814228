"""Packing and loading what was packed."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType
from tiny_checkpoints import CONFIG, random_weights, write_folder, write_gguf

from assay.errors import (
    CorruptModelError,
    DiskFullError,
    ModelNotPulledError,
    UnsupportedModelError,
)
from assay.models.config import ModelConfig
from assay.models.load import safetensors
from assay.models.pack import load_packed, pack_model, quantize_rows, round_to_bfloat16
from assay.models.packed import MANIFEST, WEIGHTS, sha256_of

QWEN2 = replace(CONFIG, architecture="qwen2", qkv_bias=True, tie_word_embeddings=True)
QWEN3 = replace(CONFIG, architecture="qwen3", qk_norm=True, head_dim=32)


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    source = write_gguf(tmp_path / "m.gguf", CONFIG, random_weights(CONFIG))
    return pack_model(source, tmp_path / "packed")


@pytest.mark.parametrize("config", [CONFIG, QWEN2, QWEN3], ids=lambda config: config.architecture)
def test_packed_tensors_have_the_names_types_and_rows_of_the_contract(
    tmp_path: Path, config: ModelConfig
) -> None:
    weights = random_weights(config)
    pack_model(write_folder(tmp_path / "m", config, weights), tmp_path / "packed")
    model = load_packed(tmp_path / "packed", verify=True)
    assert model.config == config
    tensors = dict(model.weights)

    def matrix(name: str, *parts: str) -> None:
        expected = torch.from_numpy(np.concatenate([weights[part] for part in parts]))
        if name == "lm_head" and config.tie_word_embeddings:
            assert "lm_head.weight" not in tensors
        else:
            assert torch.equal(tensors.pop(name + ".weight"), expected.bfloat16())
        if name != "embedding":
            quantized, scale = tensors.pop(name + ".int8"), tensors.pop(name + ".scale")
            assert (quantized.dtype, scale.dtype) == (torch.int8, torch.float32)
            error = (quantized.float() * scale[:, None] - expected).abs()
            assert (error <= scale[:, None] * 0.5001).all()

    def vector(name: str, *parts: str) -> None:
        expected = np.concatenate([weights[part] for part in parts])
        assert tensors[name].dtype == torch.float32
        np.testing.assert_array_equal(tensors.pop(name).numpy(), expected)

    embedding = "model.embed_tokens.weight"
    matrix("embedding", embedding)
    matrix("lm_head", embedding if config.tie_word_embeddings else "lm_head.weight")
    vector("final_norm.weight", "model.norm.weight")
    for i in range(config.num_layers):
        theirs = f"model.layers.{i}."
        attention = theirs + "self_attn."
        matrix(f"layers.{i}.qkv", *(f"{attention}{x}_proj.weight" for x in "qkv"))
        matrix(f"layers.{i}.o", attention + "o_proj.weight")
        matrix(
            f"layers.{i}.gate_up", theirs + "mlp.gate_proj.weight", theirs + "mlp.up_proj.weight"
        )
        matrix(f"layers.{i}.down", theirs + "mlp.down_proj.weight")
        vector(f"layers.{i}.input_norm.weight", theirs + "input_layernorm.weight")
        vector(f"layers.{i}.post_norm.weight", theirs + "post_attention_layernorm.weight")
        if config.qkv_bias:
            vector(f"layers.{i}.qkv.bias", *(f"{attention}{x}_proj.bias" for x in "qkv"))
        if config.qk_norm:
            vector(f"layers.{i}.q_norm.weight", attention + "q_norm.weight")
            vector(f"layers.{i}.k_norm.weight", attention + "k_norm.weight")
    assert not tensors


def test_a_gguf_file_and_a_folder_of_the_same_model_pack_to_the_same_weights(
    tmp_path: Path,
) -> None:
    weights = random_weights(CONFIG)
    pack_model(write_gguf(tmp_path / "m.gguf", CONFIG, weights), tmp_path / "a")
    pack_model(write_folder(tmp_path / "m", CONFIG, weights, num_shards=2), tmp_path / "b")
    assert sha256_of(tmp_path / "a" / WEIGHTS) == sha256_of(tmp_path / "b" / WEIGHTS)


def test_chunks_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packing a few rows at a time writes the same file as packing each matrix at once."""
    source = write_gguf(
        tmp_path / "m.gguf", CONFIG, random_weights(CONFIG), kind=GGMLQuantizationType.Q8_0
    )
    pack_model(source, tmp_path / "a")
    monkeypatch.setattr("assay.models.pack._CHUNK_BYTES", 5 * 64 * 4)
    pack_model(source, tmp_path / "b")
    assert sha256_of(tmp_path / "a" / WEIGHTS) == sha256_of(tmp_path / "b" / WEIGHTS)


def test_weights_are_mapped_and_aligned(packed: Path) -> None:
    weights = load_packed(packed).weights
    assert all(tensor.data_ptr() % 64 == 0 for tensor in weights.values())
    with (packed / WEIGHTS).open("r+b") as file:
        file.seek(safetensors.read_header(packed / WEIGHTS)["final_norm.weight"].offset)
        file.write(np.float32(42).tobytes())
    assert weights["final_norm.weight"][0] == 42, "the tensor is not the file's own page"


def test_the_manifest_says_what_was_packed(packed: Path, tmp_path: Path) -> None:
    manifest = json.loads((packed / MANIFEST).read_text())
    assert manifest["source"] == {"name": "m.gguf", "sha256": sha256_of(tmp_path / "m.gguf")}
    assert set(manifest["files"]) == {
        "weights.safetensors",
        "tokenizer.json",
        "chat_template.jinja",
    }


def test_the_packed_tokenizer_encodes_and_renders(packed: Path) -> None:
    tokenizer = load_packed(packed).tokenizer()
    assert tokenizer.decode(tokenizer.encode("the contract")) == "the contract"
    assert tokenizer.eos_token_ids == CONFIG.eos_token_ids


def test_a_missing_a_short_and_an_altered_file_are_found(packed: Path) -> None:
    weights = packed / WEIGHTS
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    load_packed(packed)
    with pytest.raises(CorruptModelError, match="SHA-256"):
        load_packed(packed, verify=True)
    weights.write_bytes(content[:-1])
    with pytest.raises(CorruptModelError, match="bytes instead of"):
        load_packed(packed)
    weights.unlink()
    with pytest.raises(CorruptModelError, match="is missing"):
        load_packed(packed)


@pytest.mark.parametrize(
    ("manifest", "error"),
    [
        ("", CorruptModelError),
        ("[]", CorruptModelError),
        ('{"format_version": 1}', CorruptModelError),
        ('{"format_version": 99}', UnsupportedModelError),
    ],
)
def test_a_manifest_that_cannot_be_used_is_a_typed_error(
    packed: Path, manifest: str, error: type[Exception]
) -> None:
    (packed / MANIFEST).write_text(manifest)
    with pytest.raises(error):
        load_packed(packed)


def test_a_folder_that_is_not_packed_is_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelNotPulledError):
        load_packed(tmp_path)


def test_a_disk_that_fills_up_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_gguf(tmp_path / "m.gguf", CONFIG, random_weights(CONFIG))
    real, calls = safetensors.write_at, []

    def full_after_ten(file: int, data: bytes, offset: int) -> None:
        calls.append(offset)
        if len(calls) > 10:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file, data, offset)

    monkeypatch.setattr(safetensors, "write_at", full_after_ten)
    with pytest.raises(DiskFullError, match="no room"):
        pack_model(source, tmp_path / "store" / "m")
    assert list((tmp_path / "store").iterdir()) == []


def test_too_little_room_is_found_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_gguf(tmp_path / "m.gguf", CONFIG, random_weights(CONFIG))
    usage = type("Usage", (), {"free": 1000})
    monkeypatch.setattr("assay.models.pack.shutil.disk_usage", lambda path: usage)
    monkeypatch.setattr("assay.models.pack.SafetensorsWriter", None)
    with pytest.raises(DiskFullError, match="0 MB are free"):
        pack_model(source, tmp_path / "store" / "m")
    assert list((tmp_path / "store").iterdir()) == []


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    source = write_gguf(tmp_path / "m.gguf", CONFIG, random_weights(CONFIG))

    def interrupt(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pack_model(source, tmp_path / "store" / "m", progress=interrupt)
    assert list((tmp_path / "store").iterdir()) == []


def test_progress_grows_to_the_end(tmp_path: Path) -> None:
    source = write_gguf(tmp_path / "m.gguf", CONFIG, random_weights(CONFIG))
    seen: list[tuple[int, int]] = []
    pack_model(source, tmp_path / "p", progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


def test_a_packed_model_is_never_overwritten(packed: Path, tmp_path: Path) -> None:
    before = (packed / MANIFEST).stat().st_mtime_ns
    with pytest.raises(FileExistsError):
        pack_model(tmp_path / "m.gguf", packed)
    assert (packed / MANIFEST).stat().st_mtime_ns == before


def test_bfloat16_is_rounded_as_torch_rounds() -> None:
    values = np.random.default_rng(1).standard_normal(10_000).astype(np.float32)
    ties = np.array([1.00390625, 1.01171875, -1.00390625, 0.0, -0.0], np.float32)
    values = np.concatenate([values, ties])
    expected = torch.from_numpy(values).bfloat16().view(torch.uint16).numpy()
    np.testing.assert_array_equal(round_to_bfloat16(values), expected)


def test_rows_are_quantised_to_the_nearest_step_and_rows_of_zeros_stay_zero() -> None:
    values = np.array([[1.0, -2.54, 0.009], [0.0, 0.0, 0.0]], np.float32)
    quantized, scale = quantize_rows(values)
    np.testing.assert_allclose(scale, [0.02, 1.0])
    np.testing.assert_array_equal(quantized, [[50, -127, 0], [0, 0, 0]])


def test_loading_for_serving_imports_no_converter(packed: Path) -> None:
    """Serving reads what was packed; what reads other formats stays out of the process."""
    script = (
        "import sys; from pathlib import Path; from assay.models.packed import load_packed;"
        "load_packed(Path(sys.argv[1])).tokenizer().encode('the');"
        "print(*{'gguf', 'transformers', 'torch', 'numpy', 'httpx', 'jinja2'} & sys.modules.keys())"
    )
    command = [sys.executable, "-c", script, str(packed)]
    assert subprocess.run(command, capture_output=True, check=True, text=True).stdout == "\n"
