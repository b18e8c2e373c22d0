"""Formatting, smart typing and typewriter scrolling in the window."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QLocale, QObject, QSignalBlocker, Slot

from quire.editor.format_layer import insert_scene_break, set_heading_level, toggle_style
from quire.settings.settings import Settings
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow


class TextStyle(QObject):
    """Connects the formatting actions to the manuscript, and typewriter scrolling to the settings."""

    def __init__(self, window: MainWindow, settings: SettingsStore) -> None:
        super().__init__(window)
        self._editor, self._settings = window.editor, settings
        self.actions = window.commands
        for style, action in self.actions.styles.items():
            action.triggered.connect(partial(toggle_style, self._editor, style))
        for level, action in enumerate(self.actions.levels):
            action.triggered.connect(partial(set_heading_level, self._editor, level))
        self.actions.scene_break.triggered.connect(self._insert_break)
        self.actions.typewriter.toggled.connect(self._switch_typewriter)
        self.set_language("")
        self._editor.installEventFilter(self)
        self._refresh()
        settings.add(self)

    def take(self, settings: Settings) -> None:
        """Apply the settings."""
        editor = self._editor
        editor.smart_typing.switch(on=settings.smart_typing)
        editor.typewriter.switch(on=settings.typewriter)
        with QSignalBlocker(self.actions.typewriter):  # it is already set
            self.actions.typewriter.setChecked(settings.typewriter)

    def set_language(self, language: str) -> None:
        """Set the language for quotation marks, such as "en_GB"; empty for the system's."""
        self._editor.smart_typing.set_language(language or QLocale.system().name())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the lock of the text."""
        if event.type() is QEvent.Type.ReadOnlyChange:
            self._refresh()
        return False

    @Slot()
    def _insert_break(self) -> None:
        insert_scene_break(self._editor)

    @Slot(bool)
    def _switch_typewriter(self, on: bool) -> None:
        self._settings.change(typewriter=on)

    def _refresh(self) -> None:
        do = self.actions
        for action in (*do.styles.values(), *do.levels, do.scene_break):
            action.setEnabled(not self._editor.isReadOnly())
