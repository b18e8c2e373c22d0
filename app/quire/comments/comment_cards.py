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
    """Keeps the cards of comments, and passes on what the writer does with them.

    A card is built when it is needed: hundreds of them would hold up the window for seconds.

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
        self._comments: dict[int, Comment] = {}
        self._cards: dict[int, CommentCard] = {}
        self._new: Comment | None = None
        self._active: int | None = None
        self._may_edit = False
        themes.changed.connect(self._dress)

    @property
    def cards(self) -> tuple[CommentCard, ...]:
        """Return the cards of all comments in their order, built if they were not."""
        return tuple(map(self._card_of, self._comments.values()))

    @property
    def first_card(self) -> CommentCard | None:
        """Return the card of the first comment."""
        first = next(iter(self._comments.values()), None)
        return None if first is None else self._card_of(first)

    def card(self, comment_id: int) -> CommentCard | None:
        """Return the card of a comment."""
        comment = self._comments.get(comment_id)
        return None if comment is None else self._card_of(comment)

    def activate(self, comment_id: int | None) -> None:
        """Emphasise one card."""
        self._active = comment_id
        for number, card in self._cards.items():
            card.set_active(on=number == comment_id)
        self._place()

    def edit(self, comment_id: int, text: str | None = None) -> None:
        """Begin to change a comment; with a text, go on with what could not be stored."""
        if (card := self.card(comment_id)) is not None:
            card.edit(text=text)
            self._place()

    def begin(self, comment: Comment) -> None:
        """Show a new card, and write in it."""
        self._new = comment
        self._show(self._stored)
        self.edit(NEW)

    def end(self) -> None:
        """Remove the card of a comment that was being written."""
        if self._new is not None:
            self._new = None
            self._show(self._stored)

    def take_unstored(self) -> list[tuple[int, str]]:
        """Return what is being written, by comment, and end it."""
        texts = [(number, card.take_unstored()) for number, card in self._cards.items()]
        return [(comment_id, text) for comment_id, text in texts if text]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Lead from card to card with the arrow keys."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        focused = next((number for number, card in self._cards.items() if card.hasFocus()), None)
        if step is None or focused is None:
            super().keyPressEvent(event)
            return
        numbers = list(self._comments)
        place = numbers.index(focused) + step
        if 0 <= place < len(numbers) and (card := self.card(numbers[place])) is not None:
            self._reveal(card)
            card.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------ for subclasses
    def _show(self, comments: Sequence[Comment]) -> None:
        """Show these comments, and the new one where it belongs among them."""
        comments = list(comments)
        if self._new is not None:
            comments.insert(self._place_among(comments, self._new), self._new)
        self._comments = {comment.comment_id: comment for comment in comments}
        for number in [number for number in self._cards if number not in self._comments]:
            card = self._cards.pop(number)
            card.blockSignals(True)
            card.hide()
            card.deleteLater()
        for number, card in self._cards.items():
            card.show_comment(self._comments[number], may_edit=self._may_edit)
            card.set_active(on=number == self._active)
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
    @property
    def _stored(self) -> list[Comment]:
        return [comment for number, comment in self._comments.items() if number != NEW]

    @property
    def _place_of_cards(self) -> QWidget:
        """The widget that cards are built in: another parent later would style them again."""
        return self

    def _card_of(self, comment: Comment) -> CommentCard:
        if (card := self._cards.get(comment.comment_id)) is None:
            card = self._cards[comment.comment_id] = self._made(comment)
            card.show_comment(comment, may_edit=self._may_edit)
            card.set_active(on=comment.comment_id == self._active)
        return card

    def _made(self, comment: Comment) -> CommentCard:
        card = CommentCard(comment, self._place_of_cards, quotes=self._quotes)
        card.hide()  # until it is placed
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
        for card in self._cards.values():
            card.set_tokens(self._themes.tokens)
