"""Finds headings that only their looks make: bold, underlined or italic lines that stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from quire.domain.manuscript.headings import value_of
from quire_engine.api.heading_grammar import HeadingForm, heading_of

_STYLES = {"Strong": "bold", "Underline": "bold", "Emph": "italic"}
_LONGEST, _MOST_WORDS = 70, 10
_FEWEST = {"bold": 2, "italic": 3}
"""Fewest lines of one look that count as headings: a single one may be emphasis."""
_TEXT_BELOW = {"bold": 400, "italic": 1_500}
"""Characters of text that the usual one of them has below it."""
_NO_TITLE = re.compile(r".*[.,;:…—–-]|[^\w“‘\"'«¿¡].*|[a-zß-ÿ].*", re.DOTALL)


def with_formatted_headings(blocks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the blocks of a document with headings where lines only look like some.

    A line that also reads as a heading ("Chapter 1") only loses its emphasis: the text then tells what it is.
    """
    found = list(blocks)
    places: dict[str, list[int]] = {"bold": [], "italic": []}
    numbers = list[tuple[int, str]]()
    for place, block in enumerate(blocks):
        look, words = _look_of(block)
        if not look:
            continue
        heading = heading_of(words)
        if value_of(words.rstrip(".")):
            numbers.append((place, words))
        elif heading is not None and heading.form is not HeadingForm.MARKDOWN:
            found[place] = {"t": "Para", "c": [words]}
        elif not _NO_TITLE.fullmatch(words):
            places[look].append(place)
    values = [value_of(words.rstrip(".")) for _, words in numbers]
    if len(values) > 1 and values == list(range(1, len(values) + 1)):
        for place, words in numbers:
            found[place] = {"t": "Para", "c": [words]}
    if any(block["t"] == "Header" for block in blocks) or found != list(blocks):
        return found  # its chapters are known: what else is emphasised is just that
    for look, lines in places.items():
        if _are_headings(blocks, lines, look):
            for place in lines:
                found[place] = {"t": "Header", "c": [2, None, [_look_of(blocks[place])[1]]]}
            break
    return found


def _are_headings(blocks: Sequence[dict[str, Any]], lines: Sequence[int], look: str) -> bool:
    """Return whether lines of one look part the text as chapters do."""
    if len(lines) < _FEWEST[look]:
        return False
    sizes = [sum(map(_size_of, blocks[start + 1 : end])) for start, end in pairwise([*lines, len(blocks)])]
    usual = sorted(sizes)[len(sizes) // 2]
    return usual >= _TEXT_BELOW[look] and min(sizes[1:]) > 0


def _size_of(block: dict[str, Any]) -> int:
    return sum(map(len, _texts(block.get("c"))))


def _look_of(block: dict[str, Any]) -> tuple[str, str]:
    """Return how all words of a short paragraph look, and the words; empty for any other one."""
    if block["t"] not in ("Para", "Plain"):
        return "", ""
    looks = set[str]()
    words = "".join(_words(block["c"], "", looks)).strip()
    if len(looks) != 1 or "" in looks or not words or len(words) > _LONGEST:
        return "", ""
    return ("", "") if len(words.split()) > _MOST_WORDS or "\n" in words else (looks.pop(), words)


def _words(inlines: Sequence[Any], look: str, looks: set[str]) -> Iterator[str]:
    """Yield the texts of a paragraph, and collect how they look; "" for what is neither text nor a look."""
    for one in inlines:
        if isinstance(one, str):
            yield one
            if one.strip():
                looks.add(look)
        elif one["t"] in _STYLES and look != "bold":
            yield from _words(one["c"], _STYLES[one["t"]], looks)
        elif one["t"] in _STYLES:
            yield from _words(one["c"], look, looks)
        else:
            looks.add("")


def _texts(content: Any) -> Iterator[str]:
    """Yield the texts in a part of a document tree, however deep."""
    waiting = [content]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            waiting.append(one.get("c"))
