from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.word_counts import GrowingCount
from quire_engine.metrics.word_count import count_words

_PIECES = st.lists(st.text(alphabet="ab c—'\n漢กา.\u200b", max_size=6), max_size=12)


@given(_PIECES, _PIECES)
def test_a_growing_text_has_as_many_words_as_when_it_is_counted_whole(
    before: list[str], added: list[str]
) -> None:
    text = "".join(before)
    words = GrowingCount(text)
    for piece in added:
        words.add(piece)
        text += piece
        assert words.num_words == count_words(text)
