"""Comments in a real window over a real project: written, read, gone to, undone."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quire.comments.comment_card import CommentCard
from quire.comments.comment_cards import CommentCards
from quire.comments.comment_margin import spread
from quire.comments.comments_panel import CommentsPanel
from quire.comments.controller import CommentsController
from quire.domain.drafting.chapter_advance_rules import Turn
from quire.domain.manuscript.comments import anchored, unplaced
from quire.errors import WriterProblem
from quire.services.transactions import comment_changes
from quire.services.transactions.comment_changes import comments_in_book
from quire.services.transactions.project_creation import create_cut
from tests.app.project_window import ProjectWindow
from tests.app.project_window import play as play_window
from tests.app.services.books import FERRY, HARBOUR, make_book
from tests.benchmarks.app.latency_probes import turns_until


class Desk:
    """A window with comments."""

    def __init__(self, shown: ProjectWindow) -> None:
        self.shown, self.editor, self.panels = shown, shown.window.editor, list[CommentsPanel]()
        self.actions = shown.window.commands
        app: Any = shown.app
        app.steering = SimpleNamespace(
            dock=SimpleNamespace(add=lambda panel, title: None), show_beside=self.panels.append
        )
        self.part = CommentsController(app)

    def select(self, words: str) -> None:
        """Select words of the open text."""
        start, caret = self.editor.text().index(words), self.editor.textCursor()
        caret.setPosition(start)
        caret.setPosition(start + len(words), QTextCursor.MoveMode.KeepAnchor)
        self.editor.setTextCursor(caret)

    async def write(self, words: str, text: str) -> CommentCard:
        """Comment on words with the keyboard."""
        self.select(words)
        self.actions.comment.trigger()
        field = self.card_in_hand.field
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
        await self.shown.settle()
        return next(card for card in self.part.margin.cards if card.comment.text == text)

    @property
    def card_in_hand(self) -> CommentCard:
        cards = (*self.part.margin.cards, *self.part.panel.cards)
        return next(card for card in cards if card.is_editing)

    async def stored(self) -> dict[int, list[tuple[str, str]]]:
        """Return what is stored: words and comments, by text."""
        book = await self.shown.session.read(comments_in_book)
        return {text.document_id: [(one.words, one.text) for one in text.comments] for text in book}

    @property
    def marked(self) -> list[str]:
        """Return the words that have a mark."""
        text, found = self.editor.text(), list[str]()
        block = self.editor.document().begin()
        while block.isValid():
            for mark in self.part.layer.marks_of(block):
                start = block.position() + mark.start
                found.append(text[start : start + mark.length])
            block = block.next()
        return found


Scenario = Callable[[Desk], Coroutine[Any, Any, None]]


@pytest.fixture
def play(qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path) -> Callable[[Scenario], None]:
    """Play a scenario with the small book of the services' tests, in a wide window."""

    def run(scenario: Scenario) -> None:
        make_book(tmp_path / "novel.quire")

        def make(shown: ProjectWindow) -> None:
            shown.window.resize(1360, 800)
            shown.parts.append(Desk(shown))

        async def with_desk(shown: ProjectWindow) -> None:
            desk = shown.parts[0]
            assert isinstance(desk, Desk)
            await scenario(desk)

        play_window(qapp, run_async, tmp_path / "novel.quire", with_desk, make)

    return run


