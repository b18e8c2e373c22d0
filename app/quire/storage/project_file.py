"""Make and open project files; the door to this package."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, text

from quire.domain.manuscript.backup_rotation import Backup, Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind
from quire.storage import backups, schema
from quire.storage.connection import (
    inspect,
    link_of,
    migrate_file,
    reader_engine,
    roll_back,
    writer_engine,
)
from quire.storage.disk_reserve import Ballast
from quire.storage.file_watch import FileWatch
from quire.storage.problems import (
    DiskFull,
    ProjectExists,
    ProjectMissing,
    ProjectReadOnly,
    StorageFailed,
    StorageProblem,
    as_user_message,
    damaged,
    disk_full,
    too_new,
)
from quire.storage.project_identity import identity_of, refuse_other_project
from quire.storage.project_lock import ProjectLock
from quire.storage.repair import has_strays, mend
from quire.storage.rows import DamagedRow
from quire.storage.saved_record import forget, lost_notice, record_path
from quire.storage.side_files import (
    SIDE_FILES,
    SideFiles,
    cleared,
    copied,
    has_journal,
    has_log,
    journal_belongs,
    left_elsewhere,
    left_notice,
    looked_at,
    settled,
)
from quire.storage.tables import LEARNED_DRAFTER, PHRASES, SCHEMA_VERSION
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.api.atomic_file import sync_folder
from quire_engine.api.user_message import UserMessage

_A_DAY = timedelta(days=1)
_TABLES_OF_RUNS = ("run", "run_chunk", "content")
_FOR_SPEED = (PHRASES.name, LEARNED_DRAFTER.name)


class ProjectFile:
    """An open project file: a writing connection, a reading one, and the lock against other processes.

    Attributes:
        writer: None where nothing can be written, for the reason read_only.
        notices: what the writer is to know about the files beside it.
        has_lost: whether something that was saved is missing.
        damage: the rows that were not as they were stored when the file was opened; it is safe to go on.
    """

    def __init__(
        self, path: Path, version: int, reader: Engine, writer: Engine | None = None, read_only: str = ""
    ) -> None:
        self.path = path
        self.notices: tuple[UserMessage, ...] = ()
        self.has_lost = False
        self._watch = FileWatch(path, None if writer is None else link_of(writer), in_file=not has_log(path))
        self._reader = reader
        self._writer = writer
        self._release = ExitStack()
        self._ballast: Ballast | None = None
        self._is_closed = False
        self.version = version
        self.read_only = read_only
        self.damage: tuple[DamagedRow, ...] = ()
        self._damaged_runs: frozenset[int] = frozenset()

    def note(self, notices: tuple[UserMessage, ...], lost: UserMessage | None) -> None:
        """Keep what the writer is to know; lost: of words that are missing."""
        self.notices = notices if lost is None else (*notices, lost)
        self.has_lost = lost is not None

    def unit(self) -> UnitOfWork:
        """Return a new unit of work that may write; for one thread."""
        if self._writer is None:
            raise ProjectReadOnly(self.read_only)
        return UnitOfWork(self._writer, self.path, self._watch, self._damaged_runs)

    def reading(self) -> UnitOfWork:
        """Return a new unit of work that only reads, for another thread; it never waits."""
        newer = self.version > SCHEMA_VERSION
        return UnitOfWork(self._reader, self.path, self._watch, self._damaged_runs, newer=newer)

    def back_up(self, reason: Reason) -> Path | None:
        """Make a backup and rotate the others; None when none is due, or nothing changed since the last.

        A requested one is always made. For any thread; it never waits.
        """
        # otherwise it would be a backup of another file, or SQLite delete the log beside one that was emptied
        self.refuse_changed()
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

    def refuse_changed(self, *, closing: bool = False) -> None:
        """Raise FileChanged when the file was moved, replaced or changed by others.

        Args:
            closing: only when closing the project loses something by it.
        """
        if self._writer is None:
            return
        if not closing:
            self._watch.refuse_changed()
        elif (problem := self._watch.lost_on_closing()) is not None:
            raise problem

    def copy_to(self, path: Path) -> None:
        """Write everything that is stored to a new project: from what is open, for the file may be gone.

        For any thread but the one that writes. ProjectDamaged when the file was overwritten.
        """
        if self._watch.is_overwritten:
            raise damaged(self.path, "it was cut short or overwritten")
        path = resolved(path)
        with as_user_message(path), new_file(path) as new, closing(self._reader.raw_connection()) as pooled:
            connection = pooled.driver_connection
            assert isinstance(connection, sqlite3.Connection)
            backups.copy_open(connection, new, path)

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

    def take_over(self, stack: ExitStack, engines: ExitStack) -> None:
        """Be ready to be worked on, and close with the file what two stacks would close, engines first."""
        connections = engines.pop_all()
        self._release.push(stack.pop_all())
        if self._writer is not None:
            self._release.callback(_forget_saved, self.path)
        self._release.push(connections)
        if self._writer is not None:
            self._release.callback(self._watch.close)
            self._ballast = Ballast(self.path)
            self._release.callback(self._ballast.remove)

    def close(self) -> None:
        """Close the file and let others open it; FileChanged when something that was saved is not in it."""
        problem = None
        if self._writer is not None and not self._is_closed:
            self._is_closed = True
            problem = self._watch.lost_on_closing()
            if self._watch.is_overwritten:
                # while a reader is there, SQLite does not move the log into a file that it does not belong to
                self._writer.dispose()
        self._release.close()
        if problem is not None:
            raise problem


# ------------------------------------------------------------ opening
def open_project_file(path: Path) -> ProjectFile:
    """Open a project to work on it; everything in it has been checked.

    One of an earlier format is migrated, after a backup; SchemaTooNew leaves a newer one as it is.
    """
    path = resolved(path)
    with as_user_message(path), ExitStack() as stack:
        _refuse_missing(path)
        _refuse_linked(path)
        stack.callback(ProjectLock(path).release)
        _refuse_without_log(path)
        found = settled(path)
        lost = lost_notice(path, found, keep=True)
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
        engines = stack.enter_context(ExitStack())
        writer = writer_engine(path)
        engines.callback(writer.dispose)
        _refuse_unwritable(writer)
        reader = reader_engine(path, immutable=False)
        engines.callback(reader.dispose)
        file = ProjectFile(path, SCHEMA_VERSION, reader, writer)
        file.note(found.notices, lost)
        return _checked(file, stack, engines)


def open_project_reader(path: Path) -> ProjectFile:
    """Open a project without changing a byte of it, on read-only disks too, and one of a newer format.

    ProjectDamaged also when a newer Quire stores its texts in another way.
    """
    path = resolved(path)
    with as_user_message(path), ExitStack() as stack:
        _refuse_missing(path)
        read_only, may_write = UserMessage("{file} was opened read-only.", file=path.name), True
        try:
            with as_user_message(path):
                stack.callback(ProjectLock(path).release)
        except ProjectReadOnly as problem:
            read_only, may_write = problem.message, False
        except DiskFull:
            pass  # no lock file could be made, so nobody holds one
        found = looked_at(path)
        lost = lost_notice(path, found, keep=False)
        readable = _readable(path, found, stack, may_write=may_write)
        version = inspect(readable, immutable=_is_whole(readable, path, found))
        if version > SCHEMA_VERSION:
            read_only = too_new(path, version).message
        elif version < SCHEMA_VERSION:
            readable = _upgraded_copy(readable, stack)
        if version <= SCHEMA_VERSION and has_strays(readable, immutable=_is_whole(readable, path, found)):
            readable = _copied(readable, stack)
            mend(readable)
        engines = stack.enter_context(ExitStack())
        reader = reader_engine(readable, immutable=_is_whole(readable, path, found))
        engines.callback(reader.dispose)
        file = ProjectFile(readable, version, reader, read_only=read_only)
        left = None if found.uses_log else left_elsewhere(path)
        notices = found.notices if left is None else (*found.notices, left_notice(path, left))
        file.note(notices, lost)
        return _checked(file, stack, engines)


def _readable(path: Path, found: SideFiles, stack: ExitStack, *, may_write: bool) -> Path:
    """Return the project, or a copy where SQLite would have to write something first."""
    rolls_back = has_journal(path) and journal_belongs(path)
    # SQLite reads a log only where it may write; nobody has this file in SQLite here
    needs_copy = found.uses_log and (not may_write or has_journal(path))
    if not rolls_back and not needs_copy:
        return path
    copy = _copied(path, stack)
    if rolls_back:
        roll_back(copy)
    return copy


def _is_whole(readable: Path, path: Path, found: SideFiles) -> bool:
    """Return whether everything is in a file itself, so that SQLite needs none beside it."""
    return not (found.uses_log if readable == path else has_log(readable))


# ------------------------------------------------------------ backups and copies
def last_good_backup(path: Path) -> Backup | None:
    """Return the last backup of a project in which every text and token matches its checksum."""
    path = resolved(path)
    return backups.last_good(path, backups.backup_folder(path), check=_check_backup)


def kept_backups(path: Path) -> tuple[Backup, ...]:
    """Return the backups of a project, the newest first, by their names alone."""
    path = resolved(path)
    return backups.backups_of(path, backups.backup_folder(path))


def restore_project(
    path: Path, backup: Path | None = None, *, other_project: bool = False
) -> tuple[Path, Path]:
    """Restore a backup to a new project beside the original; return both paths.

    ProjectMissing when there is none. The project is not touched.

    Args:
        backup: None uses the last good one of this project.
        other_project: allow the backup of another project.
    """
    path = resolved(path)
    if backup is not None and not other_project:
        refuse_other_project(path, backup)
    if backup is None:
        found = last_good_backup(path) if other_project else _own_backup(path)
        if found is None:
            raise ProjectMissing(
                "There is no good backup of {file} in {folder}. If you have a copy elsewhere, open that.",
                file=path.name,
                folder=backups.backup_folder(path),
            )
        backup = found.path
    return backups.restore(backup, path), backup


def copy_project(source: Path, path: Path) -> None:
    """Copy a project that nobody has open, such as a backup, to a new one of any name."""
    path = resolved(path)
    with as_user_message(path), new_file(path) as new, backups.reading(source) as original:
        backups.copy_open(original, new, path)


def _check_backup(path: Path) -> None:
    """Refuse a backup in which one row is not as it was stored, apart from what only makes drafts faster."""
    file = open_project_reader(path)
    file.close()
    if any(row.table not in _FOR_SPEED for row in file.damage):
        raise damaged(path, "rows that do not match their checksums")


def _own_backup(path: Path) -> Backup | None:
    """Return the last good backup of a project, not of one that had its name before it; that is refused."""
    ours = identity_of(path)

    def check(copy: Path) -> None:
        _check_backup(copy)
        theirs = identity_of(copy)
        if ours is not None and theirs is not None and not theirs.is_of(ours):
            raise StorageProblem("a backup of another project")

    found = backups.last_good(path, backups.backup_folder(path), check=check)
    if found is None and (other := last_good_backup(path)) is not None:
        refuse_other_project(path, other.path)
    return found


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


def _checked(file: ProjectFile, stack: ExitStack, engines: ExitStack) -> ProjectFile:
    """Check everything in the file; it takes over what the stacks would have closed."""
    try:
        file.verify()
    except (TypeError, ValueError, AttributeError) as error:  # values of another kind than Quire writes
        raise damaged(file.path, str(error)) from error
    file.take_over(stack, engines)
    return file


def _revision(connection: sqlite3.Connection) -> object:
    return connection.execute("SELECT revision FROM project").fetchone()


def _refuse_unwritable(engine: Engine) -> None:
    # SQLite opens a read-only file all the same, even with BEGIN IMMEDIATE; only a change shows it
    with engine.connect() as connection:
        connection.execute(text("UPDATE project SET title = title"))
        connection.rollback()


def _refuse_linked(path: Path) -> None:
    """Refuse a file of two names: each would have a log and a lock of its own."""
    found = path.stat()
    if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
        raise ProjectReadOnly(
            "{file} has a second name (a hard link), under which another program could change it. To work "
            "on it, delete the other name or copy the file.",
            file=path.name,
        )


def _refuse_without_log(path: Path) -> None:
    """Refuse a file that was renamed without its log: once it is worked on, the two no longer fit."""
    left = left_elsewhere(path)
    if left is not None and not looked_at(path).uses_log:
        raise StorageFailed(left_notice(path, left))


def _refuse_missing(path: Path) -> None:
    if not path.exists():
        raise ProjectMissing(
            "The file {path} doesn't exist. Check the name, or create a new project.", path=path
        )


def _copied(path: Path, stack: ExitStack) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="quire-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    copied(path, folder / path.name)
    return folder / path.name


def _forget_saved(path: Path) -> None:
    if not has_log(path):  # everything that was saved is in the project itself
        forget(record_path(path))


# ------------------------------------------------------------ new ones
def create_project_file(
    path: Path,
    project: Project,
    first: Document,
    more: Iterable[tuple[Node, Document]] = (),
    kind: NodeKind = NodeKind.CHAPTER,
) -> tuple[UserMessage, ...]:
    """Write a new project file; it appears under its name only when it is complete.

    Return what the writer is to know of files that another project of this name left behind.

    Args:
        first: the first text, of this kind; the book is the node of the next number.
        more: what comes after it, parents first.
    """
    path = resolved(path)
    with as_user_message(path), new_file(path) as new:
        texts = [(Node(first.document_id, kind, first.title, first.document_id + 1), first), *more]
        _write_first(new, project, Node(first.document_id + 1, NodeKind.BOOK, project.title), texts)
        return cleared(path)


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Give the path of a file to write, and then the file its name; what another one of that name left is
    moved aside.
    """
    with ExitStack() as stack:
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
        yield new
        _refuse_existing(path)
        cleared(path)
        forget(record_path(path))
        new.rename(path)
        sync_folder(path.parent)


def resolved(path: Path) -> Path:
    """Return where a project really is, whatever it is called."""
    try:
        return path.expanduser().resolve()  # one file, one lock, whatever it is called
    except RuntimeError:  # ~ of somebody who is not known here, or links that lead in a circle
        raise ProjectMissing("{path} is not a usable path. Write the folder in full.", path=path) from None


def _write_first(path: Path, project: Project, book: Node, texts: Sequence[tuple[Node, Document]]) -> None:
    engine = writer_engine(path, create=True)
    try:
        with engine.begin() as connection:
            schema.create(connection.exec_driver_sql)
        with UnitOfWork(engine, path, FileWatch(path)) as unit:
            unit.manuscript.create(project, book, texts)
            unit.commit()
            # what cannot be moved from the log into a file that is closed stays in the log without a word,
            # and the file would get its name without it
            unit.checkpoint()
    finally:
        engine.dispose()
    if has_log(path):
        raise disk_full(path)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise ProjectExists(
            "{file} already exists. Choose another name; nothing was changed.", file=path.name
        )


def _delete(path: Path) -> None:
    for suffix in ("", *SIDE_FILES):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
