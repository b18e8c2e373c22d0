from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.paragraph_merge import (
    ParagraphCopy,
    num_words_that_differ,
    opposite,
    paragraph_at,
    paragraph_copy,
    turned,
)
from quire.domain.manuscript.text_diff import differences

NOW = "The ferry crossed at dusk.\n\nNobody sang on board that night.\n\nThen it rained."
THEN = "The ferry crossed at dusk.\n\nNobody spoke on board that night.\n\nA lamp burned.\n\nThen it rained."
TEXTS = st.lists(
    st.sampled_from(["the ferry", "a lamp", "rain.", "\n", "\n\n", "nobody sang", "\U0001f600", ""])
).map(" ".join)


def copied(source: str, target: str, words: str) -> ParagraphCopy | None:
    return paragraph_copy(source, target, differences(source, target), source.index(words))


def test_a_paragraph_that_is_much_the_same_gives_way() -> None:
    copy = copied(THEN, NOW, "spoke")
    assert copy is not None
    assert copy.replaces
    assert copy.applied(NOW) == NOW.replace("sang", "spoke")


def test_a_paragraph_of_its_own_comes_in_between_those_around_it() -> None:
    copy = copied(THEN, NOW, "A lamp")
    assert copy is not None
    assert not copy.replaces
    assert copy.applied(NOW) == NOW.replace("night.\n\n", "night.\n\nA lamp burned.\n\n")
    body = copy.start + copy.body_at
    assert copy.applied(NOW)[body : body + copy.source_end - copy.source] == "A lamp burned."


def test_a_paragraph_comes_into_an_empty_text_and_behind_the_last_one() -> None:
    copy = copied("Only this.", "", "Only")
    assert copy is not None
    assert copy.applied("") == "Only this."
    copy = copied("One.\nTwo.\nThree and more.", "One.\nTwo.", "Three")
    assert copy is not None
    assert copy.applied("One.\nTwo.") == "One.\nTwo.\nThree and more."


def test_there_is_no_paragraph_in_a_text_without_words() -> None:
    assert paragraph_copy("\n \n", "Text.", differences("\n \n", "Text."), 1) is None


def test_on_an_empty_line_it_is_the_next_paragraph_or_the_last() -> None:
    text = "One.\n\nTwo.\n\n"
    assert [paragraph_at(text, place) for place in (0, 4, 5, 8, 11, 12)] == [
        (0, 4), (0, 4), (6, 10), (6, 10), (6, 10), (6, 10)
    ]  # fmt: skip


@given(TEXTS, TEXTS, st.integers(0, 200))
def test_copying_brings_the_paragraph_and_takes_at_most_one(source: str, target: str, place: int) -> None:
    found = differences(source, target)
    copy = paragraph_copy(source, target, found, min(place, len(source)))
    if copy is None:
        assert not source.strip()
        return
    body = source[copy.source : copy.source_end]
    assert body.strip()
    assert "\n" not in body
    after = copy.applied(target)
    at = copy.start + copy.body_at
    assert after[at : at + len(body)] == body
    assert "\n" not in target[copy.start : copy.end]
    others = target[: copy.start] + target[copy.end :]
    assert (after[:at] + after[at + len(body) :]).replace("\n", "") == others.replace("\n", "")
    # it is a line of its own
    assert at == 0 or after[at - 1] == "\n"
    assert at + len(body) == len(after) or after[at + len(body)] == "\n"


@given(TEXTS, TEXTS, st.integers(0, 200))
def test_places_beside_one_another_are_in_both_texts(left: str, right: str, place: int) -> None:
    found = differences(left, right)
    assert 0 <= opposite(found, min(place, len(left))) <= len(right)
    assert turned(turned(found)) == found
    words = num_words_that_differ(left, right, found)
    assert words == num_words_that_differ(right, left, turned(found))
    assert (words > 0) <= (left != right)


def test_words_that_differ_are_counted_on_the_side_with_more() -> None:
    left, right = "He sang. She slept.", "He sang out loud."
    assert num_words_that_differ(left, right, differences(left, right)) == 2
    assert num_words_that_differ(left, left, differences(left, left)) == 0
