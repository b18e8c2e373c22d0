"""One open project: the writer's text and its runs, stored on a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

from quire.domain.book_edits import Edited
from quire.domain.cutting import Piece
from quire.domain.manuscript import Document, Project, cleaned, digest_of
from quire.domain.rotation import Reason
from quire.domain.run import Chunk, Run, RunState
from quire.domain.series import StepRecord
from quire.domain.tree import Tree, text_up_to
from quire.errors import BackupThere, WriterProblem
from quire.services import run_data, transactions, upkeep
from quire.services.making import DOCUMENT_ID, create_cut
from quire.storage.format import APPLICATION_ID
from quire.storage.place import warning_about
from quire.storage.problems import DiskFull, ProjectDamaged, ProjectReadOnly, SchemaTooNew
from quire.storage.repository import ProjectFile
from quire.storage.sqlite import (
    create_project_file,
    last_good_backup,
    open_project_file,
    open_project_reader,
    restore_project,
)
from quire.storage.writer import StorageThread

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Waiting:
    """How a run ended, and its last words, while the disk would not take them."""

    run: Run
    chunk: Chunk | None
    prompt_ids: Sequence[int] | None


class ProjectDesk:
    """One open project and the text of it that is open; everything it returns from is on the disk.

    recovered_words: words that a run had stored before it was cut off by a crash, now part of the text;
    recovered_at: when it stored them last, None when no run was cut off.
    """

    def __init__(self, file: ProjectFile, writer: StorageThread, opened: transactions.Opened) -> None:
        self._file = file
        self._writer = writer
        self._reader = StorageThread("reading")
        self._project = opened.project
        self._tree = opened.tree
        self._document = opened.document
        self._text_before: str | None = None
        self._runs = {run.run_id: run for run in opened.runs}
        self._waiting: Waiting | None = None
        self._text_lock = asyncio.Lock()
        self._before_close: list[Callable[[], Awaitable[None]]] = []
        self._when_saved: list[Callable[[Document, Document], None]] = []
        self._closed = False
        self.recovered_words = opened.recovered_words
        self.recovered_at = opened.recovered_at

    @classmethod
    async def create(cls, path: Path, title: str, opening: str) -> Self:
        """Make a new project file and open it."""
        project = Project(title, datetime.now(UTC))
        document = Document(DOCUMENT_ID, title, cleaned(opening))
        writer = StorageThread()
        try:
            await writer.run(create_project_file, path, project, document)
        finally:
            writer.close()
        return await cls.open(path)

    @classmethod
    async def create_cut(cls, path: Path, title: str, text: str | Sequence[Piece], author: str = "") -> Self:
        """Make a new project file of a text that is cut at its headings, or of its pieces, and open it."""
        writer = StorageThread()
        try:
            await writer.run(create_cut, path, title, text, author)
        finally:
            writer.close()
        return await cls.open(path)

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open a project file to work on it; what a crash cut off is recovered first."""
        return await cls._opened(path, open_project_file, transactions.open_and_recover)

    @classmethod
    async def open_to_read(cls, path: Path) -> Self:
        """Open a project file that cannot be written to, or was written by a newer Quire."""
        return await cls._opened(path, open_project_reader, transactions.read)

    @classmethod
    async def open_as_can_be(cls, path: Path) -> Self:
        """Open a project file to work on it, or to read it where nothing else is possible.

        BackupThere when it is damaged and a good backup of it is there.
        """
        try:
            return await cls.open(path)
        except (ProjectReadOnly, SchemaTooNew):
            return await cls.open_to_read(path)
        except ProjectDamaged as problem:
            backup = await asyncio.to_thread(last_good_backup, path)
            if backup is None:
                raise
            made = backup.made.astimezone().strftime("%d %B %Y, %H:%M")
            raise BackupThere(f"{problem} The last good one is of {made}.", path) from problem

    @classmethod
    async def _opened(
        cls,
        path: Path,
        open_file: Callable[[Path], ProjectFile],
        read: Callable[[ProjectFile], transactions.Opened],
    ) -> Self:
        writer = StorageThread()
        try:
            file = await writer.run(open_file, path)
            try:
                opened = await writer.run(read, file)
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
    def read_only(self) -> str:
        """Why nothing can be changed, as a sentence for the writer; empty where it can."""
        return self._file.read_only

    @property
    def title(self) -> str:
        """The project's title."""
        return self._project.title

    @property
    def heading(self) -> str:
        """What stands above the open text: the title, and which text it is where there are several."""
        if len(self._tree.reading_order()) < 2:
            return self.title
        return f"{self.title} \u2013 {' '.join(self._document.title.split())}"

    @property
    def tree(self) -> Tree:
        """Where the texts of the project stand."""
        return self._tree

    @property
    def document_id(self) -> int:
        """The text that is open."""
        return self._document.document_id

    @property
    def document(self) -> Document:
        """The text that is open, as stored, with who wrote which part of it."""
        return self._document

    @property
    def text(self) -> str:
        """The open text as stored, and after it what a full disk has kept from being stored."""
        if self._waiting is None or self._waiting.chunk is None:
            return self._document.text
        return self._document.text + self._waiting.chunk.text

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
        """The newest run of the open text that the model began, or the newest of all when it began none."""
        here = [run for run in self.runs if run.document_id == self.document_id]
        runs = [run for run in here if run.started] or here
        return runs[-1] if runs else None

    def run_that_left(self, text_digest: str) -> Run | None:
        """Return the newest run that left the story so, as far as the open text; else the last run."""
        left = [run for run in self.runs if run.started and run.end_digest == text_digest]
        left = [run for run in left if run.document_id == self.document_id]
        written = [run for run in left if run.num_tokens] or left  # one paused before its first word is none
        return written[-1] if written else self.last_run

    @property
    def next_run_id(self) -> int:
        """The number for a new run; one that the model never began is replaced."""
        for run in self.runs:
            if not run.started:
                return run.run_id
        return max(self._runs, default=0) + 1

    async def story(self) -> str:
        """Return everything in the book up to the end of the open text: what the model goes on from."""
        if self._text_before is None:
            self._text_before = await self._reader.run(transactions.text_before, self._file, self.document_id)
        return text_up_to((self._text_before, self.text))

    async def resting_run(self) -> Run | None:
        """Return the run that left the story as it is now, to be gone on with; None when none did."""
        digest = await self._reader.run(digest_of, await self.story())
        run = self.run_that_left(digest)
        return run if run is not None and run.end_digest == digest else None

    async def open_document(self, document_id: int) -> None:
        """Open another text of the project; only while no run writes."""
        async with self._text_lock:
            self._refuse_while_drafting()
            await self._store_waiting()
            open_document = transactions.read_document if self.read_only else transactions.open_document
            self._document = await self._writer.run(open_document, self._file, document_id)
            self._text_before = None

    async def save_text(self, text: str) -> None:
        """Store the open text as the writer left it; only while no run writes into it."""
        await asyncio.shield(asyncio.ensure_future(self._save_text(cleaned(text))))

    async def begin_run(self, run: Run) -> Run:
        """Store that a run begins, and the text as it is before; return the run as stored."""
        run = await self._writer.run(transactions.begin_run, self._file, run)
        self._runs[run.run_id] = run
        return run

    async def save_run(self, run: Run) -> None:
        """Store where a run stands."""
        await self._writer.run(transactions.save_run, self._file, run)
        self._runs[run.run_id] = run

    async def save_prompt(self, run: Run, prompt_ids: Sequence[int]) -> None:
        """Store the text that a run begins on as the model reads it; a resume needs it."""
        await self._writer.run(transactions.save_prompt, self._file, run, prompt_ids)
        self._runs[run.run_id] = run

    async def append(self, run: Run, chunk: Chunk) -> None:
        """Store what a run generated last; run carries the counters as they are with it."""
        await self._writer.finish(transactions.append, self._file, run, chunk)
        self._runs[run.run_id] = run
        self._document = self._document.drafted(chunk.text, run.run_id)

    async def fold(self, run: Run, chunk: Chunk | None, prompt_ids: Sequence[int] | None = None) -> Run:
        """Store how a run ended and its last words, and make what it wrote part of the text.

        prompt_ids: what it began on, where that could not be stored before. When it fails everything is kept,
        and stored by store_waiting().
        """
        try:
            folded, document = await self._writer.finish(self._folded, run, chunk, prompt_ids)
        except Exception:
            self._waiting = Waiting(run, chunk, prompt_ids)
            self._runs[run.run_id] = run
            raise
        self._waiting = None
        self._runs[run.run_id], self._document = folded, document
        return folded

    async def store_waiting(self) -> None:
        """Store what could not be stored when a run ended; WriterProblem while it still cannot."""
        async with self._text_lock:
            await self._store_waiting()

    async def known_texts(self) -> tuple[str, ...]:
        """Return other texts of the project whose phrases may come again; they only make a run faster."""
        return await self._reader.run(transactions.known_texts, self._file, self.document_id)

    async def prompt_ids(self, run_id: int) -> tuple[int, ...]:
        """Return the tokens of the text that a run began on."""
        return await self._writer.run(transactions.prompt_ids, self._file, run_id)

    async def token_ids(self, run_id: int) -> tuple[int, ...]:
        """Return every generated token of a run."""
        return await self._writer.run(transactions.token_ids, self._file, run_id)

    async def steps(self, run_id: int) -> tuple[StepRecord, ...]:
        """Return what happened in every step of a run, as far as it is stored."""
        return await self._reader.run(transactions.steps, self._file, run_id)

    async def read(
        self, work: Callable[Concatenate[ProjectFile, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do something that only reads the project file, beside everything else."""
        return await self._reader.run(work, self._file, *args, **kwargs)

    async def write(
        self, work: Callable[Concatenate[ProjectFile, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do something that writes to the project file and changes neither the open text nor a run."""
        return await self._writer.run(work, self._file, *args, **kwargs)

    async def change_text(
        self, work: Callable[Concatenate[ProjectFile, P], Document], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Do something that returns the open text as it stands then; only while no run writes into it."""
        async with self._text_lock:
            self._refuse_while_drafting()
            await self._store_waiting()
            self._document = await self._writer.finish(work, self._file, *args, **kwargs)
            self._text_before = None  # other texts may be different, too

    def arranged(self, edited: Edited) -> None:
        """Take how the book is arranged now, and what runs are left."""
        self._tree, self._text_before = edited.tree, None
        self._document = replace(self._document, title=edited.tree.node(self.document_id).title)
        if edited.runs is not None:
            self._runs = {run.run_id: run for run in edited.runs}

    async def back_up(self, reason: Reason) -> Path | None:
        """Make a backup beside the work; None when none is due."""
        return await self._reader.run(self._file.back_up, reason)

    async def export_runs(self, path: Path) -> int:
        """Write what happened in every step of every run to a file; return how many runs there are."""
        return await self._reader.run(run_data.export_runs, self._file, path)

    async def place_warning(self) -> str:
        """Return what the writer should know about where the project lies, or nothing."""
        return await self._reader.run(warning_about, self.path.parent)

    def when_saved(self, listener: Callable[[Document, Document], None]) -> None:
        """Have somebody told what the text was and became, each time the writer's changes were stored."""
        self._when_saved.append(listener)

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
            if not self.read_only:
                await self._writer.run(upkeep.tidy, self._file)
        finally:
            await self._writer.run(self._file.close)
            self._reader.close()
            self._writer.close()

    def _folded(
        self, run: Run, chunk: Chunk | None, prompt_ids: Sequence[int] | None
    ) -> tuple[Run, Document]:
        try:
            return transactions.fold(self._file, run, chunk, prompt_ids)
        except DiskFull:
            if not self._file.make_room():
                raise
            return transactions.fold(self._file, run, chunk, prompt_ids)

    async def _save_text(self, text: str) -> None:
        async with self._text_lock:
            self._refuse_while_drafting()
            await self._store_waiting()
            if text == self._document.text:
                return
            before = self._document
            self._document = await self._writer.run(
                transactions.save_text, self._file, self.document_id, text
            )
            for listener in self._when_saved:  # when their turn comes: the text is stored, whatever they do
                asyncio.get_running_loop().call_soon(listener, before, self._document)

    def _refuse_while_drafting(self) -> None:
        if any(run.state is RunState.RUNNING for run in self._runs.values()):
            raise WriterProblem(
                "The manuscript cannot be changed while a draft is being written. Pause it first."
            )

    async def _store_waiting(self) -> None:
        if self._waiting is not None:
            await self.fold(self._waiting.run, self._waiting.chunk, self._waiting.prompt_ids)


@dataclass(frozen=True, slots=True)
class ProjectOverview:
    """What there is to say about a project; runs that were cut off are shown as they will be recovered."""

    path: Path
    project: Project
    text: str
    runs: tuple[Run, ...]
    schema_version: int
    application_id: int
    tree: Tree


def read_project(path: Path) -> ProjectOverview:
    """Read a project without changing it, on a read-only disk too; nobody else may have it open."""
    file = open_project_reader(path)
    try:
        opened = transactions.read(file)
        text = transactions.story(file)
    finally:
        file.close()
    return ProjectOverview(path, opened.project, text, opened.runs, file.version, APPLICATION_ID, opened.tree)


def backed_up(path: Path, reason: Reason) -> Path:
    """Make a backup of a project that is not open, and return it."""
    file = open_project_file(path)
    try:
        made = file.back_up(reason)
    finally:
        file.close()
    return path if made is None else made


def restored(path: Path, backup: Path | None = None) -> tuple[Path, Path]:
    """Make a new project of a backup; return both. WriterProblem when no backup of the project is good.

    backup: None takes the last good one. The project itself may be damaged or gone, and is not touched.
    """
    return restore_project(path, backup)
