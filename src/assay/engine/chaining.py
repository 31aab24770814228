"""From a prompt that reads parts of a document to a sequence that attaches blocks of its chain.

The sequence's tokens are those of the attached blocks and then its own, so that blocks, slots and
steps are as for any other; only positions have gaps (`Sequence.offsets`). Windows of the chain that
are not at hand are computed first, by sequences of their own that give no answer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from threading import Lock

from assay.engine.merging import TermMerger
from assay.engine.sequence import Sequence
from assay.kv_cache.chains import Attachment, Chain, ChainLayout, ChainWindow
from assay.kv_cache.manager import SparseKVManager
from assay.models.tokenizer import Prompt, Tokenizer
from assay.types import GenerationRequest, PromptDocument, SamplingParams

# Chains kept for the next question on their document; one takes about 50 bytes a token.
_MAX_CHAINS = 64


@dataclass(frozen=True, slots=True)
class ChainedPrompt:
    """A prompt that reads the segments `chosen` of a chain and goes on with the tokens `tail`."""

    chain: Chain
    chosen: tuple[int, ...]
    tail: Seq[int]

    def attachment(self) -> Attachment:
        return self.chain.attach(self.chosen)


class ChainStore:
    """The chains made last. May be used from any thread."""

    def __init__(self, layout: ChainLayout) -> None:
        self.layout = layout
        self._lock = Lock()
        self._chains: OrderedDict[Hashable, Chain] = OrderedDict()

    def get(
        self,
        request: GenerationRequest,
        preamble: Seq[int],
        document: PromptDocument,
        encode: Callable[[PromptDocument], Seq[Seq[int]]],
        version: Hashable = None,
    ) -> Chain:
        """The chain of a request's `document`, whose segments `encode` turns into tokens; they may
        be others when `version` is another."""
        salt, is_public = request.cache_salt, request.is_preamble_public
        key = (salt, is_public, tuple(preamble), document, version)
        with self._lock:
            chain = self._chains.get(key)
            if chain is not None:
                self._chains.move_to_end(key)
                return chain
        chain = Chain(salt, preamble, encode(document), self.layout, is_public=is_public)
        with self._lock:
            self._chains[key] = chain
            while len(self._chains) > _MAX_CHAINS:
                self._chains.popitem(last=False)
        return chain


def chain_prompt(
    store: ChainStore | None,
    tokenizer: Tokenizer,
    request: GenerationRequest,
    prompt: Prompt,
    merger: TermMerger | None = None,
) -> ChainedPrompt | None:
    """`prompt`, the tokens of a request's messages, by parts of its document's chain; None where it
    reads no document, or more than one. `merger` makes tokens of terms."""
    documents = [item for item in request.messages if item.document is not None and item.segments]
    if store is None or len(documents) != 1 or len(documents[0].chosen) != len(prompt.segments):
        return None
    (message,) = documents
    document = message.document
    assert document is not None
    preamble = prompt.token_ids[: prompt.segments[0].start]
    if merger is None or not document.terms:
        chain = store.get(request, preamble, document, tokenizer.encode_document)
    else:
        encode, version = merger.encode_document, merger.num_merged_terms
        chain = store.get(request, preamble, document, encode, version)
    tail = prompt.token_ids[prompt.segments[-1].stop :]
    return ChainedPrompt(chain, message.chosen, tail)


def prompt_ids_of(prompt: ChainedPrompt, attachment: Attachment) -> list[int]:
    """The tokens of the sequence that attaches: attached ones, then its own."""
    return [*prompt.chain.tokens_of(attachment.blocks), *attachment.rest, *prompt.tail]


def attach_chain(
    sequence: Sequence, chain: Chain, attachment: Attachment, max_model_len: int
) -> None:
    """Lets a sequence of `prompt_ids_of` find the attached blocks, and places its tokens.

    Its own tokens follow the last attached one, unless positions run out: then they stand as far
    behind as there is room.
    """
    first = len(attachment.blocks) * chain.layout.block_size
    gaps = [pair for pair in attachment.offsets if pair[0] < first]
    last = gaps[-1][1] if gaps else 0
    room = max_model_len - sequence.max_num_tokens
    if last > room:
        gaps.append((first, room))
    sequence.offsets = tuple(gaps) or ((0, 0),)
    sequence.block_hashes = [chain.hashes[block] for block in attachment.blocks]
    sequence.num_chained_tokens = first
    sequence.num_head_tokens = chain.num_head_blocks * chain.layout.block_size


def make_window_sequences(
    sequence: Sequence,
    chain: Chain,
    attachment: Attachment,
    manager: SparseKVManager,
    is_making: Callable[[bytes], bool],
) -> list[Sequence]:
    """What computes the windows that a sequence needs and nobody has ordered yet.

    They take the numbers from the sequence's own on, and it the one after them, so that they run
    before it. A window that does not fit the cache is left out: the sequence then computes what it
    lacks itself, in the context of what it attaches.
    """
    hashes, size = chain.hashes, chain.layout.block_size
    lacking = [
        (place, chain.window_of(block))
        for place, block in enumerate(attachment.blocks)
        if not manager.has_block(hashes[block])
    ]
    windows = {
        window
        for _, window in lacking
        if window is not None
        and manager.fits((chain.num_head_blocks + window.last - window.first) * size)
    }
    sequence.needs = frozenset(hashes[window.last - 1] for window in windows)
    ordered = {window for window in windows if not is_making(hashes[window.last - 1])}
    made = []
    for window in sorted(ordered, key=lambda item: item.first):
        made.append(_make_window_sequence(sequence, chain, window))
        sequence.seq_id += 1
    if made:
        # The head is computed with the first window.
        sequence.ordered = [
            range(place * size, place * size + size)
            for place, window in lacking
            if window in (None, *ordered)
        ]
    return made


def _make_window_sequence(sequence: Sequence, chain: Chain, window: ChainWindow) -> Sequence:
    head = range(chain.num_head_blocks)
    blocks = [*head, *range(window.first, window.last)]
    made = Sequence(
        seq_id=sequence.seq_id,
        token_ids=chain.tokens_of(blocks),
        sampling=SamplingParams(max_tokens=0),
        decoder=sequence.decoder,
        cache_salt=sequence.cache_salt,
        num_public_tokens=sequence.num_public_tokens,
        priority=sequence.priority,
        block_hashes=[chain.hashes[block] for block in blocks],
        offsets=((0, 0), (len(head) * chain.layout.block_size, window.offset)),
        makes=chain.hashes[window.last - 1],
    )
    made.num_chained_tokens = len(made.token_ids)
    return made
