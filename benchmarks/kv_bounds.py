"""The least that a set of prompts makes anyone compute: the yardstick for reuse on new documents.

A token's keys and values depend on the tokens before it, so whatever cache there is, each distinct
sequence of tokens up to a token is computed once. A segment that is computed alone depends only on
the preamble and on itself. A chain's blocks are computed by whole windows: a prompt that is the
first to need a window owes the blocks that it attaches of it, and those after it none. The last
token of a prompt is always computed: its logits are needed.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.engine.chaining import ChainedPrompt


class LeastWork:
    """Counts over the prompts added so far."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self.num_tokens = 0
        self.num_computed = 0

    @property
    def reuse(self) -> float:
        """The greatest share of the prompts' tokens that need not be computed."""
        return 1 - self.num_computed / self.num_tokens if self.num_tokens else 0.0

    def add(self, token_ids: Sequence[int], segments: Sequence[range] = ()) -> None:
        """Adds a prompt whose `segments`, ascending and apart, are computed alone."""
        num_before = self.num_computed
        inside = {place for part in segments for place in part}
        preamble_end = segments[0].start if segments else len(token_ids)
        node, nodes = hash("prompt"), []
        for place, token_id in enumerate(token_ids):
            node = hash((node, token_id))
            nodes.append(node)
            if place not in inside:
                self._compute(node)
        preamble = nodes[preamble_end - 1] if segments and preamble_end else hash("prompt")
        for part in segments:
            node = preamble
            for token_id in token_ids[part.start : part.stop]:
                node = hash((node, token_id))
                self._compute(node)
        if self.num_computed == num_before:
            self.num_computed += 1
        self.num_tokens += len(token_ids)

    def add_chained(self, prompt: ChainedPrompt) -> None:
        """Adds a prompt that attaches blocks of its document's chain; its own tokens come after
        them, and another prompt shares those only if it attaches the same."""
        chain, attachment = prompt.chain, prompt.attachment()
        num_before = self.num_computed
        windows: dict[int, list[bytes]] = {}
        for block in attachment.blocks:
            window = chain.window_of(block)
            node = hash(chain.hashes[block if window is None else window.last - 1])
            windows.setdefault(node, []).append(chain.hashes[block])
        for node, blocks in windows.items():
            if node not in self._seen:
                self._seen.add(node)
                self.num_computed += len(blocks) * chain.layout.block_size
        node = hash(tuple(chain.hashes[block] for block in attachment.blocks))
        own = [*attachment.rest, *prompt.tail]
        for token_id in own:
            node = hash((node, token_id))
            self._compute(node)
        if self.num_computed == num_before:
            self.num_computed += 1
        self.num_tokens += len(attachment.blocks) * chain.layout.block_size + len(own)

    def _compute(self, node: int) -> None:
        if node not in self._seen:
            self._seen.add(node)
            self.num_computed += 1
