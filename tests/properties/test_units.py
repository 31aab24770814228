"""Whatever a model wants, what a unit answers is the document's own text and fits its schema.

The model here has random weights and is sampled at a high temperature: it wants nonsense. All six
units run on it over English and Chinese text, through the engine, as they would over a real one.
"""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_packed import pack_tiny

from assay.analysis import make_plan
from assay.analysis.run import run_plan
from assay.backends.local import LocalBackend
from assay.documents import read_document
from assay.engine.config import EngineConfig
from assay.types import AnswerPath, Status
from assay.units import Task, all_units

ENGLISH = [
    'This "Supply Agreement" is dated as of March 3, 2021 between Fjord Ålesund AS ("Seller")\n',
    "and Bolt & Nut, Inc. (the “Buyer”).\n\n",
    "2.1 The Buyer shall pay US$1,250.00 within thirty (30) days of invoice.  Interest is 1.5%.\n",
    "Neither party may assign\nthis agreement. It is governed by the laws of Norway.\n",
    "The term ends on 31/12/2024 \\ or earlier; penalties of 5% apply.\t\n",
    "Café 👩‍👧 — “nil”.\n",
]
CHINESE = [
    "甲方：北京星河科技有限公司。乙方：上海海潮贸易有限公司。\n",
    "本合同自2024年1月1日起生效，有效期三年。",
    "合同总价为人民币1,000,000元，逾期按日支付0.05%的违约金。\n",
    "任何一方不得转让本合同。本合同适用中华人民共和国法律。",
]


class Wilful:
    """A back end whose answers are drawn at a high temperature, a new seed each time."""

    def __init__(self, inner, seed):
        self.inner = inner
        self.seed = seed
        self.info = inner.info

    async def generate(self, request):
        self.seed += 1
        sampling = replace(request.sampling, temperature=3.0, seed=self.seed)
        return await self.inner.generate(replace(request, sampling=sampling))


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    packed = pack_tiny(folder, max_position_embeddings=8192)
    local = LocalBackend(packed.path, config=EngineConfig(num_threads=1))
    yield local
    local.close()


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.sampled_from(ENGLISH + CHINESE), min_size=2, max_size=7),
    st.integers(0, 2**32),
)
def test_every_quote_is_exact_and_every_value_fits(backend, pieces, seed):
    document = read_document("".join(pieces).encode(), name="random.txt")
    plan = make_plan(document, [Task(unit) for unit in all_units() if not unit.required_arguments])
    for task, result in asyncio.run(results_of(plan, Wilful(backend, seed))):
        for item in result.evidence:
            assert document.text[item.start : item.end] == item.quote != ""
            if is_copied(task.unit, item.pointer):
                assert value_at(result.value, item.pointer) == item.quote
        if result.value is not None:
            task.unit.output.model_validate(result.value)
        for field in result.fields.values():
            assert 0.0 <= field.confidence <= 1.0


def test_the_model_itself_is_heard(backend):
    """The property above would hold of fallbacks alone: here the model answers."""
    document = read_document("".join(ENGLISH).encode(), name="random.txt")
    results = asyncio.run(
        results_of(
            make_plan(
                document, [Task(unit) for unit in all_units() if not unit.required_arguments]
            ),
            Wilful(backend, 1),
        )
    )
    fields = [field for _, result in results for field in result.fields.values()]
    answered = [field for field in fields if field.status in (Status.OK, Status.AMBIGUOUS)]
    assert sum(field.path is AnswerPath.MODEL for field in answered) >= 4


async def results_of(plan, backend):
    return [item async for item in run_plan(plan, backend, trust_the_model)]


def trust_the_model(signals):
    return 1.0 if signals.path is AnswerPath.MODEL else 0.3


def is_copied(unit, pointer):
    """Whether the leaf at a pointer is copied; what is labelled or computed has words that show
    it."""
    name, *keys = pointer.split("/")[1:]
    if name not in unit.fields:
        return False
    schema = unit.fields[name].schema["properties"][name]
    for key in (*keys, None):
        schema = next((one for one in schema.get("anyOf", ()) if one != {"type": "null"}), schema)
        if key is not None:
            schema = schema["items"] if key.isdigit() else schema["properties"][key]
    return "x-verbatim" in schema


def value_at(value, pointer):
    """The copied text at a pointer; a value of a kind keeps it under "text"."""
    for key in pointer.split("/")[1:]:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value["text"] if isinstance(value, dict) else value
