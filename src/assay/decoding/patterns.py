r"""Regular expressions that mean the same to JSON Schema and to the constraint engine.

JSON Schema's patterns are ECMA-262; llguidance reads Rust syntax, where `.` takes line
separators, `\s` U+0085, `\S` U+FEFF, and classes may nest. And it takes more strings for some
formats than their RFCs allow. Both gaps are closed here by narrowing: what the engine then accepts
is valid under ECMA-262, under Python's `re` and under the RFC.
"""

from __future__ import annotations

import re

_SPACES = r"\t\n\x0b\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_NARROWED = {
    ".": r"[^\n\r\u2028\u2029]",
    r"\s": f"[{_SPACES}]",
    r"\S": r"[^\s\ufeff]",
    r"\D": r"[^\p{Nd}]",
    r"\W": r"[^\w\p{Alphabetic}\p{M}\p{N}\p{Pc}]",
}
_NESTING = frozenset("[&~")  # would open a nested class or a set operation in Rust
_NOTHING = r"\x00\x01"  # in a class: adds only what cannot be written
_PIECE = re.compile(
    r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[xu]\{[0-9A-Fa-f]{1,6}\}|.)|.", re.DOTALL
)
_UNWRITABLE = re.compile(r"[\x00-\x07\x0b\x0e-\x1f\x7f]")


def is_writable(text: str) -> bool:
    """Whether a free string can hold `text`: no control characters but \\b \\f \\n \\r \\t."""
    return not _UNWRITABLE.search(text)


def narrow_pattern(pattern: str) -> str:
    """`pattern` (ECMA-262) in Rust syntax, matching no string that ECMA-262 would not.

    llguidance takes a single character that cannot be written for the empty text; classes of two
    such characters match nothing, as they should.
    """
    pieces = _PIECE.findall(pattern)
    padding = _NOTHING if any(map(_is_unwritable, pieces)) else ""
    out: list[str] = []
    in_class = False
    for piece, following in zip(pieces, [*pieces[1:], ""], strict=True):
        if in_class:
            if piece == "]":
                in_class = False
            elif piece in _NESTING:
                piece = "\\" + piece
            elif piece == r"\s":
                piece = _SPACES
        elif piece == "[":
            in_class = True
            piece += "" if following == "^" else padding
        elif piece in _NARROWED:
            piece = _NARROWED[piece]
        elif _is_unwritable(piece):
            piece = f"[{_NOTHING}]"
        out.append(piece)
    return "".join(out)


def _is_unwritable(piece: str) -> bool:
    """Whether a piece of a pattern stands for one character that a free string cannot hold."""
    if piece[0] != "\\":
        return not is_writable(piece)
    if len(piece) > 2:
        code = int(piece[2:].strip("{}"), 16)
        return code < 0x80 and not is_writable(chr(code))
    return piece[1:] == "v" or not is_writable(piece[1:])


_YEAR = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"
_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)"
_DATE = f"(?:{_YEAR}-(?:(?:0[13-9]|1[0-2])-[0-9]{{2}}|02-(?:[01][0-9]|2[0-8]))|{_LEAP_YEAR}-02-29)"
_TIME = "[0-9]{2}:[0-9]{2}:[0-5]"  # no leap second: it exists only at the end of a UTC day
_LABEL = "[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"  # no "--": Punycode may spell an illegal label

FORMATS: dict[str, str | None] = {
    "date": f"^{_DATE}$",
    "date-time": f"^{_DATE}[Tt]{_TIME}",
    "time": f"^{_TIME}",
    "hostname": rf"^{_LABEL}(?:\.{_LABEL})*$",
    "json-pointer": "^(?:/(?:[^~/]|~[01])*)*$",
    "duration": None,
    "email": None,
    "ipv4": None,
    "ipv6": None,
    "uri": None,
    "uuid": None,
}
"""The formats that are enforced, each with the pattern that narrows what llguidance takes."""

OWN_FORMATS = frozenset({"json-pointer"})
"""Those that llguidance does not know: the pattern is all."""

# llguidance takes no bounds as wide as 64 bits; 2**53 is where JSON numbers stop being
# exact between implementations (RFC 8259, section 6).
NUMBER_FORMATS: dict[str, int | None] = {
    "int32": 2**31,
    "int64": 2**53,
    "float": None,
    "double": None,
}
"""OpenAPI's formats of numbers, each with the bound of the absolute value that is enforced."""

MAX_LENGTHS = {"hostname": 253}
"""Bounds on the length that belong to a format, in code points."""
