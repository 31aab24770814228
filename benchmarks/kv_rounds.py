"""What one mode does with one document, and the log of it.

1. *Cold*: every question in its second wording, on a document never seen, one token of answer.
2. *Warm*: every question as it stands, alone, to the end: answers, first tokens, memory, reuse.
3. *Gold*: the labelled answers of all questions side by side, forced: how likely they are.
4. *Steps*, on the first documents: 8 requests that decode side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.types import SamplingParams
from benchmarks.cuad import Verdict
from benchmarks.kv_answers import Answered, answer
from benchmarks.kv_bounds import LeastWork
from benchmarks.kv_engine import EnginePrompt, Measured, MeasuredEngine, Replayed
from benchmarks.kv_modes import Mode
from benchmarks.kv_replay import Replay
from benchmarks.kv_tasks import MAX_GOLD_TOKENS, Reading, all_questions

NUM_DECODING = 8
#: More than an interval of what a policy does every 32 steps, each sequence at a time of its own.
NUM_STEPS = 40
_ONE_TOKEN = SamplingParams(max_tokens=1)


@dataclass
class ModeLog:
    """What a mode did, document by document; verdicts are summed over a document's questions."""

    mode: Mode
    verdicts: list[Verdict] = field(default_factory=list)
    product_verdicts: list[Verdict] = field(default_factory=list)
    texts: list[dict[tuple[str, str], str | None]] = field(default_factory=list)
    cold: list[Measured] = field(default_factory=list)
    warm: list[Measured] = field(default_factory=list)
    ttft_s: list[float] = field(default_factory=list)
    gold: list[Replayed] = field(default_factory=list)
    step_s: list[float] = field(default_factory=list)
    decode_kv_bytes: list[int] = field(default_factory=list)
    least: LeastWork = field(default_factory=LeastWork)


def run_document(
    log: ModeLog, engine: MeasuredEngine, reading: Reading, *, repeats: int, has_steps: bool
) -> None:
    """All rounds on one document, which the engine has not seen."""
    _ask_cold(log, engine, reading)
    _ask_warm(log, engine, reading)
    for repeat in range(1, repeats):
        _time_again(log, engine, reading, wording=1 + repeat)
    _replay_gold(log, engine, reading)
    if has_steps and reading.asked:
        for _ in range(repeats):
            time_steps(log, engine, reading)


def _ask_cold(log: ModeLog, engine: MeasuredEngine, reading: Reading) -> None:
    for question in reading.asked:
        prompt = log.mode.prompt(engine, reading, question, wording=1)
        if prompt.chained is None:
            log.least.add(prompt.token_ids, prompt.segments)
        else:
            log.least.add_chained(prompt.chained)
        log.cold.append(engine.ask(prompt, _ONE_TOKEN))


def _ask_warm(log: ModeLog, engine: MeasuredEngine, reading: Reading) -> None:
    answers: dict[tuple[str, str], Answered] = {}
    for question in all_questions():
        prompt = log.mode.prompt(engine, reading, question)
        answers[question.key] = answer(engine, prompt, reading, question)
    log.verdicts.append(_sum([item.model for item in answers.values()]))
    log.product_verdicts.append(_sum([item.product for item in answers.values()]))
    log.texts.append({key: item.text for key, item in answers.items() if item.measured})
    for item in answers.values():
        if item.measured is not None:
            log.warm.append(item.measured)
            if item.measured.ttft_s is not None:
                log.ttft_s.append(item.measured.ttft_s)


def _time_again(log: ModeLog, engine: MeasuredEngine, reading: Reading, wording: int) -> None:
    """First tokens of questions whose document is known and whose words are not."""
    for question in reading.asked:
        prompt = log.mode.prompt(engine, reading, question, wording)
        measured = engine.ask(prompt, _ONE_TOKEN, reading.constraint(question))
        if measured.ttft_s is not None:
            log.ttft_s.append(measured.ttft_s)


def _replay_gold(log: ModeLog, engine: MeasuredEngine, reading: Reading) -> None:
    prompts: list[EnginePrompt] = []
    answers: list[Replay] = []
    for question in reading.asked:
        gold = reading.gold(question)
        if gold is None:
            continue
        is_list = question.field.name == "parties"
        opening = f'{{"{question.field.name}": ' + ('[{"name": "' if is_list else '"')
        token_ids = engine.tokenizer.encode(gold)[:MAX_GOLD_TOKENS]
        prompts.append(log.mode.prompt(engine, reading, question))
        answers.append(Replay(engine.tokenizer.encode(opening), token_ids))
    if prompts:
        log.gold.append(engine.replay(prompts, answers))


def time_steps(log: ModeLog, engine: MeasuredEngine, reading: Reading) -> None:
    """Steps of 8 requests on a document that decode side by side."""
    words = engine.tokenizer.encode(reading.whole.text)[:NUM_STEPS]
    questions = [reading.asked[i % len(reading.asked)] for i in range(NUM_DECODING)]
    prompts = [log.mode.prompt(engine, reading, question) for question in questions]
    replayed = engine.replay(prompts, [Replay((), words) for _ in prompts])
    log.step_s += replayed.step_s
    log.decode_kv_bytes += replayed.kv_bytes


def _sum(verdicts: list[Verdict]) -> Verdict:
    return Verdict(
        sum(item.tp for item in verdicts),
        sum(item.fp for item in verdicts),
        sum(item.fn for item in verdicts),
    )
