"""The actions of the manuscript tree, with their shortcuts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from quire.domain.manuscript.tree import Node, NodeKind, Status
from quire.domain.manuscript.tree_rows import Group
from quire.ui.action_table import ActionTable, add_to_menu
from quire.ui.tree_labels import TreeLabels

_CHAPTERS = (NodeKind.CHAPTER, NodeKind.SCENE, NodeKind.PART)
_NOTES = (NodeKind.NOTE, NodeKind.CHARACTER, NodeKind.PLACE)
_NEW = (*_CHAPTERS, *_NOTES)
_SPLITTABLE = (NodeKind.CHAPTER, NodeKind.SCENE)


@dataclass(frozen=True, slots=True)
class Target:
    """What an action applies to: a node or a group; neither if only a new item can be created."""

    node: Node | None = None
    group: Group | None = None
    in_trash: bool = False
    read_only: bool = False


class ManuscriptActions(ActionTable):
    """The actions of the Manuscript menu; the panel decides what they do."""

    def __init__(self, texts: TreeLabels, parent: QObject) -> None:
        super().__init__(parent)
        self.new = {kind: self._action(texts.new(kind), data=kind.value) for kind in _NEW}
        self.new[NodeKind.CHAPTER].setShortcut(QKeySequence("Ctrl+N"))
        self.split = self._action(self.tr("&Split Here"), "Ctrl+K")
        self.merge = self._action(self.tr("&Merge with Previous Text"))
        self.cut_long = self._action(self.tr("Divide &Long Text"))
        self.move_up = self._action(self.tr("Move &Up"), "Ctrl+Up")
        self.move_down = self._action(self.tr("Move &Down"), "Ctrl+Down")
        self.rename = self._action(self.tr("&Rename"), "F2")
        self.open_beside = self._action(self.tr("Open as &Second Text"))
        self.trash = self._action(self.tr("Move to Tras&h"), "Del")
        self.exported = self._action(self.tr("Include in E&xport"), checked=False)
        self.restore = self._action(self.tr("&Restore"))
        self.delete = self._action(self.tr("Delete &Permanently…"))
        self.empty = self._action(self.tr("&Empty Trash…"))
        self._status_group = QActionGroup(self)
        self.statuses = {
            status: self._action(texts.status(status), checked=False, data=status.value) for status in Status
        }
        for action in self.statuses.values():
            self._status_group.addAction(action)

    def bind_to(self, view: QWidget, *, edits_titles: bool = True) -> None:
        """Restrict keys with another meaning in a text to a view.

        Args:
            edits_titles: F2 renames there.
        """
        titles = (self.rename,) if edits_titles else ()
        for action in (self.move_up, self.move_down, self.trash, *titles):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            view.addAction(action)

    def fill(self, menu: QMenu) -> None:
        """Fill the Manuscript menu of the window."""
        notes = self._submenu(menu, self.tr("New N&ote"), (self.new[kind] for kind in _NOTES))
        statuses = self._submenu(menu, self.tr("St&atus"), self.statuses.values())
        add_to_menu(menu, *(self.new[kind] for kind in _CHAPTERS), notes, None)
        add_to_menu(menu, self.split, self.merge, self.cut_long, None)
        add_to_menu(menu, self.move_up, self.move_down, self.rename, statuses, self.exported, None)
        add_to_menu(menu, self.trash, self.empty)

    def fill_for(self, menu: QMenu, target: Target) -> None:
        """Fill the context menu of a row."""
        node, group = target.node, target.group
        if group is Group.TRASH:
            menu.addAction(self.empty)
            return
        if target.in_trash:
            menu.addActions([self.restore, self.delete])
            return
        if node is None or not node.kind.in_manuscript:
            add_to_menu(menu, *(self.new[kind] for kind in _NOTES))
        else:
            add_to_menu(menu, *(self.new[kind] for kind in _CHAPTERS))
        if node is None:
            return
        statuses = self._submenu(menu, self.tr("St&atus"), self.statuses.values())
        add_to_menu(menu, None, self.rename, statuses)
        if node.kind.in_manuscript and node.kind is not NodeKind.BOOK:
            menu.addAction(self.exported)
        if node.kind is not NodeKind.BOOK:
            add_to_menu(menu, None, self.open_beside, None, self.move_up, self.move_down)
        if node.kind in _SPLITTABLE:
            menu.addActions([self.merge, self.cut_long])
        if node.kind is not NodeKind.BOOK:
            add_to_menu(menu, None, self.trash)

    def show_target(self, target: Target, *, is_open: bool) -> None:
        """Enable the actions that are possible; is_open: whether a book is open."""
        node, writable = target.node, is_open and not target.read_only
        live = writable and node is not None and not target.in_trash
        inside = live and node is not None and node.kind is not NodeKind.BOOK
        for action in (*self.new.values(), self.split, self.empty):
            action.setEnabled(writable)
        for action in (self.rename, *self.statuses.values()):
            action.setEnabled(live)
        for action in (self.move_up, self.move_down, self.exported):
            action.setEnabled(inside)
        is_text = is_open and node is not None and node.kind.has_text and not target.in_trash
        self.open_beside.setEnabled(is_text)
        self.trash.setEnabled(inside or (writable and target.in_trash))
        for action in (self.merge, self.cut_long):
            action.setEnabled(inside and node is not None and node.kind in _SPLITTABLE)
        for action in (self.restore, self.delete):
            action.setEnabled(writable and target.in_trash)
        if node is not None:
            self.statuses[node.status].setChecked(True)
            self.exported.setChecked(node.exported)

    def _submenu(self, menu: QMenu, title: str, actions: Iterable[QAction]) -> QMenu:
        submenu = QMenu(title, menu)
        add_to_menu(submenu, *actions)
        return submenu
