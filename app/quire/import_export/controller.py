"""Import and export in the window: they ask, show progress, and can be stopped."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices

from quire.book_formats.work_progress import Cancelled
from quire.domain.drafting.run import RunState
from quire.domain.manuscript.project_file_names import file_stem_of, free_path
from quire.domain.manuscript.tree import NodeKind
from quire.editor.utf16_positions import Utf16Positions
from quire.errors import WriterProblem
from quire.import_export.work_in_dialog import made_in, watch_of
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.ui.translated import translated
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # imported on demand: reading and writing files takes a tenth of a second to import
    from quire.app import App
    from quire.book_formats.export_settings import ExportSettings, Scope
    from quire.book_formats.importing.import_plan import ImportDecision
    from quire.domain.manuscript.manuscript import Document
    from quire.import_export.export_dialog import ExportDialog
    from quire.import_export.import_dialog import ImportDialog
    from quire.services.project.project_session import ProjectSession


@dataclass(frozen=True, slots=True)
class _Export:
    """An open dialog.

    Attributes:
        dialog: the dialog.
        stop: stops its work.
        pieces: what it can export of the open text besides the book.
        document_id: the open text.
    """

    dialog: ExportDialog
    stop: threading.Event
    pieces: dict[Scope, Document]
    document_id: int


class ImportExportController:
    """Connects import and export to the open project."""

    def __init__(self, app: App) -> None:
        window = app.window
        self._app, self._window, self._current, self._tasks = app, window, app.current, app.tasks
        window.commands.export.triggered.connect(self._ask_to_export)
        window.import_asked.connect(self._ask_to_import)

    # ------------------------------------------------------------ export
    def _ask_to_export(self) -> None:
        self._tasks.run_now(self._open_export)

    async def _open_export(self) -> None:
        await self._current.autosave.store()
        session = self._current.require_session()
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        from quire.book_formats.book import nodes_to_choose
        from quire.book_formats.export_settings import ExportSettings
        from quire.book_formats.exporter import name_to_offer
        from quire.import_export.book_options_dialog import usual_paper
        from quire.import_export.export_dialog import ExportDialog, ExportStart
        from quire.services.transactions.book_texts import exported_digests, kept_recipe
        from quire_engine.metrics.word_count import count_words

        recipe = ExportSettings.from_json(await session.read(kept_recipe), usual_paper())
        recipe = replace(recipe, author=recipe.author or session.author)
        pieces = await self._pieces(session)
        counts = {scope: count_words(piece.text) for scope, piece in pieces.items()}
        digests = await session.read(exported_digests)
        stem = file_stem_of(session.title) or "Manuscript"
        start = ExportStart(
            nodes_to_choose(session.tree),
            recipe,
            Path(folder),
            await asyncio.to_thread(name_to_offer, Path(folder), stem, digests),
            counts,
            self._check_of(session),
        )
        export = _Export(ExportDialog(start, self._window), threading.Event(), pieces, session.document_id)
        dialog = export.dialog
        dialog.stop_wanted.connect(export.stop.set)
        dialog.export_wanted.connect(partial(self._ask_to_write, export))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    async def _pieces(self, session: ProjectSession) -> dict[Scope, Document]:
        """Return what can be exported now besides the book."""
        from quire.book_formats.export_settings import Scope
        from quire.services.transactions.take_changes import takes_of
        from quire.services.transactions.take_queries import source_of_text

        caret = self._window.editor.textCursor()
        places = Utf16Positions(self._window.editor.text())
        chosen = places.to_text(caret.selectionStart()), places.to_text(caret.selectionEnd())
        takes = await session.read(takes_of, session.document_id)
        document, last = session.document, takes.last
        found = {Scope.TEXT: document} if len(session.tree.reading_order()) > 1 else {}
        if last is not None:
            start = takes.standing()[last.take_id]
            whole = (await session.read(source_of_text, session.document_id, start)).document
            found[Scope.TAKE] = whole.part(start, len(whole.text))
        found[Scope.SELECTION] = document.part(*chosen)
        return {scope: piece for scope, piece in found.items() if piece.text.strip()}

    async def _grown(self, session: ProjectSession, export: _Export) -> dict[Scope, Document]:
        """Return the sections updated with newly drafted text; the selection stays."""
        if session.document_id != export.document_id:
            return export.pieces
        now = await self._pieces(session)
        return export.pieces | {scope: piece for scope, piece in now.items() if scope.value != "selection"}

    def _check_of(self, session: ProjectSession) -> str:
        """Return what the writer should know about an unfinished draft, or an empty string."""
        run = session.last_run
        if session.draft_target is not None:
            return UserMessage(
                "A draft is running. What it has written when you press Export is exported, too."
            )
        if run is None or run.state is not RunState.PAUSED or run.num_words >= run.goal_words:
            return ""
        counted = UserMessage(
            "{done:,} of {goal:,} words",
            done=run.num_words - run.goal_start,
            goal=run.goal_words - run.goal_start,
        )
        return UserMessage(
            "The last draft was paused at {counted}. Its text is exported, too.",
            counted=counted,
        )

    def _ask_to_write(self, export: _Export, recipe: ExportSettings, path: Path) -> None:
        export.stop.clear()
        export.dialog.begin_work()
        self._tasks.run_now(partial(self._write, export, recipe, path))

    async def _write(self, export: _Export, recipe: ExportSettings, path: Path) -> None:
        if await made_in(export.dialog, self._written(export, recipe, path)) is not None:
            self._window.notice_bar.show_notice(
                Notice(
                    NoticeKind.NOTE,
                    UserMessage("The manuscript was exported to {path}.", path=path),
                    NoticeAction.SHOW_IN_FOLDER,
                    act=partial(_show_folder, path.parent),
                )
            )

    async def _written(self, export: _Export, recipe: ExportSettings, path: Path) -> Path:
        from quire.book_formats.export_scope import book_to_export
        from quire.book_formats.export_settings import Scope
        from quire.book_formats.exporter import export as write
        from quire.services.transactions.book_texts import book_texts, keep_exported, keep_recipe

        await self._current.autosave.store()
        session = self._current.require_session()
        texts = await session.read(book_texts)
        pieces = await self._grown(session, export)
        book = await asyncio.to_thread(book_to_export, texts, recipe, pieces)
        watch = watch_of(export.dialog.show_share, export.stop)
        digest = await asyncio.to_thread(write, book, recipe, path, watch)
        if not session.read_only:  # a section is chosen for this export only, a style for later ones as well
            await session.write(keep_exported, digest)
            await session.write(keep_recipe, replace(recipe, scope=Scope.BOOK).to_json())
        return path

    # ------------------------------------------------------------ import
    def _ask_to_import(self, path: Path, folder: Path) -> None:
        from quire.import_export.import_dialog import ImportDialog

        dialog = ImportDialog(path.name, self._window)
        stop = threading.Event()
        dialog.stop_wanted.connect(stop.set)
        dialog.import_wanted.connect(partial(self._ask_to_make, folder))
        dialog.encoding_wanted.connect(partial(self._ask_to_read, dialog, stop, path))
        dialog.finished.connect(partial(_delete_unless_read, dialog))
        dialog.open()
        self._ask_to_read(dialog, stop, path)

    def _ask_to_read(
        self, dialog: ImportDialog, stop: threading.Event, path: Path, encoding: str = ""
    ) -> None:
        self._tasks.run_now(partial(self._read, dialog, stop, path, encoding))

    async def _read(self, dialog: ImportDialog, stop: threading.Event, path: Path, encoding: str) -> None:
        from quire.book_formats.importer import read_manuscript

        try:
            watch = watch_of(dialog.show_share, stop)
            dialog.show_plan(await asyncio.to_thread(read_manuscript, path, watch, encoding))
        except Cancelled:  # by closing the dialog
            pass
        except WriterProblem as problem:
            dialog.show_problem(problem.message)
        if not dialog.isVisible():
            dialog.deleteLater()

    def _ask_to_make(self, folder: Path, decision: ImportDecision) -> None:
        self._tasks.enqueue_exclusive(partial(self._make, folder, decision))

    async def _make(self, folder: Path, decision: ImportDecision) -> None:
        from quire.book_formats.importing.import_plan import divided
        from quire.domain.drafting.steering import NewCard

        pieces = await asyncio.to_thread(divided, decision.plan.manuscript.text, decision.division)
        project = free_path(folder, decision.title)
        manuscript = decision.plan.manuscript
        rest = NewCard(NodeKind.NOTE, translated(UserMessage("Left out at import")), manuscript.left_out_text)
        await self._app.opener.adopt(
            await self._current.imported(
                project,
                decision.title,
                decision.author,
                pieces,
                manuscript.comments,
                rest if decision.keeps_rest else None,
            )
        )
        num_texts = len(self._current.require_session().tree.reading_order())
        made = (
            UserMessage("1 text")
            if num_texts == 1
            else UserMessage("{num_texts:,} texts", num_texts=num_texts)
        )
        self._say(
            UserMessage(
                "{name} was imported as {made}. The file itself is unchanged.",
                name=decision.plan.path.name,
                made=made,
            )
        )

    # ------------------------------------------------------------ inside
    def _say(self, sentence: str) -> None:
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, sentence))


def _delete_unless_read(dialog: ImportDialog, _result: int) -> None:
    """Delete a dialog that was closed; one that still waits for its file is deleted after that."""
    if not dialog.is_working:
        dialog.deleteLater()


def _show_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))
