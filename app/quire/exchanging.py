"""Import and export in the window: asks, shows how far the work is, and can be stopped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths

from quire.errors import WriterProblem
from quire.exchange.watch import Cancelled, Watch
from quire.files import Doing
from quire.keeper import ManuscriptKeeper
from quire.models.new_project import free_path
from quire.models.notices import Notice, NoticeKind
from quire.widgets.main_window import MainWindow

if TYPE_CHECKING:  # what reads and writes files is imported when it is wanted: it takes a tenth of a second
    from quire.exchange.reading import ImportDecision
    from quire.exchange.recipe import Recipe
    from quire.services.projects import ProjectDesk
    from quire.widgets.export_dialog import ExportDialog
    from quire.widgets.import_dialog import ImportDialog


class Exchange:
    """Wires import and export; adopt shows a project in place of the one before."""

    def __init__(
        self,
        window: MainWindow,
        keeper: ManuscriptKeeper,
        doing: Doing,
        adopt: Callable[[ProjectDesk], Awaitable[None]],
    ) -> None:
        self._window, self._keeper, self._doing, self._adopt = window, keeper, doing, adopt
        window.commands.export.triggered.connect(self._ask_to_export)
        window.import_asked.connect(self._ask_to_import)

    # ------------------------------------------------------------ export
    def _ask_to_export(self) -> None:
        self._doing.beside(self._open_export)

    async def _open_export(self) -> None:
        desk = self._open_desk()
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        from quire.exchange.book import nodes_to_choose
        from quire.exchange.recipe import Recipe
        from quire.services.book_texts import kept_recipe
        from quire.widgets.export_dialog import ExportDialog, ExportStart

        recipe = Recipe.from_json(await desk.read(kept_recipe))
        start = ExportStart(nodes_to_choose(desk.tree), recipe, Path(folder), desk.title)
        dialog = ExportDialog(start, self._window)
        stop = threading.Event()
        dialog.stop_wanted.connect(stop.set)
        dialog.export_wanted.connect(partial(self._ask_to_write, dialog, stop))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_to_write(self, dialog: ExportDialog, stop: threading.Event, recipe: Recipe, path: Path) -> None:
        stop.clear()
        dialog.begin_work()
        self._doing.beside(partial(self._write, dialog, stop, recipe, path))

    async def _write(self, dialog: ExportDialog, stop: threading.Event, recipe: Recipe, path: Path) -> None:
        from quire.exchange.book import book_of
        from quire.exchange.writing import export
        from quire.services.book_texts import book_texts, keep_recipe

        try:
            await self._keeper.store_text()
            desk = self._open_desk()
            texts = await desk.read(book_texts)
            book = await asyncio.to_thread(book_of, texts.project, texts.tree, texts.documents, recipe.chosen)
            await asyncio.to_thread(export, book, recipe, path, _watch(dialog.show_share, stop))
            if not desk.read_only:
                await desk.write(keep_recipe, recipe.to_json())
        except Cancelled:
            dialog.end_work()
        except WriterProblem as problem:
            dialog.end_work(str(problem))
        except BaseException:
            dialog.end_work()
            raise
        else:
            dialog.end_work()
            dialog.accept()
            self._say(f"The manuscript was written to {path}.")

    # ------------------------------------------------------------ import
    def _ask_to_import(self, path: Path, folder: Path) -> None:
        from quire.widgets.import_dialog import ImportDialog

        dialog = ImportDialog(path.name, self._window)
        stop = threading.Event()
        dialog.stop_wanted.connect(stop.set)
        dialog.import_wanted.connect(partial(self._ask_to_make, folder))
        dialog.open()
        self._doing.beside(partial(self._read, dialog, stop, path))

    async def _read(self, dialog: ImportDialog, stop: threading.Event, path: Path) -> None:
        from quire.exchange.reading import read_manuscript

        try:
            dialog.show_plan(await asyncio.to_thread(read_manuscript, path, _watch(dialog.show_share, stop)))
        except Cancelled:  # by closing the dialog
            pass
        except WriterProblem as problem:
            dialog.show_problem(str(problem))
        if dialog.isVisible():
            dialog.finished.connect(dialog.deleteLater)
        else:
            dialog.deleteLater()

    def _ask_to_make(self, folder: Path, decision: ImportDecision) -> None:
        self._doing.switch(partial(self._make, folder, decision))

    async def _make(self, folder: Path, decision: ImportDecision) -> None:
        from quire.exchange.reading import divided

        pieces = await asyncio.to_thread(divided, decision.plan.manuscript.text, decision.division)
        project = free_path(folder, decision.title)
        await self._adopt(await self._keeper.imported(project, decision.title, decision.author, pieces))
        num_texts = len(self._open_desk().tree.reading_order())
        made = "one text" if num_texts == 1 else f"{num_texts:,} texts"
        self._say(f"{decision.plan.path.name} was imported as {made}. The file itself was not changed.")

    # ------------------------------------------------------------ inside
    def _open_desk(self) -> ProjectDesk:
        if self._keeper.desk is None:
            raise WriterProblem("There is no project open. Open one, or make a new one.")
        return self._keeper.desk

    def _say(self, sentence: str) -> None:
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, sentence))


def _watch(show_share: Callable[[float], None], stop: threading.Event) -> Watch:
    """Return a watch for work on another thread; what it shows is shown on this one."""
    loop = asyncio.get_running_loop()

    def show(share: float) -> None:
        loop.call_soon_threadsafe(show_share, share)

    return Watch(show, stop.is_set)