def test_a_comment_is_written_beside_its_words_and_edited(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        card = await desk.write("slept", "Do gulls sleep?")
        assert await desk.stored() == {HARBOUR: [("slept", "Do gulls sleep?")]}
        assert desk.marked == ["slept"]
        assert desk.part.margin.isVisible()
        assert "slept" in card.accessibleName()
        assert "Do gulls sleep?" in card.accessibleName()
        card.edit_button.click()
        QTest.keyClicks(card.field, " Yes.")
        QTest.keyClick(card.field, Qt.Key.Key_Escape)
        await desk.shown.settle()
        assert await desk.stored() == {HARBOUR: [("slept", "Do gulls sleep?")]}
        card.edit_button.click()
        QTest.keyClicks(card.field, " Yes.")
        card.save_button.click()
        await desk.shown.settle()
        assert await desk.stored() == {HARBOUR: [("slept", "Do gulls sleep? Yes.")]}

    play(scenario)


def test_without_a_selection_the_paragraph_has_the_comment(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        desk.select("")
        desk.actions.comment.trigger()
        assert desk.marked == ["The harbour lay still."]
        QTest.keyClick(desk.card_in_hand.field, Qt.Key.Key_Escape)
        assert desk.marked == []
        assert desk.part.margin.cards == ()
        await desk.shown.settle()
        assert await desk.stored() == {}

    play(scenario)


def test_a_comment_keeps_to_its_words_while_the_writer_types(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.write("slept", "Do gulls sleep?")
        desk.select("")
        QTest.keyClicks(desk.editor, "It was late. ")
        assert desk.marked == ["slept"]
        await desk.shown.current.autosave.store()
        desk.select("Nobody spoke. The gulls slept on the roofs.")
        QTest.keyClick(desk.editor, Qt.Key.Key_Delete)
        await desk.shown.current.autosave.store()
        await desk.shown.settle()
        (card,) = desk.part.margin.cards
        assert card.comment.is_lost
        assert card.state.text()
        desk.editor.undo()
        await desk.shown.current.autosave.store()
        await desk.shown.settle()
        assert desk.marked == ["slept"]
        assert not card.comment.is_lost

    play(scenario)


def test_resolving_and_deleting_can_be_undone(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        card, chain = await desk.write("slept", "Do gulls sleep?"), desk.shown.window.undo_chain
        card.resolve_button.click()
        await desk.shown.settle()
        assert desk.marked == []
        assert not [*desk.part.margin.cards, *desk.part.panel.cards]
        desk.part.panel.resolved_box.setChecked(True)
        assert [one.comment.resolved for one in list(desk.part.panel.cards)] == [True]
        chain.undo()
        await desk.shown.settle()
        assert desk.marked == ["slept"]
        QTest.keyClick(desk.part.margin.cards[0], Qt.Key.Key_Delete)
        await desk.shown.settle()
        assert await desk.stored() == {}
        chain.undo()
        await desk.shown.settle()
        assert await desk.stored() == {HARBOUR: [("slept", "Do gulls sleep?")]}

    play(scenario)


def test_the_next_comment_may_be_in_another_text(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.write("still", "How still?")
        await desk.shown.opener.open_document(FERRY)
        await desk.write("ferry", "Which one?")
        desk.part.panel.show_book()
        assert [card.comment.text for card in desk.part.panel.cards] == ["How still?", "Which one?"]
        seen = []
        for action in (desk.actions.next_comment, desk.actions.next_comment, desk.actions.previous_comment):
            action.trigger()
            await desk.shown.settle()
            caret = desk.editor.textCursor().position()
            seen.append((desk.shown.session.document_id, desk.editor.text()[caret : caret + 5]))
        assert seen == [(HARBOUR, "still"), (FERRY, "ferry"), (HARBOUR, "still")]

    play(scenario)


def test_in_a_narrow_window_comments_are_in_the_panel(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        desk.shown.window.resize(880, 480)
        desk.select("slept")
        desk.actions.comment.trigger()
        assert desk.panels == [desk.part.panel]
        assert desk.part.margin.isHidden()
        assert desk.card_in_hand in desk.part.panel.cards

    play(scenario)


def test_the_panel_names_the_keys_that_the_writer_chose(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        hint = desk.part.panel.hint
        assert hint.text().endswith("> Comment (Ctrl+Shift+C).")
        desk.actions.comment.setShortcut("Ctrl+Alt+N")
        assert hint.text().endswith("> Comment (Ctrl+Alt+N).")
        desk.actions.comment.setShortcuts([])
        assert hint.text().endswith("> Comment.")

    play(scenario)


def test_a_save_leaves_the_panel_as_it_is_laid_out(
    play: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    laid_out, was = list[int](), CommentsPanel._lay_out

    def lay_out(panel: CommentsPanel) -> None:
        laid_out.append(len(panel.cards))
        was(panel)

    monkeypatch.setattr(CommentsPanel, "_lay_out", lay_out)

    async def scenario(desk: Desk) -> None:
        desk.part.panel.show()
        await desk.write("slept", "Do gulls sleep?")
        before = list(laid_out)
        assert 1 in before
        desk.select("")
        QTest.keyClicks(desk.editor, "It was late. ")
        await desk.shown.current.autosave.store()
        await desk.shown.settle()
        assert laid_out == before
        await desk.write("roofs", "Which?")
        assert laid_out[-1] == 2

    play(scenario)


def test_the_panel_lists_comments_again_that_changed_while_it_was_hidden(
    play: Callable[[Scenario], None],
) -> None:
    async def scenario(desk: Desk) -> None:
        panel, opener = desk.part.panel, desk.shown.opener
        await desk.write("still", "How still?")
        panel.show()
        await turns_until(lambda: visible(panel) == ["How still?"])
        panel.hide()
        await opener.open_document(FERRY)
        await desk.shown.settle()
        await opener.open_document(HARBOUR)
        await desk.shown.settle()
        panel.show()
        await turns_until(lambda: visible(panel) == ["How still?"])

    play(scenario)


def test_cards_are_built_where_they_are_seen(
    qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path
) -> None:
    text = "\n\n".join(f"The gulls slept on roof {number:02}." for number in range(60))
    places = [(text.index(f"roof {number:02}"), number) for number in range(60)]
    comments = [
        anchored(unplaced(number + 1, f"Roof {number}?", "Anna", datetime.now(UTC)), text, start, start + 7)
        for start, number in places
    ]
    create_cut(tmp_path / "gulls.quire", "Gulls", text, comments=comments)

    async def scenario(shown: ProjectWindow) -> None:
        desk = shown.parts[0]
        assert isinstance(desk, Desk)
        margin, panel = desk.part.margin, desk.part.panel
        desk.editor.moveCursor(QTextCursor.MoveOperation.Start)
        await turns_until(lambda: visible(margin)[:1] == ["Roof 0?"])
        assert len(margin.findChildren(CommentCard)) < 40
        desk.actions.previous_comment.trigger()
        await shown.settle()
        await turns_until(lambda: visible(margin)[-1:] == ["Roof 59?"])
        assert "Roof 0?" not in visible(margin)
        assert not panel.findChildren(CommentCard)
        panel.show()
        await turns_until(lambda: visible(panel) == [comment.text for comment in comments])

    def make(shown: ProjectWindow) -> None:
        shown.window.resize(1360, 800)
        shown.parts.append(Desk(shown))

    play_window(qapp, run_async, tmp_path / "gulls.quire", scenario, make)


def visible(cards: CommentCards) -> list[str]:
    """Return the comments whose cards are there to be seen, from top to bottom."""
    found = [card for card in cards.findChildren(CommentCard) if card.isVisible()]
    return [card.comment.text for card in sorted(found, key=lambda card: card.y())]


def test_what_is_being_written_is_stored_before_another_text_is_shown(
    play: Callable[[Scenario], None],
) -> None:
    async def scenario(desk: Desk) -> None:
        desk.select("slept")
        desk.actions.comment.trigger()
        desk.card_in_hand.field.setPlainText("Do gulls sleep?")
        await desk.shown.opener.open_document(FERRY)
        await desk.shown.settle()
        assert await desk.stored() == {HARBOUR: [("slept", "Do gulls sleep?")]}
        assert desk.part.margin.cards == ()

    play(scenario)


@pytest.mark.parametrize(
    ("active", "tops"), [(None, [10, 68, 400]), (1, [-38, 20, 400]), (2, [10, 68, 400]), (0, [10, 68, 400])]
)
def test_cards_are_at_their_words_and_cover_no_other(active: int | None, tops: list[int]) -> None:
    assert spread([10, 20, 400], [50, 50, 50], active) == tops


def _no_room(*_arguments: object, **_named: object) -> None:
    raise WriterProblem("The disk is full.")


def test_what_cannot_be_stored_can_be_written_on_and_does_not_stop_closing(
    play: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(desk: Desk) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(comment_changes, "add", _no_room)
            with pytest.raises(WriterProblem):
                await desk.write("slept", "Do gulls sleep?")
            assert desk.card_in_hand.field.toPlainText() == "Do gulls sleep?"
        QTest.keyClick(desk.card_in_hand.field, Qt.Key.Key_Return)
        await desk.shown.settle()
        assert await desk.stored() == {HARBOUR: [("slept", "Do gulls sleep?")]}
        desk.part.margin.cards[0].edit_button.click()
        desk.card_in_hand.field.setPlainText("Do they?")
        monkeypatch.setattr(comment_changes, "change", _no_room)
        await desk.shown.session.close()
        assert "Do they?" in desk.shown.said

    play(scenario)


def test_a_new_comment_goes_with_its_words_when_a_draft_turns_the_page(
    play: Callable[[Scenario], None],
) -> None:
    async def scenario(desk: Desk) -> None:
        desk.select("rained")
        desk.actions.comment.trigger()
        desk.card_in_hand.field.setPlainText("How long?")
        session, place = desk.shown.session, desk.editor.text().index("Then")
        run = await desk.shown.begin_draft(HARBOUR, " It was late.")
        turned = await session.advance_chapter(Turn(place, "Two"), lambda: True)
        assert turned is not None
        session.open_draft_target()
        desk.editor.show_text(turned.rest.text)
        desk.shown.current.shown_id = turned.rest.document_id
        desk.shown.app.events.draft.chapter_turned(turned)
        await desk.shown.settle()
        assert await desk.stored() == {turned.rest.document_id: [("rained", "How long?")]}
        assert desk.marked == ["rained"]
        await desk.shown.end_draft(session.run(run.run_id))

    play(scenario)
