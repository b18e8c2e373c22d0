"""The tree of the book as a widget."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from quire.manuscript.tree_delegate import TreeDelegate
from quire.manuscript.tree_model import BookTreeModel, Column
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.fonts import interface_font
from quire.theme.text_size import set_scaled_font

_INDENT_PX = 14
_CHEVRON_PX = 3.5
_EXPAND_MS = 600


class BookTreeView(QTreeView):
    """Shows the tree; rows can be dragged within it, and typing searches for a title.

    Signals:
        focused: it received the keyboard focus.
    """

    focused = Signal()

    def __init__(self, model: BookTreeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bookTree")
        self._tokens = LIGHT
        self._delegate = TreeDelegate(self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Manuscript"))
        set_scaled_font(self, interface_font)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT_PX)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(True)
        self.setAutoExpandDelay(_EXPAND_MS)
        for column in list(Column)[1:]:
            self.setColumnHidden(column, True)

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of a theme, and the size of the text."""
        self._tokens = tokens
        self._delegate.set_tokens(tokens)
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Emit that it received the focus."""
        super().focusInEvent(event)
        self.focused.emit()

    def drawBranches(
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a chevron before expandable rows; a style sheet that colours rows removes Qt's own.

        Qt extends the colour of the selected row to here, with a seam to the row's own shape.
        """
        painter.fillRect(rect, QColor(self._tokens.desk))
        model = self.model()
        if model is None or not model.hasChildren(index):
            return
        x, y, size = rect.right() - _INDENT_PX / 2, rect.center().y() + 0.5, _CHEVRON_PX
        if self.isExpanded(index):
            points = [
                QPointF(x - size, y - size / 2),
                QPointF(x, y + size / 2),
                QPointF(x + size, y - size / 2),
            ]
        else:
            points = [
                QPointF(x - size / 2, y - size),
                QPointF(x + size / 2, y),
                QPointF(x - size / 2, y + size),
            ]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._tokens.soft_ink), 1.4))
        painter.drawPolyline(points)
        painter.restore()
