"""Rewrites the XML of archives so that Pandoc sees every word of it, and numbers lists as they are shown."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from quire.domain.manuscript.headings import in_words, roman_numeral
from quire_engine.api.heading_grammar import ORDINALS

_MOST = 99_999
_DASHES = "-–—―"


def with_members(content: bytes, rewritten: Callable[[str, bytes], bytes]) -> bytes:
    """Return an archive with its members rewritten."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as archive,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for info in archive.infolist():
            new.writestr(info.filename, rewritten(info.filename, archive.read(info)))
    return made.getvalue()


def rewritten_xml(part: bytes, change: Callable[[Element], None]) -> bytes:
    """Return XML after a change of its tree; ValueError where it is none, or too deep."""
    try:
        for _, (prefix, address) in ElementTree.iterparse(io.BytesIO(part), events=("start-ns",)):
            if not prefix.startswith("ns"):  # Pandoc looks names up by these prefixes
                ElementTree.register_namespace(prefix, address)
        root = ElementTree.fromstring(part)
    except ElementTree.ParseError as error:
        raise ValueError(f"not XML: {error}") from error
    try:
        change(root)
    except RecursionError as error:
        raise ValueError("nested too deeply for a book") from error
    return bytes(ElementTree.tostring(root, "utf-8", xml_declaration=True))


def parsed_xml(part: bytes) -> Element:
    """Return the tree of XML; ValueError where it is none."""
    try:
        return ElementTree.fromstring(part)
    except ElementTree.ParseError as error:
        raise ValueError(f"not XML: {error}") from error


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def numeral(value: int, form: str) -> str:
    """Return a number as lists show it: "1", "i", "I", "a", "A", "01", "one", "first" or "1st"."""
    value = min(value, _MOST)
    if value < 1:
        return str(value)
    if form in ("i", "I"):
        made = roman_numeral(value) or str(value)
        return made if form == "I" else made.lower()
    if form in ("a", "A"):
        letter = chr(ord(form) + (value - 1) % 26)
        return letter * min(1 + (value - 1) // 26, 9)
    if form == "01":
        return f"{value:02}"
    if form == "1st":
        ending = {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
        return f"{value}{'th' if value % 100 in (11, 12, 13) else ending}"
    if form in ("one", "first"):
        return (in_words(value).capitalize() if form == "one" else _ordinal(value)) or str(value)
    return str(value)


def bullet(mark: str) -> str:
    """Return how a paragraph of a list begins: with its dash, or with one for any other sign."""
    return mark if mark and mark in _DASHES else "-"


def _ordinal(value: int) -> str:
    if 0 < value < 20:
        return ORDINALS[value - 1].capitalize()
    if value == 20 or not 0 < value < 30:
        return "Twentieth" if value == 20 else ""
    return f"Twenty-{ORDINALS[value - 21]}"
