"""Our tokenizer against transformers, the reference.

For messages that quote no control token the tokens are equal, to the last one. Where a message
quotes one they differ on purpose: transformers lets it end the turn.
"""

from __future__ import annotations

import json

import pytest
import tokenizers
import transformers
from tiny import CHAT_TEMPLATE, EOS, START, tiny_tokenizer_json
from tokenizers import pre_tokenizers

from assay.errors import ModelNotPulledError
from assay.models.packed import PackedModel, load_packed
from assay.models.store import resolve_model
from assay.models.tokenizer import Tokenizer
from assay.types import Message

TEMPLATES = {
    "chatml": CHAT_TEMPLATE,
    "trimming": (
        "{{ bos_token }}{% for message in messages %}"
        "{{ '<|im_start|>' + message['role'] + '\n\n' + message['content'] | trim + eos_token }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n\n' }}{% endif %}"
    ),
    "system folded into the user's turn": (
        "{% if messages[0]['role'] == 'system' %}{% set system = messages[0]['content'] %}"
        "{% set messages = messages[1:] %}{% endif %}{% for message in messages %}"
        "{{ '[' ~ message.role ~ '] ' }}{% if loop.first and system is defined %}"
        "{{ '<<' ~ system ~ '>>\n' }}{% endif %}{{ message.content ~ '<|im_end|>' }}{% endfor %}"
    ),
}
CONTENTS = [
    "the paper",
    "  \n the pen and the paper \n\n",
    "第一条 甲方应于2024年3月15日前支付",
    "a < b | c > d <| im_end |> \ue000",
    "",
]
EOS_ID = tokenizers.Tokenizer.from_str(tiny_tokenizer_json()).token_to_id(EOS)
START_ID = tokenizers.Tokenizer.from_str(tiny_tokenizer_json()).token_to_id(START)


def _pair(template: str) -> tuple[Tokenizer, transformers.PreTrainedTokenizerFast]:
    ours = Tokenizer(
        tiny_tokenizer_json(),
        chat_template=template,
        eos_token_ids=(EOS_ID,),
        bos_token_id=START_ID,
    )
    theirs = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizers.Tokenizer.from_str(tiny_tokenizer_json()),
        bos_token=START,
        eos_token=EOS,
    )
    theirs.chat_template = template
    return ours, theirs


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES.keys())
@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("prompt", [True, False])
def test_conversations_take_the_same_tokens(template: str, content: str, prompt: bool) -> None:
    ours, theirs = _pair(template)
    messages = [Message("system", "Be brief."), Message("user", content)]
    turns = [{"role": message.role, "content": message.content} for message in messages]
    expected = theirs.apply_chat_template(
        turns, add_generation_prompt=prompt, tokenize=True, return_dict=False
    )
    assert ours.encode_chat(messages, add_generation_prompt=prompt) == expected
    text = theirs.apply_chat_template(turns, add_generation_prompt=prompt, tokenize=False)
    assert ours.render_chat(messages, add_generation_prompt=prompt) == text


@pytest.mark.parametrize("template", [TEMPLATES["chatml"], TEMPLATES["trimming"]])
def test_continued_messages_take_the_same_tokens(template: str) -> None:
    ours, theirs = _pair(template)
    messages = [Message("user", "the pen"), Message("assistant", '{"the paper": "')]
    turns = [{"role": message.role, "content": message.content} for message in messages]
    expected = theirs.apply_chat_template(
        turns, continue_final_message=True, tokenize=True, return_dict=False
    )
    assert ours.encode_chat(messages) == expected


def test_only_transformers_takes_a_quoted_control_token_for_one() -> None:
    ours, theirs = _pair(CHAT_TEMPLATE)
    content = f"the paper{EOS}"
    expected = theirs.apply_chat_template(
        [{"role": "user", "content": content}],
        add_generation_prompt=True,
        tokenize=True,
        return_dict=False,
    )
    ids = ours.encode_chat([Message("user", content)])
    assert (expected.count(EOS_ID), ids.count(EOS_ID)) == (2, 1)


@pytest.fixture(scope="module")
def smollm2() -> PackedModel:
    try:
        return load_packed(resolve_model("smollm2"))
    except ModelNotPulledError as error:
        pytest.skip(str(error))


@pytest.mark.model
def test_the_packed_model_encodes_as_its_own_tokenizer(smollm2: PackedModel) -> None:
    """SmolLM2's tokenizer is GPT-2's over another vocabulary, with every digit on its own."""
    ours = smollm2.tokenizer()
    values = json.loads(ours.to_json())
    theirs = transformers.GPT2Tokenizer(
        vocab=values["model"]["vocab"],
        merges=[tuple(merge.split(" ")) for merge in values["model"]["merges"]],
    )
    theirs.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    for text in (
        "This Agreement is made as of March 15, 2024 (the “Effective Date”) for USD 1,234.56.",
        "  7.2\tTermination.\r\n\r\n   Either party may   terminate on 30 days’ notice;\n",
        "第一条 甲方应于2024年3月15日前支付人民币1,234,567.89元（大写：壹佰万元整）。",
        "naïve café ﬁ 😀 e\u0301 \u00a0\u3000 ½ ² Ⅳ 12",
    ):
        ids = ours.encode(text)
        assert ids == theirs(text, add_special_tokens=False)["input_ids"]
        assert b"".join(map(ours.token_bytes, ids)).decode() == text
