"""The settings while Quire runs: one owner, which notifies listeners and saves in the background."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from quire.settings.settings import Settings, SettingsFile

SAVE_WITHIN_MS = 400
"""Delay from a change to saving; further changes do not extend it."""


class SettingsStore(QObject):
    """Owns the settings.

    Signals:
        changed: the current settings.
    """

    changed = Signal(object)

    def __init__(self, file: SettingsFile, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self._settings = file.load()
        self._takers: list[Callable[[Settings], None]] = []
        self._thread: ThreadPoolExecutor | None = None
        self._last_save: Future[None] | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SAVE_WITHIN_MS)
        self._soon.timeout.connect(self._save)

    @property
    def settings(self) -> Settings:
        """Return the current settings."""
        return self._settings

    @property
    def folder(self) -> Path:
        """Return the folder of the settings and of the writer's presets."""
        return self._file.path.parent

    def follow(self, take: Callable[[Settings], None]) -> None:
        """Hand over the settings now and after every change: taking them must be cheap if nothing differs."""
        self._takers.append(take)
        take(self._settings)

    def change(self, **values: Any) -> None:
        """Change some fields of the settings by name."""
        self.apply(replace(self._settings, **values))

    @Slot(object)
    def apply(self, settings: Settings) -> None:
        """Apply other settings at once, and save them soon."""
        if settings == self._settings:
            return
        self._settings = settings
        if not self._soon.isActive():
            self._soon.start()
        for take in self._takers:
            take(settings)
            if self._settings is not settings:  # a listener changed them again: all were notified already
                return
        self.changed.emit(settings)

    def flush(self) -> None:
        """Save changes and return when they are saved."""
        if self._soon.isActive():
            self._soon.stop()
            self._save()
        if self._last_save is not None:
            self._last_save.result()

    def close(self) -> None:
        """Save changes and stop."""
        self.flush()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    @Slot()
    def _save(self) -> None:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="settings")
        self._last_save = self._thread.submit(self._file.save, self._settings)
