from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication

from quire.domain.manuscript.spelling import Judge, WordList
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.spelling_layer import SpellingLayer
from quire.theme.colour_tokens import DARK, LIGHT

RIGHT = re.compile(r"it|rained|all|night|the|and|she|said|came|don't|a|paragraph", re.IGNORECASE)


class InstantDictionary(QObject):
    """Answers at once; can be told to keep its answers back."""

    def __init__(self, layer: SpellingLayer) -> None:
        super().__init__(layer)
        self.layer = layer
        self.asked: list[tuple[str, ...]] = []
        self.is_slow = False
        layer.words_wanted.connect(self.answer)

    @Slot(object)
    def answer(self, words: Sequence[str]) -> None:
        self.asked.append(tuple(words))
        if not self.is_slow:
            self.give(words)

    def give(self, words: Sequence[str]) -> None:
        right = [word for word in words if RIGHT.fullmatch(word)]
        self.layer.learn(right, [word for word in words if word not in right])

    @property
    def words(self) -> list[str]:
        return [word for words in self.asked for word in words]


class Page:
    """An editor whose spelling is checked."""

    def __init__(self, editor: ManuscriptEditor) -> None:
        self.editor = editor
        self.judge = Judge()
        self.layer = SpellingLayer(editor, editor.layers, self.judge)
        self.dictionary = InstantDictionary(self.layer)

    def show(self, text: str) -> None:
        self.editor.show_text(text)
        self.layer.set_on(on=True)
        self.settle()

    def settle(self) -> None:
        """Let everything happen that waits for its time."""
        while self.layer._put_off:
            self.layer._take_turn()
        self.layer._ask()
        self.layer._mark_again()
        QApplication.processEvents()

    @property
    def marked(self) -> list[str]:
        words = []
        block = self.editor.document().firstBlock()
        while block.isValid():
            raw = block.text().encode("utf-16-le")
            for part in block.layout().formats():
                if part.format.underlineStyle() is QTextCharFormat.UnderlineStyle.SpellCheckUnderline:
                    words.append(raw[2 * part.start : 2 * (part.start + part.length)].decode("utf-16-le"))
            block = block.next()
        return words


@pytest.fixture
def page(qtbot: Any) -> Page:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.resize(900, 500)
    editor.show()
    return Page(editor)


def move_to(page: Page, position: int) -> None:
    caret = page.editor.textCursor()
    caret.setPosition(position)
    page.editor.setTextCursor(caret)


