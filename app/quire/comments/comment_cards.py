"""A place of the window that shows comments as cards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from quire.comments.comment_card import CommentCard
from quire.comments.comment_layer import NEW
from quire.domain.manuscript.comments import Comment
from quire.theme.theme_switch import ThemeSwitch


class CommentCards(QFrame):
    """Keeps a card for each comment, and passes on what the writer does with them.

    Signals:
        chosen, activated, saved, dropped, resolve_asked, delete_asked: as those of a card.
    """

    chosen = Signal(int, bool)
    activated = Signal(int)
    saved = Signal(int, str)
    dropped = Signal(int)
    resolve_asked = Signal(int, bool)
    delete_asked = Signal(int)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None, *, quotes: bool = False) -> None:
        super().__init__(parent)
        self._themes, self._quotes = themes, quotes
        self._cards: dict[int, CommentCard] = {}
        self._new: Comment | None = None
        self._active: int | None = None
        self._may_edit = False
        themes.changed.connect(self._dress)

    @property
    def cards(self) -> tuple[CommentCard, ...]:
        """Return the cards in their order."""
        return tuple(self._cards.values())

    def card(self, comment_id: int) -> CommentCard | None:
        """Return the card of a comment."""
        return self._cards.get(comment_id)

    def activate(self, comment_id: int | None) -> None:
        """Emphasise one card."""
        self._active = comment_id
        for number, card in self._cards.items():
            card.set_active(on=number == comment_id)
        self._place()

    def edit(self, comment_id: int, text: str | None = None) -> None:
        """Begin to change a comment; with a text, go on with what could not be stored."""
        if (card := self._cards.get(comment_id)) is not None:
            card.edit(text=text)
            self._place()

    def begin(self, comment: Comment) -> None:
        """Show a new card, and write in it."""
        self._new = comment
        self._show([card.comment for card in self.cards if card.comment.comment_id != NEW])
        self.edit(NEW)

    def end(self) -> None:
        """Remove the card of a comment that was being written."""
        if self._new is not None:
            self._new = None
            self._show([card.comment for card in self.cards if card.comment.comment_id != NEW])

    def take_unstored(self) -> list[tuple[int, str]]:
        """Return what is being written, by comment, and end it."""
        texts = [(card.comment.comment_id, card.take_unstored()) for card in self.cards]
        return [(comment_id, text) for comment_id, text in texts if text]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Lead from card to card with the arrow keys."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        focused = next((number for number, card in enumerate(self.cards) if card.hasFocus()), None)
        if step is None or focused is None:
            super().keyPressEvent(event)
        elif 0 <= focused + step < len(self.cards):
            self._reveal(self.cards[focused + step])
            self.cards[focused + step].setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------ for subclasses
    def _show(self, comments: Sequence[Comment]) -> None:
        """Show these comments, and the new one where it belongs among them."""
        comments = list(comments)
        if self._new is not None:
            comments.insert(self._place_among(comments, self._new), self._new)
        known, self._cards = self._cards, {}
        for comment in comments:
            card = known.pop(comment.comment_id, None) or self._made(comment)
            card.show_comment(comment, may_edit=self._may_edit)
            card.set_active(on=comment.comment_id == self._active)
            self._cards[comment.comment_id] = card
        for card in known.values():
            card.blockSignals(True)
            card.hide()
            card.deleteLater()
        self._arrange()
        self._place()

    def _place_among(self, comments: Sequence[Comment], new: Comment) -> int:
        """Return where a new comment belongs in the list."""
        return sum(1 for one in comments if one.start < new.start)

    def _arrange(self) -> None:
        """Put new cards where they belong."""

    def _place(self) -> None:
        """Place cards whose height or number has changed."""

    def _place_soon(self) -> None:
        """Place cards once all of them are as they will be."""

    def _reveal(self, card: CommentCard) -> None:
        """Make a card visible."""

    # ------------------------------------------------------------ inside
    def _made(self, comment: Comment) -> CommentCard:
        card = CommentCard(comment, self, quotes=self._quotes)
        card.set_tokens(self._themes.tokens)
        for mine, its in (
            (self.chosen, card.chosen), (self.activated, card.activated), (self.saved, card.saved),
            (self.dropped, card.dropped), (self.resolve_asked, card.resolve_asked),
            (self.delete_asked, card.delete_asked),
        ):  # fmt: skip
            its.connect(mine)
        card.resized.connect(self._resized)
        return card

    @Slot()
    def _resized(self) -> None:
        self._place_soon()

    @Slot()
    def _dress(self) -> None:
        for card in self.cards:
            card.set_tokens(self._themes.tokens)
