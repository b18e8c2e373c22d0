"""Keeps what is typed for a text that is about to be shown, and types it there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QTextEdit, QWidget

_TYPED = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)


class TypedAhead(QObject):
    """Between begin() and deliver(), keys that would type something reach no widget."""

    def __init__(self, editor: QTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        app = QApplication.instance()
        assert app is not None
        self._app = app
        self._keys: list[QKeyEvent] | None = None

    def begin(self) -> None:
        """Keep what is typed from now on."""
        if self._keys is None:
            self._keys = []
            self._app.installEventFilter(self)

    def discard(self) -> None:
        """Drop what was typed: the text cannot be shown."""
        self._end()

    def deliver(self) -> None:
        """Type in the text what was kept."""
        for key in self._end():
            QApplication.sendEvent(self._editor, key)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep a key that types something."""
        if self._keys is None or not isinstance(event, QKeyEvent) or not isinstance(watched, QWidget):
            return False
        if event.type() not in _TYPED or not event.text():
            return False
        if event.type() is QEvent.Type.KeyPress:
            self._keys.append(event.clone())
        return True

    def _end(self) -> list[QKeyEvent]:
        keys, self._keys = self._keys or [], None
        self._app.removeEventFilter(self)
        return keys
