"""Reads paragraph styles and list numbering from an OpenDocument file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from quire.book_formats.importing.plain_markup import bullet, local_name, numeral

TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_SIZE = re.compile(r"(\d{1,3}(?:\.\d+)?)pt")
_MOST_BASED = 20
OUTLINE = "\0"
"""The name of the list that headings count with."""
_BOLD = "QuireLarge"


@dataclass(slots=True)
class OpenDocumentStyles:
    """The styles by their names.

    Attributes:
        bold: the name of one that is bold.
        lists: the levels of lists; those of headings are under `OUTLINE`.
    """

    found: dict[str, Element] = field(default_factory=dict)
    lists: dict[str, dict[int, Element]] = field(default_factory=dict)
    bold: str = _BOLD

    @classmethod
    def of(cls, root: Element, styles_root: Element | None) -> OpenDocumentStyles:
        """Return the styles of a text, to which one for large lines is added."""
        made = cls()
        for part in (styles_root, root):
            for style in () if part is None else part.iter(f"{STYLE}style"):
                made.found[style.get(f"{STYLE}name", "")] = style
            for kind in () if part is None else part.iter():
                if local_name(kind) in ("list-style", "outline-style"):
                    name = kind.get(f"{STYLE}name", "") if local_name(kind) == "list-style" else OUTLINE
                    made.lists[name] = {_whole(one.get(f"{TEXT}level"), 1): one for one in kind}
        automatic = root.find(f"{_OFFICE}automatic-styles")
        if automatic is not None:
            style = ElementTree.SubElement(
                automatic, f"{STYLE}style", {f"{STYLE}name": _BOLD, f"{STYLE}family": "text"}
            )
            ElementTree.SubElement(style, f"{STYLE}text-properties", {f"{_FO}font-weight": "bold"})
        return made

    def is_title(self, name: str) -> bool:
        """Return whether a style is that of a title or a heading, or based on it."""
        for _ in range(_MOST_BASED):
            if name.startswith(("Title", "Subtitle", "Heading")):
                return True
            style = self.found.get(name)
            name = "" if style is None else style.get(f"{STYLE}parent-style-name", "")
        return False

    def hides(self, name: str) -> bool:
        """Return whether words in a style are hidden."""
        return self._told(name, f"{TEXT}display") == "none"

    def size(self, name: str) -> float:
        """Return the font size in points; 0 if the style sets none."""
        size = _SIZE.fullmatch(self._told(name, f"{_FO}font-size"))
        return float(size[1]) if size else 0.0

    def label(self, name: str, level: int, counted: dict[int, int]) -> str:
        """Return the marker of the next list paragraph and advance the numbering; empty without a marker."""
        levels = self.lists.get(name, {})
        about = levels.get(level)
        if about is None:
            return "" if name == OUTLINE else "-"
        if local_name(about) == "list-level-style-bullet":
            return bullet(about.get(f"{TEXT}bullet-char", ""))
        if local_name(about) == "list-level-style-image":
            return "-"
        counted[level] = counted.get(level, _whole(about.get(f"{TEXT}start-value"), 1) - 1) + 1
        form = about.get(f"{STYLE}num-format", "")
        shown = _whole(about.get(f"{TEXT}display-levels"), 1)
        numbers = _numbers(levels, range(max(level - shown + 1, 1), level + 1), counted) if form else ()
        prefix, suffix = about.get(f"{STYLE}num-prefix", ""), about.get(f"{STYLE}num-suffix", "")
        return f"{prefix}{'.'.join(numbers)}{suffix}".strip()

    def _told(self, name: str, key: str) -> str:
        """Return the text properties of a style, including inherited ones."""
        for _ in range(_MOST_BASED):
            style = self.found.get(name)
            if style is None:
                return ""
            about = style.find(f"{STYLE}text-properties")
            if about is not None and (value := about.get(key)):
                return value
            name = style.get(f"{STYLE}parent-style-name", "")
        return ""


def local_key(key: str) -> str:
    """Return the name of an attribute without its namespace."""
    return key.rpartition("}")[2]


def _numbers(levels: Mapping[int, Element], shown: Iterable[int], counted: Mapping[int, int]) -> list[str]:
    made = list[str]()
    for level in shown:
        form = levels[level].get(f"{STYLE}num-format", "") if level in levels else ""
        if form:
            made.append(numeral(counted.get(level, 1), form))
    return made


def _whole(written: str | None, otherwise: int) -> int:
    return int(written) if written and written.isdecimal() and len(written) < 6 else otherwise
