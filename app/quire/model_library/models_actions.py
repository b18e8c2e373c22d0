"""The actions of the list of models."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import ActionTable, add_to_menu


class ModelsActions(ActionTable):
    """Opens the list of models, and trains the draft model of the one in use."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.models = self._action(self.tr("&Models…"))
        self.prepare = self._action(self.tr("Speed &Up This Model…"))

    def fill(self, menu: QMenu) -> None:
        """Add to the Tools menu, above its other entries."""
        first = next(iter(menu.actions()), None)
        add_to_menu(menu, self.models, self.prepare, before=first)
        if first is not None:
            menu.insertSeparator(first)
