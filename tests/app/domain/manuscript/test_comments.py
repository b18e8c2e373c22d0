from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.comments import (
    Comment,
    after_change,
    anchored,
    checked,
    found_in_change,
    words_at,
)

TEXT = "The harbour lay still.\n\nNobody spoke. The gulls slept on the roofs.\n\nThen it rained."


def on(words: str, text: str = TEXT) -> Comment:
    start = text.index(words)
    empty = Comment(1, 0, 1, "?", "Why?", "", datetime(2026, 5, 1, tzinfo=UTC))
    return anchored(empty, text, start, start + len(words))


def followed(comment: Comment, *texts: str) -> Comment:
    """Return a comment after its text became one after the other."""
    for before, after in pairwise(texts):
        (comment,) = after_change([comment], before, after)
    return comment


def there(comment: Comment, text: str) -> str:
    return text[comment.start : comment.end]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("The gulls", "Later the gulls had gone. The gulls", "slept"),  # before them
        ("roofs.", "roofs, and dreamt.", "slept"),  # behind them
        ("slept", "soundly slept", "slept"),  # right before them
        ("slept", "slept soundly", "slept"),  # right behind them
        ("slept", "slept-", "slept"),
        ("slept", "slepten", "slepten"),  # a word that is typed on is still the same word
        ("slept", "dozed", "dozed"),  # in their place
        ("slept", "slipt", "slipt"),  # within them
    ],
)
def test_a_comment_keeps_to_its_words(before: str, after: str, words: str) -> None:
    new = TEXT.replace(before, after)
    comment = followed(on("slept"), TEXT, new)
    assert (there(comment, new), comment.words) == (words, words)


def test_what_is_between_changes_that_are_stored_as_one_keeps_its_comment() -> None:
    new = TEXT.replace("The", "A")  # twice, and as one change
    assert there(followed(on("gulls"), TEXT, new), new) == "gulls"
    assert there(followed(on("The gulls"), TEXT, new), new) == "A gulls"


def test_deleted_words_keep_their_comment_and_have_it_again_when_they_come_back() -> None:
    without = TEXT.replace("Nobody spoke. The gulls slept on the roofs.\n\n", "")
    lost = followed(on("slept"), TEXT, without)
    assert (lost.is_lost, lost.words) == (True, "slept")
    typed = without.replace("Then", "Nobody slept. Then")
    assert followed(lost, without, typed).is_lost  # the word is there, but it is another one
    back = followed(lost, without, typed, without, TEXT)
    assert back == on("slept")


def test_words_that_go_and_come_back_letter_by_letter_have_their_comment_again() -> None:
    steps = [TEXT.replace("gulls", "gulls"[: 5 - gone]) for gone in range(6)]
    lost = followed(on("gulls"), *steps)
    assert lost.is_lost
    assert followed(on("gulls"), *steps, TEXT) == on("gulls")
    assert followed(on("gulls"), *steps[:3], TEXT) == on("gulls")


def test_a_comment_on_a_deleted_passage_stays_on_what_is_left_of_it() -> None:
    new = TEXT.replace("spoke. The ", "")
    comment = followed(on("Nobody spoke."), TEXT, new)
    assert there(comment, new) == "Nobody "
    assert followed(comment, new, TEXT) == on("Nobody spoke.")


@pytest.mark.parametrize(
    ("text", "words", "deleted"),
    [
        ("The harbour lay.\n\nThird paragraph.", "The harbour lay.", "The harbour lay.\n\n"),
        ("The harbour. Then it rained.", "The harbour", "The harbour. "),
        ("Now gulls got up.", "gulls", "gulls "),
        ("They sat at a table.", "at", "at "),
    ],
)
def test_a_comment_is_not_left_on_letters_of_what_follows(text: str, words: str, deleted: str) -> None:
    new = text.replace(deleted, "")
    lost = followed(on(words, text), text, new)
    assert lost.is_lost
    assert followed(lost, new, text) == on(words, text)


