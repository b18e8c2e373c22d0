"""Make and open project files; the door to this package."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, text

from quire.domain.manuscript.backup_rotation import Backup, Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind
from quire.storage import backups, schema
from quire.storage.connection import (
    has_journal,
    has_log,
    inspect,
    migrate_file,
    reader_engine,
    roll_back,
    writer_engine,
)
from quire.storage.disk_reserve import Ballast
from quire.storage.file_format import SCHEMA_VERSION
from quire.storage.problems import (
    DiskFull,
    ProjectExists,
    ProjectMissing,
    ProjectReadOnly,
    as_user_message,
    damaged,
    disk_full,
    too_new,
)
from quire.storage.project_identity import refuse_other_project
from quire.storage.project_lock import ProjectLock
from quire.storage.repair import has_strays, mend
from quire.storage.row_check import DamagedRow
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.api.atomic_file import sync_folder
from quire_engine.api.user_message import UserMessage

_A_DAY = timedelta(days=1)
_TABLES_OF_RUNS = ("run", "run_chunk", "content")
_SIDE_FILES = ("", "-wal", "-shm", "-journal")


class ProjectFile:
    """An open project file: a writing connection, a reading one, and the lock against other processes.

    Attributes:
        writer: None where nothing can be written, for the reason read_only.
        damage: the rows that were not as they were stored when the file was opened; it is safe to go on.
    """

    def __init__(
        self, path: Path, version: int, reader: Engine, writer: Engine | None = None, read_only: str = ""
    ) -> None:
        self.path = path
        self._place = path.stat()
        self._reader = reader
        self._writer = writer
        self._release = ExitStack()
        self._ballast: Ballast | None = None
        self.version = version
        self.read_only = read_only
        self.damage: tuple[DamagedRow, ...] = ()
        self._damaged_runs: frozenset[int] = frozenset()

    def unit(self) -> UnitOfWork:
        """Return a new unit of work that may write; for one thread."""
        if self._writer is None:
            raise ProjectReadOnly(self.read_only)
        return UnitOfWork(self._writer, self.path, self._place, self._damaged_runs)

    def reading(self) -> UnitOfWork:
        """Return a new unit of work that only reads, for another thread; it never waits."""
        newer = self.version > SCHEMA_VERSION
        return UnitOfWork(self._reader, self.path, self._place, self._damaged_runs, newer=newer)

    def back_up(self, reason: Reason) -> Path | None:
        """Make a backup and rotate the others; None when none is due, or nothing changed since the last.

        A requested one is always made. For any thread; it never waits.
        """
        folder = backups.backup_folder(self.path)
        newest = next(iter(backups.backups_of(self.path, folder)), None)
        every = _A_DAY if reason is Reason.DAILY else timedelta(0)
        now = datetime.now(UTC)
        is_due = backups.is_due(self.path, newest, now=now, every=every, revision=_revision)
        if reason is not Reason.ASKED and not is_due:
            return None
        made = backups.make_backup(self.path, folder, reason)
        backups.rotate(self.path, folder, check=_check_backup)
        return made.path

    def make_room(self) -> bool:
        """Release the disk reserve; return whether there was any."""
        return self._ballast is not None and self._ballast.release()

    def verify(self) -> None:
        """Read everything in the file; ProjectDamaged where it is not safe to go on."""
        with self.reading() as unit:
            if self.version <= SCHEMA_VERSION:  # an earlier one is read from a migrated copy
                self.damage = unit.damaged_rows()
            unit.manuscript.project()
            for node in unit.manuscript.tree().reading_order():
                unit.manuscript.document(node.node_id)
            unit.runs.all()
            of_runs = any(row.table in _TABLES_OF_RUNS for row in self.damage)
            self._damaged_runs = unit.runs.verify(excused=of_runs)

    def named_damage(self) -> tuple[UserMessage, ...]:
        """Return what of the project is damaged, in a writer's words."""
        if not self.damage:
            return ()
        with self.reading() as unit:
            return unit.names_of(self.damage)

    def take_over(self, stack: ExitStack) -> None:
        """Be ready to be worked on, and close with the file whatever a stack would close."""
        self._release.push(stack.pop_all())
        if self._writer is not None:
            self._ballast = Ballast(self.path)
            self._release.callback(self._ballast.remove)

    def close(self) -> None:
        """Close the file and let others open it."""
        self._release.close()


