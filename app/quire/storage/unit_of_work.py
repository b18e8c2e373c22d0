"""The unit of work: one transaction and the repositories over it."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from quire.storage.commit_record import record_commit
from quire.storage.manuscript_repository import ManuscriptRepository
from quire.storage.problems import StorageFailed, as_user_message
from quire.storage.record_repository import RecordRepository
from quire.storage.run_repository import RunRepository
from quire.storage.snapshot_repository import SnapshotRepository
from quire.storage.take_repository import TakeRepository


class UnitOfWork:
    """A transaction: leaving the block without commit() rolls back. Use it from one thread at a time.

    Attributes:
        place: the file's identity on the disk when it was opened.
    """

    def __init__(self, engine: Engine, path: Path, place: os.stat_result) -> None:
        self._engine = engine
        self._path = path
        self._place = place

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._stack.enter_context(as_user_message(self._path))
        # closing the session rolls back whatever was not committed
        self._orm = self._stack.enter_context(Session(self._engine))
        self.manuscript = ManuscriptRepository(self._orm, self._path)
        self.runs = RunRepository(self._orm, self._path)
        self.takes = TakeRepository(self._orm, self._path)
        self.snapshots = SnapshotRepository(self._orm, self._path)
        self.records = RecordRepository(self._orm, self._path)
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._stack.__exit__(exc_type, exc, tb)

    def commit(self) -> None:
        """Make everything since the last commit permanent; it has reached the disk on return."""
        # SQLite would keep writing to a file that has been moved away
        if not self._path.exists() or not os.path.samestat(self._place, self._path.stat()):
            raise StorageFailed(
                "{file} was moved, replaced or deleted while it was open. Put it back in {folder}, "
                "then try again.",
                file=self._path.name,
                folder=self._path.parent,
            )
        record_commit(self._orm)
        self._orm.commit()
