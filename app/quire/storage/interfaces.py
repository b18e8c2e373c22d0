"""Where a project lives, said without saying SQL."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from quire.domain.drafting.run import Chunk, Run
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.project_records import Snapshot, WritingGoal, WritingSession
from quire.domain.manuscript.takes import Take, Takes
from quire.domain.manuscript.tree import Node, Tree


class ManuscriptRepository(Protocol):
    """The project, its tree and its texts."""

    def create(self, project: Project, book: Node, texts: Iterable[tuple[Node, Document]]) -> None:
        """Write the project, the book and its texts into a new file; what holds another node comes first."""
        ...

    def project(self) -> Project:
        """Return the project."""
        ...

    def revision(self) -> int:
        """Return a number that grows with every commit."""
        ...

    def tree(self) -> Tree:
        """Return where every text stands."""
        ...

    def save_node(self, node: Node) -> None:
        """Insert a node or overwrite the one of the same number."""
        ...

    def add(self, node: Node, document: Document) -> None:
        """Insert a node and its text."""
        ...

    def remove(self, node_id: int) -> None:
        """Remove a node that nothing lies below and no run or take belongs to, with its text."""
        ...

    def document(self, document_id: int | None = None) -> Document:
        """Return a text, checked against its checksum; None: the first one as the book is read."""
        ...

    def save(self, document: Document) -> None:
        """Replace a text and its provenance."""
        ...


class RunRepository(Protocol):
    """Runs and what they generated."""

    def all(self) -> tuple[Run, ...]:
        """Return every run, the oldest first."""
        ...

    def save(self, run: Run) -> None:
        """Insert a run or overwrite the one of the same number; its prompt and its chunks stay."""
        ...

    def save_prompt(self, run: Run, token_ids: Sequence[int]) -> None:
        """Save a run with the prompt that the model reads; run counts its tokens."""
        ...

    def prompt_ids(self, run_id: int) -> tuple[int, ...]:
        """Return the tokens of the text that a run began on, checked."""
        ...

    def append(self, run: Run, chunk: Chunk) -> None:
        """Add a chunk after all earlier ones; run carries the counters as they are with it."""
        ...

    def unfolded(self, run_id: int) -> tuple[Chunk, ...]:
        """Return the chunks that are not yet part of the document's text, in order."""
        ...

    def mark_folded(self, run_id: int) -> None:
        """Record that every chunk so far is part of the document's text."""
        ...

    def folded_words(self, run_id: int) -> int:
        """Return the whole words of a run up to where it was folded last."""
        ...

    def token_ids(self, run_id: int) -> tuple[int, ...]:
        """Return every generated token of a run in order, checked."""
        ...

    def text(self, run_id: int) -> str:
        """Return what a run wrote, as it wrote it."""
        ...

    def steps(self, run_id: int) -> tuple[StepRecord, ...]:
        """Return the record of every step that was kept, in order."""
        ...

    def compact(self, run_id: int) -> bool:
        """Store the folded chunks of a run in less room; whether there was anything to do."""
        ...

    def verify(self) -> None:
        """Check every run against its checksums."""
        ...


class TakeRepository(Protocol):
    """Alternative continuations."""

    def of(self, document_id: int) -> Takes:
        """Return the takes of a document."""
        ...

    def save(self, take: Take) -> None:
        """Insert a take that stands, or overwrite one of the same number; a text put aside stays."""
        ...

    def put_aside(self, take: Take, text: Document) -> None:
        """Save a take that does not stand, with its text; the document's number and title do not matter."""
        ...

    def text(self, take_id: int) -> Document:
        """Return the text of a take that was put aside, checked."""
        ...

    def next_id(self) -> int:
        """Return a number that no take has."""
        ...

    def purge(self, take_ids: Collection[int]) -> None:
        """Remove takes, their runs and what lies in them, for good."""
        ...


class SnapshotRepository(Protocol):
    """The manuscript as it was."""

    def all(self) -> tuple[Snapshot, ...]:
        """Return every snapshot, the newest first."""
        ...

    def take(self, snapshot: Snapshot, documents: Sequence[Document]) -> None:
        """Keep the texts as they are; a text that is kept already takes no room."""
        ...

    def documents(self, snapshot_id: int) -> tuple[Document, ...]:
        """Return the texts of a snapshot, checked."""
        ...

    def next_id(self) -> int:
        """Return a number that no snapshot has."""
        ...

    def remove(self, snapshot_ids: Collection[int]) -> None:
        """Remove snapshots, and texts that nothing else keeps."""
        ...


class RecordRepository(Protocol):
    """What the project remembers beside texts and runs."""

    def goals(self) -> tuple[WritingGoal, ...]:
        """Return the goals, the oldest first."""
        ...

    def save_goal(self, goal: WritingGoal) -> None:
        """Insert a goal or overwrite the one of the same number."""
        ...

    def remove_goal(self, goal_id: int) -> None:
        """Remove a goal."""
        ...

    def writing_sessions(self) -> tuple[WritingSession, ...]:
        """Return every stretch of work, the oldest first."""
        ...

    def save_writing_session(self, session: WritingSession) -> None:
        """Insert a stretch of work or overwrite the one of the same number."""
        ...

    def setting(self, name: str) -> object:
        """Return a setting of the project, made of JSON's types; None when there is none."""
        ...

    def save_setting(self, name: str, value: object) -> None:
        """Store a setting; None removes it."""
        ...


class UnitOfWork(Protocol):
    """A transaction: leaving the block without commit() rolls back. Use it from one thread at a time."""

    @property
    def manuscript(self) -> ManuscriptRepository:
        """The texts."""
        ...

    @property
    def runs(self) -> RunRepository:
        """The runs."""
        ...

    @property
    def takes(self) -> TakeRepository:
        """The takes."""
        ...

    @property
    def snapshots(self) -> SnapshotRepository:
        """The snapshots."""
        ...

    @property
    def records(self) -> RecordRepository:
        """Goals, stretches of work, settings."""
        ...

    def __enter__(self) -> Self: ...
    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None: ...
    def commit(self) -> None:
        """Make everything since the last commit permanent; it has reached the disk on return."""
        ...


class ProjectFile(Protocol):
    """An open project file."""

    @property
    def path(self) -> Path:
        """Where it lies."""
        ...

    @property
    def version(self) -> int:
        """The format that the file was found in."""
        ...

    @property
    def read_only(self) -> str:
        """Why nothing can be written to it, as a sentence for the writer; empty where it can."""
        ...

    def unit(self) -> UnitOfWork:
        """Return a new unit of work that may write; for one thread."""
        ...

    def reading(self) -> UnitOfWork:
        """Return a new unit of work that only reads, for another thread; it waits for nobody."""
        ...

    def back_up(self, reason: Reason) -> Path | None:
        """Make a backup and let older ones go; None when it is not time, or nothing changed since the last.

        Who asks for one gets one. For any thread; it waits for nobody.
        """
        ...

    def make_room(self) -> bool:
        """Give up what was kept for the moment when the disk is full; whether there was anything."""
        ...

    def close(self) -> None:
        """Close the file and let others open it."""
        ...
