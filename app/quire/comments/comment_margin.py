"""The margin beside the text: a card for each comment, at the height of its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer, Slot
from PySide6.QtGui import QHideEvent, QShowEvent, QTextCursor

from quire.comments.comment_card import CommentCard
from quire.comments.comment_cards import CommentCards
from quire.comments.comment_layer import NEW
from quire.domain.manuscript.comments import Comment
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.theme.theme_switch import ThemeSwitch

WIDTH_PX = 224
_EDGE_PX = 8
_GAP_PX = 8
_LEAST_HEIGHT_PX = 48
"""No card is lower, with the gap below it."""


def spread(wanted: Sequence[int], heights: Sequence[int], active: int | None) -> list[int]:
    """Return where cards begin so that none covers another, each close to where it is wanted.

    Args:
        wanted: heights of the words, in order.
        active: the card that is exactly at its words; those above give way upwards.
    """
    tops = list[int]()
    for number, top in enumerate(wanted):
        free = top if not number else tops[-1] + heights[number - 1] + _GAP_PX
        tops.append(top if number == active else max(top, free))
    for number in range((active or 0) - 1, -1, -1):
        tops[number] = min(tops[number], tops[number + 1] - heights[number] - _GAP_PX)
    return tops


class CommentMargin(CommentCards):
    """Shows the open comments on the open text where the window is wide enough.

    Args:
        place_of: returns where the words of a comment begin and end, as document positions.
    """

    def __init__(
        self,
        editor: ManuscriptEditor,
        themes: ThemeSwitch,
        place_of: Callable[[int], tuple[int, int] | None],
    ) -> None:
        super().__init__(themes, editor)
        self.setObjectName("commentMargin")
        self.setAccessibleName(self.tr("Comments in the margin"))
        self._editor, self._place_of = editor, place_of
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._place)
        for moved in (editor.verticalScrollBar().valueChanged, editor.verticalScrollBar().rangeChanged):
            moved.connect(self._place_soon)
        editor.document().contentsChange.connect(self._place_soon)
        editor.viewport().installEventFilter(self)
        self.hide()

    @property
    def has_room(self) -> bool:
        """Return whether the cards fit beside the column."""
        return self._editor.room_beside >= WIDTH_PX

    def show_comments(self, comments: Sequence[Comment], *, may_edit: bool) -> None:
        """Show the comments on the open text."""
        self._may_edit = may_edit
        self._show([one for one in comments if not one.resolved])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the text."""
        if event.type() is QEvent.Type.Resize:
            self._place_soon()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        """Move the column to the left as far as the cards need."""
        super().showEvent(event)
        self._editor.keep_room_beside(WIDTH_PX)

    def hideEvent(self, event: QHideEvent) -> None:
        """Centre the column again."""
        super().hideEvent(event)
        self._editor.keep_room_beside(0)

    @Slot()
    def _place_soon(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    @Slot()
    def _place(self) -> None:
        """Place every card beside its words."""
        is_wanted = bool(self._comments) and self.has_room
        if is_wanted is self.isHidden():
            self.setVisible(is_wanted)
        if not self.isVisible():
            return
        view = self._editor.viewport().geometry()
        self.setGeometry(view.right() + 1, view.top(), WIDTH_PX, view.height())
        near = self._near()
        for number in self._cards.keys() - set(near):
            self._cards[number].hide()
        self._spread([self._card_of(self._comments[number]) for number in near], list(map(self._top, near)))

    def _near(self) -> list[int]:
        """Return the comments whose cards are in view, or move those that are, in order."""
        first, last = self._reach()
        near = [number for number in self._comments if first <= self._start(number) <= last]
        near = [number for number in near if number in self._cards or self._has_place(number)]
        most = 2 * (self.height() // _LEAST_HEIGHT_PX + 1)
        active = next((place for place, number in enumerate(near) if number in (self._active, NEW)), 0)
        begin = max(active - most // 2, 0)
        return near[begin : begin + most]

    def _reach(self) -> tuple[int, int]:
        """Return the document positions half a view above what is in view, and half a view below."""
        width, height = self._editor.viewport().width(), self.height()
        edges = QPoint(0, -height // 2), QPoint(width, height + height // 2)
        first, last = (self._editor.cursorForPosition(edge).position() for edge in edges)
        return first, last

    def _has_place(self, comment_id: int) -> bool:
        """Return whether the words of a comment are in the document, unless they are known to be lost."""
        place = self._place_of(comment_id)
        return self._comments[comment_id].is_lost or (place is not None and place[0] < place[1])

    def _start(self, comment_id: int) -> int:
        place = self._place_of(comment_id)
        return 0 if place is None else min(place[0], self._editor.document().characterCount() - 1)

    def _spread(self, cards: Sequence[CommentCard], wanted: list[int]) -> None:
        """Place cards at their words; those out of view are hidden."""
        view_height = self.height()
        heights = [card.height_at(WIDTH_PX - 2 * _EDGE_PX) for card in cards]
        active = next((n for n, card in enumerate(cards) if card.property("active") is True), None)
        if active is not None and 0 <= wanted[active] < view_height:
            wanted[active] = min(wanted[active], view_height - heights[active] - _GAP_PX)
        for card, top, height in zip(cards, spread(wanted, heights, active), heights, strict=True):
            is_in_view = top < view_height and top + height > 0
            if is_in_view:
                card.setGeometry(_EDGE_PX, top, WIDTH_PX - 2 * _EDGE_PX, height)
            if is_in_view is card.isHidden():
                card.setVisible(is_in_view)

    def _top(self, comment_id: int) -> int:
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(self._start(comment_id))
        return self._editor.cursorRect(cursor).top()

    def _reveal(self, card: CommentCard) -> None:
        self.chosen.emit(card.comment.comment_id, False)
