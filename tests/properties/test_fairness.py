"""Two tenants that always have work waiting are served alike, whatever they ask for.

The bound is that of the virtual token counter: what the sequences that run at once may still take.
"""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.engine.scheduler import Scheduler
from assay.engine.sequence import Sequence
from assay.engine.text import IncrementalDecoder
from assay.kv_cache.manager import SparseKVManager
from assay.types import GeneratedToken, SamplingParams

LONGEST = 40
sizes = st.tuples(st.integers(1, 30), st.integers(1, 10))


@settings(max_examples=60, deadline=None)
@given(
    num_blocks=st.integers(40, 80),
    block_size=st.integers(1, 4),
    max_num_seqs=st.integers(1, 6),
    budget=st.integers(6, 40),
    one=st.lists(sizes, min_size=1, max_size=6),
    other=st.lists(sizes, min_size=1, max_size=6),
    head_start=st.integers(0, 60),
)
def test_tenants_with_work_waiting_are_served_alike(
    num_blocks, block_size, max_num_seqs, budget, one, other, head_start
):
    """`one` has up to 60 requests queued before `other` comes."""
    manager = SparseKVManager(num_blocks, block_size)
    scheduler = Scheduler(
        manager,
        max_num_seqs=max_num_seqs,
        max_num_batched_tokens=budget,
    )
    kinds = {"one": one, "other": other}
    num_made: Counter[str] = Counter()
    served: Counter[str] = Counter()

    def add(tenant: str) -> None:
        num_prompt, max_tokens = kinds[tenant][num_made[tenant] % len(kinds[tenant])]
        first = 1000 * num_made.total()
        num_made[tenant] += 1
        scheduler.add(
            Sequence(
                num_made.total(),
                list(range(first, first + num_prompt)),
                SamplingParams(max_tokens=max_tokens),
                IncrementalDecoder(lambda _: b""),
                cache_salt=tenant,
            )
        )

    for _ in range(head_start):
        add("one")
    for _ in range(8):
        add("one")
        add("other")
    for _ in range(120):
        chunks = scheduler.schedule().chunks
        scheduler.check_integrity()
        deciding = [chunk.sequence for chunk in chunks if chunk.is_last]
        for chunk in chunks:
            served[chunk.sequence.cache_salt] += chunk.num_tokens
        scheduler.commit(chunks)
        for sequence in deciding:
            sequence.append(GeneratedToken(9, "", 0.0, forced=False))
            if len(sequence.records) == sequence.sampling.max_tokens:
                scheduler.finish(sequence)
                add(sequence.cache_salt)
        assert abs(served["one"] - served["other"]) <= 2 * LONGEST * max_num_seqs
