"""Access to Office Open XML by local names: transitional and strict files differ in namespaces."""

from __future__ import annotations

from lxml import etree


def local_name(element: etree._Element) -> str:
    """The tag without its namespace; empty for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def child(element: etree._Element, name: str) -> etree._Element | None:
    """The first child of that local name."""
    return next((item for item in element if local_name(item) == name), None)


def children(element: etree._Element, name: str) -> list[etree._Element]:
    """All children of that local name."""
    return [item for item in element if local_name(item) == name]


def attribute(element: etree._Element, name: str) -> str | None:
    """The attribute of that local name, whatever its namespace."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return None


def child_value(element: etree._Element | None, name: str) -> str | None:
    """The `val` of the first child of that local name."""
    item = child(element, name) if element is not None else None
    return attribute(item, "val") if item is not None else None
