"""What a draft model learned from a book, on its way between the engine and the project file."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BookLearned:
    """A version of it; it only affects speed.

    Attributes:
        book: tells the writer's books apart; empty: no book.
        fingerprint: of the model.
        version, num_tokens: see LearnedViewed.
        data: as the engine packed it; empty: nothing yet.
    """

    book: str = ""
    fingerprint: str = ""
    version: int = 0
    num_tokens: int = 0
    data: bytes = field(default=b"", repr=False)


NOT_OF_A_BOOK = BookLearned()
