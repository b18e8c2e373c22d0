"""What an engine says of a selection, as the window shows it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.text_quality.overlays import SpanKind
from quire.domain.text_quality.token_surprise import (
    MAX_CHARS,
    WordAlternative,
    checked_selection,
    surprise_of,
    whole_words,
)
from quire.errors import WriterProblem
from quire_engine.api import queries
from quire_engine.api.queries import TokenScore


def score(piece: str, start: int, probability: float = 0.2, rank: int = 2, *others: str) -> TokenScore:
    alternatives = tuple(queries.Alternative(other, 0.1) for other in others)
    return TokenScore(piece, start, start + len(piece), probability, rank, alternatives)


def test_pieces_stand_where_they_are_in_the_whole_text() -> None:
    found = surprise_of(100, "The ferry", [score("The", 0, 0.9, 1, "A"), score(" ferry", 3, 0.004, 80)])
    assert [(one.start, one.end, one.text) for one in found.pieces] == [
        (100, 103, "The"),
        (103, 109, " ferry"),
    ]
    assert found.pieces[0].alternatives == (WordAlternative("A", 0.1),)
    assert [found.piece_at(place) for place in (99, 100, 102, 103, 109)] == [None, 0, 0, 1, None]


@pytest.mark.parametrize(
    ("probability", "kind"),
    [
        (1.0, SpanKind.EXPECTED),
        (0.5, SpanKind.EXPECTED),
        (0.49, SpanKind.POSSIBLE),
        (0.1, SpanKind.POSSIBLE),
        (0.05, SpanKind.UNUSUAL),
        (0.009, SpanKind.SURPRISING),
        (0.0, SpanKind.SURPRISING),
    ],
)
def test_a_piece_is_the_more_surprising_the_less_probable(probability: float, kind: SpanKind) -> None:
    found = surprise_of(0, "a", [score("a", 0, probability, 1)])
    assert [span.kind for span in found.spans()] == [kind]


def test_what_cannot_be_told_or_put_into_a_text_is_left_out() -> None:
    tokens = [
        TokenScore("It", 0, 2, 0.0, 0, ()),  # nothing stands before it
        TokenScore("\ufffd", 2, 2, 0.3, 1, ()),  # half a character
        TokenScore("😀", 2, 3, 0.4, 1, (queries.Alternative("\ufffd", 0.2), queries.Alternative("!", 0.1))),
        TokenScore("x", 3, 9, 0.4, 1, ()),  # beyond the text
    ]
    found = surprise_of(0, "It😀", tokens)
    assert [(one.text, one.alternatives) for one in found.pieces] == [("😀", (WordAlternative("!", 0.1),))]


@given(st.lists(st.tuples(st.integers(-2, 12), st.integers(-2, 12)), max_size=12))
def test_pieces_never_overlap_whatever_an_engine_says(places: list[tuple[int, int]]) -> None:
    tokens = [TokenScore("x", start, end, 0.5, 1, ()) for start, end in places]
    found = surprise_of(5, "0123456789", tokens).pieces
    assert all(5 <= one.start < one.end <= 15 for one in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


def test_it_holds_as_long_as_nothing_before_its_end_changes() -> None:
    found = surprise_of(10, "ferry", [score("ferry", 0)])
    assert found.holds_after(15)
    assert not found.holds_after(14)
    assert not found.holds_after(0)


def test_a_selection_is_checked_in_words_for_the_writer() -> None:
    text = "It rained. " + "a" * (MAX_CHARS + 1)
    assert checked_selection(text, 3, 9) == ("It ", "rained")
    for start, end, problem in (
        (4, 4, "Select the words"),
        (11, len(text), "at most 8,000"),
        (0, 2, "before"),
    ):
        with pytest.raises(WriterProblem, match=problem):
            checked_selection(text, start, end)


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        ("ferry", " ferry"),
        ("err", " ferry"),
        (" ferry", " ferry"),
        ("erry ca", " ferry came"),
        ("The", "The"),
    ],
)
def test_a_selection_is_widened_to_its_words_and_the_space_before_them(selected: str, expected: str) -> None:
    text = "The ferry came.\n\nNobody was on it."
    start = text.index(selected)
    first, last = whole_words(text, start, start + len(selected))
    assert text[first:last] == expected


def test_a_word_that_begins_a_paragraph_stays_in_it() -> None:
    text = "The ferry came.\n\nNobody was on it."
    start = text.index("Nobody")
    assert whole_words(text, start, start + 6) == (start, start + 6)


@given(text=st.text(alphabet="ab .\n", max_size=30), data=st.data())
def test_a_widened_selection_holds_the_selection_and_widening_again_changes_nothing(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(0, len(text)))
    first, last = whole_words(text, start, end)
    if start >= end:
        assert (first, last) == (start, end)
        return
    assert 0 <= first <= start < end <= last <= len(text)
    again = whole_words(text, first, last)
    assert again[1] == last
    assert text[again[0] : first].strip(" ") == ""
