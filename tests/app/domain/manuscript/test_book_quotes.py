"""Drafted quotation marks and apostrophes follow the book's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.book_quotes import BookQuotes

CURLY = "“It’s late,” she said. “Don’t go.”"
STRAIGHT = CURLY.translate(str.maketrans("“”’", '""\''))
BRITISH = "‘It’s late,’ she said. ‘Don’t go.’"


@pytest.mark.parametrize(
    ("book", "drafted", "shown"),
    [
        (CURLY, ' "I\'m not," he said--"not I."', " “I’m not,” he said--“not I.”"),
        (CURLY, " 'tis so.", " ’tis so."),
        (CURLY, CURLY, CURLY),
        (STRAIGHT, CURLY, STRAIGHT),
        (STRAIGHT, STRAIGHT, STRAIGHT),
        (BRITISH, " 'I'm not,' he said.", " ‘I’m not,’ he said."),
        ("It rained.", STRAIGHT, STRAIGHT),
        ("It rained.", CURLY, CURLY),
        ("„Es regnet“, sagte sie. Wie geht’s?", ' "So?" Wie geht\'s?', ' "So?" Wie geht’s?'),
    ],
)
def test_marks_become_those_of_the_book(book: str, drafted: str, shown: str) -> None:
    assert BookQuotes.of(book).followed(book[-1:], drafted) == shown


@given(st.sampled_from((CURLY, STRAIGHT, BRITISH)), st.text("\"'“”‘’ a-.\n"), st.integers(0, 60))
def test_in_pieces_it_is_the_same_and_as_long(book: str, drafted: str, place: int) -> None:
    quotes = BookQuotes.of(book)
    whole = quotes.followed(book[-1:], drafted)
    first = quotes.followed(book[-1:], drafted[:place])
    assert whole == first + quotes.followed((book + first)[-1:], drafted[place:])
    assert len(whole) == len(drafted)
