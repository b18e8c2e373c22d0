from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QSignalSpy

from quire.domain.manuscript.find_replace import Query, context, matches
from quire.search.results_model import HIT, FoundRows
from quire.services.project.book_search import Hit, TextHits

TEXT = "The ferry came.\nthe water rose, and the rain with it."
CHECK = Qt.ItemDataRole.CheckStateRole


def texts_of(*counts: int) -> list[TextHits]:
    """Return texts with so many matches each."""
    found = [Hit(match, context(TEXT, match)) for match in matches(TEXT, Query("the"), most=3)]
    return [
        TextHits(number, f"Chapter\n{number}", "", tuple(found[at % 3] for at in range(count)))
        for number, count in enumerate(counts, start=11)
    ]


def rows_of(*counts: int) -> FoundRows:
    rows, texts = FoundRows(QFont()), texts_of(*counts)
    rows.show_hits(texts, [f"{text.title} ({len(text.hits)})" for text in texts])
    return rows


def match_at(rows: FoundRows, chapter: int, number: int) -> QModelIndex:
    return rows.index(number, 0, rows.index(chapter, 0))


def test_it_keeps_the_rules_of_qt(qtmodeltester: Any) -> None:
    rows = rows_of(3, 1, 40)
    qtmodeltester.check(rows)
    rows.set_replacing(on=True)
    rows.setData(match_at(rows, 2, 5), Qt.CheckState.Unchecked, CHECK)
    rows.show_hits(texts_of(2), ["Two"])
    qtmodeltester.check(rows)
    rows.show_hits()
    qtmodeltester.check(rows)


def test_a_row_says_where_its_match_is_and_in_which_line() -> None:
    rows = rows_of(2, 3)
    assert [rows.index(number, 0).data() for number in (0, 1)] == ["Chapter\n11 (2)", "Chapter\n12 (3)"]
    assert rows.index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == "Chapter 12"
    assert isinstance(rows.index(1, 0).data(Qt.ItemDataRole.FontRole), QFont)
    last = match_at(rows, 1, 2)
    assert last.data() == last.data(Qt.ItemDataRole.ToolTipRole) == "the water rose, and the rain with it."
    assert last.data(Qt.ItemDataRole.FontRole) is None
    place = rows.place_of(last)
    assert place == (12, last.data(HIT))
    assert place is not None
    assert TEXT[place[1].match.start : place[1].match.end] == "the"
    assert (rows.place_of(rows.index(1, 0)), rows.index(1, 0).data(HIT)) == (None, None)
    assert rows.place_of(QModelIndex()) is None
    assert not rows.index(3, 0, rows.index(1, 0)).isValid()
    assert rows.rowCount(last) == 0


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_what_is_ticked_is_what_was_ticked_last(counts: list[int], drawn: st.DataObject) -> None:
    rows = rows_of(*counts)
    rows.set_replacing(on=True)
    wanted = [[True] * count for count in counts]
    for _ in range(drawn.draw(st.integers(0, 6))):
        chapter, is_on = drawn.draw(st.integers(0, len(counts) - 1)), drawn.draw(st.booleans())
        state = Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
        number = drawn.draw(st.one_of(st.none(), st.integers(0, counts[chapter] - 1)))
        index = rows.index(chapter, 0) if number is None else match_at(rows, chapter, number)
        # a delegate hands over the number of a state, a program the state
        assert rows.setData(index, drawn.draw(st.sampled_from([state, state.value])), CHECK)
        wanted[chapter] = (
            [is_on] * counts[chapter]
            if number is None
            else [is_on if at == number else was for at, was in enumerate(wanted[chapter])]
        )
    for chapter, ticks in enumerate(wanted):
        boxes = [match_at(rows, chapter, number).data(CHECK) for number in range(len(ticks))]
        assert [box is Qt.CheckState.Checked for box in boxes] == ticks
        assert rows.index(chapter, 0).data(CHECK) is (
            Qt.CheckState.Checked
            if all(ticks)
            else Qt.CheckState.PartiallyChecked
            if any(ticks)
            else Qt.CheckState.Unchecked
        )
    assert rows.num_ticked() == sum(map(sum, wanted))
    assert [(text.document_id, len(hits)) for text, hits in rows.ticked_hits()] == [
        (11 + chapter, sum(ticks)) for chapter, ticks in enumerate(wanted) if any(ticks)
    ]


def test_without_replacing_there_is_nothing_to_tick() -> None:
    rows = rows_of(2)
    told = QSignalSpy(rows.ticked)
    assert not rows.setData(rows.index(0, 0), Qt.CheckState.Unchecked, CHECK)
    assert rows.index(0, 0).data(CHECK) is None
    assert (rows.num_ticked(), list(rows.ticked_hits()), told.count()) == (0, [], 0)
    rows.set_replacing(on=True)
    assert not rows.setData(rows.index(0, 0), "words", Qt.ItemDataRole.EditRole)
    assert rows.setData(rows.index(0, 0), Qt.CheckState.Unchecked, CHECK)
    assert (rows.num_ticked(), told.count()) == (0, 1)
    rows.show_hits(texts_of(5), ["Five"])
    assert rows.num_ticked() == 5, "what is found next is ticked again"


@pytest.mark.parametrize("is_on", [True, False])
def test_a_view_is_told_that_every_box_has_changed(is_on: bool) -> None:
    rows = rows_of(2, 3)
    rows.set_replacing(on=not is_on)
    told = QSignalSpy(rows.dataChanged)
    rows.set_replacing(on=is_on)
    changed = {
        (first.parent().row(), row)
        for first, last, roles in (told.at(number) for number in range(told.count()))
        for row in range(first.row(), last.row() + 1)
        if CHECK in roles
    }
    assert changed == {(-1, 0), (-1, 1), (0, 0), (0, 1), (1, 0), (1, 1), (1, 2)}
