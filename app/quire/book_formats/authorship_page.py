"""The page at the end of a book that discloses how it was written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from quire.book_formats.book import Book, BookPart, Chapter, Scene
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin

TITLE = "Afterword"
"""A word that no numbering of chapters counts."""


@dataclass(frozen=True, slots=True)
class AuthorshipShares:
    """Words by origin; `edited` ones were drafted by a model, and changed by the writer."""

    written: int = 0
    drafted: int = 0
    edited: int = 0

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Self:
        """Return the words of some texts."""
        written = drafted = edited = 0
        for document in documents:
            counts = document.provenance.counts(document.text)
            written += counts[Origin.WRITTEN] + counts[Origin.PASTED]
            drafted += counts[Origin.DRAFTED]
            edited += counts[Origin.EDITED]
        return cls(written, drafted, edited)

    @property
    def total(self) -> int:
        """All of them."""
        return self.written + self.drafted + self.edited


def closing_text(shares: AuthorshipShares) -> str:
    """Return the text of the page; a small share that is not zero is named as such."""
    if not shares.total:
        return "There are no words in this text."
    if not shares.drafted and not shares.edited:
        return f"All {shares.total:,} words of this text were written by the author."
    told = (
        (shares.written, "written by the author"),
        (shares.drafted, "drafted with a language model"),
        (shares.edited, "drafted with a language model and changed by the author"),
    )
    parts = [f"{_percent(words, shares.total)} were {how}" for words, how in told if words]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"
    return f"Of the {shares.total:,} words of this text, {listed}."


def with_closing_page(book: Book, shares: AuthorshipShares) -> Book:
    """Return a book with that page at its end."""
    page = Chapter(TITLE, (Scene(closing_text(shares)),))
    return replace(book, parts=(*book.parts, BookPart("", (page,))))


def _percent(words: int, total: int) -> str:
    share = 100 * words / total
    if share < 1:
        return "less than 1%"
    if share > 99 and words < total:
        return "more than 99%"
    return f"{round(share)}%"
