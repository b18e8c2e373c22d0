"""The commands that apply to a row of the tree."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from quire.domain.manuscript.tree import Node, NodeKind
from quire.domain.manuscript.tree_rows import Group
from quire.shell.actions import CHAPTERS, NOTES, Actions
from quire.ui.action_table import add_to_menu

_SPLITTABLE = (NodeKind.CHAPTER, NodeKind.SCENE)


@dataclass(frozen=True, slots=True)
class Target:
    """What an action applies to: a node or a group; neither if only a new item can be created."""

    node: Node | None = None
    group: Group | None = None
    in_trash: bool = False
    read_only: bool = False


class RowCommands:
    """The commands of the Manuscript menu that apply to a row: its own menu, and when they are enabled."""

    def __init__(self, commands: Actions) -> None:
        self._do = commands

    def bind_to(self, view: QWidget, *, edits_titles: bool = True) -> None:
        """Restrict keys with another meaning in a text to a view.

        Args:
            edits_titles: F2 renames there.
        """
        do = self._do
        titles = (do.rename,) if edits_titles else ()
        for action in (do.move_up, do.move_down, do.trash, *titles):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            view.addAction(action)

    def fill_for(self, menu: QMenu, target: Target) -> None:
        """Fill the context menu of a row."""
        do, node, group = self._do, target.node, target.group
        if group is Group.TRASH:
            menu.addAction(do.empty)
            return
        if target.in_trash:
            menu.addActions([do.restore, do.delete])
            return
        if node is None or not node.kind.in_manuscript:
            add_to_menu(menu, *(do.new_texts[kind] for kind in NOTES))
        else:
            add_to_menu(menu, *(do.new_texts[kind] for kind in CHAPTERS))
        if node is None:
            return
        add_to_menu(menu, None, do.rename, do.status_menu)
        if node.kind.in_manuscript and node.kind is not NodeKind.BOOK:
            menu.addAction(do.exported)
        if node.kind is not NodeKind.BOOK:
            add_to_menu(menu, None, do.open_beside, None, do.move_up, do.move_down)
        if node.kind in _SPLITTABLE:
            menu.addActions([do.merge, do.cut_long])
        if node.kind is not NodeKind.BOOK:
            add_to_menu(menu, None, do.trash)

    def show_target(self, target: Target, *, is_open: bool) -> None:
        """Enable the actions that are possible; is_open: whether a book is open."""
        do, node, writable = self._do, target.node, is_open and not target.read_only
        live = writable and node is not None and not target.in_trash
        inside = live and node is not None and node.kind is not NodeKind.BOOK
        for action in (*do.new_texts.values(), do.split, do.empty):
            action.setEnabled(writable)
        for action in (do.rename, *do.statuses.values()):
            action.setEnabled(live)
        for action in (do.move_up, do.move_down, do.exported):
            action.setEnabled(inside)
        is_text = is_open and node is not None and node.kind.has_text and not target.in_trash
        do.open_beside.setEnabled(is_text)
        do.trash.setEnabled(inside or (writable and target.in_trash))
        for action in (do.merge, do.cut_long):
            action.setEnabled(inside and node is not None and node.kind in _SPLITTABLE)
        for action in (do.restore, do.delete):
            action.setEnabled(writable and target.in_trash)
        if node is not None:
            do.statuses[node.status].setChecked(True)
            do.exported.setChecked(node.exported)
