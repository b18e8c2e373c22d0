"""One open project: the writer's text and its runs, stored on a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from quire.domain.manuscript import Document, Project, cleaned
from quire.domain.run import Chunk, Run, RunState
from quire.errors import WriterProblem
from quire.services import transactions
from quire.storage.format import APPLICATION_ID, SCHEMA_VERSION
from quire.storage.repository import ProjectFile
from quire.storage.sqlite import create_project_file, open_project_file, open_project_reader
from quire.storage.writer import StorageWriter

DOCUMENT_ID = 1


@dataclass(frozen=True, slots=True)
class Waiting:
    """How a run ended, and its last words, while the disk would not take them."""

    run: Run
    chunk: Chunk | None


class ProjectDesk:
    """The manuscript of one open project; everything it returns from is on the disk.

    recovered_words: words that a run had stored before it was cut off by a crash, now part of the text;
    recovered_at: when it stored them last, None when no run was cut off.
    """

    def __init__(self, file: ProjectFile, writer: StorageWriter, opened: transactions.Opened) -> None:
        self._file = file
        self._writer = writer
        self._project = opened.project
        self._document_id = opened.document.document_id
        self._text = opened.document.text
        self._runs = {run.run_id: run for run in opened.runs}
        self._waiting: Waiting | None = None
        self._text_lock = asyncio.Lock()
        self._before_close: list[Callable[[], Awaitable[None]]] = []
        self._closed = False
        self.recovered_words = opened.recovered_words
        self.recovered_at = opened.recovered_at

    @classmethod
    async def create(cls, path: Path, title: str, opening: str) -> Self:
        """Make a new project file and open it."""
        project = Project(title, datetime.now(UTC))
        document = Document(DOCUMENT_ID, title, cleaned(opening))
        writer = StorageWriter()
        try:
            await writer.run(create_project_file, path, project, document)
        finally:
            writer.close()
        return await cls.open(path)

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open a project file; what a crash cut off is recovered first."""
        writer = StorageWriter()
        try:
            file = await writer.run(open_project_file, path)
            try:
                opened = await writer.run(transactions.open_and_recover, file)
            except BaseException:
                await writer.run(file.close)
                raise
        except BaseException:
            writer.close()
            raise
        return cls(file, writer, opened)

    @property
    def path(self) -> Path:
        """Where the project file lies."""
        return self._file.path

    @property
    def title(self) -> str:
        """The project's title."""
        return self._project.title

    @property
    def document_id(self) -> int:
        """The document that is open."""
        return self._document_id

    @property
    def text(self) -> str:
        """The manuscript as stored, and after it what a full disk has kept from being stored."""
        if self._waiting is None or self._waiting.chunk is None:
            return self._text
        return self._text + self._waiting.chunk.text

    @property
    def text_lock(self) -> asyncio.Lock:
        """Held while the text is changed, or while something depends on its not being changed."""
        return self._text_lock

    @property
    def everything_stored(self) -> bool:
        """Whether nothing waits for room on the disk."""
        return self._waiting is None

    @property
    def runs(self) -> tuple[Run, ...]:
        """Every run, the oldest first."""
        return tuple(self._runs[run_id] for run_id in sorted(self._runs))

    def run(self, run_id: int) -> Run:
        """Return a run as it stands."""
        return self._runs[run_id]

    @property
    def last_run(self) -> Run | None:
        """The newest run that the model began, or the newest of all when it began none."""
        runs = [run for run in self.runs if run.started] or self.runs
        return runs[-1] if runs else None

    @property
    def next_run_id(self) -> int:
        """The number for a new run; one that the model never began is replaced."""
        for run in self.runs:
            if not run.started:
                return run.run_id
        return max(self._runs, default=0) + 1

    async def save_text(self, text: str) -> None:
        """Store the manuscript as the writer left it; only while no run writes into it."""
        await asyncio.shield(asyncio.ensure_future(self._save_text(cleaned(text))))

    async def save_run(self, run: Run) -> None:
        """Store where a run stands."""
        await self._writer.run(transactions.save_run, self._file, run)
        self._runs[run.run_id] = run

    async def append(self, run: Run, chunk: Chunk) -> None:
        """Store what a run generated last; run carries the counters as they are with it."""
        await self._writer.finish(transactions.append, self._file, run, chunk)
        self._runs[run.run_id] = run
        self._text += chunk.text

    async def fold(self, run: Run, chunk: Chunk | None) -> Run:
        """Store how a run ended and its last words, and make what it wrote part of the text.

        When that fails both are kept, and stored by store_waiting().
        """
        try:
            folded, text = await self._writer.finish(transactions.fold, self._file, run, chunk)
        except Exception:
            self._waiting = Waiting(run, chunk)
            self._runs[run.run_id] = run
            raise
        self._waiting = None
        self._runs[run.run_id], self._text = folded, text
        return folded

    async def store_waiting(self) -> None:
        """Store what could not be stored when a run ended; WriterProblem while it still cannot."""
        async with self._text_lock:
            await self._store_waiting()

    async def token_ids(self, run_id: int) -> tuple[int, ...]:
        """Return every generated token of a run."""
        return await self._writer.run(transactions.token_ids, self._file, run_id)

    def before_close(self, stop: Callable[[], Awaitable[None]]) -> None:
        """Have something stopped before the project is closed."""
        self._before_close.append(stop)

    async def close(self) -> None:
        """Stop what writes into the project, store what waits, and close the file.

        WriterProblem when something could not be stored; the file is closed all the same.
        """
        if self._closed:
            return
        self._closed = True
        try:
            for stop in self._before_close:
                await stop()
            await self.store_waiting()
        finally:
            await self._writer.run(self._file.close)
            self._writer.close()

    async def _save_text(self, text: str) -> None:
        async with self._text_lock:
            if any(run.state is RunState.RUNNING for run in self._runs.values()):
                raise WriterProblem(
                    "The manuscript cannot be changed while a draft is being written. Pause it first."
                )
            await self._store_waiting()
            if text != self._text:
                await self._writer.run(transactions.save_text, self._file, self._document_id, text)
                self._text = text

    async def _store_waiting(self) -> None:
        if self._waiting is not None:
            await self.fold(self._waiting.run, self._waiting.chunk)


@dataclass(frozen=True, slots=True)
class ProjectOverview:
    """What there is to say about a project; runs that were cut off are shown as they will be recovered."""

    path: Path
    project: Project
    text: str
    runs: tuple[Run, ...]
    schema_version: int
    application_id: int


def read_project(path: Path) -> ProjectOverview:
    """Read a project without changing it, on a read-only disk too; nobody else may have it open."""
    file = open_project_reader(path)
    try:
        opened = transactions.read(file)
    finally:
        file.close()
    return ProjectOverview(
        path, opened.project, opened.document.text, opened.runs, SCHEMA_VERSION, APPLICATION_ID
    )
