"""All comments of the book in the right panel, under the titles of their texts."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from quire.comments.comment_card import CommentCard
from quire.comments.comment_cards import CommentCards
from quire.comments.comment_layer import NEW
from quire.domain.manuscript.comments import Comment
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.calm_fields import CalmCombo
from quire.ui.form_parts import caption

if TYPE_CHECKING:  # SQLAlchemy is slow to import
    from quire.services.transactions.comment_changes import CommentedText

_AT_ONCE = 8
"""Cards that are built before other events have their turn."""


class CommentsPanel(CommentCards):
    """Lists the comments on the open text or on the whole book."""

    def __init__(self, themes: ThemeSwitch, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(themes, parent, quotes=True)
        self._action = action
        self.setAccessibleName(self.tr("Comments"))
        self._texts: Sequence[CommentedText] = ()
        self._open_id: int | None = None
        self._titles: list[QLabel] = []
        self._arranged: list[tuple[str | None, list[int]]] | None = None  # None: not as it is now
        self._to_place: deque[str | int] = deque()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._place_more)
        self._text_of: dict[int, int] = {}
        self.scope_box = CalmCombo(self)
        self.scope_box.setAccessibleName(self.tr("Comments on"))
        self.scope_box.addItems([self.tr("This text"), self.tr("The whole book")])
        self.resolved_box = QCheckBox(self.tr("Show resolved"), self)
        self.hint = caption(self)
        self.list = QWidget(self)
        self._column = QVBoxLayout(self.list)
        self._column.setContentsMargins(0, 0, 4, 0)
        self._column.setSpacing(8)
        self._column.addStretch(1)
        self.area = QScrollArea(self)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidget(self.list)
        self.area.setFocusPolicy(self.area.focusPolicy().NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for part in (self.scope_box, self.resolved_box, self.hint):
            layout.addWidget(part)
        layout.addWidget(self.area, 1)
        self.scope_box.currentIndexChanged.connect(self._look)
        self.resolved_box.toggled.connect(self._look)
        action.changed.connect(self._say_how)  # the writer may have chosen other keys
        self._say_how()
        self._look()

    @property
    def title(self) -> str:
        """Return the title of its tab."""
        return self.tr("Comments")

    @property
    def shows_book(self) -> bool:
        """Return whether the comments on other texts are listed."""
        return self.scope_box.currentIndex() == 1

    def show_book(self) -> None:
        """List the comments on all texts."""
        self.scope_box.setCurrentIndex(1)

    def show_texts(self, texts: Sequence[CommentedText], open_id: int | None, *, may_edit: bool) -> None:
        """Show the comments of the book.

        Args:
            open_id: the open text.
        """
        self._texts, self._open_id, self._may_edit = texts, open_id, may_edit
        self._look()

    # ------------------------------------------------------------ inside
    @Slot()
    def _say_how(self) -> None:
        keys = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.hint.setText(
            self.tr("No comments here. Select words, and choose Edit > Comments > Comment ({0}).").format(
                keys
            )
            if keys
            else self.tr("No comments here. Select words, and choose Edit > Comments > Comment.")
        )

    @Slot()
    def _look(self) -> None:
        texts = [text for text in self._texts if self.shows_book or text.document_id == self._open_id]
        shown = [
            (text.document_id, one)
            for text in texts
            for one in text.comments
            if self.resolved_box.isChecked() or not one.resolved
        ]
        self._text_of = {one.comment_id: document_id for document_id, one in shown}
        self._show([one for _, one in shown])

    def showEvent(self, event: QShowEvent) -> None:
        """Lay out changes made while it was hidden."""
        super().showEvent(event)
        self._arrange()

    @property
    def _place_of_cards(self) -> QWidget:
        return self.list

    def _arrange(self) -> None:
        """Put the cards in order, below the titles of their texts where several are listed."""
        self.hint.setVisible(not self._comments)
        self.area.setVisible(bool(self._comments))
        if not self.isVisible():
            self._arranged = None  # cards may have gone that it names
            self._to_place.clear()
            return
        names = {text.document_id: text.title for text in self._texts}
        wanted = [
            (names.get(document_id, "") if self.shows_book else None, list(numbers))
            for document_id, numbers in groupby(self._comments, self._document_of)
        ]
        if wanted != self._arranged:  # mostly a save has changed neither order nor number
            self._arranged = wanted
            self._lay_out()

    def _lay_out(self) -> None:
        for title in self._titles:
            title.hide()
            title.deleteLater()
        self._titles = []
        for card in self._cards.values():
            self._column.removeWidget(card)
        self._to_place.clear()
        for name, numbers in self._arranged or ():
            self._to_place += [*([] if name is None else [name]), *numbers]
        self._place_more()

    @Slot()
    def _place_more(self, upto: int | None = None) -> None:
        """Place what has cards already, and some that are built for it; the rest after other work.

        Args:
            upto: all up to the card of this comment.
        """
        built = 0
        while self._to_place and (built < _AT_ONCE or upto in self._to_place):
            one = self._to_place.popleft()
            if isinstance(one, str):
                self._titles.append(caption(self.list))
                self._titles[-1].setText(one)
                self._append(self._titles[-1])
            elif one in self._comments:
                built += one not in self._cards
                self._append(self._card_of(self._comments[one]))
        if self._to_place:
            self._soon.start()

    def _append(self, part: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, part)
        part.show()

    def _place_among(self, comments: Sequence[Comment], new: Comment) -> int:
        order = [text.document_id for text in self._texts]
        here = order.index(self._open_id) if self._open_id in order else len(order)
        places = [(order.index(self._text_of[one.comment_id]), one.start) for one in comments]
        return sum(1 for place in places if place < (here, new.start))

    def _document_of(self, number: int) -> int:
        here = self._open_id or 0
        return here if number == NEW else self._text_of.get(number, here)

    def activate(self, comment_id: int | None) -> None:
        """Emphasise one card, and scroll to it."""
        super().activate(comment_id)
        card = None if comment_id is None or not self.isVisible() else self.card(comment_id)
        if card is not None:
            QTimer.singleShot(0, card, lambda: self._reveal(card))

    def edit(self, comment_id: int, text: str | None = None) -> None:
        """Begin to change a comment, where the writer sees it."""
        super().edit(comment_id, text)
        if (card := self.card(comment_id)) is not None:
            QTimer.singleShot(0, card, lambda: self._reveal(card))

    def _reveal(self, card: CommentCard) -> None:
        if (number := card.comment.comment_id) in self._to_place:
            self._place_more(upto=number)
            self._column.activate()
        self.area.ensureWidgetVisible(card, 0, 8)
