"""Actions, and the menus that show them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QHelpEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QToolTip


def new_action(
    parent: QObject,
    text: str,
    *keys: str | QKeySequence.StandardKey,
    tip: str = "",
    checked: bool | None = None,
    role: QAction.MenuRole | None = None,
) -> QAction:
    """Return a new action.

    Args:
        keys: its default shortcuts; the menu shows the first.
        tip: the tooltip, if the text alone is not enough.
        checked: its initial state; None for an action that cannot be checked.
        role: its place in the menus of macOS, if Qt would guess wrong from the text.
    """
    action = QAction(text, parent)
    action.setShortcuts([QKeySequence(key) for key in keys])
    if tip:
        action.setToolTip(tip)
    if checked is not None:
        action.setCheckable(True)
        action.setChecked(checked)
    if role is not None:
        action.setMenuRole(role)
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


def add_to_menu(menu: QMenu, *rows: QAction | QMenu | None) -> None:
    """Add actions, submenus and separators (None) to a menu."""
    menu.addActions([_entry(menu, row) for row in rows])


def _entry(menu: QMenu, row: QAction | QMenu | None) -> QAction:
    if isinstance(row, QMenu):
        return row.menuAction()
    if row is not None:
        return row
    separator = QAction(menu)
    separator.setSeparator(True)
    return separator
