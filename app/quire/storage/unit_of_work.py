"""The unit of work: one transaction and the repositories over it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Engine, event, inspect
from sqlalchemy.orm import Session

from quire.storage.comment_repository import CommentRepository
from quire.storage.commit_record import record_commit
from quire.storage.connection import checkpoint
from quire.storage.damage_report import names_of
from quire.storage.file_watch import FileWatch, Written
from quire.storage.manuscript_repository import ManuscriptRepository
from quire.storage.phrase_repository import PhraseRepository
from quire.storage.problems import as_user_message
from quire.storage.record_repository import RecordRepository
from quire.storage.row_check import DamagedRow, damaged_rows
from quire.storage.row_digests import OF_NEWER_FORMAT
from quire.storage.run_repository import RunRepository
from quire.storage.snapshot_repository import SnapshotRepository
from quire.storage.tables import ChunkRow, DocumentRow, RunRow
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
        self._info = {OF_NEWER_FORMAT: newer}
        self._damaged_runs = damaged_runs
        self._engine = engine
        self._path = path
        self._watch = watch
        self._written = Written()

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._stack.enter_context(as_user_message(self._path))
        # closing the session rolls back whatever was not committed
        self._orm = self._stack.enter_context(Session(self._engine, info=self._info))
        event.listen(self._orm, "before_flush", self._count)
        self.records = RecordRepository(self._orm, self._path)
        self.comments = CommentRepository(self.records)
        self.manuscript = ManuscriptRepository(self._orm, self._path, self.comments)
        self.runs = RunRepository(self._orm, self._path, self._damaged_runs)
        self.takes = TakeRepository(self._orm, self._path)
        self.snapshots = SnapshotRepository(self._orm, self._path)
        self.phrases = PhraseRepository(self._orm)
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
        connection = self._orm.connection().connection.driver_connection
        if not isinstance(connection, sqlite3.Connection):
            raise TypeError("not a connection of SQLite")
        return connection

    def commit(self) -> None:
        """Make everything since the last commit permanent; it has reached the disk on return."""
        self._watch.refuse_changed()
        link = record_commit(self._orm)
        self._orm.commit()
        self._watch.committed(link, self._written)
        self._written = Written()
        if self._watch.wants_checkpoint and checkpoint(self._engine):
            self._watch.checkpointed()

    def _count(self, orm: Session, _context: object, _instances: object) -> None:
        """Count what is about to be written."""
        in_texts, in_runs, folded = 0, 0, self._written.folded
        for row in (*orm.new, *orm.dirty):
            if isinstance(row, DocumentRow):
                text = inspect(row).attrs.text.history
                in_texts += max(0, sum(map(len, text.added or ())) - sum(map(len, text.deleted or ())))
            elif isinstance(row, ChunkRow) and not row.compact:
                in_runs += len(row.text)
            elif isinstance(row, RunRow):
                folded = folded or inspect(row).attrs.num_folded.history.has_changes()
        self._written = Written(self._written.in_texts + in_texts, self._written.in_runs + in_runs, folded)
