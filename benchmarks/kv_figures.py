"""From the logs of the modes to figures: means, spreads, and each mode against the full cache."""

from __future__ import annotations

import random
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from assay.types import Usage
from benchmarks.cuad import Verdict
from benchmarks.kv_engine import Measured, perplexity
from benchmarks.kv_modes import REFERENCE
from benchmarks.kv_rounds import ModeLog
from benchmarks.report import spread

NUM_RESAMPLES = 1000


def f1(verdicts: Sequence[Verdict]) -> float:
    """F1 of counts added up."""
    right = sum(item.tp for item in verdicts)
    asked = sum(2 * item.tp + item.fp + item.fn for item in verdicts)
    return 2 * right / asked if asked else 1.0


def interval(verdicts: Sequence[Verdict], seed: int = 7) -> tuple[float, float]:
    """The 95% bootstrap interval of F1 over contracts."""
    source = random.Random(seed)
    scores = sorted(f1(source.choices(verdicts, k=len(verdicts))) for _ in range(NUM_RESAMPLES))
    return scores[int(0.025 * NUM_RESAMPLES)], scores[int(0.975 * NUM_RESAMPLES) - 1]


def figures_of(log: ModeLog) -> dict[str, Any]:
    """One mode's figures; bytes and tokens are means over requests."""
    score = f1(log.verdicts)
    low, high = interval(log.verdicts)
    answer_perplexity = perplexity(log.gold)
    cold, most = _reuse(log.cold), log.least.reuse
    return {
        "kv_bytes": round(statistics.mean(item.kv_bytes for item in log.warm)),
        "peak_kv_bytes": max(item.peak_kv_bytes for item in log.warm),
        "decode_kv_bytes": _mean(log.decode_kv_bytes),
        "reuse": round(_reuse(log.warm), 4),
        "reuse_cold": round(cold, 4),
        "reuse_cold_most": round(most, 4),
        "reuse_cold_of_most": round(cold / most, 4) if most else None,
        "prompt_tokens": round(
            statistics.mean(item.generation.usage.num_prompt_tokens for item in log.warm), 1
        ),
        "prefill_tokens": round(statistics.mean(item.num_prefilled for item in log.warm), 1),
        "prefill_tokens_cold": round(statistics.mean(item.num_prefilled for item in log.cold), 1),
        "ttft_ms": median_ms(log.ttft_s),
        "ttft_spread": _spread_ms(log.ttft_s),
        "step_ms": _mean_ms(log.step_s),
        "step_spread": _spread_ms(log.step_s),
        "f1": round(score, 4),
        "f1_interval": [round(low, 4), round(high, 4)],
        "product_f1": round(f1(log.product_verdicts), 4),
        "perplexity": None if answer_perplexity is None else round(answer_perplexity, 3),
        "num_requests": len(log.warm),
        "num_unfinished": sum(text is None for texts in log.texts for text in texts.values()),
    }


def compare(logs: Mapping[str, ModeLog]) -> dict[str, dict[str, Any]]:
    """Each mode's figures, and beside them how far it is from the full cache, if that was run."""
    found = {name: figures_of(log) for name, log in logs.items()}
    reference = logs.get(REFERENCE)
    if reference is None:
        return found
    for name, log in logs.items():
        low, high = paired_interval(log.verdicts, reference.verdicts)
        found[name] |= {
            "kv_share": round(found[name]["kv_bytes"] / found[REFERENCE]["kv_bytes"], 4),
            "f1_difference": round(found[name]["f1"] - found[REFERENCE]["f1"], 4),
            "f1_difference_interval": [round(low, 4), round(high, 4)],
            "agreement": agreement(log, reference),
        }
    return found


def paired_interval(
    mine: Sequence[Verdict], theirs: Sequence[Verdict], seed: int = 7
) -> tuple[float, float]:
    """The 95% bootstrap interval of the difference of two F1 on the same contracts."""
    source = random.Random(seed)
    pairs = list(zip(mine, theirs, strict=True))
    differences = []
    for _ in range(NUM_RESAMPLES):
        drawn = source.choices(pairs, k=len(pairs))
        differences.append(f1([a for a, _ in drawn]) - f1([b for _, b in drawn]))
    differences.sort()
    return differences[int(0.025 * NUM_RESAMPLES)], differences[int(0.975 * NUM_RESAMPLES) - 1]


def agreement(log: ModeLog, reference: ModeLog) -> float | None:
    """The share of answers that read the same in both; None if there are none."""
    marks = [
        text == theirs[key]
        for mine, theirs in zip(log.texts, reference.texts, strict=True)
        for key, text in mine.items()
        if key in theirs
    ]
    return round(sum(marks) / len(marks), 4) if marks else None


def _reuse(measured: Sequence[Measured]) -> float:
    usage = sum((item.generation.usage for item in measured), Usage())
    return usage.num_cached_tokens / max(1, usage.num_prompt_tokens)


def _mean(values: Sequence[int]) -> int | None:
    return round(statistics.mean(values)) if values else None


def median_ms(seconds: Sequence[float]) -> float | None:
    return round(1000 * statistics.median(seconds), 2) if seconds else None


def _mean_ms(seconds: Sequence[float]) -> float | None:
    return round(1000 * statistics.mean(seconds), 2) if seconds else None


def _spread_ms(seconds: Sequence[float]) -> dict[str, float] | None:
    return spread([1000 * item for item in seconds], 2) if seconds else None
