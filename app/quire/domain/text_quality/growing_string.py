"""A text that grows in small pieces, for whoever wants all of it only now and then."""

from __future__ import annotations

from itertools import chain

_JOINED_AT_ONCE = 256


class GrowingString:
    """The pieces of a text, put together when they are asked for.

    A string that is made anew with every word leaves memory behind that is in holes: each is a little too
    small for the next one.
    """

    def __init__(self, text: str = "") -> None:
        self._parts, self._pieces = [text], list[str]()
        self.num_chars = len(text)

    def add(self, piece: str) -> None:
        """Take the next piece."""
        self.num_chars += len(piece)
        self._pieces.append(piece)
        if len(self._pieces) == _JOINED_AT_ONCE:
            self._parts.append("".join(self._pieces))
            self._pieces.clear()

    @property
    def text(self) -> str:
        """All of it."""
        self._parts = ["".join((*self._parts, *self._pieces))]
        self._pieces.clear()
        return self._parts[0]

    def since(self, start: int) -> str:
        """Return the text from a character on; of what stands far before it nothing is touched."""
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
