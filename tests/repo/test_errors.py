"""The tree in the docstring of `assay.errors` is the tree of its classes."""

from __future__ import annotations

import inspect
import re

from assay import errors
from assay.errors import AssayError

CLASSES = {
    name: item
    for name, item in vars(errors).items()
    if inspect.isclass(item) and issubclass(item, Exception)
}


def drawn_tree() -> dict[str, tuple[str | None, str | None]]:
    """Class name -> (the one it hangs from, its code if drawn), from the module's docstring."""
    tree: dict[str, tuple[str | None, str | None]] = {}
    path: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"^[ │├└─]*([A-Z]\w+Error|AssayError)\b(?:\s+(\w+)$)?", line)
        if not match:
            continue
        while path and path[-1][0] >= match.start(1):
            path.pop()
        tree[match[1]] = (path[-1][1] if path else None, match[2])
        path.append((match.start(1), match[1]))
    return tree


def test_the_tree_is_the_classes() -> None:
    drawn = {name: parent for name, (parent, _) in drawn_tree().items()}
    real = {
        name: None if item is AssayError else item.__bases__[0].__name__
        for name, item in CLASSES.items()
    }
    assert drawn == real


def test_the_codes_drawn_are_the_codes() -> None:
    drawn = {name: code for name, (_, code) in drawn_tree().items() if code}
    assert drawn
    assert drawn == {name: CLASSES[name].code for name in drawn}


def test_every_error_without_heirs_has_a_code_of_its_own() -> None:
    codes = [item.code for item in CLASSES.values() if not item.__subclasses__()]
    assert len(codes) == len(set(codes))
