"""The book as a tree beside the page: parts, chapters and scenes, notes, characters, places and the trash."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QMessageBox,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript import tree_edits
from quire.domain.manuscript import tree_requests as requests
from quire.domain.manuscript.title_headings import next_title
from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.domain.manuscript.word_counts import Words
from quire.manuscript.row_commands import RowCommands, Target
from quire.manuscript.synopsis_panel import NodeDetails
from quire.manuscript.tree_model import BookTreeModel, TreeRole
from quire.manuscript.tree_view import BookTreeView
from quire.shell.actions import Actions
from quire.theme.theme_switch import ThemeSwitch

_SIZE = QSize(276, 400)
_MIN_WIDTH_PX = 220
_MAX_WIDTH_PX = 420
_MIN_HEIGHT_PX = 96
_DETAILS_PX = 160
_ROOM_FOR_DETAILS_PX = 380
"""Below this height the tree gets the whole panel: charts below a small window leave little room."""


class ManuscriptPanel(QFrame):
    """Shows the tree of a book and, below it, the details of the selected row.

    Signals:
        document_chosen: the text that the writer wants to see.
        write_asked: the writer wants to type in it, too.
        edit_asked: with a BookEdit.
        split_asked: call ask_to_split() with the position of the cursor.
        beside_asked: show a text beside the open one.

    Attributes:
        commands: of the window.
    """

    document_chosen = Signal(int)
    write_asked = Signal()
    edit_asked = Signal(object)
    split_asked = Signal()
    beside_asked = Signal(int)

    def __init__(self, themes: ThemeSwitch, commands: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bookPanel")
        self.setMinimumSize(_MIN_WIDTH_PX, _MIN_HEIGHT_PX)
        self.setMaximumWidth(_MAX_WIDTH_PX)
        self._themes = themes
        self._document_id: int | None = None
        self.model = BookTreeModel(self)
        self.view = BookTreeView(self.model, self)
        self.details = NodeDetails(self.model.texts, self)
        self.commands = commands
        self._rows = RowCommands(commands)
        self._rows.bind_to(self.view)
        self._row_views: list[QWidget] = [self.view]
        self.add_button = self._add_button()
        self._lay_out()
        self._wire()
        self._dress()
        self._show_chosen()

    @property
    def document_id(self) -> int | None:
        """Return the text that is marked as open."""
        return self._document_id

    @property
    def title(self) -> str:
        """Return the title of its tab."""
        return self.tr("Manuscript")

    # ------------------------------------------------------------ input
    def show_book(self, tree: Tree, document_id: int) -> None:
        """Show another book, and which of its texts is open; flush pending edits first."""
        self.details.clear()
        self.model.open_tree(tree)
        self.view.expand(self.model.index_of(tree.book.node_id))
        for node in tree.children(tree.book.node_id):
            self.view.expandRecursively(self.model.index_of(node.node_id))
        self.mark(document_id)

    def close_book(self) -> None:
        """Show none."""
        self._document_id = None
        self.details.clear()
        self.model.open_tree(None)
        self._show_chosen()

    def show_tree(self, tree: Tree, document_id: int) -> None:
        """Show the same book after an edit, and which of its texts is open."""
        self.model.show_tree(tree)
        if document_id != self._document_id:
            self.mark(document_id)
        self._show_chosen()

    def show_words(self, words: Mapping[int, Words]) -> None:
        """Show the word counts of some texts."""
        self.model.show_words(words)
        self.details.show_words(self._chosen_words())

    def mark(self, document_id: int) -> None:
        """Mark the open text and select its row."""
        self._document_id = document_id
        self.model.show_open(document_id)
        self.choose(document_id)
        self._show_chosen()

    def choose(self, node_id: int) -> None:
        """Select a row."""
        index = self.model.index_of(node_id)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)

    def set_read_only(self, *, read_only: bool) -> None:
        """Set whether the project is read-only."""
        self.model.set_read_only(read_only=read_only)
        self._show_chosen()

    def edit_title(self, node_id: int) -> None:
        """Let the writer edit the title of a text, usually a new one."""
        index = self.model.index_of(node_id)
        if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)
            self.view.setFocus()
            self.view.edit(index)

    def go_to_tree(self) -> None:
        """Focus the selected row."""
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def act_on_rows_of(self, view: QWidget) -> None:
        """Let actions apply to the selected row while a view has the focus that selects rows here, too."""
        self._row_views.append(view)
        self._rows.bind_to(view, edits_titles=False)

    def flush(self) -> None:
        """Request that pending edits are stored."""
        self.details.flush()

    # ------------------------------------------------------------ requests of the writer
    def ask_to_split(self, place: int) -> None:
        """Request to split the open text after `place` characters."""
        if self._document_id is not None and not self.model.read_only:
            self.edit_asked.emit(requests.Split(self._document_id, place))

    @Slot(int)
    def shift(self, steps: int) -> None:
        """Request to move the target up (-1) or down (1)."""
        node = self.target().node
        if node is not None and not self.model.read_only:
            self.edit_asked.emit(requests.Shift(node.node_id, steps))

    def target(self) -> Target:
        """Return the target of an action: the selected row while the tree or the cards have the focus, else
        the open text.
        """
        index = self.view.currentIndex()
        if not any(view.hasFocus() for view in self._row_views) and self._document_id is not None:
            index = self.model.index_of(self._document_id)
        return Target(
            self.model.node_at(index),
            self.model.group_at(index),
            self.model.is_in_trash(index),
            self.model.read_only,
        )

    def sizeHint(self) -> QSize:
        """Return a size for titles of usual length."""
        return _SIZE

    # ------------------------------------------------------------ building
    def _add_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("plain")
        button.setText(self.tr("+ New"))
        button.setToolTip(self.tr("New chapter, scene or note"))
        button.setAccessibleName(button.toolTip())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not move the focus or change the target
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; width: 0; }")
        menu = QMenu(button)
        menu.addActions(list(self.commands.new_texts.values()))
        button.setMenu(menu)
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.add_button)
        head.addStretch(1)
        self.splitter = QSplitter(Qt.Orientation.Vertical, self)
        self.splitter.addWidget(self.view)
        self.splitter.addWidget(self.details)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setCollapsible(0, False)
        self.splitter.setSizes([_SIZE.height(), _DETAILS_PX])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.splitter, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the tree all of the space if there is little."""
        super().resizeEvent(event)
        self.details.setVisible(self.height() >= _ROOM_FOR_DETAILS_PX)

    def _wire(self) -> None:
        do = self.commands
        for kind, action in do.new_texts.items():
            action.triggered.connect(partial(self._add, kind))
        for status, action in do.statuses.items():
            action.triggered.connect(partial(self._choose_status, status))
        for action, slot in (
            (do.split, self.split_asked),
            (do.merge, self._merge),
            (do.cut_long, self._cut_long),
            (do.move_up, self._move_up),
            (do.move_down, self._move_down),
            (do.rename, self._rename),
            (do.open_beside, self._ask_for_beside),
            (do.trash, self._trash),
            (do.exported, self._choose_exported),
            (do.restore, self._restore),
            (do.delete, self._ask_to_delete),
            (do.empty, self._ask_to_empty),
        ):
            action.triggered.connect(slot)
        self.model.edit_asked.connect(self.edit_asked)
        self.details.edit_asked.connect(self.edit_asked)
        self.view.clicked.connect(self._choose)
        self.view.activated.connect(self._write_in)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.focused.connect(self._refresh_commands)
        selection = self.view.selectionModel()
        if selection is not None:
            selection.currentChanged.connect(self._show_chosen)
        do.manuscript_menu.aboutToShow.connect(self._refresh_commands)
        self._themes.changed.connect(self._dress)

    # ------------------------------------------------------------ slots
    @Slot()
    def _dress(self) -> None:
        self.view.set_tokens(self._themes.tokens)

    @Slot()
    def _show_chosen(self) -> None:
        index = self.view.currentIndex()
        may_edit = not self.model.read_only and not self.model.is_in_trash(index)
        self.details.show_node(self.model.node_at(index), self._chosen_words(), may_edit=may_edit)
        self._refresh_commands()

    def _chosen_words(self) -> Words:
        words = self.view.currentIndex().data(TreeRole.WORDS)
        return words if isinstance(words, Words) else Words()

    @Slot()
    def _refresh_commands(self) -> None:
        is_open = self.model.tree is not None
        self._rows.show_target(self.target(), is_open=is_open)
        self.add_button.setEnabled(is_open and not self.model.read_only)

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        node = self.model.node_at(index)
        if node is not None and node.kind.has_text and node.node_id != self._document_id:
            self.document_chosen.emit(node.node_id)

    @Slot(QModelIndex)
    def _write_in(self, index: QModelIndex) -> None:
        """Open a text to write in it, as Enter and a double click do; a click alone keeps the focus here."""
        node = self.model.node_at(index)
        if node is not None and node.kind.has_text:
            self.write_asked.emit()
            self._choose(index)

    @Slot(QPoint)
    def _show_menu(self, at: QPoint) -> None:
        index = self.view.indexAt(at)
        if not index.isValid():
            return
        self.view.setCurrentIndex(index)
        self.view.setFocus(Qt.FocusReason.PopupFocusReason)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._rows.fill_for(menu, self.target())
        menu.popup(self.view.viewport().mapToGlobal(at))

    def _add(self, kind: NodeKind) -> None:
        node = self.target().node
        title = self._next_title(node, kind) or self.model.texts.new(kind)
        self.edit_asked.emit(requests.AddText(kind, title, None if node is None else node.node_id))

    def _next_title(self, beside: Node | None, kind: NodeKind) -> str:
        """Return the title of a new chapter at the end of the book, numbered on from the last one."""
        tree = self.model.tree
        if tree is None or kind is not NodeKind.CHAPTER:
            return ""
        order = tree.reading_order()
        is_inside = beside is not None and beside in order and beside != order[-1]
        return "" if is_inside else next_title(one.title for one in order if one.kind is kind)

    def _choose_status(self, status: Status) -> None:
        if (node := self.target().node) is not None:
            self.edit_asked.emit(requests.SetStatus(node.node_id, status))

    @Slot(bool)
    def _choose_exported(self, exported: bool) -> None:
        if (node := self.target().node) is not None:
            self.edit_asked.emit(requests.SetExported(node.node_id, exported))

    @Slot()
    def _merge(self) -> None:
        if (node := self.target().node) is not None:
            self.edit_asked.emit(requests.Merge(node.node_id))

    @Slot()
    def _cut_long(self) -> None:
        if (node := self.target().node) is not None:
            self.edit_asked.emit(requests.CutLong(node.node_id))

    @Slot()
    def _move_up(self) -> None:
        self.shift(-1)

    @Slot()
    def _move_down(self) -> None:
        self.shift(1)

    @Slot()
    def _rename(self) -> None:
        if (node := self.target().node) is not None:
            self.edit_title(node.node_id)

    @Slot()
    def _ask_for_beside(self) -> None:
        if (node := self.target().node) is not None:
            self.beside_asked.emit(node.node_id)

    @Slot()
    def _trash(self) -> None:
        target = self.target()
        if target.in_trash:
            self._ask_to_delete()
        elif target.node is not None:
            self.edit_asked.emit(requests.Trash(target.node.node_id))

    @Slot()
    def _restore(self) -> None:
        if (node := self.target().node) is not None:
            self.edit_asked.emit(requests.Restore(node.node_id))

    @Slot()
    def _ask_to_delete(self) -> None:
        node = self.target().node
        if node is not None:
            sentence = self.tr("Permanently delete {0}?").format(tree_edits.named(node))
            self._ask_for_good(sentence, requests.EmptyTrash((node.node_id,)))

    @Slot()
    def _ask_to_empty(self) -> None:
        self._ask_for_good(self.tr("Permanently delete everything in the trash?"), requests.EmptyTrash())

    def _ask_for_good(self, question: str, edit: requests.BookEdit) -> QMessageBox:
        """Ask before something is deleted permanently with everything in it."""
        box = QMessageBox(QMessageBox.Icon.NoIcon, self.tr("Trash"), question, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setInformativeText(
            self.tr("This also deletes the takes and draft data of these texts. Snapshots are kept.")
        )
        delete = box.addButton(self.tr("Delete Permanently"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        delete.clicked.connect(lambda: self.edit_asked.emit(edit))
        box.open()
        return box
