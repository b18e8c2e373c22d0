"""The presets in the window: the box to choose one, the dialog to manage one's own, and their file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from quire.domain.drafting.presets import BUILT_IN, DEFAULT, Preset, by_name, with_preset
from quire.errors import WriterProblem
from quire.presets.preset_box import PresetBox
from quire.presets.preset_dialog import PresetDialog
from quire.shell.notices import Notice, NoticeKind
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.app import App


class PresetsController:
    """Connects box and dialog to the file of the writer's own presets.

    Args:
        choose: sets the preset of the open project.
    """

    def __init__(self, app: App, choose: Callable[[Preset], None]) -> None:
        self._window, self._tasks, self._choose = app.window, app.tasks, choose
        self._path = app.settings.folder / "presets.json"
        self._own: tuple[Preset, ...] = ()
        self._is_loaded = False
        self._dialog: PresetDialog | None = None
        self.box = PresetBox(app.window)
        self.box.preset_chosen.connect(choose)
        self.box.edit_asked.connect(self.show_dialog)
        self._in_use = DEFAULT

    async def load(self) -> None:
        """Load the writer's own presets, once."""
        from quire.services.drafting.preset_file import PresetFile

        if self._is_loaded:
            return
        self._is_loaded = True
        self._own, problem = await asyncio.to_thread(PresetFile(self._path).load)
        if problem:
            self._window.notice_bar.show_notice(Notice(NoticeKind.WARNING, problem))

    @property
    def known(self) -> tuple[Preset, ...]:
        """Return all presets: those that come with Quire, then the writer's own."""
        return (*BUILT_IN, *self._own)

    def named(self, name: str) -> Preset | None:
        """Return the preset with a name, or None."""
        return by_name(name, self._own)

    def show(self, chosen: Preset, *, may_choose: bool) -> None:
        """Show the preset of the open project, in the local version if there is one with its name."""
        self._in_use = by_name(chosen.name, self._own) or chosen
        self.box.show_presets(self.known, self._in_use)
        self.box.setEnabled(may_choose)

    def show_dialog(self) -> None:
        """Show the presets."""
        if self._dialog is not None:
            self._dialog.raise_()
            return
        dialog = self._dialog = PresetDialog(self._own, self._in_use, self._window)
        dialog.chosen.connect(self._use)
        dialog.saved.connect(self._save)
        dialog.deleted.connect(self._delete)
        dialog.import_asked.connect(self._ask_to_import)
        dialog.export_asked.connect(self._ask_to_export)
        dialog.finished.connect(self._forget)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # ------------------------------------------------------------ requests of the dialog
    def _use(self, preset: Preset) -> None:
        self._choose(preset)
        self._refresh(preset.name)

    def _save(self, preset: Preset) -> None:
        self._tasks.run_now(partial(self._keep, lambda own: with_preset(own, preset), preset.name))

    def _delete(self, name: str) -> None:
        self._tasks.run_now(
            partial(self._keep, lambda own: tuple(one for one in own if one.name != name), "")
        )

    def _ask_to_import(self, path: Path) -> None:
        self._tasks.run_now(partial(self._import, path))

    def _ask_to_export(self, path: Path, presets: Sequence[Preset]) -> None:
        self._tasks.run_now(partial(self._export, path, tuple(presets)))

    async def _keep(self, change: Callable[[tuple[Preset, ...]], tuple[Preset, ...]], shown: str) -> None:
        """Change the writer's own presets, in the file first."""
        from quire.services.drafting.preset_file import PresetFile

        try:
            own = change(self._own)
            await asyncio.to_thread(PresetFile(self._path).save, own)
        except WriterProblem as problem:
            self._notify(problem.message)
            return
        self._own = own
        self.show(self._in_use, may_choose=self.box.isEnabled())
        self._refresh(shown)

    async def _import(self, path: Path) -> None:
        from quire.services.drafting.preset_file import import_presets

        try:
            own, added = await asyncio.to_thread(import_presets, path, self._own)
        except WriterProblem as problem:
            self._notify(problem.message)
            return
        await self._keep(lambda _: own, added[0])

    async def _export(self, path: Path, presets: tuple[Preset, ...]) -> None:
        from quire.services.drafting.preset_file import export_presets

        try:
            await asyncio.to_thread(export_presets, path, presets)
        except WriterProblem as problem:
            self._notify(problem.message)
            return
        self._notify(UserMessage("{name} was exported to {path}.", name=presets[0].name, path=path))

    def _refresh(self, shown: str) -> None:
        if self._dialog is not None:
            self._dialog.show_presets(self._own, self._in_use, shown)

    def _notify(self, sentence: str) -> None:
        if self._dialog is not None:
            self._dialog.show_problem(sentence)
        else:
            self._window.notice_bar.show_notice(Notice(NoticeKind.WARNING, sentence))

    def _forget(self) -> None:
        self._dialog = None
