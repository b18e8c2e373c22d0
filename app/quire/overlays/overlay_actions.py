"""What the Inspect menu has for the text itself: overlays, echoes, alternatives."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu


class OverlayActions(QObject):
    """The actions of overlays; whoever wires them decides what they do and when."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.next_overlay = self._action(self.tr("&Next Highlight"), "F7")
        self.echo_list = self._action(self.tr("&Echo List…"))
        self.go_to_twin = self._action(self.tr("Go to &Matching Repeat"))
        self.alternatives = self._action(self.tr("&Alternatives for Selection…"))

    def fill(self, menu: QMenu) -> None:
        """Fill the Inspect menu of the window."""
        menu.addActions([self.next_overlay, self.echo_list, self.go_to_twin])
        menu.addSeparator()
        menu.addAction(self.alternatives)

    def _action(self, text: str, shortcut: str = "") -> QAction:
        action = QAction(text, self)
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
        return action
