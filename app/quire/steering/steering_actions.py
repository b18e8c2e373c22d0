"""The actions of the Steering menu, with their shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import ActionTable, add_to_menu


class SteeringActions(ActionTable):
    """The actions of the Steering menu, the right panel and the queue; what they do is decided where they
    are connected.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.memory = self._action(self.tr("&Memory"), "Ctrl+Alt+M")
        self.direction = self._action(self.tr("Author's &Note"), "Ctrl+Alt+D")
        self.lorebook = self._action(self.tr("&Lorebook"), "Ctrl+Alt+L")
        self.add_lore = self._action(self.tr("Add to Loreboo&k…"))
        self.opening = self._action(self.tr("&Opening and Style Sample"))
        self.beats = self._action(self.tr("&Beats of This Chapter"), "Ctrl+Alt+B")
        self.avoided = self._action(self.tr("Words to &Avoid"))
        self.presets = self._action(self.tr("&Presets…"))
        self.view = self._action(self.tr("Prompt Pre&view…"), "Ctrl+Shift+M")
        self.panel = self._action(self.tr("Right &Panel"), "Ctrl+2", checked=True)
        self.queue = self._action(self.tr("Draft &Queue…"))
        self._places = (self.memory, self.direction, self.lorebook, self.opening, self.beats, self.avoided)

    def fill(self, menu: QMenu) -> None:
        """Fill the Steering menu of the window; the panel and the queue belong to other menus."""
        add_to_menu(menu, *self._places, None, self.add_lore, self.presets, None, self.view)

    def set_open(self, *, is_open: bool, may_edit: bool = True) -> None:
        """Enable what needs a project, and what needs one that can be changed."""
        for action in (*self._places, self.view, self.queue):
            action.setEnabled(is_open)
        self.add_lore.setEnabled(is_open and may_edit)
