"""The panels to the right of the page, one at a time."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from quire.shell.side_panel import SidePanel
from quire.theme.theme_switch import ThemeSwitch

WIDTH_PX = 280
ROOMY_PX = 1_180
"""A narrower window has no room for two panels beside a readable page."""


class RightPanel(SidePanel):
    """Shows what features add; hidden in a narrow window until the writer asks for it there.

    Signals:
        wanted_changed: whether the writer wants it, to be saved.
    """

    wanted_changed = Signal(bool)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent, WIDTH_PX)
        self._themes = themes
        self._is_wanted = True
        self._was_roomy = True
        self._has_project = False
        self.setObjectName("rightDock")
        self.tabs.setAccessibleName(self.tr("Right panels"))
        themes.changed.connect(self._dress)
        self._dress()
        self.hide()

    @property
    def is_wanted(self) -> bool:
        """Return whether the writer wants it."""
        return self._is_wanted

    def follow(self, window: QWidget) -> None:
        """Follow the width of a window from now on."""
        window.installEventFilter(self)
        self._was_roomy = window.width() >= ROOMY_PX
        self._show_or_hide()

    def set_has_project(self, has_project: bool) -> None:
        """Show it only while a project is shown."""
        self._has_project = has_project
        self._show_or_hide()

    @Slot(bool)
    def set_wanted(self, wanted: bool) -> None:
        """Show or hide it, in a narrow window too."""
        changed, self._is_wanted = wanted != self._is_wanted, wanted
        self.setVisible(wanted and self._has_project)
        if changed:
            self.wanted_changed.emit(wanted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide when the window becomes narrow, and show again when it is wide."""
        if isinstance(event, QResizeEvent):
            is_roomy = event.size().width() >= ROOMY_PX
            if is_roomy is not self._was_roomy:
                self._was_roomy = is_roomy
                self._show_or_hide()
        return super().eventFilter(watched, event)

    def _show_or_hide(self) -> None:
        self.setVisible(self._is_wanted and self._has_project and self._was_roomy)

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.setStyleSheet(
            f"#rightDock {{ background: {tokens.desk}; border-left: 1px solid {tokens.line}; }}"
            f" QMenu::section {{ color: {tokens.soft_ink}; padding: 6px 12px 2px 12px; }}"
        )
