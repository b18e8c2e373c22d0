"""One open project: the writer's text and its runs, stored on a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

from quire.domain.drafting.chapter_advance_rules import Turn
from quire.domain.drafting.pass_course import CoursePoint
from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.drafting.steering import NewCard
from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.chapter_splitting import TextSection
from quire.domain.manuscript.comments import Comment
from quire.domain.manuscript.manuscript import Document, Project, cleaned, digest_of
from quire.domain.manuscript.provenance import Origin
from quire.domain.manuscript.tree import Tree, text_up_to
from quire.domain.written_time import WrittenTime
from quire.errors import BackupThere, WriterProblem
from quire.services.project.draft_target import (
    ChapterAdvanced,
    DraftInProgressError,
    DraftTarget,
    UnstoredEnd,
)
from quire.services.transactions import (
    known_phrases,
    maintenance,
    project_text,
    run_data_export,
    saving_elsewhere,
    split_and_merge,
)
from quire.services.transactions.project_creation import DOCUMENT_ID, create_cut
from quire.services.transactions.saving_elsewhere import EndOfRun, SavedElsewhere
from quire.services.transactions.split_and_merge import Edited, Turned
from quire.storage.backups import original_of
from quire.storage.problems import DiskFull, ProjectDamaged, ProjectReadOnly, SchemaTooNew
from quire.storage.project_file import (
    ProjectFile,
    create_project_file,
    last_good_backup,
    open_project_file,
    open_project_reader,
)
from quire.storage.storage_location import warning_about
from quire.storage.storage_thread import StorageThread
from quire_engine.api.known_texts import KnownText
from quire_engine.api.messages import FinishReason, GenerationStarted
from quire_engine.api.user_message import UserMessage

P = ParamSpec("P")
T = TypeVar("T")


class ProjectSession:
    """One open project and its open text; every method returns once its changes are on the disk.

    Changes run on one thread, in order.

    Attributes:
        recovered_words: words that a run had stored before a crash interrupted it, now part of the text.
        recovered_at: when it stored them last, None when no run was interrupted.
        notices: for the writer, about files found next to the project.
        has_lost: whether something that was saved is missing; a backup may have it.
        backup_of: the project that the file is a backup of, to be read only; None for a project.
    """

    def __init__(self, file: ProjectFile, writer: StorageThread, opened: project_text.Opened) -> None:
        self._file = file
        self._waiting: UnstoredEnd | None = None
        self._project = opened.project
        self._writer = writer
        self._reader = StorageThread("reading")
        self.backup_of: Path | None = None
        self.recovered_words = opened.recovered_words
        self.recovered_at = opened.recovered_at
        self.notices, self.has_lost = file.notices, file.has_lost
        self._tree = opened.tree
        self._document = opened.document
        self._text_before: str | None = None  # None: to be read again
        self._times_outdated = 0
        self._runs = {run.run_id: run for run in opened.runs}
        self._target: DraftTarget | None = None
        self._text_lock = asyncio.Lock()
        self._before_close: list[Callable[[], Awaitable[None]]] = []
        self._when_saved: list[Callable[[Document, Document], None]] = []
        self._closed = False

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

        A backup is only read: what was written into it would be lost with it. BackupThere when it is damaged
        and a good backup of it is there.
        """
        if (original := original_of(path)) is not None:
            opened = await cls.open_to_read(path)
            project, when = original
            opened.backup_of = project
            opened._file.read_only = UserMessage(
                "This is a backup of {project}, made {made}, which stays as it is.",
                project=project.name,
                made=WrittenTime(when),
            )
            return opened
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
        """Describe a change of the file from outside that would lose something."""
        return await self._writer.run(
            saving_elsewhere.file_problem, self._file, unstored=self._waiting is not None
        )

    async def copy_to(self, path: Path) -> None:
        """Write everything that is stored to a new project; this one stays open."""
        await self._reader.run(self._file.copy_to, path)

    async def save_elsewhere(self, path: Path, shown: Document) -> SavedElsewhere:
        """Write everything to a new project: the stored, the unstored, and the open text as shown.

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

    @property
    def author(self) -> str:
        """Return the author of the book."""
        return self._project.author

    @property
    def title(self) -> str:
        """The project's title."""
        return self._project.title

    @property
    def runs_right_to_left(self) -> bool:
        """Whether the book's language is written from right to left."""
        return self._project.runs_right_to_left

    @property
    def heading(self) -> str:
        """What is shown above the open text: the title, and which text it is where there are several."""
        if [node.node_id for node in self._tree.reading_order()] == [self.document_id]:
            return self.title
        return f"{self.title} \u2013 {' '.join(self._document.title.split())}"

    @property
    def tree(self) -> Tree:
        """The texts of the project, in their order."""
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
        """The open text as stored, followed by what a full disk has kept from being stored."""
        waiting = self._waiting
        if waiting is None or waiting.chunk is None or waiting.run.document_id != self.document_id:
            return self._document.text
        return self._document.text + waiting.chunk.text

    @property
    def text_lock(self) -> asyncio.Lock:
        """Held while the text is changed, or while something depends on its not being changed."""
        return self._text_lock

    @property
    def everything_stored(self) -> bool:
        """Whether nothing waits for disk space."""
        return self._waiting is None

    @property
    def runs(self) -> tuple[Run, ...]:
        """Every run, the oldest first."""
        return tuple(self._runs[run_id] for run_id in sorted(self._runs))

    def run(self, run_id: int) -> Run:
        """Return the current state of a run."""
        return self._runs[run_id]

    @property
    def last_run(self) -> Run | None:
        """The newest run of the open text that the model began, or the newest of all when it began none."""
        here = [run for run in self.runs if run.document_id == self.document_id]
        runs = [run for run in here if run.started] or here
        return runs[-1] if runs else None

    def run_that_left(self, text_digest: str, document_id: int | None = None) -> Run | None:
        """Return the newest run that left the story in this state, up to a text; else the last run.

        document_id: the text; None: the open one.
        """
        document_id = self.document_id if document_id is None else document_id
        left = [run for run in self.runs if run.started and run.end_digest == text_digest]
        left = [run for run in left if run.document_id == document_id]
        written = [run for run in left if run.num_tokens] or left  # not one paused before its first word
        return written[-1] if written else self.last_run

    @property
    def draft_target(self) -> DraftTarget | None:
        """The text that a run is writing into; None while none is."""
        return self._target

    @property
    def run_at_end(self) -> Run | None:
        """The run whose own words the open text ends with, whatever was changed before them."""
        spans = self._document.provenance.spans
        last = spans[-1] if spans and spans[-1].origin is Origin.DRAFTED else None
        return None if last is None else self._runs.get(last.run_id)

    @property
    def last_in_text(self) -> Run | None:
        """The newest run that words of the open text belong to."""
        run_ids = {span.run_id for span in self._document.provenance.spans if span.run_id in self._runs}
        return self._runs[max(run_ids)] if run_ids else None

    @property
    def next_run_id(self) -> int:
        """The number for a new run; one that the model never began is replaced."""
        for run in self.runs:
            if not run.started:
                return run.run_id
        return max(self._runs, default=0) + 1

    async def story(self, document_id: int | None = None) -> str:
        """Return everything in the book up to the end of a text: what the model continues.

        document_id: the text; None: the open one.
        """
        if document_id is not None and document_id != self.document_id:
            return await self._reader.run(project_text.story_up_to, self._file, document_id)
        while (before := self._text_before) is None:
            times = self._times_outdated
            found = await self._reader.run(project_text.text_before, self._file, self.document_id)
            if times == self._times_outdated:  # otherwise it is the text before another one, or outdated
                self._text_before = found
        return text_up_to((before, self.text))

    async def resting_run(self, document_id: int | None = None) -> Run | None:
        """Return the run that left the story up to a text as it is now, to be resumed; None when none did."""
        digest = await self._reader.run(digest_of, await self.story(document_id))
        run = self.run_that_left(digest, document_id)
        return run if run is not None and run.end_digest == digest else None

    async def open_document(self, document_id: int) -> None:
        """Open another text of the project; a running run keeps writing where it is."""
        async with self._text_lock:
            await self._store_waiting()
            open_document = project_text.read_document if self.read_only else project_text.open_document
            # the run must not end in between: the file would be read before its words are part of the text
            async with self._target_locked():
                document = await self._writer.finish(open_document, self._file, document_id)
                target = self._target
                is_target = target is not None and target.document.document_id == document_id
                self._document = target.document if target is not None and is_target else document
                self._outdate()

    def open_draft_target(self) -> None:
        """Open the text that a run is writing into; it is in memory."""
        if self._target is not None:
            self._document = self._target.document
            self._outdate()

    async def remember_open(self) -> None:
        """Remember the open text, to open it the next time."""
        await self._writer.run(project_text.remember_open, self._file, self.document_id)

    async def save_text(self, text: str) -> None:
        """Store the open text as the writer left it; DraftInProgressError while a run writes into that
        one."""
        await asyncio.shield(asyncio.ensure_future(self._save_text(self.document_id, cleaned(text))))

    async def begin_run(self, run: Run) -> Run:
        """Store that a run begins, and the text as it is before; return the run as stored."""
        run = await self._writer.run(project_text.begin_run, self._file, run)
        self._keep(run)
        return run

    async def save_run(self, run: Run) -> None:
        """Store the state of a run."""
        await self._writer.run(project_text.save_run, self._file, run)
        self._keep(run)

    async def save_prompt(self, started: GenerationStarted) -> None:
        """Store the text that a run begins on as the model reads it; a resume needs it."""
        async with self._target_locked():
            run = self._runs[started.run_id].started_on(started)
            self._keep(run)
            if self._target is not None:  # ending the run stores it, too, if it cannot be stored now
                self._target.unstored_prompt = started.prompt_ids
            await self._writer.run(project_text.save_prompt, self._file, run, started.prompt_ids)
            if self._target is not None:
                self._target.unstored_prompt = None

    def mark_changed(self, run_id: int, num_tokens: int) -> None:
        """Note that a run was resumed at this token on a computer that computes differently."""
        run = self._runs[run_id]
        self._runs[run_id] = replace(run, changed_at=(*run.changed_at, num_tokens))

    async def append(self, run_id: int, chunk: Chunk) -> None:
        """Store what a run generated last."""
        target = self._target
        if target is None or target.run_id != run_id:
            raise RuntimeError(f"run {run_id} writes without having begun")
        async with target.lock:
            run = self._runs[run_id].grown_by(chunk)
            await self._writer.finish(project_text.append, self._file, run, chunk)
            self._runs[run_id] = self._runs[run_id].grown_by(chunk)  # it may have diverged meanwhile
            target.append(chunk.text)
            self._show(target.document)

    async def save_while_generating(self, document_id: int, text: str, num_shown: int) -> None:
        """Store the writer's changes to the text that a run is writing into.

        ChapterAdvanced when the run meanwhile writes into another text.

        Args:
            text: the whole text in the window.
            num_shown: how many characters of it the run wrote since it was last started or resumed; all of
                them are stored.
        """
        target = self._target
        if target is None:
            raise ChapterAdvanced
        async with target.lock:
            if target.document.document_id != document_id or self._target is not target:
                raise ChapterAdvanced
            before, run = target.document, replace(self._runs[target.run_id], diverged=True)
            whole = cleaned(text) + target.after(num_shown)
            if whole == before.text:
                return
            document = await self._writer.finish(project_text.save_while_generating, self._file, run, whole)
            target.document = document
            self._runs[target.run_id] = replace(self._runs[target.run_id], diverged=True)
            self._show(document)
        self._tell_saved(before, document)

    async def advance_chapter(self, turn: Turn, may_turn: Callable[[], bool]) -> Turned | None:
        """Continue the run in a new text from a place on; None when that is not possible now.

        may_turn is called last, once nothing else can be stored before it is done.
        """
        target = self._target
        if target is None:
            return None
        async with target.lock:
            if self._target is not target or not may_turn():
                return None
            run = self._runs[target.run_id]
            turned = await self._writer.finish(split_and_merge.advance_chapter, self._file, run, turn)
            run, target.document = self._runs[target.run_id], turned.rest
            self._runs[run.run_id] = run.turned_to(turned.rest.document_id)
            self._tree = turned.tree
            self._outdate()
            self._show(turned.first)
        return turned

    async def save_other(self, document_id: int, text: str) -> None:
        """Store a text of the project that is neither open nor written into."""
        run_id = self._mark_diverged(document_id)
        await self._writer.finish(project_text.save_text, self._file, document_id, cleaned(text), run_id)
        self._outdate()

    async def end_run(
        self,
        run_id: int,
        state: RunState,
        chunk: Chunk | None = None,
        *,
        reason: FinishReason | None = None,
        error: str = "",
    ) -> Run:
        """Store how a run ended and its last words, and make what it wrote part of the text.

        When that fails everything is kept, and stored by store_waiting().
        """
        async with self._target_locked():
            run = self._runs[run_id]
            run = (run if chunk is None else run.grown_by(chunk)).moved_to(state, reason=reason, error=error)
            prompt_ids = None if self._target is None else self._target.unstored_prompt
            self._target = None
            return await self._merge(UnstoredEnd(run, chunk, prompt_ids))

    async def store_waiting(self) -> None:
        """Store what could not be stored when a run ended; WriterProblem while it still cannot."""
        async with self._text_lock:
            await self._store_waiting()

    async def known_texts(self, tokenizer: str) -> tuple[KnownText, ...]:
        """Return other texts of the project whose phrases may recur; they only make a run faster."""
        return await self._reader.run(known_phrases.known_texts, self._file, self.document_id, tokenizer)

    async def change_text(
        self, work: Callable[Concatenate[ProjectFile, P], Document], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Run an operation that returns the new open text; only while no run writes into it."""
        async with self._text_lock:
            self._refuse_while_drafting()
            await self._store_waiting()
            before = self._document
            self._document = await self._writer.finish(work, self._file, *args, **kwargs)
            self._outdate()  # other texts may have changed, too
        if before.text == self._document.text and before != self._document:
            self._tell_saved(before, self._document)  # the words count as somebody else's

    def arranged(self, edited: Edited) -> None:
        """Update the tree, and the runs that are left."""
        self._tree = edited.tree
        self._outdate()
        self._document = replace(self._document, title=edited.tree.node(self.document_id).title)
        if (target := self._target) is not None:
            title = edited.tree.node(target.document.document_id).title
            target.document = replace(target.document, title=title)
        if edited.runs is not None:  # only while no run writes
            self._runs = {run.run_id: run for run in edited.runs}

    def forget_runs(self, run_ids: Iterable[int]) -> None:
        """Remove runs that were deleted with the takes that they wrote."""
        for run_id in run_ids:
            self._runs.pop(run_id, None)
        self._outdate()

    def when_saved(self, listener: Callable[[Document, Document], None]) -> None:
        """Register a listener for each stored change of the writer: the text before and after."""
        self._when_saved.append(listener)

    def before_close(self, stop: Callable[[], Awaitable[None]]) -> None:
        """Register something to stop before the project is closed."""
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
                await self._writer.run(maintenance.tidy, self._file)
        finally:
            try:
                await self._writer.run(self._file.close)
            finally:
                self._reader.close()
                self._writer.close()

    async def _merge(self, ended: UnstoredEnd) -> Run:
        try:
            merged, document = await self._writer.finish(self._merged, ended)
        except Exception:
            self._waiting = ended
            self._runs[ended.run.run_id] = ended.run
            raise
        self._waiting = None
        self._runs[merged.run_id] = merged
        self._show(document)
        return merged

    def _merged(self, ended: UnstoredEnd) -> tuple[Run, Document]:
        arguments = (self._file, ended.run, ended.chunk, ended.prompt_ids)
        try:
            return project_text.merge_drafted_text(*arguments)
        except DiskFull:
            if not self._file.make_room():
                raise
            return project_text.merge_drafted_text(*arguments)

    async def _save_text(self, document_id: int, text: str) -> None:
        async with self._text_lock:
            if self._target is not None and self._target.document.document_id == document_id:
                raise DraftInProgressError
            await self._store_waiting()
            if document_id != self.document_id:  # another one was opened meanwhile
                await self.save_other(document_id, text)
                return
            if text == self._document.text:
                return
            before, run_id = self._document, self._mark_diverged(document_id)
            stored = await self._writer.run(project_text.save_text, self._file, document_id, text, run_id)
            if before.document_id == self.document_id:
                self._document = stored
        self._tell_saved(before, stored)

    def _mark_diverged(self, document_id: int) -> int | None:
        """Note that the running run has read another wording of a text; return which run.

        Before it is stored: the run may end at any time, and must not count as one that read it.
        """
        target = self._target
        if target is None or not self._tree.is_read_before(document_id, target.document.document_id):
            return None
        self._runs[target.run_id] = replace(self._runs[target.run_id], diverged=True)
        return target.run_id

    def _tell_saved(self, before: Document, after: Document) -> None:
        for listener in self._when_saved:  # later: the text is stored, whatever the listeners do
            asyncio.get_running_loop().call_soon(listener, before, after)

    def _show(self, document: Document) -> None:
        """Show a text as it is stored, if it is the open one."""
        if document.document_id == self._document.document_id:
            self._document = document
        else:
            self._outdate()  # it may precede the open one

    def _outdate(self) -> None:
        """Note that the text before the open one has changed."""
        self._text_before = None
        self._times_outdated += 1

    @contextlib.asynccontextmanager
    async def _target_locked(self) -> AsyncIterator[None]:
        """Hold the lock of the text that is drafted, so that its run does not end meanwhile."""
        target = self._target
        async with contextlib.nullcontext() if target is None else target.lock:
            yield

    def _keep(self, run: Run) -> None:
        """Keep a run in its new state; one that is RUNNING writes into the open text."""
        self._runs[run.run_id] = run
        if run.state is RunState.RUNNING and self._target is None:
            self._target = DraftTarget(run.run_id, self._document)
        elif run.state is not RunState.RUNNING and self._target is not None:
            self._target = self._target if self._target.run_id != run.run_id else None

    def _refuse_while_drafting(self) -> None:
        if any(run.state is RunState.RUNNING for run in self._runs.values()):
            raise WriterProblem("The manuscript can't be changed during a draft. Pause it first.")

    async def _store_waiting(self) -> None:
        if self._waiting is not None:
            await self._merge(self._waiting)
