"""Made-up contracts of any length, the same for the same seed: prompts that belong to nobody."""

from __future__ import annotations

import random

_NAMES = (
    "Northwind",
    "Halden",
    "Ostrava",
    "Meridian",
    "Quayside",
    "Brennan",
    "Tessellate",
    "Oriel",
)
_FORMS = ("Ltd.", "GmbH", "Inc.", "S.A.", "LLC", "plc")
_PLACES = ("England", "New York", "Ontario", "Bavaria", "Singapore", "Ireland", "Delaware")
_CLAUSES = (
    "The Supplier shall deliver the goods listed in Schedule {n} within {n} days of each order.",
    "The Customer shall pay USD {n},{m:03d}.00 within {n} days after receipt of an invoice.",
    "Either party may terminate this Agreement by giving {n} days' written notice to the other.",
    "Neither party may assign this Agreement without the prior written consent of the other.",
    "This Agreement is governed by the laws of {place}.",
    "The liability of {name} under clause {n} shall not exceed {m} per cent of the fees paid.",
    "{name} shall keep all information marked as confidential secret for {n} years.",
    "A notice under clause {n} takes effect {m} hours after it was sent to the registered office.",
)


def make_contract(seed: int | str, num_chars: int) -> str:
    """The first `num_chars` characters of the contract of this seed; a longer one continues it."""
    source = random.Random(f"contract {seed}")
    first, second = source.sample(_NAMES, 2)
    pieces = [
        f"SUPPLY AGREEMENT\n\nThis Agreement is made on {source.randint(1, 28)} March "
        f"{source.randint(1995, 2025)} between {first} {source.choice(_FORMS)} and "
        f"{second} {source.choice(_FORMS)}.\n"
    ]
    length = len(pieces[0])
    number = 0
    while length < num_chars:
        number += 1
        sentence = source.choice(_CLAUSES).format(
            n=source.randint(2, 90),
            m=source.randint(1, 999),
            name=source.choice((first, second)),
            place=source.choice(_PLACES),
        )
        pieces.append(f"\n{number}. {sentence}")
        length += len(pieces[-1])
    return "".join(pieces)[:num_chars]


def make_prompt_ids(seed: int, num_tokens: int, vocab_size: int) -> list[int]:
    """Token ids drawn at random from the middle of a vocabulary, where no control tokens are.

    Two seeds share no prefix, so that no prefix cache can help.
    """
    source = random.Random(f"ids {seed}")
    low, high = vocab_size // 10, vocab_size - vocab_size // 10
    return [source.randrange(low, high) for _ in range(num_tokens)]
