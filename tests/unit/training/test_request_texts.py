"""Texts that the router is trained on: what the grammar words, and what typing makes of it."""

import json
import random

from assay.routing import labelled_requests
from assay.training.request_texts import (
    Wording,
    composed,
    joined_requests,
    read_grammar,
    unknown_texts,
    with_noise,
)
from assay.training.unit_dimensions import RARE_UNITS, UNIT_DIMENSIONS


def test_the_grammar_words_units_that_there_are_and_fills_every_slot():
    for language in read_grammar():
        wording = Wording(language, random.Random(0))
        assert set(wording.units) <= set(UNIT_DIMENSIONS)
        for unit in [*wording.units, ""]:
            for _ in range(20):
                assert "{" not in wording.single(unit).text
        assert "{" not in wording.joined(wording.units[:3]).text


def test_compositions_are_repeatable_and_seldom_ask_for_rare_units():
    weights = dict.fromkeys(RARE_UNITS, 0.1)
    made = composed(400, weights, 30, random.Random(1))
    assert made == composed(400, weights, 30, random.Random(1))
    asked = [unit for item in made for unit in item.units]
    assert sum(unit in RARE_UNITS for unit in asked) < 0.1 * len(asked)
    assert sum(not item.units for item in made) == 40
    assert any(len(item.units) == 3 for item in made)


def test_noise_leaves_a_text_alike_and_chinese_whole():
    chance = random.Random(2)
    made = {with_noise("When does the agreement expire?", chance) for _ in range(50)}
    assert len(made) > 20
    assert all(abs(len(text) - 31) <= 8 for text in made)
    assert {with_noise("合同双方", chance) for _ in range(9)} == {"合同双方"}


def test_requests_of_one_language_are_joined():
    for item in joined_requests(labelled_requests(), 60, random.Random(3)):
        assert len(item.units) == 2
        chinese = any("\u4e00" <= character <= "\u9fff" for character in item.text)
        assert chinese == (item.language == "zh")


def test_unknown_texts_are_those_that_the_folder_has(tmp_path):
    row = {"text": "play a song", "intent": "music"}
    (tmp_path / "clinc150_dev.jsonl").write_text(json.dumps(row) + "\n")
    found = unknown_texts(tmp_path, ["clinc150_dev", "banking77_dev"])
    assert found == {"clinc150_dev": [("play a song", "music")]}
