"""A text that grows in small pieces and is rarely needed as a whole."""

from __future__ import annotations

from itertools import chain

_JOINED_AT_ONCE = 256


class GrowingString:
    """The pieces of a text, joined on demand.

    Building a new string for every word fragments the heap: each free block is a little too small for the
    next string.
    """

    def __init__(self, text: str = "") -> None:
        self._parts, self._pieces = [text], list[str]()
        self.num_chars = len(text)

    def add(self, piece: str) -> None:
        """Append a piece."""
        self.num_chars += len(piece)
        self._pieces.append(piece)
        if len(self._pieces) == _JOINED_AT_ONCE:
            self._parts.append("".join(self._pieces))
            self._pieces.clear()

    @property
    def text(self) -> str:
        """The whole text."""
        self._parts = ["".join((*self._parts, *self._pieces))]
        self._pieces.clear()
        return self._parts[0]

    def since(self, start: int) -> str:
        """Return the text from a character on, without touching text far before it."""
        if not 0 <= start <= self.num_chars:
            raise ValueError(f"nothing begins at {start} of {self.num_chars}")
        wanted, found = self.num_chars - start, list[str]()
        missing = wanted
        for piece in chain(reversed(self._pieces), reversed(self._parts)):
            if missing <= 0:
                break
            found.append(piece)
            missing -= len(piece)
        end = "".join(reversed(found))
        return end[len(end) - wanted :]
