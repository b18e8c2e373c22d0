"""Positions in a text in code points, as in Python, and in UTF-16 units, as in Qt."""

from __future__ import annotations

import re
from bisect import bisect_left

_BEYOND_UTF_16 = re.compile("[\U00010000-\U0010ffff]")


class Utf16Positions:
    """Converts between offsets in a text and positions in the document that shows it."""

    def __init__(self, text: str) -> None:
        # one extra unit for each of these; a novel has none of them, or a few emoji
        self._wide = [found.start() for found in _BEYOND_UTF_16.finditer(text)]
        self._wide_units = [offset + number for number, offset in enumerate(self._wide)]

    def to_document(self, offset: int) -> int:
        """Return the document position of an offset in the text."""
        return offset + bisect_left(self._wide, offset)

    def to_text(self, position: int) -> int:
        """Return the offset of a position; a position inside a surrogate pair maps to its character."""
        # positions from u + 2 on are after a character at unit u; u + 1 is still within it
        passed = bisect_left(self._wide_units, position)
        return position - passed