def create_project_file(
    path: Path,
    project: Project,
    first: Document,
    more: Iterable[tuple[Node, Document]] = (),
    kind: NodeKind = NodeKind.CHAPTER,
) -> None:
    """Write a new project file; it appears under its name only when it is complete.

    Args:
        first: the first text, of this kind; the book is the node of the next number.
        more: what comes after it, parents first.
    """
    path = _resolved(path)
    with as_user_message(path), ExitStack() as stack:
        if not path.parent.is_dir():
            raise ProjectMissing(
                "The folder {folder} doesn't exist. Create it first, or choose another one.",
                folder=path.parent,
            )
        _refuse_existing(path)
        stack.callback(ProjectLock(path).release)
        new = path.with_name(f".{path.name}.new")
        _delete(new)
        stack.callback(_delete, new)
        texts = [(Node(first.document_id, kind, first.title, first.document_id + 1), first), *more]
        _write_first(new, project, Node(first.document_id + 1, NodeKind.BOOK, project.title), texts)
        _refuse_existing(path)
        new.rename(path)
        sync_folder(path.parent)


def open_project_file(path: Path) -> ProjectFile:
    """Open a project to work on it; everything in it has been checked.

    One of an earlier format is migrated, after a backup; SchemaTooNew leaves a newer one as it is.
    """
    path = _resolved(path)
    with as_user_message(path), ExitStack() as stack:
        _refuse_missing(path)
        stack.callback(ProjectLock(path).release)
        if has_journal(path):
            roll_back(path)
        version = inspect(path, immutable=not has_log(path))
        if version > SCHEMA_VERSION:
            raise too_new(path, version)
        if version < SCHEMA_VERSION:
            _upgrade(path)
        if has_strays(path, immutable=not has_log(path)):
            backups.make_backup(path, backups.backup_folder(path), Reason.BEFORE_UPGRADE)
            mend(path)
        writer = writer_engine(path)
        stack.callback(writer.dispose)
        _refuse_unwritable(writer)
        reader = reader_engine(path, immutable=False)
        stack.callback(reader.dispose)
        return _checked(ProjectFile(path, SCHEMA_VERSION, reader, writer), stack)


def open_project_reader(path: Path) -> ProjectFile:
    """Open a project without changing a byte of it, on read-only disks too, and one of a newer format.

    ProjectDamaged also when a newer Quire stores its texts in another way.
    """
    path = _resolved(path)
    with as_user_message(path), ExitStack() as stack:
        _refuse_missing(path)
        readable = path
        read_only = UserMessage("{file} was opened read-only.", file=path.name)
        try:
            with as_user_message(path):
                stack.callback(ProjectLock(path).release)
        except ProjectReadOnly as problem:
            read_only = problem.message
            if has_log(path):
                # SQLite reads a log only where it may write; nobody has this file in SQLite here
                readable = _copied(path, stack)
        except DiskFull:
            pass  # no lock file could be made, so nobody holds one
        if has_journal(path):
            readable = _copied(path, stack)
            roll_back(readable)
        version = inspect(readable, immutable=not has_log(readable))
        if version > SCHEMA_VERSION:
            read_only = too_new(path, version).message
        elif version < SCHEMA_VERSION:
            readable = _upgraded_copy(readable, stack)
        if version <= SCHEMA_VERSION and has_strays(readable, immutable=not has_log(readable)):
            readable = _copied(readable, stack)
            mend(readable)
        reader = reader_engine(readable, immutable=not has_log(readable))
        stack.callback(reader.dispose)
        return _checked(ProjectFile(readable, version, reader, read_only=read_only), stack)


