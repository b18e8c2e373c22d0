"""What opens the models, as actions of the Tools menu."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu


class ModelsActions(QObject):
    """The list of models, and the preparation of the one that is in use."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.models = QAction(self.tr("&Models…"), self)
        self.prepare = QAction(self.tr("&Speed Up This Model…"), self)

    def fill(self, menu: QMenu) -> None:
        """Add to the Tools menu, above what stands there."""
        first = menu.actions()[0] if menu.actions() else None
        for action in (self.models, self.prepare):
            menu.insertAction(first, action) if first else menu.addAction(action)
        if first is not None:
            menu.insertSeparator(first)
