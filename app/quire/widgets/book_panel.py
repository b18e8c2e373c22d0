"""The chapters of the book, beside the page."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTreeView, QVBoxLayout, QWidget

from quire.domain.tree import Node, Tree
from quire.theme.fonts import interface_font

_NODE_ID = Qt.ItemDataRole.UserRole


class BookPanel(QFrame):
    """Lists the parts, chapters and scenes of a book of several texts.

    document_chosen: with the number of the text that the writer wants to see.
    """

    document_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bookPanel")
        self._model = QStandardItemModel(self)
        self.view = QTreeView(self)
        self.view.setObjectName("bookTree")
        self.view.setModel(self._model)
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(True)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName(self.tr("Chapters"))
        self.view.setIndentation(14)
        self.view.setFont(interface_font())
        self.view.activated.connect(self._choose)
        self.view.clicked.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view, 1)

    def show_tree(self, tree: Tree, document_id: int) -> None:
        """List the texts of a book and mark the one that is open."""
        self._model.clear()
        for node in tree.children(tree.book.node_id):
            self._model.appendRow(self._item(tree, node))
        self.view.expandAll()
        self.mark(document_id)

    def mark(self, document_id: int) -> None:
        """Mark the text that is open."""
        start = self._model.index(0, 0)
        if not start.isValid():
            return
        flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
        for index in self._model.match(start, _NODE_ID, document_id, 1, flags):
            self.view.setCurrentIndex(index)

    def _item(self, tree: Tree, node: Node) -> QStandardItem:
        item = QStandardItem(" ".join(node.title.split()) or self.tr("Untitled"))
        item.setData(node.node_id, _NODE_ID)
        item.setToolTip(item.text())
        item.setSelectable(node.kind.has_text)
        for child in tree.children(node.node_id):
            if child.trashed is None:
                item.appendRow(self._item(tree, child))
        return item

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        if index.flags() & Qt.ItemFlag.ItemIsSelectable:
            self.document_chosen.emit(int(index.data(_NODE_ID)))
