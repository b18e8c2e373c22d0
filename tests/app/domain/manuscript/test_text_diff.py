from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript import text_diff as module
from quire.domain.manuscript.text_diff import Difference, differences, for_reading

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


def marked(left: str, right: str) -> list[tuple[str, str]]:
    return [
        (left[d.left_start : d.left_end], right[d.right_start : d.right_end])
        for d in for_reading(left, right, differences(left, right))
        if not d.same
    ]


def test_passages_that_share_a_few_words_by_chance_are_one_stretch() -> None:
    left = "On the day of July the two young ladies at their breakfast came next to dinner."
    right = "A doctor waited long in that cold hotel room and the lamp burned low all night at last."
    assert len(shown(left, right)) > 1
    assert marked(left, right) == [(left[:-1], right[:-1])]


def test_small_changes_stay_small() -> None:
    left = "The ferry came over slowly, and nobody was on it that night."
    right = "The old ferry came over, and somebody was on it that evening."
    assert marked(left, right) == shown(left, right)
    assert len(shown(left, right)) == 4


def test_paragraphs_stay_apart() -> None:
    left, right = "One two three.\n\nFour five six.", "Seven eight nine.\n\nTen eleven twelve."
    assert [pair[0] for pair in marked(left, right)] == ["One two three", "Four five six"]


@given(WORDS | st.text(), WORDS | st.text())
def test_what_is_marked_covers_what_differs_and_leaves_no_gap(left: str, right: str) -> None:
    exact = differences(left, right)
    found = for_reading(left, right, exact)
    assert "".join(left[d.left_start : d.left_end] for d in found) == left
    assert "".join(right[d.right_start : d.right_end] for d in found) == right
    assert all(one.same != other.same for one, other in pairwise(found))
    same = {d for d in exact if d.same}
    assert all(d in same for d in found if d.same)
