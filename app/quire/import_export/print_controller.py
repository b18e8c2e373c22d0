"""Printing: the pages are created in the background, then previewed, and printed from there."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QSizeF
from PySide6.QtGui import QPageLayout, QPageSize, QPicture

from quire.book_formats.work_progress import WorkProgress
from quire.errors import WriterProblem
from quire.import_export.work_in_dialog import made_in, watch_of
from quire.shell.notices import Notice, NoticeKind
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # imported on demand
    from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog

    from quire.app import App
    from quire.book_formats.export_settings import ExportSettings
    from quire.import_export.print_dialog import PrintDialog

_SHARE_OF_READING = 0.05


class PrintController:
    """Connects File > Print to the open project."""

    def __init__(self, app: App) -> None:
        self._window, self._current, self._tasks = app.window, app.current, app.tasks
        app.window.commands.print_book.triggered.connect(self._ask)

    def _ask(self) -> None:
        self._tasks.run_now(self._open_dialog)

    async def _open_dialog(self) -> None:
        from quire.book_formats.book import nodes_to_choose
        from quire.book_formats.export_settings import ExportSettings
        from quire.import_export.book_options_dialog import usual_paper
        from quire.import_export.print_dialog import PrintDialog
        from quire.services.transactions.book_texts import kept_recipe

        session = self._current.require_session()
        recipe = ExportSettings.from_json(await session.read(kept_recipe), usual_paper())
        check = (
            ""
            if session.draft_target is None
            else UserMessage("A draft is running. Its words so far are printed, too.")
        )
        dialog = PrintDialog(nodes_to_choose(session.tree), recipe, check, self._window)
        stop = threading.Event()
        dialog.stop_wanted.connect(stop.set)
        dialog.pages_wanted.connect(partial(self._ask_for_pages, dialog, stop))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_for_pages(self, dialog: PrintDialog, stop: threading.Event, recipe: ExportSettings) -> None:
        stop.clear()
        dialog.begin_work()
        self._tasks.run_now(partial(self._show_pages, dialog, stop, recipe))

    async def _show_pages(self, dialog: PrintDialog, stop: threading.Event, recipe: ExportSettings) -> None:
        pages = await made_in(dialog, self._pages(recipe, watch_of(dialog.show_share, stop)))
        if pages is not None:
            self._preview(pages, recipe).open()

    async def _pages(self, recipe: ExportSettings, watch: WorkProgress) -> tuple[QPicture, ...]:
        from quire.book_formats.export_scope import book_to_export
        from quire.book_formats.pdf import pictures
        from quire.services.transactions.book_texts import book_texts

        await self._current.autosave.store()
        session = self._current.require_session()
        texts = await session.read(book_texts)
        watch.step(0.0)
        book = await asyncio.to_thread(book_to_export, texts, recipe, {})
        if not any(chapter.scenes or chapter.title for chapter in book.chapters):
            raise WriterProblem("There is nothing to print. Select at least one chapter with text.")
        return await asyncio.to_thread(pictures, book, recipe, watch.part(_SHARE_OF_READING, 1.0))

    def _preview(self, pages: Sequence[QPicture], recipe: ExportSettings) -> QPrintPreviewDialog:
        """Return the preview window, which also prints the pages."""
        from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog

        width, height = recipe.paper.size_mm
        size = QSizeF(width, height)
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(self._current.require_session().title)
        page_size = QPageSize(size, QPageSize.Unit.Millimeter)
        printer.setPageLayout(QPageLayout(page_size, QPageLayout.Orientation.Portrait, QMarginsF()))
        dialog = QPrintPreviewDialog(printer, self._window)
        dialog.setWindowTitle(f"Print {self._current.require_session().title}")
        dialog.resize(900, 720)
        dialog.paintRequested.connect(partial(self._play, pages, size))
        dialog.finished.connect(dialog.deleteLater)
        dialog.finished.connect(partial(_forget, printer))  # it must exist until then
        return dialog

    def _play(self, pages: Sequence[QPicture], size: QSizeF, printer: QPrinter) -> None:
        from quire.import_export.print_dialog import play

        try:
            play(pages, size, printer)
        except WriterProblem as problem:
            self._window.notice_bar.show_notice(Notice(NoticeKind.ERROR, problem.message))


def _forget(_printer: QPrinter, _result: int) -> None:
    """Keep a reference to a printer while this is connected."""
