"""The real model: SmolLM2 as packed, against transformers' Llama with the same weights, and its
int8 form against its bfloat16 form on a contract."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import transformers
from references import all_logits

from assay.errors import ModelNotPulledError
from assay.models.llama import LlamaModel
from assay.models.packed import PackedModel, load_packed
from assay.models.store import resolve_model

pytestmark = pytest.mark.model
CONTRACT = Path(__file__).parents[2] / "examples" / "sources" / "supply_agreement.txt"


@pytest.fixture(scope="module")
def packed() -> PackedModel:
    try:
        return load_packed(resolve_model("smollm2"))
    except ModelNotPulledError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def token_ids(packed: PackedModel) -> list[int]:
    return packed.tokenizer().encode(CONTRACT.read_text("utf-8"))


def test_float32_logits_are_those_of_transformers(
    packed: PackedModel, token_ids: list[int]
) -> None:
    ids = token_ids[:300]
    with torch.inference_mode():
        expected = _filled(packed)(torch.tensor([ids])).logits[0]
    actual = all_logits(LlamaModel(packed.config, packed.weights, precision="float32"), ids)
    torch.testing.assert_close(actual, expected, atol=1e-4, rtol=1e-5)
    assert torch.equal(actual.argmax(-1), expected.argmax(-1))


def test_int8_reads_a_contract_as_well_as_bf16(packed: PackedModel, token_ids: list[int]) -> None:
    """Perplexity within 1%; the same first choice at nine tokens of ten."""
    ids = token_ids[:1024]
    loss, choice = {}, {}
    for precision in ("bf16", "int8"):
        logits = all_logits(LlamaModel(packed.config, packed.weights, precision=precision), ids)
        loss[precision] = torch.nn.functional.cross_entropy(logits[:-1], torch.tensor(ids[1:]))
        choice[precision] = logits.argmax(-1)
    assert (loss["int8"] - loss["bf16"]).exp() <= 1.01
    assert (choice["int8"] == choice["bf16"]).float().mean() >= 0.9


def _filled(packed: PackedModel) -> torch.nn.Module:
    config, weights = packed.config, packed.weights
    model = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=config.vocab_size,
            hidden_size=config.hidden_size,
            intermediate_size=config.intermediate_size,
            num_hidden_layers=config.num_layers,
            num_attention_heads=config.num_heads,
            num_key_value_heads=config.num_kv_heads,
            head_dim=config.head_dim,
            max_position_embeddings=config.max_position_embeddings,
            rope_parameters={"rope_type": "default", "rope_theta": config.rope_theta},
            rms_norm_eps=config.rms_norm_eps,
            tie_word_embeddings=True,
        )
    )
    heads, kv_heads = (n * config.head_dim for n in (config.num_heads, config.num_kv_heads))
    state = {
        "model.embed_tokens.weight": weights["embedding.weight"],
        "lm_head.weight": weights["embedding.weight"],
        "model.norm.weight": weights["final_norm.weight"],
    }
    for i in range(config.num_layers):
        ours, theirs = f"layers.{i}.", f"model.layers.{i}."
        parts = weights[ours + "qkv.weight"].split([heads, kv_heads, kv_heads])
        for letter, part in zip("qkv", parts, strict=True):
            state[f"{theirs}self_attn.{letter}_proj.weight"] = part
        gate, up = weights[ours + "gate_up.weight"].chunk(2)
        state |= {
            theirs + "self_attn.o_proj.weight": weights[ours + "o.weight"],
            theirs + "mlp.gate_proj.weight": gate,
            theirs + "mlp.up_proj.weight": up,
            theirs + "mlp.down_proj.weight": weights[ours + "down.weight"],
            theirs + "input_layernorm.weight": weights[ours + "input_norm.weight"],
            theirs + "post_attention_layernorm.weight": weights[ours + "post_norm.weight"],
        }
    model.load_state_dict({name: value.float() for name, value in state.items()})
    return model.eval()
