"""The tree of the book as a Qt model; edits by the writer are requested, not applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractItemModel,
    QByteArray,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QUuid,
    Signal,
)

from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.domain.manuscript.tree_edits import Spot
from quire.domain.manuscript.tree_requests import BookEdit, Move, Rename, Trash
from quire.domain.manuscript.tree_rows import (
    FIRST_NODE,
    KIND_OF_GROUP,
    ROOT,
    Group,
    TreeRow,
    kept_in_order,
    key_of,
    rows_of,
)
from quire.domain.manuscript.word_counts import Words
from quire.system.number_text import number_text
from quire.ui.tree_labels import TreeLabels

Index = QModelIndex | QPersistentModelIndex
MIME_TYPE = "application/x-quire-text"
_NOWHERE = QModelIndex()


class Column(IntEnum):
    """The columns of the tree."""

    TITLE = 0
    WRITTEN = 1
    DRAFTED = 2
    STATUS = 3


class TreeRole(IntEnum):
    """The roles of a row besides Qt's own.

    Attributes:
        NODE: the Node, None for a group.
        WORDS: of it and all below it.
        IS_OPEN: whether its text is shown.
        IN_TRASH: whether it is in the trash.
    """

    NODE = Qt.ItemDataRole.UserRole
    WORDS = Qt.ItemDataRole.UserRole + 1
    IS_OPEN = Qt.ItemDataRole.UserRole + 2
    IN_TRASH = Qt.ItemDataRole.UserRole + 3
    IS_TARGET = Qt.ItemDataRole.UserRole + 4


class BookTreeModel(QAbstractItemModel):
    """The book, and beside it notes, characters, places and the trash.

    Signals:
        edit_asked: with a BookEdit, when a title was typed or something was dropped.

    Attributes:
        texts: the names on the screen.
    """

    edit_asked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.texts = TreeLabels(self)
        self._token = QUuid.createUuid().toString()
        self._tree: Tree | None = None
        self._rows: dict[int, TreeRow] = {ROOT: TreeRow(ROOT)}
        self._words: dict[int, Words] = {}
        self._sums: dict[int, Words] = {}
        self._open_id: int | None = None
        self._target_id: int | None = None
        self._read_only = False

    # ------------------------------------------------------------ input
    def open_tree(self, tree: Tree | None) -> None:
        """Show another book, or none."""
        self.beginResetModel()
        self._tree, self._words = tree, {}
        self._rows = {ROOT: TreeRow(ROOT)} if tree is None else rows_of(tree)
        self._add_up()
        self.endResetModel()

    def show_tree(self, tree: Tree) -> None:
        """Show the updated book; remaining rows keep their selection and expansion."""
        if self._tree is None:
            self.open_tree(tree)
            return
        wanted = rows_of(tree)
        for key in [key for key in self._rows if key not in wanted]:
            if key in self._rows:  # not removed with its former parent row
                self._remove(key)
        before, self._tree = self._tree, tree
        if not self._settle(ROOT, wanted):
            self.beginResetModel()
            self._rows = wanted
            self.endResetModel()
        self._add_up()
        self._notify_changes(before)

    def show_words(self, words: Mapping[int, Words]) -> None:
        """Set the word counts of some texts."""
        counted = [key_of(node_id) for node_id in words if self._words.get(node_id) != words[node_id]]
        self._words |= words
        changed = set[int]()
        for key in counted:
            while key in self._rows and self._sum(key) and key != ROOT:
                changed.add(key)
                key = self._rows[key].parent
        for key in changed:
            self._notify(key)

    def show_open(self, document_id: int | None) -> None:
        """Set which text is shown."""
        before, self._open_id = self._open_id, document_id
        self._notify_nodes(before, document_id)

    def show_target(self, document_id: int | None) -> None:
        """Set the text in which Continue writes; None: in none."""
        before, self._target_id = self._target_id, document_id
        self._notify_nodes(before, document_id)

    def set_read_only(self, *, read_only: bool) -> None:
        """Set whether the project is read-only; then nothing can be edited."""
        self._read_only = read_only

    # ------------------------------------------------------------ queries
    @property
    def tree(self) -> Tree | None:
        """Return the tree that is shown."""
        return self._tree

    @property
    def read_only(self) -> bool:
        """Return whether the project is read-only."""
        return self._read_only

    def words_in(self, node_id: int) -> Words:
        """Return the words of a text without those below it."""
        return self._words.get(node_id, Words())

    def index_of(self, node_id: int) -> QModelIndex:
        """Return the index of a node, invalid if it is not shown."""
        return self._index(key_of(node_id)) if key_of(node_id) in self._rows else QModelIndex()

    def index_of_group(self, group: Group) -> QModelIndex:
        """Return the index of a group."""
        return self._index(group.value) if group.value in self._rows else QModelIndex()

    def node_at(self, index: Index) -> Node | None:
        """Return the node of a row; None for a group, or without a row."""
        if self._tree is None or not index.isValid() or index.internalId() < FIRST_NODE:
            return None
        return self._tree.node(int(index.internalId()) - FIRST_NODE)

    def group_at(self, index: Index) -> Group | None:
        """Return the group of a row; None for a node."""
        key = int(index.internalId()) if index.isValid() else ROOT
        return Group(key) if ROOT < key < FIRST_NODE else None

    def is_in_trash(self, index: Index) -> bool:
        """Return whether a row is in the trash."""
        node = self.node_at(index)
        return self._tree is not None and node is not None and tree_edits.in_trash(self._tree, node.node_id)

    # ------------------------------------------------------------ QAbstractItemModel
    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of child rows; only the first column has any."""
        if parent.isValid() and parent.column() != Column.TITLE:
            return 0
        return len(self._rows[_key_at(parent)].children) if _key_at(parent) in self._rows else 0

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return len(Column)

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        """Return the index of a row."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, self._rows[_key_at(parent)].children[row])

    def parent(self, child: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        """Return the parent row."""
        row = self._rows.get(_key_at(child))
        return QModelIndex() if row is None or row.parent == ROOT else self._index(row.parent)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a row."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        node = self.node_at(index)
        if self._read_only:
            return flags
        if node is None or not self.is_in_trash(index):
            flags |= Qt.ItemFlag.ItemIsDropEnabled
        if node is not None and node.kind is not NodeKind.BOOK:
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        if node is not None and index.column() == Column.TITLE and not self.is_in_trash(index):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the header of a column."""
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return [self.tr("Title"), self.tr("Written"), self.tr("Drafted"), self.tr("Status")][section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the data of a cell."""
        if not index.isValid():
            return None
        key, node = int(index.internalId()), self.node_at(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(index)
            case Qt.ItemDataRole.EditRole if index.column() == Column.TITLE:
                return "" if node is None else node.title
            case Qt.ItemDataRole.ToolTipRole:
                return self._tool_tip(index)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(index)
            case TreeRole.NODE:
                return node
            case TreeRole.WORDS:
                return self._sums.get(key, Words())
            case TreeRole.IS_OPEN:
                return node is not None and node.node_id == self._open_id
            case TreeRole.IS_TARGET:
                return node is not None and node.node_id == self._target_id
            case TreeRole.IN_TRASH:
                return self.is_in_trash(index)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Request another title; it is shown once it is stored."""
        node = self.node_at(index)
        title = tree_edits.cleaned_title(str(value))
        if node is None or role != Qt.ItemDataRole.EditRole or not title or title == node.title:
            return False
        self.edit_asked.emit(Rename(node.node_id, title))
        return True

    # ------------------------------------------------------------ drag and drop
    def supportedDragActions(self) -> Qt.DropAction:
        """Return that dragging moves rows."""
        return Qt.DropAction.MoveAction

    def supportedDropActions(self) -> Qt.DropAction:
        """Return that dropping moves rows."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        """Return the type of dragged rows."""
        return [MIME_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the first of the dragged rows; other windows of Quire do not accept it."""
        data = QMimeData()
        node = next((node for node in map(self.node_at, indexes) if node is not None), None)
        if node is not None:
            data.setData(MIME_TYPE, QByteArray(f"{self._token} {node.node_id}".encode()))
        return data

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Return whether something can be dropped here."""
        return self._request_of(data, row, parent) is not None

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Request the move of a dropped row; it is shown once it is stored."""
        request = self._request_of(data, row, parent)
        if request is None or action is not Qt.DropAction.MoveAction:
            return False
        self.edit_asked.emit(request)
        return True

    def dragged(self, data: QMimeData) -> Node | None:
        """Return what is dragged; None where it is no row of this book, or nothing can be edited."""
        token, _, number = data.data(MIME_TYPE).toStdString().partition(" ")
        is_ours = self._tree is not None and token == self._token and key_of(int(number)) in self._rows
        return self._tree.node(int(number)) if self._tree and is_ours and not self._read_only else None

    def _request_of(self, data: QMimeData, row: int, parent: Index) -> BookEdit | None:
        node = self.dragged(data)
        if self._tree is None or node is None:
            return None
        if self.group_at(parent) is Group.TRASH:
            return None if tree_edits.in_trash(self._tree, node.node_id) else Trash(node.node_id)
        spot = self._spot(node, row, parent)
        return Move(node.node_id, spot) if spot and tree_edits.fits(self._tree, node.node_id, spot) else None

    def _spot(self, node: Node, row: int, parent: Index) -> Spot | None:
        """Return the target of something dropped on a row, or into it before a row."""
        group, onto = self.group_at(parent), self.node_at(parent)
        children = self._rows[_key_at(parent)].children
        before = children[row] - FIRST_NODE if 0 <= row < len(children) else None
        if group is not None:
            return Spot(None, before) if KIND_OF_GROUP.get(group) is node.kind else None
        if onto is None or self.is_in_trash(parent):
            return None
        if tree_edits.may_lie_in(node.kind, onto.kind):
            return Spot(onto.node_id, before)
        if row >= 0 or self._tree is None:
            return None
        beside = self._rows[
            self._rows[_key_at(parent)].parent
        ].children  # dropped on a row of the same kind: after it
        behind = beside[self._rows[_key_at(parent)].place + 1 :]
        in_notes = onto.parent_id is None and onto.kind is not node.kind
        return None if in_notes else Spot(onto.parent_id, behind[0] - FIRST_NODE if behind else None)

    # ------------------------------------------------------------ inside
    def _shown(self, index: Index) -> str:
        node, group = self.node_at(index), self.group_at(index)
        if group is not None:
            return self.texts.group(group) if index.column() == Column.TITLE else ""
        if node is None:
            return ""
        words = self._sums.get(int(index.internalId()), Words())
        match index.column():
            case Column.TITLE:
                return self.texts.title(node)
            case Column.WRITTEN:
                return number_text(words.written)
            case Column.DRAFTED:
                return number_text(words.drafted)
            case _:
                return self.texts.status(node.status) if node.status is not Status.NONE else ""

    def _notify_nodes(self, *node_ids: int | None) -> None:
        for node_id in node_ids:
            if node_id is not None and key_of(node_id) in self._rows:
                self._notify(key_of(node_id))

    def _tool_tip(self, index: Index) -> str:
        node = self.node_at(index)
        if node is None:
            return self.tr("Kept for 30 days") if self.group_at(index) is Group.TRASH else ""
        words = self.texts.words(self._sums.get(int(index.internalId()), Words()))
        return "\n".join(line for line in (self.texts.title(node), words, node.synopsis.strip()) if line)

    def _spoken(self, index: Index) -> str:
        node = self.node_at(index)
        if node is None or index.column() != Column.TITLE:
            return self._shown(index)
        words = self.texts.words(self._sums.get(_key_at(index), Words()))
        said = [self.texts.title(node), self.texts.kind(node.kind), words]
        if node.status is not Status.NONE:
            said.append(self.texts.status(node.status))
        if node.node_id == self._target_id:
            said.append(self.tr("Continue writes here"))
        if not node.exported:
            said.append(self.tr("not exported"))
        return ", ".join(said)

    def _index(self, key: int, column: int = Column.TITLE) -> QModelIndex:
        return QModelIndex() if key == ROOT else self.createIndex(self._rows[key].place, column, key)

    def _notify(self, key: int) -> None:
        self.dataChanged.emit(self._index(key), self._index(key, len(Column) - 1))

    def _notify_changes(self, before: Tree) -> None:
        known = {node.node_id: node for node in before.nodes}
        for node in self._tree.nodes if self._tree is not None else ():
            if known.get(node.node_id, node) != node and key_of(node.node_id) in self._rows:
                self._notify(key_of(node.node_id))

    def _remove(self, key: int) -> None:
        row = self._rows[key]
        self.beginRemoveRows(self._index(row.parent), row.place, row.place)
        self._rows[row.parent].children.pop(row.place)
        self._number(row.parent)
        waiting = [key]
        while waiting:
            waiting += self._rows.pop(waiting.pop()).children
        self.endRemoveRows()

    def _settle(self, parent: int, wanted: Mapping[int, TreeRow]) -> bool:
        """Sort the child rows of one into an order; return False if Qt does not allow a move."""
        keys = wanted[parent].children
        staying = kept_in_order(self._rows[parent].children, keys)
        place = 0
        for key in keys:
            if key not in self._rows:
                self._insert(key, parent, place)
            elif key not in staying and not self._move(key, parent, place):
                return False
            place = self._rows[key].place + 1
        return all(self._settle(key, wanted) for key in keys)

    def _insert(self, key: int, parent: int, place: int) -> None:
        self.beginInsertRows(self._index(parent), place, place)
        self._rows[key] = TreeRow(parent)
        self._rows[parent].children.insert(place, key)
        self._number(parent)
        self.endInsertRows()

    def _move(self, key: int, parent: int, place: int) -> bool:
        """Move a row before another; return whether Qt allows it."""
        row = self._rows[key]
        old, source = row.parent, row.place
        if old == parent and source in (place, place - 1):
            return True
        if not self.beginMoveRows(self._index(old), source, source, self._index(parent), place):
            return False
        self._rows[old].children.pop(source)
        self._rows[parent].children.insert(place - (old == parent and source < place), key)
        row.parent = parent
        self._number(old)
        self._number(parent)
        self.endMoveRows()
        return True

    def _number(self, parent: int) -> None:
        for place, key in enumerate(self._rows[parent].children):
            self._rows[key].place = place

    def _add_up(self) -> None:
        """Sum up the words of every row with those below it."""
        self._sums = {}
        order = [ROOT]
        for key in order:
            order += self._rows[key].children
        for key in reversed(order):
            self._sum(key)

    def _sum(self, key: int) -> bool:
        """Sum up the words of a row with those below it; return whether that is another number."""
        before = self._sums.get(key)
        below = (self._sums[child] for child in self._rows[key].children)
        self._sums[key] = sum(below, self._words.get(key - FIRST_NODE, Words()))
        return before != self._sums[key]


def _key_at(index: Index) -> int:
    return int(index.internalId()) if index.isValid() else ROOT
