"""Items of a list that lie in one another: drawn further in."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListWidgetItem, QStyledItemDelegate, QStyleOptionViewItem

_DEPTH = Qt.ItemDataRole.UserRole + 10
_STEP_PX = 14
_DEEPEST = 5
"""Further in there would be no room for words."""


class IndentedItems(QStyledItemDelegate):
    """Draws each item as far in as its depth says."""

    @staticmethod
    def set_depth(item: QListWidgetItem, depth: int) -> None:
        """Say how many others an item lies in."""
        item.setData(_DEPTH, depth)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw an item further in."""
        moved = QStyleOptionViewItem(option)
        moved.rect.adjust(_indent(index), 0, 0, 0)
        super().paint(painter, moved, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Ask for the height of an item with so much less width."""
        moved = QStyleOptionViewItem(option)
        moved.rect.adjust(_indent(index), 0, 0, 0)
        return super().sizeHint(moved, index)


def _indent(index: QModelIndex | QPersistentModelIndex) -> int:
    depth = index.data(_DEPTH)
    return _STEP_PX * min(depth, _DEEPEST) if isinstance(depth, int) else 0