def last_good_backup(path: Path) -> Backup | None:
    """Return the last backup of a project in which every text and token matches its checksum."""
    path = _resolved(path)
    return backups.last_good(path, backups.backup_folder(path), check=_check_backup)


def restore_project(
    path: Path, backup: Path | None = None, *, other_project: bool = False
) -> tuple[Path, Path]:
    """Restore a backup to a new project beside the original; return both paths.

    ProjectMissing when there is none. The project is not touched.

    Args:
        backup: None uses the last good one.
        other_project: allow the backup of another project.
    """
    path = _resolved(path)
    if backup is not None and not other_project:
        refuse_other_project(path, backup)
    if backup is None:
        found = last_good_backup(path)
        if found is None:
            raise ProjectMissing(
                "There is no good backup of {file} in {folder}. If you have a copy elsewhere, open that.",
                file=path.name,
                folder=backups.backup_folder(path),
            )
        backup = found.path
    return backups.restore(backup, path), backup


def _check_backup(path: Path) -> None:
    """Refuse a backup in which one row is not as it was stored."""
    file = open_project_reader(path)
    file.close()
    if file.damage:
        raise damaged(path, "rows that do not match their checksums")


def _upgrade(path: Path) -> None:
    """Migrate a project to the current format, after a backup."""
    backups.make_backup(path, backups.backup_folder(path), Reason.BEFORE_UPGRADE)
    migrate_file(path)
    inspect(path, immutable=not has_log(path))


def _upgraded_copy(path: Path, stack: ExitStack) -> Path:
    """Return a copy in the current format: an earlier one is read without changing the file."""
    copy = _copied(path, stack)
    migrate_file(copy)
    inspect(copy, immutable=not has_log(copy))
    return copy


def _checked(file: ProjectFile, stack: ExitStack) -> ProjectFile:
    """Check everything in the file; it takes over what the stack would have closed."""
    try:
        file.verify()
    except (TypeError, ValueError, AttributeError) as error:  # values of another kind than Quire writes
        raise damaged(file.path, str(error)) from error
    file.take_over(stack)
    return file


def _revision(connection: sqlite3.Connection) -> object:
    return connection.execute("SELECT revision FROM project").fetchone()


def _refuse_unwritable(engine: Engine) -> None:
    # SQLite opens a read-only file all the same, even with BEGIN IMMEDIATE; only a change shows it
    with engine.connect() as connection:
        connection.execute(text("UPDATE project SET title = title"))
        connection.rollback()


def _write_first(path: Path, project: Project, book: Node, texts: Sequence[tuple[Node, Document]]) -> None:
    engine = writer_engine(path, create=True)
    try:
        with engine.begin() as connection:
            schema.create(connection.exec_driver_sql, SCHEMA_VERSION)
        with UnitOfWork(engine, path, path.stat()) as unit:
            unit.manuscript.create(project, book, texts)
            unit.commit()
        # what cannot be moved from the log into a file that is closed stays in the log without a word, and
        # the file would get its name without it
        with engine.connect() as connection:
            connection.exec_driver_sql("ROLLBACK")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        engine.dispose()
    if has_log(path):
        raise disk_full(path)


def _resolved(path: Path) -> Path:
    try:
        return path.expanduser().resolve()  # one file, one lock, whatever it is called
    except RuntimeError:  # ~ of somebody who is not known here, or links that lead in a circle
        raise ProjectMissing("{path} is not a usable path. Write the folder in full.", path=path) from None


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise ProjectExists(
            "{file} already exists. Choose another name; nothing was changed.", file=path.name
        )


def _refuse_missing(path: Path) -> None:
    if not path.exists():
        raise ProjectMissing(
            "The file {path} doesn't exist. Check the name, or create a new project.", path=path
        )


def _delete(path: Path) -> None:
    for suffix in _SIDE_FILES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _copied(path: Path, stack: ExitStack) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="quire-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    for suffix in ("", "-wal", "-journal"):
        if path.with_name(path.name + suffix).exists():
            shutil.copyfile(path.with_name(path.name + suffix), folder / (path.name + suffix))
    return folder / path.name
