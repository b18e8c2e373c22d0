"""An open project file, and its threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

from quire.domain.drafting.pass_course import CoursePoint
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.drafting.steering import NewCard
from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.chapter_splitting import TextSection
from quire.domain.manuscript.comments import Comment
from quire.domain.manuscript.manuscript import Document, Project, cleaned
from quire.domain.written_time import WrittenTime
from quire.errors import BackupThere
from quire.services.project.draft_target import UnstoredEnd
from quire.services.transactions import project_text, run_data_export, saving_elsewhere
from quire.services.transactions.project_creation import DOCUMENT_ID, create_cut
from quire.services.transactions.saving_elsewhere import EndOfRun, SavedElsewhere
from quire.storage.problems import ProjectDamaged, ProjectReadOnly, SchemaTooNew
from quire.storage.project_file import (
    ProjectFile,
    create_project_file,
    last_good_backup,
    open_project_file,
    open_project_reader,
)
from quire.storage.storage_location import warning_about
from quire.storage.storage_thread import StorageThread
from quire_engine.api.user_message import UserMessage

P = ParamSpec("P")
T = TypeVar("T")


class OpenProject:
    """A project file that this process has opened; changes run on one thread, in order.

    Attributes:
        recovered_words: words that a run had stored before a crash interrupted it, now part of the text.
        recovered_at: when it stored them last, None when no run was interrupted.
        notices: what was found beside the file, and what of it the writer is to know.
        has_lost: whether something that was saved is missing; a backup may have it.
    """

    def __init__(self, file: ProjectFile, writer: StorageThread, opened: project_text.Opened) -> None:
        self._file = file
        self._waiting: UnstoredEnd | None = None
        self._project = opened.project
        self._writer = writer
        self._reader = StorageThread("reading")
        self.recovered_words = opened.recovered_words
        self.recovered_at = opened.recovered_at
        self.notices, self.has_lost = file.notices, file.has_lost

    @classmethod
    async def create(cls, path: Path, title: str, opening: str) -> Self:
        """Make a new project file and open it."""
        project = Project(title, datetime.now(UTC))
        document = Document(DOCUMENT_ID, title, cleaned(opening))
        writer = StorageThread()
        try:
            notices = await writer.run(create_project_file, path, project, document)
        finally:
            writer.close()
        return await cls._created(path, notices)

    @classmethod
    async def create_cut(
        cls,
        path: Path,
        title: str,
        text: str | Sequence[TextSection],
        author: str = "",
        comments: Sequence[Comment] = (),
        note: NewCard | None = None,
    ) -> Self:
        """Make a new project file of a text that is cut at its headings, or of its sections, and open it."""
        writer = StorageThread()
        try:
            notices = await writer.run(create_cut, path, title, text, author, comments, note)
        finally:
            writer.close()
        return await cls._created(path, notices)

    @classmethod
    async def _created(cls, path: Path, notices: tuple[UserMessage, ...]) -> Self:
        created = await cls.open(path)
        created.notices = (*notices, *created.notices)
        return created

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open a project file to work on it; runs that a crash interrupted are recovered first."""
        return await cls._opened(path, open_project_file, project_text.open_and_recover)

    @classmethod
    async def open_to_read(cls, path: Path) -> Self:
        """Open a project file that is read-only, or was written by a newer Quire."""
        return await cls._opened(path, open_project_reader, project_text.read)

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
            made = WrittenTime(backup.made)
            raise BackupThere(
                "{problem} The last good backup is from {made}.", problem=problem, made=made, damaged=path
            ) from problem

    @classmethod
    async def _opened(
        cls,
        path: Path,
        open_file: Callable[[Path], ProjectFile],
        read: Callable[[ProjectFile], project_text.Opened],
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
        """The path of the project file."""
        return self._file.path

    @property
    def read_only(self) -> str:
        """Why nothing can be changed, as a sentence for the writer; empty where it can."""
        return self._file.read_only

    @property
    def has_damage(self) -> bool:
        """Whether something in the file was not as it was stored when it was opened."""
        return bool(self._file.damage)

    async def prompt_ids(self, run_id: int) -> tuple[int, ...]:
        """Return the tokens of the text that a run began on."""
        return await self._writer.run(project_text.prompt_ids, self._file, run_id)

    async def token_ids(self, run_id: int) -> tuple[int, ...]:
        """Return every generated token of a run."""
        return await self._writer.run(project_text.token_ids, self._file, run_id)

    async def steps(self, run_id: int) -> tuple[StepRecord, ...]:
        """Return every step of a run, as far as it is stored."""
        return await self._reader.run(project_text.steps, self._file, run_id)

    async def read(
        self, work: Callable[Concatenate[ProjectFile, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run an operation that only reads the project file, concurrently."""
        return await self._reader.run(work, self._file, *args, **kwargs)

    async def write(
        self, work: Callable[Concatenate[ProjectFile, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run an operation that writes to the project file and changes neither the open text nor a run."""
        return await self._writer.run(work, self._file, *args, **kwargs)

    async def back_up(self, reason: Reason) -> Path | None:
        """Make a backup in the background; None when none is due."""
        return await self._reader.run(self._file.back_up, reason)

    async def file_problem(self) -> UserMessage | None:
        """Return what happened to the file from outside, where that would lose something."""
        return await self._writer.run(
            saving_elsewhere.file_problem, self._file, unstored=self._waiting is not None
        )

    async def save_elsewhere(self, path: Path, shown: Document) -> SavedElsewhere:
        """Write everything to a new project: what is stored, what waits to be, and the open text as shown.

        The project stays open as it is; nothing waits to be stored in it any more.
        """
        waiting = self._waiting
        ended = None if waiting is None else EndOfRun(waiting.run, waiting.chunk, waiting.prompt_ids)
        saved = await self._reader.run(
            saving_elsewhere.save_elsewhere, self._file, path, self._project, shown, ended
        )
        self._waiting = None
        return saved

    async def export_runs(self, path: Path) -> int:
        """Write every step of every run to a file; return how many runs there are."""
        return await self._reader.run(run_data_export.export_runs, self._file, path)

    async def pass_course(self) -> tuple[CoursePoint, ...]:
        """Return the tokens per pass over all that was drafted in the book."""
        return await self._reader.run(run_data_export.book_course, self._file)

    async def place_warning(self) -> str:
        """Return a warning about the project's location, or nothing."""
        return await self._reader.run(warning_about, self.path.parent)
