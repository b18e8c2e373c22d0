"""What can be done to takes, as actions with their keys."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from quire.ui.action_table import ActionTable, add_to_menu


class TakeActions(ActionTable):
    """The actions of the list of takes, and of the last draft; whoever wires them decides what they do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.choose = self._action(self.tr("Use &This Take"))
        self.compare = self._action(self.tr("&Compare"))
        self.charts = self._action(self.tr("Show in C&harts"), checked=False)
        self.again = self._action(
            self.tr("&Redraft This Take"),
            tip=self.tr("Drafts this take again with the same seed and settings"),
        )
        self.rename = self._action(self.tr("&Rename…"), "F2")
        self.trash = self._action(self.tr("Move to T&rash"), "Del", tip=self.tr("Deleted after 30 days"))
        self.restore = self._action(self.tr("&Restore"))
        self.delete = self._action(self.tr("&Delete Permanently…"), "Del")
        self.empty = self._action(self.tr("&Empty Trash…"))

    def bind_to(self, view: QWidget) -> None:
        """Let the keys that would mean something else in a text work in a view only."""
        for action in (self.rename, self.trash, self.delete):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            view.addAction(action)

    def fill(self, menu: QMenu, *, in_trash: bool) -> None:
        """Fill the menu of a take."""
        if in_trash:
            add_to_menu(menu, self.restore, self.compare, None, self.delete, self.empty)
        else:
            add_to_menu(menu, self.choose, self.compare, self.charts, None)
            add_to_menu(menu, self.again, self.rename, None, self.trash)


class LastDraftActions(ActionTable):
    """Undo and redo of drafts, apart from those of typing."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.take_back = self._action(
            self.tr("Undo &Draft"),
            "Ctrl+Alt+Z",
            tip=self.tr("Removes the last draft from the text and keeps it as a take"),
        )
        self.bring_back = self._action(self.tr("&Redo Draft"), "Ctrl+Alt+Shift+Z")
        for action in (self.take_back, self.bring_back):
            action.setEnabled(False)

    def fill(self, menu: QMenu, after: QAction) -> None:
        """Add them to the Draft menu, behind another action."""
        actions = menu.actions()
        place = actions.index(after) + 1
        menu.insertActions(actions[place], [self.take_back, self.bring_back])