def test_words_in_doubt_are_marked_and_nothing_else_changes(page: Page, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(page.editor.edited):
        page.show("It raned all nite.\n😀 She siad: don’t!")
    assert page.marked == ["raned", "nite", "siad"]
    assert page.editor.text() == "It raned all nite.\n😀 She siad: don’t!"
    assert not page.editor.document().isModified()
    assert not page.editor.can_undo


def test_marks_come_by_themselves(page: Page, qtbot: Any) -> None:
    page.editor.show_text("It raned all nite.")
    with qtbot.waitSignal(page.layer.caught_up):
        page.layer.set_on(on=True)
    qtbot.waitUntil(lambda: page.marked == ["raned", "nite"])


def test_what_is_seen_is_asked_first_and_everything_once(page: Page, qtbot: Any) -> None:
    paragraphs = [f"raned{'x' * number} nite" for number in range(300)]
    page.editor.show_text("\n".join(paragraphs))
    with qtbot.waitSignal(page.layer.caught_up):
        page.layer.set_on(on=True)
    first = page.dictionary.asked[0]
    assert f"raned{'x' * 58}" not in first
    qtbot.waitUntil(lambda: page.editor.layers.is_done and not page.layer.is_waiting)
    words = page.dictionary.words
    assert len(words) == len(set(words))
    assert len(words) == 300 - (300 - 56) + 1  # what is longer than a word can be is not asked for


def test_switching_off_takes_the_marks_off(page: Page) -> None:
    page.show("It raned.")
    page.layer.set_on(on=False)
    page.settle()
    assert page.marked == []
    assert page.layer.misspelling_at(5) is None
    assert page.layer.next_misspelling(0) is None


def test_the_word_that_is_typed_is_left_alone_until_it_is_finished(page: Page, qtbot: Any) -> None:
    page.show("It ")
    qtbot.keyClicks(page.editor, "raned")
    page.settle()
    assert page.marked == []
    assert "ran" not in page.dictionary.words
    qtbot.keyClicks(page.editor, " ")
    page.settle()
    assert page.marked == ["raned"]


def test_leaving_a_word_finishes_it_and_coming_back_does_not_unmark_it(page: Page, qtbot: Any) -> None:
    page.show("It \nall night")
    move_to(page, 3)
    qtbot.keyClicks(page.editor, "raned")
    page.settle()
    assert page.marked == []
    move_to(page, 12)
    page.settle()
    assert page.marked == ["raned"]
    move_to(page, 5)
    page.settle()
    assert page.marked == ["raned"]


def test_a_mended_word_loses_its_mark(page: Page, qtbot: Any) -> None:
    page.show("It raned all night")
    assert page.marked == ["raned"]
    move_to(page, 5)
    qtbot.keyClicks(page.editor, "i")
    assert page.marked == []
    move_to(page, 0)
    page.settle()
    assert page.marked == []
    assert page.editor.text() == "It rained all night"


def test_only_the_changed_paragraph_is_asked_about_again(page: Page, qtbot: Any) -> None:
    page.show("It raned\nall nite")
    before = len(page.dictionary.asked)
    qtbot.keyClicks(page.editor, "x ")
    page.settle()
    assert page.dictionary.asked[before:] == [("nitex",)]
    assert page.marked == ["raned", "nitex"]


def test_the_wet_tail_of_a_draft_is_left_alone_until_the_paragraph_is_finished(page: Page) -> None:
    page.show("It raned. She sa")
    page.dictionary.asked.clear()
    page.editor.begin_drafting()
    page.settle()
    assert page.marked == ["raned"]
    page.editor.append_drafted("id nothng")
    page.settle()
    assert page.marked == ["raned"]
    assert page.dictionary.words == []
    page.editor.append_drafted(".\nAll nite lon")
    page.settle()
    assert page.marked == ["raned", "nothng"]
    page.editor.append_drafted("gg")
    page.editor.end_drafting()
    page.settle()
    page.settle()
    assert page.marked == ["raned", "nothng", "nite", "longg"]


def test_what_is_typed_above_a_draft_is_left_alone_until_it_is_finished(page: Page) -> None:
    page.show("It \nall night")
    page.editor.begin_drafting()
    page.editor.append_drafted("\nand ")
    caret = page.editor.textCursor()
    caret.setPosition(3)
    page.editor.setTextCursor(caret)
    for letter in "raned":
        page.editor.textCursor().insertText(letter)
        page.editor.append_drafted("came ")
        page.settle()
        assert page.marked == []
    assert "ran" not in page.dictionary.words
    move_to(page, 0)
    page.settle()
    assert page.marked == ["raned"]


def test_a_second_draft_leaves_what_the_first_one_wrote_marked(page: Page) -> None:
    page.show("It ")
    page.editor.begin_drafting()
    page.editor.append_drafted("raned ")
    page.editor.end_drafting()
    page.settle()
    page.settle()
    assert page.marked == ["raned"]
    page.editor.begin_drafting()
    page.editor.append_drafted("nite ")
    page.settle()
    assert page.marked == ["raned"]


def test_other_words_are_right_for_another_judge(page: Page) -> None:
    page.show("Aelin’s sword came. Aelin sed nothing.")
    page.judge.word_list = WordList(["Aelin"])
    page.layer.restart()
    page.settle()
    assert page.marked == ["sword", "sed", "nothing"]


def test_doubts_are_found_where_they_are(page: Page) -> None:
    page.show("😀 raned\nall nite and")
    misspelling = page.layer.misspelling_at(3)
    assert misspelling is not None
    assert (misspelling.word.text, misspelling.start, misspelling.end) == ("raned", 3, 8)
    assert page.layer.misspelling_at(8) == misspelling
    assert page.layer.misspelling_at(9) is None
    following = page.layer.next_misspelling(4)
    assert following is not None
    assert following.word.text == "nite"
    assert page.layer.next_misspelling(following.end) == misspelling  # after the last comes the first
    assert page.layer.next_misspelling(0) == misspelling


def test_where_nothing_is_in_doubt_there_is_no_next(page: Page) -> None:
    page.show("It rained\n\nall night")
    assert page.layer.next_misspelling(0) is None


def test_the_only_word_in_doubt_is_found_from_behind_it(page: Page) -> None:
    page.show("It raned all night")
    misspelling = page.layer.next_misspelling(8)
    assert misspelling is not None
    assert misspelling.start == 3


def test_replacing_is_one_step_that_can_be_undone(page: Page, qtbot: Any) -> None:
    page.show("😀 She dont’t. It raned.")
    misspelling = page.layer.next_misspelling(0)
    assert misspelling is not None
    with qtbot.waitSignal(page.editor.edited):
        page.layer.replace(misspelling, "don't")
    assert page.editor.text() == "😀 She don’t. It raned."
    page.editor.undo()
    assert page.editor.text() == "😀 She dont’t. It raned."


def test_a_word_that_is_not_there_any_more_is_not_replaced(page: Page, qtbot: Any) -> None:
    page.show("It raned")
    misspelling = page.layer.next_misspelling(0)
    assert misspelling is not None
    page.editor.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClick(page.editor, Qt.Key.Key_Delete)
    page.layer.replace(misspelling, "rained")
    assert page.editor.text() == "t raned"
    page.editor.show_text("")
    page.layer.replace(misspelling, "rained")
    assert page.editor.text() == ""


def test_a_locked_text_is_not_replaced(page: Page) -> None:
    page.show("It raned")
    misspelling = page.layer.next_misspelling(0)
    assert misspelling is not None
    page.editor.set_locked(locked=True)
    page.layer.replace(misspelling, "rained")
    assert page.editor.text() == "It raned"


def test_it_is_waiting_as_long_as_answers_are_missing(page: Page) -> None:
    page.dictionary.is_slow = True
    page.show("It raned")
    assert page.layer.is_waiting
    assert page.layer.next_misspelling(0) is None
    page.dictionary.give(page.dictionary.words)
    assert not page.layer.is_waiting
    assert page.layer.next_misspelling(0) is not None


def test_another_text_is_judged_whole(page: Page) -> None:
    page.show("It raned")
    page.editor.show_text("All nite")
    page.layer.restart()
    page.settle()
    assert page.marked == ["nite"]


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_marks_take_the_colour_of_the_theme(page: Page, tokens: Any) -> None:
    page.show("It raned")
    page.layer.set_tokens(tokens)
    page.settle()
    (part,) = page.editor.document().firstBlock().layout().formats()
    assert part.format.underlineColor().name() == tokens.alarm


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.integers(0, 60), st.integers(0, 4), st.sampled_from(["", "raned ", "\n", "it", "😀", " "])
        ),
        max_size=8,
    )
)
def test_after_any_edits_the_marks_are_those_of_the_text(
    page: Page, edits: list[tuple[int, int, str]]
) -> None:
    page.show("It raned all nite.\nShe siad.")
    for position, removed, added in edits:
        cursor = page.editor.textCursor()
        last = page.editor.document().characterCount() - 1
        cursor.setPosition(min(position, last))
        cursor.setPosition(min(position + removed, last), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(added)
    page.layer.rest()
    page.editor.layers.refresh(page.layer)
    page.settle()
    edited = page.marked
    page.layer.restart()
    page.settle()
    page.settle()
    assert page.marked == edited
    words = re.findall(r"[^\W\d_]{2,}", page.editor.text())
    assert edited == [word for word in words if not RIGHT.fullmatch(word)]