def test_what_is_left_of_commented_words_is_whole_words_or_a_word_that_was_shortened() -> None:
    new = TEXT.replace("bour lay still.\n\nNobody", "bour")  # "The harbour spoke."
    assert there(followed(on("lay still."), TEXT, new), new) == ""
    new = TEXT.replace("ulls slept on", "")
    assert there(followed(on("The gulls"), TEXT, new), new) == "The "
    new = TEXT.replace("roofs", "roof")
    comment = followed(on("roofs"), TEXT, new, "Once. " + new)
    assert there(comment, "Once. " + new) == "roof"


@pytest.mark.parametrize("steps", [1, 2])
def test_a_commented_paragraph_that_is_put_elsewhere_keeps_its_comment(steps: int) -> None:
    paragraph = "Nobody spoke. The gulls slept on the roofs."
    without = TEXT.replace(f"{paragraph}\n\n", "")
    for moved in (f"{without}\n\n{paragraph}", f"{paragraph}\n\n{without}"):
        texts = [TEXT, without, moved] if steps == 2 else [TEXT, moved]
        assert there(followed(on(paragraph), *texts), moved) == paragraph
    lost, other = followed(on(paragraph), TEXT, without), "They took the ferry.\n\nNo one came."
    pasted = other.replace("No one", f"{paragraph}\n\nNo one")
    assert there(found_in_change([lost], other, pasted)[lost], pasted) == paragraph


def test_words_of_a_draft_that_are_not_in_the_stored_text_yet_keep_their_place() -> None:
    comment = on("rained")
    assert followed(comment, TEXT[:30], TEXT[:60], TEXT) == comment


def test_words_that_are_pasted_into_another_text_are_known() -> None:
    other, passage = "They took the ferry. ", "Nobody spoke. The gulls slept on the roofs."
    lost = [followed(on(words), TEXT, TEXT.replace(passage, "")) for words in ("slept", "roofs")]
    found = found_in_change(lost, other, other + passage)
    assert [there(found[one], other + passage) for one in lost] == ["slept", "roofs"]
    assert not found_in_change(lost, other, other + "They slept on deck.")


def test_a_comment_that_was_left_behind_is_put_to_its_words() -> None:
    new = "It had been dark.\n\n" + TEXT  # by a version that knows no comments
    assert there(checked(on("slept"), new), new) == "slept"
    assert checked(on("slept"), "Nothing of it.").is_lost
    assert checked(on("slept"), TEXT) == on("slept")


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (TEXT.index(" gulls"), TEXT.index("slept"), "gulls"),
        (TEXT.index("gulls"), TEXT.index("gulls"), "Nobody spoke. The gulls slept on the roofs."),
        (0, 0, "The harbour lay still."),
        (len(TEXT), len(TEXT), "Then it rained."),
        (TEXT.index("\n\n") + 1, TEXT.index("\n\n") + 1, ""),
    ],
)
def test_a_comment_is_about_the_selected_words_or_the_paragraph(start: int, end: int, words: str) -> None:
    first, last = words_at(TEXT, start, end)
    assert TEXT[first:last] == words


@given(
    st.lists(st.tuples(st.integers(0, 80), st.integers(0, 8), st.text("ab \n", max_size=6)), max_size=6),
    st.integers(0, 60),
    st.integers(1, 12),
)
def test_a_comment_is_on_its_words_whatever_is_changed(
    edits: list[tuple[int, int, str]], start: int, length: int
) -> None:
    comment = on(TEXT[start : start + length])
    texts = [TEXT]
    for place, removed, inserted in edits:
        now = texts[-1]
        texts.append(now[:place] + inserted + now[place + removed :])
        comment = followed(comment, *texts[-2:])
        assert 0 <= comment.start <= comment.end <= len(texts[-1])
        assert there(comment, texts[-1]) in comment.words
