"""Formatting, smart typing and typewriter scrolling in the window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, QSignalBlocker, Slot
from PySide6.QtGui import QTextCursor

from quire.domain.manuscript.emphasis import Style
from quire.editor.format_layer import (
    drop_empty_marks,
    insert_scene_break,
    set_heading_level,
    toggle_style,
)
from quire.settings.settings import Settings

if TYPE_CHECKING:
    from quire.app import App


class TextStyle(QObject):
    """Connects the formatting actions to the manuscript, and typewriter scrolling to the settings."""

    def __init__(self, app: App) -> None:
        super().__init__(app.window)
        self._editor, self._settings = app.window.editor, app.settings
        self.actions = app.window.commands
        for style, action in self.actions.styles.items():
            action.triggered.connect(partial(self._toggle, style))
        for level, action in enumerate(self.actions.levels):
            action.triggered.connect(partial(set_heading_level, self._editor, level))
        self.actions.scene_break.triggered.connect(self._insert_break)
        self.actions.typewriter.toggled.connect(self._switch_typewriter)
        self._empty_marks: tuple[QTextCursor, Style] | None = None
        self._editor.cursorPositionChanged.connect(self._drop_empty_marks)
        self.set_language("")
        self._editor.installEventFilter(self)
        self._refresh()
        app.settings.follow(self._take)

    def _take(self, settings: Settings) -> None:
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

    def _toggle(self, style: Style, _checked: bool = False) -> None:
        place = toggle_style(self._editor, style)
        if place is not None:
            place.setKeepPositionOnInsert(True)
            self._empty_marks = place, style

    @Slot()
    def _drop_empty_marks(self) -> None:
        """Forget marks once something is typed between them; remove them once the caret is elsewhere."""
        if self._empty_marks is not None:
            place, style = self._empty_marks
            if self._editor.textCursor().position() != place.position():
                self._empty_marks = None
                drop_empty_marks(place, style)

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
