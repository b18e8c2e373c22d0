"""The rows of the outline as index cards, which can be dragged to another place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QIdentityProxyModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.tree import Node
from quire.domain.manuscript.tree_requests import Move
from quire.manuscript.outline_model import OutlineColumn, OutlineTable
from quire.manuscript.tree_model import MIME_TYPE, BookTreeModel, TreeRole

Index = QModelIndex | QPersistentModelIndex


class CardTable(QIdentityProxyModel):
    """The outline with what a card shows besides the synopsis; edits are requested, and shown once stored.

    Signals:
        edit_asked: with a BookEdit, when a card was dropped.
    """

    edit_asked = Signal(object)

    def __init__(self, outline: OutlineTable, book: BookTreeModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._outline, self._book = outline, book
        self.setSourceModel(outline)

    def card(self, node_id: int) -> QModelIndex:
        """Return the card of a node, invalid if it is not in the book."""
        row = self._outline.row_of(node_id)
        return QModelIndex() if row is None else self.index(row, OutlineColumn.SYNOPSIS)

    def node_at(self, index: Index) -> Node | None:
        """Return the part, chapter or scene of a card."""
        return self._outline.node_at(self.mapToSource(index)) if index.isValid() else None

    def move_for(self, data: QMimeData, index: Index, *, after: bool) -> Move | None:
        """Return the move that dropping something before or after a card means; None where it can't lie."""
        tree, node, beside = self._book.tree, self._book.dragged(data), self.node_at(index)
        if tree is None or node is None or beside is None:
            return None
        spot = tree_edits.spot_beside(tree, node.node_id, beside.node_id, after=after)
        return None if spot is None else Move(node.node_id, spot)

    def drop(self, data: QMimeData, index: Index, *, after: bool) -> bool:
        """Request the move; return whether there is one."""
        move = self.move_for(data, index, after=after)
        if move is not None:
            self.edit_asked.emit(move)
        return move is not None

    # ------------------------------------------------------------ QIdentityProxyModel
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the data of a card; whatever is no text of the outline is that of the tree's row."""
        node = self.node_at(index)
        if node is None:
            return None
        row = self._book.index_of(node.node_id)
        if role in TreeRole.__members__.values() or role == Qt.ItemDataRole.ToolTipRole:
            return row.data(role)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            spoken = (str(row.data(role)), " ".join(node.synopsis.split()))
            return ". ".join(text for text in spoken if text)
        return super().data(index, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a card: it can be dragged, unless nothing can be edited."""
        flags = super().flags(index)
        if not index.isValid() or self._book.read_only:
            return flags
        return flags | Qt.ItemFlag.ItemIsDragEnabled

    def supportedDragActions(self) -> Qt.DropAction:
        """Return that dragging moves cards."""
        return Qt.DropAction.MoveAction

    def supportedDropActions(self) -> Qt.DropAction:
        """Return that dropping moves cards."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        """Return the type of dragged cards: that of the tree's rows, so that either takes the other's."""
        return [MIME_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the dragged card."""
        nodes = [node for node in map(self.node_at, indexes) if node is not None]
        return self._book.mimeData([self._book.index_of(node.node_id) for node in nodes])

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Return False: a place between cards is chosen by drop()."""
        return False

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Drop nothing: a place between cards is chosen by drop()."""
        return False
