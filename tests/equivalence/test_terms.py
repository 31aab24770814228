"""Prompts with merged terms through the engine, against prompts with plain tokens that mean the
same to the model: the row of a term is that of a token of the vocabulary. Float32, a tiny model."""

import pytest
import torch
from references import all_logits
from tiny import tiny_tokenizer
from tiny_packed import pack_tiny

from assay.engine.chaining import chain_prompt
from assay.engine.config import EngineConfig
from assay.engine.load import build_engine, make_chain_store
from assay.engine.merging import TermMerger
from assay.models.llama import LlamaModel
from assay.models.plain import PlainModel, pad
from assay.models.term_rows import TermRows
from assay.types import GenerationRequest, Message, PromptDocument, SamplingParams

TEXTS = ("The pact ends in the autumn of the year.", "Either may end a pact with notice.")
DOCUMENT = PromptDocument(TEXTS, (((4, 8),), ((17, 21),)))
PACT = tuple(tiny_tokenizer().encode(" pact"))
STAND_IN = tiny_tokenizer().encode("q")[0]


class FixedFitter:
    def __init__(self, ready):
        self.ready = ready

    def want(self, terms): ...

    def close(self): ...


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return pack_tiny(tmp_path_factory.mktemp("model"))


def asked(salt=""):
    content = "\n".join(TEXTS) + "\nWhen?"
    places = ((0, len(TEXTS[0])), (len(TEXTS[0]) + 1, len(content) - 6))
    message = Message("user", content, places, DOCUMENT, (0, 1))
    return GenerationRequest((message,), None, SamplingParams(max_tokens=6), salt)


@pytest.mark.parametrize("slices", ["off", "independent", "chained"])
@pytest.mark.parametrize("max_draft_tokens", [0, 4])
def test_a_merged_term_is_read_by_its_row_and_never_written(packed, slices, max_draft_tokens):
    config = EngineConfig.from_mapping(
        {
            "precision": "float32",
            "num_blocks": 200,
            "block_size": 4,
            "num_threads": 1,
            "kernels": "torch",
            "slices": slices,
            "max_draft_tokens": max_draft_tokens,
        }
    )
    rows = TermRows()
    term_id = rows.add(packed.weights["embedding.weight"][STAND_IN].float())
    answers = []
    for stands_for in (term_id, STAND_IN):
        merger = TermMerger(tiny_tokenizer(), FixedFitter({PACT: stands_for}))
        engine = build_engine(packed, config, tiny_tokenizer(), term_rows=rows)
        request = asked()
        prompt = merger.merge(tiny_tokenizer().encode_prompt(request.messages), request.messages)
        assert prompt.token_ids.count(stands_for) == 2
        chained = chain_prompt(
            make_chain_store(packed, config), tiny_tokenizer(), request, prompt, merger
        )
        for _ in range(2):  # computed, then found in the cache
            engine.add_request(request, prompt.token_ids, None, prompt.segments, chained)
            while engine.has_work:
                for finished in engine.step():
                    answers.append([token.token_id for token in finished.generation.tokens])
        engine.check_integrity()
    assert len({tuple(answer) for answer in answers}) == 1
    assert all(token_id < packed.config.vocab_size for token_id in answers[0])


def test_the_plain_forward_pass_is_that_of_the_model_that_serves(packed):
    ids = tiny_tokenizer().encode("The pact ends in the autumn.")
    served = all_logits(LlamaModel(packed.config, packed.weights, precision="bf16"), ids)
    plain = PlainModel(packed.config, packed.weights)
    with torch.inference_mode():
        logits = plain.logits(plain.hidden(plain.embed(pad([ids, ids[:3]])))[0])
    assert (served.log_softmax(-1) - logits.log_softmax(-1)).abs().mean() < 0.05
