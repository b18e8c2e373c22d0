"""The settings while Quire runs: one owner, told of every change, stored off the key path."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from quire.settings.settings import Settings, SettingsFile

SAVE_WITHIN_MS = 400
"""From a change to the moment it is handed over for storing; more changes do not put it off."""


class SettingsListener(Protocol):
    """What looks or works as the settings say."""

    def take(self, settings: Settings) -> None:
        """Follow the settings; called at once and after every change, so cheap when nothing differs."""
        ...


class SettingsStore(QObject):
    """Owns the settings. changed: with the settings that are on now."""

    changed = Signal(object)

    def __init__(self, file: SettingsFile, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self._settings = file.load()
        self._takers: list[SettingsListener] = []
        self._thread: ThreadPoolExecutor | None = None
        self._last_save: Future[None] | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SAVE_WITHIN_MS)
        self._soon.timeout.connect(self._save)

    @property
    def settings(self) -> Settings:
        """What is on now."""
        return self._settings

    def add(self, taker: SettingsListener) -> None:
        """Let somebody follow the settings, from now on."""
        self._takers.append(taker)
        taker.take(self._settings)

    def change(self, **values: Any) -> None:
        """Change some fields of the settings by their names."""
        self.apply(replace(self._settings, **values))

    @Slot(object)
    def apply(self, settings: Settings) -> None:
        """Let other settings be on, at once; they are stored soon."""
        if settings == self._settings:
            return
        self._settings = settings
        if not self._soon.isActive():
            self._soon.start()
        for taker in self._takers:
            taker.take(settings)
            if self._settings is not settings:  # a taker changed them once more: all of them know already
                return
        self.changed.emit(settings)

    def flush(self) -> None:
        """Store what was changed and return when that is done."""
        if self._soon.isActive():
            self._soon.stop()
            self._save()
        if self._last_save is not None:
            self._last_save.result()

    def close(self) -> None:
        """Store what was changed, and end."""
        self.flush()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    @Slot()
    def _save(self) -> None:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="settings")
        self._last_save = self._thread.submit(self._file.save, self._settings)
