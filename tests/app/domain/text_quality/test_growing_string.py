from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.text_quality.growing_string import GrowingString

PIECES = st.lists(st.text("ab \n😀", max_size=4), max_size=12)


@given(st.text(max_size=6), PIECES, st.sampled_from([1, 90]), st.floats(0, 1), st.sets(st.integers(0, 11)))
def test_it_is_its_pieces_in_order(
    first: str, pieces: list[str], times: int, place: float, asked_after: set[int]
) -> None:
    growing, text = GrowingString(first), first
    for number, piece in enumerate(pieces * times):
        growing.add(piece)
        text += piece
        if number in asked_after:  # to be asked changes nothing
            assert growing.text == text
    start = int(place * len(text))
    assert growing.num_chars == len(text)
    assert growing.since(start) == text[start:]
    assert growing.since(len(text)) == ""
    assert growing.text == text
    assert growing.since(start) == text[start:]


@pytest.mark.parametrize("start", [-1, 6])
def test_what_begins_nowhere_is_refused(start: int) -> None:
    with pytest.raises(ValueError, match=f"nothing begins at {start} of 5"):
        GrowingString("water").since(start)
