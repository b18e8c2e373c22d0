"""Undo and redo over typing and drafts: whatever was done, redo is the exact inverse of undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.utf16_positions import Utf16Positions

_OPENING = "The lake was frozen."
_SENTENCE = " alpha beta gamma delta."


class Desk:
    """An editor whose drafts are undone and redone as the project does it: by showing another text.

    Attributes:
        starts: where the drafts in the text begin, in characters; a project keeps that with each text.
        aside: texts that end with a draft that was undone, the latest one last.
    """

    def __init__(self) -> None:
        self.editor = ManuscriptEditor()
        self.editor.history.switch_to(1)
        self.editor.show_text(_OPENING)
        self.starts: list[int] = []
        self.aside: list[str] = []
        self._known: dict[str, tuple[int, ...]] = {}

    def write(self, place: int, removed: int, words: str) -> None:
        """Replace some words at a place as the writer would; places beyond the end are the end."""
        self._known[self.editor.text()] = tuple(self.starts)
        text, cursor = self.editor.text(), QTextCursor(self.editor.document())
        places = Utf16Positions(text)
        cursor.setPosition(places.to_document(min(place, len(text))))
        end = places.to_document(min(place + removed, len(text)))
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(words)
        place = min(place, len(text))
        gone = min(removed, len(text) - place)
        self.starts = [
            start if start <= place else max(place, start - gone) + len(words) for start in self.starts
        ]
        self.aside.clear()

    def draft(self, words: str, beside: Sequence[tuple[int, int, str]] = ()) -> None:
        """Append a draft; beside: what the writer does above it meanwhile."""
        self.editor.begin_drafting()
        self.starts.append(len(self.editor.text()))
        self.editor.append_drafted(words)
        for place, removed, typed in beside:
            above = max(0, self.starts[-1] - 1)
            self.write(min(place, above), min(removed, above - min(place, above)), typed)
        self.editor.end_drafting()
        self.aside.clear()

    def undo(self) -> bool:
        """Undo what comes first, as the window does; return whether there was anything."""
        if self.editor.history.draft_is_last and self.starts:
            self.aside.append(self.editor.text())
            self.editor.show_text(self.editor.text()[: self.starts.pop()])
            return True
        return self._moved(self.editor.undo)

    def redo(self) -> bool:
        """Redo what was undone last; return whether there was anything."""
        if self.editor.history.draft_is_next and self.aside:
            self.starts.append(len(self.editor.text()))
            self.editor.show_text(self.aside.pop())
            return True
        return self._moved(self.editor.redo)

    def _moved(self, move: Callable[[], None]) -> bool:
        before = self.editor.text()
        self._known[before] = tuple(self.starts)
        move()
        self.starts = list(self._known.get(self.editor.text(), self.starts))
        return self.editor.text() != before

    def texts(self, move: Callable[[], bool]) -> list[str]:
        """Return the text now and after each move, until there is nothing more to do."""
        found = [self.editor.text()]
        while move():
            found.append(self.editor.text())
        return found


def type_on(desk: Desk, words: str) -> None:
    for letter in words:
        desk.write(len(desk.editor.text()), 0, letter)


def test_words_typed_after_a_draft_come_back_with_it(qtbot: QtBot) -> None:
    desk = Desk()
    desk.draft(" It was a cold morning.")
    type_on(desk, _SENTENCE)
    written = desk.editor.text()
    assert desk.texts(desk.undo)[-1] == _OPENING
    assert desk.texts(desk.redo)[-1] == written


def test_words_typed_after_a_draft_of_an_earlier_start_come_back_after_it(qtbot: QtBot) -> None:
    desk, drafted = Desk(), " It was a cold morning."
    desk.editor.history.forget()
    desk.editor.history.switch_to(1)
    desk.editor.show_text(_OPENING + drafted)  # the draft is older than this history
    type_on(desk, _SENTENCE)
    written = desk.editor.text()
    while desk.editor.can_undo:
        desk.editor.undo()
    assert desk.editor.text() == _OPENING + drafted
    desk.editor.show_text(_OPENING)  # as when the project undoes its last draft
    assert desk.editor.history.draft_is_next
    assert not desk.editor.can_redo
    desk.editor.redo()
    assert desk.editor.text() == _OPENING  # no word is put where it never stood
    desk.editor.show_text(_OPENING + drafted)
    while desk.editor.can_redo:
        desk.editor.redo()
    assert desk.editor.text() == written


def test_a_draft_that_is_undone_first_takes_changes_to_it_along_and_leaves_those_above(qtbot: QtBot) -> None:
    desk = Desk()
    desk.draft(" It was a cold morning.")
    type_on(desk, " Alas!")
    desk.write(4, 4, "pond")
    written = desk.editor.text()
    kept = "The pond was frozen."
    desk.editor.show_text(kept)
    assert desk.editor.can_undo
    desk.editor.undo()
    assert desk.editor.text() == _OPENING
    desk.editor.redo()
    desk.editor.show_text(written)
    texts = desk.texts(lambda: desk.editor.can_undo and desk._moved(desk.editor.undo))
    assert texts[0] == written
    assert texts[-1] == _OPENING + " It was a cold morning."


@pytest.mark.parametrize("other", ["", "The", "Another text altogether, as long as the first one or longer."])
def test_a_step_that_no_longer_fits_the_text_changes_nothing(qtbot: QtBot, other: str) -> None:
    desk = Desk()
    type_on(desk, _SENTENCE)
    while desk.editor.can_undo:
        desk.editor.undo()
    desk.editor.show_text(other)
    while desk.editor.can_redo:
        desk.editor.redo()
    assert desk.editor.text() == other


_CHANGES = st.tuples(
    st.integers(0, 60),
    st.sampled_from([0, 0, 1, 3, 12]),
    st.sampled_from(["", "x", " y", "\n", "né 😀", "two words"]),
)
_STEPS = st.one_of(
    _CHANGES,
    st.tuples(
        st.just("draft"),
        st.sampled_from([" One.", "\n\nTwo lines.\n", " 😀"]),
        st.lists(_CHANGES, max_size=2),
    ),
    st.sampled_from(["undo", "redo"]),
)


@given(st.lists(_STEPS, max_size=14))
def test_redo_is_the_exact_inverse_of_undo(qapp: object, steps: list[object]) -> None:
    desk = Desk()
    for step in steps:
        match step:
            case "undo":
                desk.undo()
            case "redo":
                desk.redo()
            case ("draft", str(words), list(beside)):
                desk.draft(words, beside)
            case (int(place), int(removed), str(words)):
                desk.write(place, removed, words)
    written = desk.editor.text()
    back = desk.texts(desk.undo)
    assert back[0] == written
    forward = desk.texts(desk.redo)
    assert forward[: len(back)] == back[::-1]
    while desk.undo():
        pass
    assert desk.editor.text() == back[-1]
