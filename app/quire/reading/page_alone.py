"""Hides what is around a page, and restores it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget


class PageAlone(QObject):
    """Keeps widgets hidden, also where others show them meanwhile, until a command needs one of them."""

    def __init__(self, leave: Callable[[], None], parent: QObject) -> None:
        """Create it; leave: lets the page be left, which calls `end`."""
        super().__init__(parent)
        self._leave = leave
        self._shown: dict[QWidget, bool] = {}

    @property
    def is_on(self) -> bool:
        """Return whether anything is hidden."""
        return bool(self._shown)

    def watch(self, toggles: Iterable[QAction] = (), goers: Iterable[QAction] = ()) -> None:
        """Leave on a command that shows what is hidden (toggles), or moves the focus there (goers)."""
        for toggle in toggles:
            toggle.toggled.connect(self._bring_back)
        for goer in goers:
            goer.triggered.connect(self._go_there)

    def begin(self, widgets: Iterable[QWidget]) -> None:
        """Hide widgets."""
        for widget in widgets:
            self._shown.setdefault(widget, not widget.isHidden())
            widget.hide()
            widget.installEventFilter(self)

    def end(self) -> None:
        """Show again what would be visible otherwise."""
        shown, self._shown = self._shown, {}
        for widget, was_shown in shown.items():
            widget.removeEventFilter(self)
            widget.setVisible(was_shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep hidden what others show meanwhile."""
        if (
            event.type() is QEvent.Type.ShowToParent
            and isinstance(watched, QWidget)
            and watched in self._shown
        ):
            self._shown[watched] = True
            watched.hide()
        return super().eventFilter(watched, event)

    @Slot()
    def _bring_back(self) -> None:
        toggle = self.sender()
        if self.is_on and isinstance(toggle, QAction):
            self._leave()
            toggle.setChecked(True)

    @Slot()
    def _go_there(self) -> None:
        goer = self.sender()
        if self.is_on and isinstance(goer, QAction):
            self._leave()
            goer.trigger()
