"""The book as a table in reading order: synopsis, status, length."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)

from quire.domain.manuscript.tree import Node, Status
from quire.domain.manuscript.tree_requests import SetStatus, SetSynopsis
from quire.domain.manuscript.word_counts import Words
from quire.manuscript.tree_model import BookTreeModel, TreeRole
from quire.system.number_text import number_text

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_INDENT = "    "


class OutlineColumn(IntEnum):
    """The columns of the outline."""

    TITLE = 0
    SYNOPSIS = 1
    STATUS = 2
    WRITTEN = 3
    DRAFTED = 4
    GOAL = 5

    @property
    def is_number(self) -> bool:
        """Return whether it contains numbers."""
        return self >= OutlineColumn.WRITTEN


class OutlineTable(QAbstractTableModel):
    """The rows of the tree that belong to the book; edits are requested, and shown once stored.

    Signals:
        edit_asked: with a BookEdit.
    """

    edit_asked = Signal(object)

    def __init__(self, book: BookTreeModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._nodes: list[Node] = []
        self._rows: dict[int, int] = {}
        self._depths: dict[int, int] = {}
        self._goals: dict[int, int] = {}
        self._reading = QTimer(self)  # the tree has its new rows only when all of them were announced
        self._reading.setSingleShot(True)
        self._reading.setInterval(0)
        self._reading.timeout.connect(self._read)
        for changed in (book.rowsInserted, book.rowsRemoved, book.rowsMoved):
            changed.connect(self._read_soon)
        book.modelReset.connect(self._read)
        book.dataChanged.connect(self._read_one)
        self._read()

    # ------------------------------------------------------------ input
    def show_goals(self, goals: Mapping[int, int]) -> None:
        """Set the word goals of some texts."""
        self._goals = dict(goals)
        self._notify_all()

    # ------------------------------------------------------------ queries
    def node_at(self, index: Index) -> Node | None:
        """Return the part, chapter or scene of a row."""
        return self._nodes[index.row()] if index.isValid() else None

    def row_of(self, node_id: int) -> int | None:
        """Return the row of a node, or None."""
        return self._rows.get(node_id)

    def as_csv(self, rows: Iterable[int] | None = None) -> str:
        """Return some rows, or all, as a table for spreadsheets."""
        written = io.StringIO()
        table = csv.writer(written, lineterminator="\n")
        table.writerow([self.tr("Kind"), *(self._heading(column) for column in OutlineColumn)])
        for row in range(len(self._nodes)) if rows is None else rows:
            node, words = self._nodes[row], self._words(self._nodes[row])
            status = "" if node.status is Status.NONE else self._book.texts.status(node.status)
            figures = [words.written, words.drafted, self._goals.get(node.node_id, "")]
            texts_of_row = [
                self._book.texts.kind(node.kind),
                self._book.texts.title(node),
                node.synopsis.strip(),
                status,
            ]
            table.writerow([*map(_quiet, texts_of_row), *figures])
        return written.getvalue()

    # ------------------------------------------------------------ QAbstractTableModel
    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of texts."""
        return 0 if parent.isValid() else len(self._nodes)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(OutlineColumn)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a cell: synopsis and status can be edited."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        is_open = index.column() in (OutlineColumn.SYNOPSIS, OutlineColumn.STATUS)
        return flags | Qt.ItemFlag.ItemIsEditable if is_open and not self._book.read_only else flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the header of a column."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heading(OutlineColumn(section))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(OutlineColumn(section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the data of a cell."""
        node = self.node_at(index)
        if node is None:
            return None
        column = OutlineColumn(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(node, column)
            case Qt.ItemDataRole.EditRole if column is OutlineColumn.SYNOPSIS:
                return node.synopsis
            case Qt.ItemDataRole.EditRole if column is OutlineColumn.STATUS:
                return node.status.value
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{self._heading(column)}: {self._shown(node, column).strip()}"
            case Qt.ItemDataRole.ToolTipRole if column is OutlineColumn.SYNOPSIS:
                return node.synopsis.strip()
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Request another synopsis or status."""
        node = self.node_at(index)
        if (
            node is None
            or role != Qt.ItemDataRole.EditRole
            or not self.flags(index) & Qt.ItemFlag.ItemIsEditable
        ):
            return False
        if index.column() == OutlineColumn.SYNOPSIS and str(value) != node.synopsis:
            self.edit_asked.emit(SetSynopsis(node.node_id, str(value)))
            return True
        if index.column() == OutlineColumn.STATUS and Status(str(value)) is not node.status:
            self.edit_asked.emit(SetStatus(node.node_id, Status(str(value))))
            return True
        return False

    # ------------------------------------------------------------ inside
    @Slot()
    def _read(self) -> None:
        """Read the rows of the tree; keep the selection if they are the same."""
        tree = self._book.tree
        nodes = [] if tree is None else list(tree.reading_order())
        if [node.node_id for node in nodes] == [node.node_id for node in self._nodes]:
            self._nodes = nodes
            self._notify_all()
            return
        self.beginResetModel()
        self._nodes = nodes
        self._rows = {node.node_id: row for row, node in enumerate(nodes)}
        self._depths = {}
        for node in nodes:
            above = -1 if node.parent_id is None else self._depths.get(node.parent_id, -1)
            self._depths[node.node_id] = above + 1
        self.endResetModel()

    @Slot()
    def _read_soon(self) -> None:
        self._reading.start()

    @Slot(QModelIndex)
    def _read_one(self, index: QModelIndex) -> None:
        """Update one row from the tree."""
        node = self._book.node_at(index)
        row = None if node is None else self._rows.get(node.node_id)
        if node is not None and row is not None:
            self._nodes[row] = node
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(OutlineColumn) - 1))

    def _notify_all(self) -> None:
        if self._nodes:
            last = self.index(len(self._nodes) - 1, len(OutlineColumn) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _heading(self, column: OutlineColumn) -> str:
        return {
            OutlineColumn.TITLE: self.tr("Title"),
            OutlineColumn.SYNOPSIS: self.tr("Synopsis"),
            OutlineColumn.STATUS: self.tr("Status"),
            OutlineColumn.WRITTEN: self.tr("Written"),
            OutlineColumn.DRAFTED: self.tr("Drafted"),
            OutlineColumn.GOAL: self.tr("Goal"),
        }[column]

    def _shown(self, node: Node, column: OutlineColumn) -> str:
        words = self._words(node)
        match column:
            case OutlineColumn.TITLE:
                return _INDENT * self._depths[node.node_id] + self._book.texts.title(node)
            case OutlineColumn.SYNOPSIS:
                return " ".join(node.synopsis.split())
            case OutlineColumn.STATUS:
                return self._book.texts.status(node.status) if node.status is not Status.NONE else ""
            case OutlineColumn.WRITTEN:
                return number_text(words.written)
            case OutlineColumn.DRAFTED:
                return number_text(words.drafted)
            case OutlineColumn.GOAL:
                goal = self._goals.get(node.node_id)
                return "" if goal is None else number_text(goal)

    def _words(self, node: Node) -> Words:
        words = self._book.index_of(node.node_id).data(TreeRole.WORDS)
        return words if isinstance(words, Words) else Words()


def _alignment(column: OutlineColumn) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _quiet(text: str) -> str:
    """Return a text that no spreadsheet interprets as a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
