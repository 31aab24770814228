"""How well terms in running text are recognised, with a tenant's glossary and without.

A tenant's terms (written for this measurement, none of them in the documents) are put into the
text of contracts at word boundaries, as people write them: by a name or an alias, in another case,
with a hyphen for a space, broken over two lines, in the plural, and one in twenty misspelt, which
nothing here finds. Decoys stand beside them: words that contain a term, and short forms in small
letters.
What is to be found is what was put in. Without the glossary, what is known of a term is its name:
it is found where it stands as a whole word, whatever its case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from assay.terms import Glossary, Term, read_glossary

TABLE = """term,aliases,kind,language
harbour bond,HB;quay bond;pier surety,product,en
Tern facility,TF-2;tern line;seabird facility,product,en
orchard note,ONA-7;fruit paper;pomona note,product,en
kestrel option,KO;hawk right,product,en
silo premium,SPR-1;grain loading;bin charge,insurance,en
ledger sweep,LS;nightly zeroing;pool pass,banking,en
anchor covenant,AC-1;moor promise,law,en
mirror indemnity,MI;back-to-back hold harmless;echo indemnity,law,en
ferry clause,FC;crossing term,law,en
lantern audit,LA-3;candle review;light inspection,audit,en
copper margin,CM;red spread,finance,en
willow reserve,WR;weeping buffer,accounting,en
quarry lien,QL;stone charge,law,en
compass rate,CR-9;north rate;bearing index,finance,en
beacon event,BEV-2;signal default,law,en
mosaic pool,MP;tile basket;tesserae pool,finance,en
saddle deductible,SD;pommel retention,insurance,en
thimble cap,TC;sewing limit,insurance,en
drift adjustment,DA;slide true-up;creep correction,accounting,en
cinder swap,CS;ash exchange,finance,en
海燕保函,海燕函;燕函,产品,zh
梧桐票据,梧桐票;桐票,产品,zh
灯塔条款,灯塔约定;塔约,法律,zh
磐石保证,磐石保;石保,法律,zh
云梯利率,云梯率;梯率,金融,zh
竹节准备金,竹节金;节金,会计,zh
""".replace(",产品,", ",product,").replace(",法律,", ",law,")
TABLE = TABLE.replace(",金融,", ",finance,").replace(",会计,", ",accounting,")
#: Mentions by an alias rather than by the name; misspelt ones; decoys for each mention.
ALIAS_SHARE, MISSPELT_SHARE, DECOY_SHARE = 0.45, 0.05, 0.5
_WORD_GAP = re.compile(r"(?<=[a-z,;]) (?=[a-z])")


@dataclass(frozen=True, slots=True)
class Planted:
    """A text and the spans that terms were put at."""

    text: str
    spans: frozenset[tuple[int, int]]


def tenant_glossary() -> Glossary:
    return read_glossary(TABLE, name="the tenant's glossary")


def plant(text: str, glossary: Glossary, random: Random, every: int = 400) -> Planted:
    """`text` with a mention for each `every` characters of it, and decoys."""
    gaps = [match.start() for match in _WORD_GAP.finditer(text)]
    number = min(len(gaps), len(text) // every)
    pieces: list[str] = []
    spans = set()
    end = length = 0
    for gap in sorted(random.sample(gaps, number)):
        piece = text[end:gap]
        term = random.choice(glossary.terms)
        mention = _mention(term, random)
        decoy = f" {_decoy(term, random)}" if random.random() < DECOY_SHARE else ""
        pieces.append(f"{piece}{decoy} {mention}")
        start = length + len(piece) + len(decoy) + 1
        spans.add((start, start + len(mention)))
        length += len(pieces[-1])
        end = gap
    return Planted("".join(pieces) + text[end:], frozenset(spans))


def _mention(term: Term, random: Random) -> str:
    by_alias = term.aliases and random.random() < ALIAS_SHARE
    written = random.choice(term.aliases) if by_alias else term.name
    if random.random() < MISSPELT_SHARE and len(written) > 5:
        place = random.randrange(1, len(written) - 2)
        return written[:place] + written[place + 1 :]
    if term.language == "zh" or written.isupper():
        return written
    return random.choice((str, str, str.title, str.upper, _hyphened, _broken, _plural))(written)


def _hyphened(written: str) -> str:
    return written.replace(" ", "-", 1)


def _broken(written: str) -> str:
    return written.replace(" ", "\n    ", 1)


def _plural(written: str) -> str:
    return written[:-1] + "ies" if written.endswith("y") else written + "s"


def _decoy(term: Term, random: Random) -> str:
    short = [alias for alias in term.aliases if alias.isupper() and alias.isalpha()]
    if short and random.random() < 0.5:
        return short[0].lower() + random.choice(("", "ed"))
    if term.language == "zh":
        return term.name[::-1]
    return random.choice(("un", "pre")) + term.name.split()[0].lower() + "like"


def find_by_name(text: str, glossary: Glossary) -> set[tuple[int, int]]:
    """Where terms stand by their names: what is known without other names."""
    names = "|".join(
        rf"\b{re.escape(term.name)}\b" if term.language != "zh" else re.escape(term.name)
        for term in glossary.terms
    )
    return {match.span() for match in re.finditer(names, text, re.IGNORECASE)}


def f1(planted: Sequence[Planted], glossary: Glossary, *, with_glossary: bool) -> float:
    """F1 of exact spans, in percent."""
    right = found_all = wanted_all = 0
    for item in planted:
        if with_glossary:
            found = {(match.start, match.end) for match in glossary.find(item.text)}
        else:
            found = find_by_name(item.text, glossary)
        right += len(found & item.spans)
        found_all += len(found)
        wanted_all += len(item.spans)
    return 200 * right / max(1, found_all + wanted_all)
