"""Formatting, smart typing and the typewriter in the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLocale, QObject, QSignalBlocker, Slot

from quire.domain.manuscript.emphasis import Style
from quire.editor.format_layer import insert_scene_break, set_heading_level, toggle_style
from quire.manuscript.formatting_actions import TextActions
from quire.settings.settings import Settings
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow


class TextStyle(QObject):
    """Wires the actions of the text's looks to the manuscript, and the typewriter to the settings."""

    def __init__(self, window: MainWindow, settings: SettingsStore) -> None:
        super().__init__(window)
        self._editor, self._settings = window.editor, settings
        self.actions = TextActions(window)
        self.actions.fill(window.commands.edit_menu, window.commands.view_menu)
        self.actions.style_asked.connect(self._toggle)
        self.actions.level_asked.connect(self._set_level)
        self.actions.scene_break.triggered.connect(self._insert_break)
        self.actions.typewriter.toggled.connect(self._switch_typewriter)
        self.set_language("")
        self._editor.installEventFilter(self)
        self._refresh()
        settings.add(self)

    def take(self, settings: Settings) -> None:
        """Write as the settings say."""
        editor = self._editor
        editor.smart_typing.switch(on=settings.smart_typing)
        editor.typewriter.switch(on=settings.typewriter)
        with QSignalBlocker(self.actions.typewriter):  # it is so already
            self.actions.typewriter.setChecked(settings.typewriter)

    def set_language(self, language: str) -> None:
        """Take the quotation marks of a language such as "en_GB"; empty for the system's."""
        self._editor.smart_typing.set_language(language or QLocale.system().name())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice the text being locked or given back."""
        if event.type() is QEvent.Type.ReadOnlyChange:
            self._refresh()
        return False

    @Slot(Style)
    def _toggle(self, style: Style) -> None:
        toggle_style(self._editor, style)

    @Slot(int)
    def _set_level(self, level: int) -> None:
        set_heading_level(self._editor, level)

    @Slot()
    def _insert_break(self) -> None:
        insert_scene_break(self._editor)

    @Slot(bool)
    def _switch_typewriter(self, on: bool) -> None:
        self._settings.change(typewriter=on)

    def _refresh(self) -> None:
        self.actions.show_state(may_edit=not self._editor.isReadOnly())
