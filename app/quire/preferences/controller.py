"""The settings in the window: changes there or in the preferences apply at once and are saved."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from quire.preferences.preferences_dialog import Offers, PreferencesDialog
from quire.preferences.shortcuts import ShortcutBook, gather, shortcut_lines
from quire.settings.interface_language import LANGUAGES
from quire.settings.settings import Settings
from quire.system.app_folders import cache_folder, cache_size, clear_cache

if TYPE_CHECKING:
    from quire.app import App


class PreferencesController(QObject):
    """Connects settings, shortcuts and the preferences to the window.

    Args:
        dictionaries: the available spelling dictionaries, by code and name.
    """

    def __init__(self, app: App, dictionaries: Sequence[tuple[str, str]] = ()) -> None:
        window = app.window
        super().__init__(window)
        self._window, self._settings, self._tasks = window, app.settings, app.tasks
        self._themes, self._appearance = window.themes, app.appearance
        self._goal, self._motion = app.controls.bar.goal_box, app.motion
        self._dictionaries = dictionaries
        self._dialog: PreferencesDialog | None = None
        self.book = ShortcutBook(self)
        gather(window.menuBar(), self.book)
        window.commands.preferences.triggered.connect(self.open)
        window.commands.shortcuts.triggered.connect(self.show_shortcuts)
        window.preferences_changed.connect(self.keep)
        app.settings.follow(self._take)

    def _take(self, settings: Settings) -> None:
        """Apply the settings to the window."""
        if settings.theme is not self._themes.choice:
            self._themes.choose(settings.theme)
        if settings.interface_size is not self._themes.text_size:
            self._themes.choose_text_size(settings.interface_size)
        if settings.text_px != self._appearance.text_px:
            self._appearance.set_text_px(settings.text_px)
        editor = self._window.editor
        editor.set_text_font(settings.font_family)
        editor.set_line_height(settings.line_height)
        editor.set_text_width(settings.text_width)
        if settings.goal_words != self._goal.goal_words:
            self._goal.set_goal(settings.goal_words)
        self._motion.choose(settings.motion)
        self.book.choose(settings.shortcuts)
        if self._dialog is not None:
            self._dialog.show_settings(settings)

    @Slot()
    def keep(self) -> None:
        """Save what the writer changed in the window itself."""
        self._settings.apply(
            replace(
                self._settings.settings,
                theme=self._themes.choice,
                interface_size=self._themes.text_size,
                text_px=self._appearance.text_px,
                goal_words=self._goal.goal_words,
                geometry=self._appearance.geometry,
            )
        )

    @Slot()
    def open(self) -> PreferencesDialog:
        """Open the preferences, or raise them if they are open."""
        if self._dialog is None:
            self._dialog = self._made_dialog()
            self._dialog.show()
            self._count_cache()
        self._dialog.activateWindow()
        return self._dialog

    @Slot()
    def show_shortcuts(self) -> None:
        """Show every shortcut in a list."""
        from quire.preferences.shortcuts_dialog import ShortcutsDialog

        ShortcutsDialog(shortcut_lines(self._window.menuBar()), self._window).open()

    def _made_dialog(self) -> PreferencesDialog:
        offers = Offers(self._dictionaries, LANGUAGES)
        dialog = PreferencesDialog(self._settings.settings, self.book, self._themes, offers, self._window)
        dialog.edited.connect(self._settings.apply)
        dialog.advanced.clear_asked.connect(partial(self._tasks.run_now, self._clear_cache))
        dialog.finished.connect(self._closed)
        return dialog

    @Slot()
    def _closed(self) -> None:
        self._dialog = None

    def _count_cache(self) -> None:
        self._tasks.run_now(self._show_cache)

    async def _show_cache(self) -> None:
        folder = cache_folder()
        self._say_cache(await asyncio.to_thread(cache_size, folder), folder)

    async def _clear_cache(self) -> None:
        folder = cache_folder()
        self._say_cache(await asyncio.to_thread(clear_cache, folder), folder)

    def _say_cache(self, num_bytes: int, folder: Path) -> None:
        if self._dialog is not None:
            self._dialog.advanced.show_cache(num_bytes, str(folder))
