"""Actions as a table, one row each, and the menus that show them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QHelpEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QToolTip


class ActionTable(QObject):
    """The actions of one place; what they do, and when they are enabled, is decided where they are connected.

    A subclass is called `...Actions` and keeps each action in an attribute. Both are the stored name of its
    shortcut (`WindowActions.pause` is `window.pause`), so neither is ever renamed.
    """

    def _action(
        self,
        text: str,
        *keys: str | QKeySequence.StandardKey,
        tip: str = "",
        checked: bool | None = None,
        role: QAction.MenuRole | None = None,
        data: object = None,
    ) -> QAction:
        """Return a new action.

        Args:
            text: already translated; a subclass passes `self.tr(...)`, so that its text is found.
            keys: its default shortcuts; the menu shows the first.
            tip: the tooltip, if the text alone is not enough.
            checked: its initial state; None for an action that cannot be checked.
            role: its place in the menus of macOS, if Qt would guess wrong from the text.
            data: the value of the action.
        """
        action = QAction(text, self)
        action.setShortcuts([QKeySequence(key) for key in keys])
        if tip:
            action.setToolTip(tip)
        if checked is not None:
            action.setCheckable(True)
            action.setChecked(checked)
        if role is not None:
            action.setMenuRole(role)
        action.setData(data)
        return action


class HintedMenu(QMenu):
    """A menu that shows the tooltip of an entry where it says more than its text: why it can't be chosen."""

    def event(self, event: QEvent) -> bool:
        """Show it under the pointer."""
        if not isinstance(event, QHelpEvent) or event.type() is not QEvent.Type.ToolTip:
            return super().event(event)
        action = self.actionAt(event.pos())
        if action is None or action.toolTip() == QAction(action.text()).toolTip():
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPos(), action.toolTip(), self)
        return True


def add_to_menu(menu: QMenu, *rows: QAction | QMenu | None, before: QAction | None = None) -> None:
    """Add actions, submenus and separators (None) to a menu, at its end or before one of its actions."""
    actions = [_entry(menu, row) for row in rows]
    if before is None:
        menu.addActions(actions)
    else:
        menu.insertActions(before, actions)


def _entry(menu: QMenu, row: QAction | QMenu | None) -> QAction:
    if isinstance(row, QMenu):
        return row.menuAction()
    if row is not None:
        return row
    separator = QAction(menu)
    separator.setSeparator(True)
    return separator
