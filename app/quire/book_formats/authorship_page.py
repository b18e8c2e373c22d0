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
            drafted += counts[Origin.DRAFTED] + counts[Origin.REWRITTEN]
            edited += counts[Origin.EDITED]
        return cls(written, drafted, edited)

    @property
    def total(self) -> int:
        """All of them."""
        return self.written + self.drafted + self.edited


@dataclass(frozen=True, slots=True)
class _Words:
    """The sentences of the page in one language."""

    title: str
    none: str
    all_written: str
    shares: str
    written: str
    drafted: str
    edited: str
    less: str
    more: str
    percent: str
    last: str
    thousands: str


_IN = {
    "en": _Words(
        TITLE,
        "There are no words in this text.",
        "All {0} words of this text were written by the author.",
        "Of the {0} words of this text, {1}.",
        "{0} were written by the author",
        "{0} were drafted with a language model",
        "{0} were drafted with a language model and changed by the author",
        "less than 1%",
        "more than 99%",
        "{0}%",
        ", and ",
        ",",
    ),
    "de": _Words(
        "Nachwort",
        "Dieser Text enthält keine Wörter.",
        "Alle {0} Wörter dieses Textes sind von Hand geschrieben.",
        "Von den {0} Wörtern dieses Textes sind {1}.",
        "{0} von Hand geschrieben",
        "{0} mit einem Sprachmodell entworfen",
        "{0} mit einem Sprachmodell entworfen und von Hand geändert",
        "weniger als 1\u00a0%",
        "mehr als 99\u00a0%",
        "{0}\u00a0%",
        " und ",
        ".",
    ),
}
"""The page by the language of the book; English for all others."""


def _words_in(language: str) -> _Words:
    return _IN.get(language[:2].lower(), _IN["en"])


def closing_text(shares: AuthorshipShares, language: str = "en") -> str:
    """Return the text of the page; a small share that is not zero is named as such."""
    say = _words_in(language)
    total = f"{shares.total:,}".replace(",", say.thousands)
    if not shares.total:
        return say.none
    if not shares.drafted and not shares.edited:
        return say.all_written.format(total)
    told = ((shares.written, say.written), (shares.drafted, say.drafted), (shares.edited, say.edited))
    parts = [how.format(_percent(words, shares.total, say)) for words, how in told if words]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}{say.last}{parts[-1]}"
    return say.shares.format(total, listed)


def with_closing_page(book: Book, shares: AuthorshipShares) -> Book:
    """Return a book with that page at its end."""
    page = Chapter(_words_in(book.language).title, (Scene(closing_text(shares, book.language)),))
    return replace(book, parts=(*book.parts, BookPart("", (page,))))


def _percent(words: int, total: int, say: _Words) -> str:
    share = 100 * words / total
    if share < 1:
        return say.less
    return say.more if share > 99 and words < total else say.percent.format(round(share))
