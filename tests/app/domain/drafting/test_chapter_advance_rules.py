from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.chapter_advance_rules import FEWEST_CHARS, Turn, TurnRules, turn_at_end, turn_in

PARAGRAPH = "The tide went out and the boats lay over on their sides in the mud. " * 7
HEADED = f"{PARAGRAPH}\n\nCHAPTER II\n\nA new day began.\n\nIt rained.\n\n"


def test_a_heading_begins_a_new_text_once_it_is_certain() -> None:
    assert turn_in(HEADED, 0, TurnRules()) == Turn(HEADED.index("CHAPTER"), "CHAPTER II")
    assert turn_in(HEADED[: HEADED.index("A new")], 0, TurnRules()) is None


def test_a_heading_stays_where_the_writer_wrote_it() -> None:
    assert turn_in(HEADED, HEADED.index("A new"), TurnRules()) is None


def test_a_heading_at_the_very_beginning_stays() -> None:
    text = "CHAPTER I\n\n" + PARAGRAPH + "\n\n" + PARAGRAPH + "\n\n"
    assert len(text) > FEWEST_CHARS
    assert turn_in(text, 0, TurnRules()) is None


def test_a_paragraph_that_begins_like_a_heading_is_none() -> None:
    long = "Part one: he would go down to the water, and she would wait, " + "and so on, " * 9 + "until dark."
    text = f"{PARAGRAPH}\n\n{long}\n\nA new day began.\n\nIt rained.\n\n"
    assert turn_in(text, 0, TurnRules()) is None


def test_the_heading_that_a_draft_ends_with_begins_a_chapter() -> None:
    text = f"{PARAGRAPH}\n\nCHAPTER II"
    turn = Turn(text.index("CHAPTER"), "CHAPTER II")
    assert turn_at_end(text, 0, TurnRules(), may_grow=False) == turn
    assert turn_at_end(text, 0, TurnRules(), may_grow=True) is None  # it may become CHAPTER III
    assert turn_at_end(f"{text}\n", 0, TurnRules(), may_grow=True) == turn
    assert turn_at_end(text, len(text), TurnRules(), may_grow=False) is None  # the writer's own
    assert turn_at_end(text, 0, TurnRules(at_headings=False), may_grow=False) is None


@pytest.mark.parametrize("below", ["A new day.", "A new day.\n", "A new day. It rained. " * 20])
def test_a_finished_draft_leaves_the_little_that_stands_below_its_last_heading_to_the_chapter(
    below: str,
) -> None:
    text = f"{PARAGRAPH}\n\nCHAPTER II\n\n{below}"
    turn = Turn(text.index("CHAPTER"), "CHAPTER II")
    assert turn_at_end(text, 0, TurnRules(), may_grow=False) == turn
    assert turn_at_end(text, 0, TurnRules(), may_grow=True) is None  # it goes on, and turn_in decides
    assert turn_in(text + "\n\nIt rained.\n\n", 0, TurnRules()) == turn  # at the same place
    assert turn_at_end(text, len(text) - 1, TurnRules(), may_grow=False) is None  # the writer's own
    assert turn_at_end(text, 0, TurnRules(at_headings=False), may_grow=False) is None
    assert turn_at_end(text[100:], 0, TurnRules(), may_grow=False) is None  # too early


def test_neither_a_scene_nor_a_heading_above_more_text_is_near_the_end() -> None:
    assert turn_at_end(HEADED, 0, TurnRules(), may_grow=False) is None  # turn_in has found it
    assert turn_at_end(f"{PARAGRAPH}\n\n* * *\n\nA new day.", 0, TurnRules(), may_grow=False) is None
    text = f"{PARAGRAPH}\n\nPART TWO\n\nCHAPTER V\n\nA new day."
    part = text.index("PART")
    assert turn_in(text, 0, TurnRules()) == Turn(part, "PART TWO")
    assert turn_at_end(text[part:], 0, TurnRules(), may_grow=False) is None  # its chapter stays with it


def test_headings_can_be_left_alone() -> None:
    assert turn_in(HEADED, 0, TurnRules(at_headings=False)) is None


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n \n"])
def test_after_so_many_words_the_next_paragraph_begins_a_text(gap: str) -> None:
    text = gap.join(["one two three"] * 5) + gap
    turn = turn_in(text, 0, TurnRules(at_headings=False, every_words=5))
    assert turn == Turn(2 * (13 + len(gap)))
    assert turn_in(text, 0, TurnRules(at_headings=False, every_words=16)) is None


def test_a_text_that_is_too_long_is_left_whatever_is_asked_for() -> None:
    text = "word\n\n" * 100 + "an unfinished"
    turn = turn_in(text, 0, TurnRules(at_headings=False, after_chars=120))
    assert turn is not None
    assert text[turn.place :].startswith("word")
    assert 114 <= turn.place <= 126


@given(st.lists(st.sampled_from(["a", "\n", " ", "CHAPTER V", "."]), max_size=60), st.integers(0, 30))
def test_both_texts_hold_something_and_lose_nothing(pieces: list[str], drafted_from: int) -> None:
    text = "".join(pieces)
    turn = turn_in(text, drafted_from, TurnRules(every_words=3, after_chars=40))
    if turn is not None:
        assert drafted_from <= turn.place < len(text)
        assert text[: turn.place].strip()
        assert text[turn.place :].strip()
