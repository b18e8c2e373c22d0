from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.text_quality.text_units import Unit, UnitText, units_in
from quire_engine.api.folding import folded
from quire_engine.metrics.distinct_n import units_of

TEXT = st.text(alphabet="aBé\u0301\u00ad'’. ,…–—“”\"„_İ7-\n", max_size=40)


def state(text: UnitText) -> list[Unit]:
    return [text.unit(number) for number in range(len(text))]


def finished(text: str) -> list[Unit]:
    whole = UnitText()
    whole.add(text)
    whole.finish()
    return state(whole)


def test_units_are_words_and_marks_in_small_letters_with_their_places() -> None:
    assert list(units_in("“Don’t,” İda said…")) == [
        Unit("“", 0, 1),
        Unit("don't", 1, 6),
        Unit(",", 6, 7),
        Unit("”", 7, 8),
        Unit("İda".lower(), 9, 12),
        Unit("said", 13, 17),
        Unit("…", 17, 18),
    ]


@settings(deadline=None)
@given(TEXT)
def test_units_are_those_that_the_bands_were_measured_with(text: str) -> None:
    units = list(units_in(text))
    assert [unit.text for unit in units] == units_of(text)
    words = [unit for unit in units if unit.text[0].isalnum()]
    assert all(folded(text[unit.start : unit.end]) == unit.text for unit in words)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("“Don’t wait -- I can’t...”", "\"Don't wait – I can't…\""),
        ("Café naïve", "Cafe\u0301 nai\u0308ve"),
        ("the light\u00adhouse", "THE LIGHTHOUSE"),
        ("„Komm”, said I", '"Komm", said I'),
    ],
)
def test_what_readers_take_for_the_same_is_compared_as_the_same(one: str, other: str) -> None:
    assert units_of(one) == units_of(other)


@settings(deadline=None)
@given(st.lists(TEXT))
def test_pieces_give_the_units_of_the_whole_text(pieces: list[str]) -> None:
    growing = UnitText()
    for piece in pieces:
        before = state(growing)
        assert growing.add(piece) == len(before)
        assert state(growing)[: len(before)] == before
    growing.finish()
    text = "".join(pieces)
    assert growing.text == text
    assert growing.num_chars == len(text)
    assert state(growing) == list(units_in(text))
    assert list(growing.units) == [unit.text for unit in units_in(text)]
    assert list(growing.starts) == [unit.start for unit in units_in(text)]


@settings(deadline=None)
@given(TEXT, TEXT)
def test_what_is_counted_stays_whatever_follows(text: str, more: str) -> None:
    growing = UnitText()
    growing.add(text)
    units = list(units_in(text + more))
    assert state(growing) == units[: len(growing)]
    assert len(growing) >= len(list(units_in(text))) - 2  # a word, or two dots


def test_a_last_word_waits_and_a_mark_does_not() -> None:
    growing = UnitText()
    growing.add("we don'")
    assert list(growing.units) == ["we"]
    growing.add("t,")
    assert list(growing.units) == ["we", "don't", ","]
    growing.add("..")
    growing.add(".")
    assert list(growing.units) == ["we", "don't", ",", "…"]


def test_a_finished_word_goes_on_growing_when_there_is_more() -> None:
    growing = UnitText()
    growing.add("the har")
    assert growing.finish() == 1
    assert list(growing.units) == ["the", "har"]
    assert growing.finish() == 2
    assert growing.add("bour ") == 1
    assert list(growing.units) == ["the", "harbour"]


@settings(deadline=None)
@given(TEXT, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), TEXT), max_size=6), st.booleans())
def test_edits_give_the_units_of_the_edited_text(
    text: str, edits: list[tuple[int, int, str]], finish: bool
) -> None:
    edited = UnitText()
    edited.add(text)
    if finish:
        edited.finish()
    for one, other, piece in edits:
        start, end = sorted((min(one, len(text)), min(other, len(text))))
        before = state(edited)
        text = text[:start] + piece + text[end:]
        kept = edited.replace(start, end, piece)
        assert state(edited)[:kept] == before[:kept]
        fresh = UnitText()
        fresh.add(text)
        assert state(edited) == (finished(text) if finish else state(fresh))
    edited.add(" x")
    edited.finish()
    assert state(edited) == list(units_in(text + " x"))


def test_an_edit_reads_only_what_stands_behind_it() -> None:
    text = UnitText()
    text.add("one two three four ")
    assert text.replace(14, 18, "five") == 2


def test_the_characters_of_units_are_known() -> None:
    text = UnitText()
    text.add("One, two. ")
    assert text.chars_of(1, 3) == (3, 8)
    with pytest.raises(ValueError, match="no units from 2 to 2"):
        text.chars_of(2, 2)
    with pytest.raises(ValueError, match="no characters from 3 to 30"):
        text.replace(3, 30, "")
