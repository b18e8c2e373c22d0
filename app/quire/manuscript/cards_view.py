"""The book as index cards in rows, rearranged by dragging or by keys."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from quire.manuscript.book_view import BookView
from quire.manuscript.card_delegate import GAP_PX, CardDelegate
from quire.manuscript.cards_model import CardTable, Index
from quire.manuscript.outline_model import OutlineColumn, OutlineTable
from quire.manuscript.tree_model import BookTreeModel
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.scroll_bars import keep_room_for_scroll_bar
from quire.theme.text_size import scaled
from quire.theme.theme_switch import ThemeSwitch

_CARD_PX = 224
"""Least width of a card with its gap; cards share what is left of a row."""
_MARK_PX = 3.0
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class CardsView(BookView):
    """Shows an index card for each part, chapter and scene of the outline.

    Signals:
        chosen: the number of the text whose card was selected.
        shift_asked: -1 to move the selected card towards the beginning, 1 towards the end.

    Attributes:
        outline: the table behind the cards, which requests other synopses.
    """

    chosen = Signal(int)
    shift_asked = Signal(int)

    def __init__(
        self, outline: OutlineTable, book: BookTreeModel, themes: ThemeSwitch, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._themes, self.outline = themes, outline
        self.table = CardTable(outline, book, self)
        self.view = CardList(self.table, book, self)
        self.hint.show_text(
            self.tr("Drag a card, or move it with Ctrl and the arrow keys. F2 edits the synopsis.")
        )
        self.lay_out(self.tr("Index Cards"), self.view)
        self.table.edit_asked.connect(self.edit_asked)
        self.view.doubleClicked.connect(self._open)
        self.view.shift_asked.connect(self.shift_asked)
        self.view.chosen.connect(self.chosen)
        themes.changed.connect(self._dress)
        self._dress()

    def go_to(self, node_id: int) -> None:
        """Select the card of a text."""
        card = self.table.card(node_id)
        if card.isValid():
            self.view.setCurrentIndex(card)
            self.view.scrollTo(card)

    def open_chosen(self) -> None:
        """Open the text of the selected card."""
        self._open(self.view.currentIndex())

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        node = self.table.node_at(index)
        if node is not None:
            self.document_chosen.emit(node.node_id)

    @Slot()
    def _dress(self) -> None:
        self.view.set_tokens(self._themes.tokens)


class CardList(QListView):
    """Cards from left to right, and a mark between two of them where a dragged one would go.

    Signals:
        chosen, shift_asked: as those of CardsView.
    """

    chosen = Signal(int)
    shift_asked = Signal(int)

    def __init__(self, table: CardTable, book: BookTreeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cards")
        self._table, self._tokens = table, LIGHT
        self._delegate = CardDelegate(book.texts, self)
        self._mark: tuple[QModelIndex, bool] | None = None
        self._asked: tuple[QModelIndex, bool] | None = None
        self._fits = False  # the dragged card, where it was asked for last
        self._kept: tuple[int, int] | None = None
        self.setModel(table)
        self.setModelColumn(OutlineColumn.SYNOPSIS)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Index cards"))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setUniformItemSizes(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keep_room_for_scroll_bar(self)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.SelectedClicked
        )
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(False)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        table.modelAboutToBeReset.connect(self._keep_place)
        table.modelReset.connect(self._restore_place)

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of a theme, and the size of the text."""
        self._tokens = tokens
        self._delegate.set_tokens(tokens)
        self._fill_rows()
        self.viewport().update()

    # ------------------------------------------------------------ events
    def currentChanged(self, current: Index, previous: Index) -> None:
        """Emit which card was selected."""
        super().currentChanged(current, previous)
        node = self._table.node_at(current)
        if node is not None and self._kept is None:
            self.chosen.emit(node.node_id)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the cards fill the rows."""
        self._fill_rows()
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the card with Ctrl and an arrow; leave Return and Esc to the view around it."""
        key = Qt.Key(event.key())
        if key in _STEPS and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.shift_asked.emit(_STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show where the card would go."""
        super().dragMoveEvent(event)  # it scrolls at the edges
        gap = self._gap_at(event.position().toPoint())
        if gap != self._asked:
            move = None if gap is None else self._table.move_for(event.mimeData(), gap[0], after=gap[1])
            self._asked, self._fits = gap, move is not None
        self._show_mark(gap if self._fits else None)
        event.setAccepted(self._fits)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Show no place any more."""
        super().dragLeaveEvent(event)
        self._end_drag()

    def dropEvent(self, event: QDropEvent) -> None:
        """Request the move."""
        gap = self._gap_at(event.position().toPoint())
        super().dropEvent(event)  # it ends the scrolling
        self._end_drag()
        if gap is not None and self._table.drop(event.mimeData(), gap[0], after=gap[1]):
            event.setDropAction(Qt.DropAction.MoveAction)
            event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cards, and the mark."""
        super().paintEvent(event)
        if self._mark is None or not self._mark[0].isValid():
            return
        rect = self.visualRect(self._mark[0])
        x = rect.right() + 1 if self._mark[1] else rect.left()
        painter = QPainter(self.viewport())
        painter.setPen(
            QPen(QColor(self._tokens.accent), _MARK_PX, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        )
        x = min(max(x, 2), self.viewport().width() - 2)
        painter.drawLine(x, rect.top() + GAP_PX, x, rect.bottom() - GAP_PX)

    # ------------------------------------------------------------ inside
    def _fill_rows(self) -> None:
        width = self.viewport().width() - 1  # a row that fills it to the last pixel would wrap
        self._delegate.set_width(width // max(width // scaled(_CARD_PX), 1))
        self.scheduleDelayedItemsLayout()

    def _gap_at(self, at: QPoint) -> tuple[QModelIndex, bool] | None:
        """Return the card at a point, or the last one before it, and whether its right half is meant."""
        index = self.indexAt(at)
        if index.isValid():
            return index, at.x() > self.visualRect(index).center().x()
        last = self._table.index(self._table.rowCount() - 1, OutlineColumn.SYNOPSIS)
        return (last, True) if last.isValid() and _is_behind(at, self.visualRect(last)) else None

    def _show_mark(self, mark: tuple[QModelIndex, bool] | None) -> None:
        if mark != self._mark:
            self._mark = mark
            self.viewport().update()

    def _end_drag(self) -> None:
        self._asked, self._fits = None, False
        self._show_mark(None)

    @Slot()
    def _keep_place(self) -> None:
        node = self._table.node_at(self.currentIndex())
        self._kept = (0 if node is None else node.node_id, self.verticalScrollBar().value())
        self._end_drag()

    @Slot()
    def _restore_place(self) -> None:
        """Select the same card again once rows are in another order: the model was reset."""
        if self._kept is None:
            return
        node_id, scrolled = self._kept
        card = self._table.card(node_id)
        if card.isValid():
            self.executeDelayedItemsLayout()
            self.verticalScrollBar().setValue(scrolled)
            self.setCurrentIndex(card)
            self.scrollTo(card)
        self._kept = None


def _is_behind(at: QPoint, last: QRect) -> bool:
    """Return whether a point is to the right of the last card, or below it."""
    return at.y() > last.bottom() or (at.y() >= last.top() and at.x() > last.right())
