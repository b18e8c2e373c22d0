"""Where a project lives, said without saying SQL."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from quire.domain.manuscript import Document, Project
from quire.domain.run import Chunk, Run


class ManuscriptRepository(Protocol):
    """The project and its text."""

    def create(self, project: Project, document: Document) -> None:
        """Write the first project and document of a new file."""
        ...

    def project(self) -> Project:
        """Return the project."""
        ...

    def document(self) -> Document:
        """Return the first document, checked against its checksum."""
        ...

    def save_text(self, document_id: int, text: str) -> None:
        """Replace the text of a document."""
        ...


class RunRepository(Protocol):
    """Runs and what they generated."""

    def all(self) -> tuple[Run, ...]:
        """Return every run, the oldest first."""
        ...

    def save(self, run: Run) -> None:
        """Insert a run or overwrite the one of the same number; its chunks stay."""
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

    def verify(self) -> None:
        """Check every run against its checksums."""
        ...


class UnitOfWork(Protocol):
    """A transaction: leaving the block without commit() rolls back. Use it from one thread at a time."""

    @property
    def manuscript(self) -> ManuscriptRepository:
        """The text."""
        ...

    @property
    def runs(self) -> RunRepository:
        """The runs."""
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

    def unit(self) -> UnitOfWork:
        """Return a new unit of work."""
        ...

    def close(self) -> None:
        """Close the file and let others open it."""
        ...
