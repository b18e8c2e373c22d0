"""The unit of work: one transaction and the repositories over it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Engine

from quire.storage.aside_chapters import AsideChapters
from quire.storage.comment_repository import CommentRepository
from quire.storage.connection import checkpoint
from quire.storage.damage_report import names_of
from quire.storage.file_watch import FileWatch
from quire.storage.manuscript_repository import ManuscriptRepository
from quire.storage.phrase_repository import PhraseRepository
from quire.storage.problems import as_user_message
from quire.storage.record_repository import RecordRepository
from quire.storage.rows import DamagedRow, Rows, damaged_rows
from quire.storage.run_repository import RunRepository
from quire.storage.snapshot_repository import SnapshotRepository
from quire.storage.take_repository import TakeRepository
from quire_engine.api.user_message import UserMessage


class UnitOfWork:
    """A transaction: leaving the block without commit() rolls back. Use it from one thread at a time.

    Attributes:
        watch: notices what happens to the file meanwhile.
        damaged_runs: runs that something was wrong with when it was opened.
        newer: its format is newer than this version's.
    """

    def __init__(
        self,
        engine: Engine,
        path: Path,
        watch: FileWatch,
        damaged_runs: Collection[int] = (),
        *,
        newer: bool = False,
    ) -> None:
        self._newer = newer
        self._damaged_runs = damaged_runs
        self._engine = engine
        self._path = path
        self._watch = watch

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._stack.enter_context(as_user_message(self._path))
        self.rows = rows = Rows(self._engine, self._path, newer=self._newer)
        self._stack.callback(rows.close)  # rolls back whatever was not committed
        self.records = RecordRepository(rows)
        self.comments = CommentRepository(self.records)
        self.aside = AsideChapters(self.records)
        self.manuscript = ManuscriptRepository(rows, self.comments, self.aside)
        self.runs = RunRepository(rows, self._damaged_runs)
        self.takes = TakeRepository(rows)
        self.snapshots = SnapshotRepository(rows)
        self.phrases = PhraseRepository(rows)
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._stack.__exit__(exc_type, exc, tb)

    def damaged_rows(self) -> tuple[DamagedRow, ...]:
        """Read every row of the project; return those that do not match their checksums."""
        return damaged_rows(self._connection())

    def names_of(self, rows: Sequence[DamagedRow]) -> tuple[UserMessage, ...]:
        """Return what damaged rows are, in a writer's words."""
        return names_of(self._connection(), rows)

    def _connection(self) -> sqlite3.Connection:
        connection = self.rows.connection().connection.driver_connection
        if not isinstance(connection, sqlite3.Connection):
            raise TypeError("not a connection of SQLite")
        return connection

    def commit(self) -> None:
        """Make everything since the last commit permanent; it has reached the disk on return."""
        self._watch.refuse_changed()
        link, written = self.rows.record_commit(), self.rows.written
        self.rows.commit()
        self._watch.committed(link, written)
        if self._watch.wants_checkpoint:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Move the log into the file, as far as no reader needs it; between two transactions."""
        if checkpoint(self._engine):
            self._watch.checkpointed()
