"""Places in a text as Python counts them, in code points, and as Qt does, in UTF-16 units."""

from __future__ import annotations

import re
from bisect import bisect_left

_BEYOND_UTF_16 = re.compile("[\U00010000-\U0010ffff]")


class Utf16Positions:
    """Converts between offsets of a text and positions in the document that shows it."""

    def __init__(self, text: str) -> None:
        # one unit more for each of these; a novel has none of them, or a few emoji
        self._wide = [found.start() for found in _BEYOND_UTF_16.finditer(text)]
        self._wide_units = [offset + number for number, offset in enumerate(self._wide)]

    def to_document(self, offset: int) -> int:
        """Return the document's position of an offset in the text."""
        return offset + bisect_left(self._wide, offset)

    def to_text(self, position: int) -> int:
        """Return the offset of a position; between the two units of a character: the offset of that."""
        # a character at unit u is passed by positions from u + 2 on; at u + 1 one is still within it
        passed = bisect_left(self._wide_units, position)
        return position - passed
