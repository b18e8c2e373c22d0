"""The look of the main window: text size, theme, full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QSignalBlocker, QSize, Qt, Slot

from quire.editor.manuscript_editor import DEFAULT_TEXT_PX, MAX_TEXT_PX, MIN_TEXT_PX
from quire.shell.main_window import DEFAULT_SIZE

if TYPE_CHECKING:
    from quire.app import App

_FRAME = QSize(8, 44)
"""Room for the frame, whose size is known only once the window has been shown."""


class WindowAppearance(QObject):
    """Implements the View menu's appearance commands, and notifies the window of what must be saved."""

    def __init__(self, app: App) -> None:
        window = app.window
        super().__init__(window)
        self._window, self._themes = window, window.themes
        self._text_px = DEFAULT_TEXT_PX
        do = window.commands
        do.zoom_in.triggered.connect(self._zoom_in)
        do.zoom_out.triggered.connect(self._zoom_out)
        do.zoom_reset.triggered.connect(self._zoom_reset)
        do.full_screen.toggled.connect(self._set_full_screen)
        for choice, action in do.themes.items():
            action.setData(choice.value)
            action.triggered.connect(self._choose_theme)
        for size, action in do.text_sizes.items():
            action.setData(size.value)
            action.triggered.connect(self._choose_text_size)
        window.editor.zoom_asked.connect(self._zoom_by)
        window.themes.changed.connect(self._show_theme)
        app.controls.bar.theme_clicked.connect(self.toggle_theme)
        window.installEventFilter(self)
        self._show_theme()

    @property
    def text_px(self) -> int:
        """Return the size of the manuscript's text."""
        return self._text_px

    def set_text_px(self, size_px: int) -> None:
        """Set the size of the manuscript's text."""
        self._text_px = min(max(size_px, MIN_TEXT_PX), MAX_TEXT_PX)
        self._window.editor.set_text_px(self._text_px)

    @property
    def geometry(self) -> bytes:
        """Return the geometry of the window."""
        return bytes(self._window.saveGeometry().data())

    def set_geometry(self, geometry: bytes) -> None:
        """Restore the geometry of the window, or use the default size as far as the screen has room."""
        if not (geometry and self._window.restoreGeometry(QByteArray(geometry))):
            self._window.resize(DEFAULT_SIZE.boundedTo(self._window.screen().availableSize() - _FRAME))
        self._show_full_screen()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the menu when the window manager switches full screen."""
        if event.type() is QEvent.Type.WindowStateChange and watched is self._window:
            self._show_full_screen()
        return False

    @Slot()
    def _zoom_in(self) -> None:
        self._zoom_by(1)

    @Slot()
    def _zoom_out(self) -> None:
        self._zoom_by(-1)

    @Slot()
    def _zoom_reset(self) -> None:
        self._zoom_by(0)

    @Slot(int)
    def _zoom_by(self, steps: int) -> None:
        self.set_text_px(self._text_px + 2 * steps if steps else DEFAULT_TEXT_PX)
        self._window.preferences_changed.emit()

    @Slot(bool)
    def _set_full_screen(self, on: bool) -> None:
        state = self._window.windowState()
        full = Qt.WindowState.WindowFullScreen
        self._window.setWindowState(state | full if on else state & ~full)

    def _show_full_screen(self) -> None:
        with QSignalBlocker(self._window.commands.full_screen):  # it is already set
            self._window.commands.full_screen.setChecked(self._window.isFullScreen())

    @Slot()
    def toggle_theme(self) -> None:
        """Switch between light and dark."""
        self._themes.toggle()
        self._window.preferences_changed.emit()

    @Slot()
    def _choose_theme(self) -> None:
        for choice, action in self._window.commands.themes.items():
            if action is self.sender():
                self._themes.choose(choice)
                self._window.preferences_changed.emit()

    @Slot()
    def _choose_text_size(self) -> None:
        for size, action in self._window.commands.text_sizes.items():
            if action is self.sender():
                self._themes.choose_text_size(size)
                self._window.preferences_changed.emit()

    @Slot()
    def _show_theme(self) -> None:
        self._window.commands.text_sizes[self._themes.text_size].setChecked(True)
        self._window.commands.themes[self._themes.choice].setChecked(True)
