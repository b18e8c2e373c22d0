from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from quire.domain import differences as module
from quire.domain.differences import Difference, differences

WORDS = st.lists(
    st.sampled_from(["the", "ferry", "crossed", "a", "\n\n", "\u2014", "isn\u2019t", "\U0001f600", "x.y"])
).map(" ".join)


def shown(left: str, right: str) -> list[tuple[str, str]]:
    return [
        (left[d.left_start : d.left_end], right[d.right_start : d.right_end])
        for d in differences(left, right)
        if not d.same
    ]


@given(WORDS | st.text(), WORDS | st.text())
def test_the_stretches_are_both_texts_without_a_gap(left: str, right: str) -> None:
    found = differences(left, right)
    assert "".join(left[d.left_start : d.left_end] for d in found) == left
    assert "".join(right[d.right_start : d.right_end] for d in found) == right
    for d in found:
        texts = left[d.left_start : d.left_end], right[d.right_start : d.right_end]
        assert any(texts)
        assert (texts[0] == texts[1]) == d.same
    assert all(one.same != other.same for one, other in pairwise(found))


def test_words_differ_and_not_letters() -> None:
    assert shown("The ferry isn\u2019t late.", "The ferry is late.") == [("isn\u2019t", "is")]
    assert shown("He sang. She slept.", "He sang.") == [(" She slept.", "")]


def test_equal_texts_are_one_stretch() -> None:
    assert differences("One two.", "One two.") == (Difference(True, 0, 8, 0, 8),)
    assert differences("", "") == ()


def test_long_stretches_are_only_said_to_differ() -> None:
    left, right = "a b " * module._MAX_PIECES, "c d " * module._MAX_PIECES
    assert differences(f"Same. {left} End.", f"Same. {right} End.") == (
        Difference(True, 0, 6, 0, 6),
        Difference(False, 6, 6 + len(left) - 1, 6, 6 + len(right) - 1),
        Difference(True, 5 + len(left), 11 + len(left), 5 + len(right), 11 + len(right)),
    )
