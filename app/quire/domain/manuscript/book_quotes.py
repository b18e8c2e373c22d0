"""Lets drafted quotation marks and apostrophes look like those of the book: typographic or straight.

Each mark becomes one other, so that a drafted text keeps its length and the places of its tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

_LOOKED_AT = 40_000
"""So many of the newest characters of a book decide."""
_STRAIGHT = {"“": '"', "”": '"', "‘": "'", "’": "'"}
_OPENS_AFTER = frozenset("([{—–-“‘*_")


@dataclass(frozen=True, slots=True)
class BookQuotes:
    """The marks of a book; None: it has none of them, or as many of one kind as of the other.

    Attributes:
        curly_double, curly_single: whether quotation marks, and apostrophes, are typographic.
        quotes_single: whether single marks open quotations, too.
    """

    curly_double: bool | None = None
    curly_single: bool | None = None
    quotes_single: bool = False

    @classmethod
    def of(cls, story: str) -> BookQuotes:
        """Return the marks of a book. Those of other languages, such as „“ and «», are left as they come."""
        newest = story[-_LOOKED_AT:]
        count = newest.count
        double = None if count("„") or count("«") else _more(count("“") + count("”"), count('"'))
        return cls(double, _more(count("’"), count("'")), count("‘") > 0)

    def followed(self, before: str, text: str) -> str:
        """Return a text with the marks of the book; before: the character that it comes after, if any."""
        if self.curly_double is None and self.curly_single is None:
            return text
        followed = list[str]()
        for mark in text:
            if mark in _MARKS:
                mark = self._followed(mark, before)
            followed.append(mark)
            before = mark
        return "".join(followed)

    def _followed(self, mark: str, before: str) -> str:
        straight = _STRAIGHT.get(mark, mark)
        curly = self.curly_double if straight == '"' else self.curly_single
        if curly is False:
            return straight
        if curly is None or mark != straight:
            return mark
        opens = not before or before.isspace() or before in _OPENS_AFTER
        if straight == '"':
            return "“" if opens else "”"
        return "‘" if opens and self.quotes_single else "’"


AS_DRAFTED = BookQuotes()
"""Changes no mark."""
_MARKS = frozenset("\"'“”‘’")


def _more(curly: int, straight: int) -> bool | None:
    return None if curly == straight else curly > straight
