"""Make and open project files; the door to this package."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import Engine, text

from quire.domain.manuscript import Document, Project
from quire.storage.connection import (
    check_before_writing,
    has_log,
    reader_engine,
    writer_engine,
)
from quire.storage.format import APPLICATION_ID, SCHEMA_VERSION
from quire.storage.lock import ProjectLock
from quire.storage.problems import (
    DiskFull,
    ProjectExists,
    ProjectMissing,
    ProjectReadOnly,
    damaged,
    told_plainly,
)
from quire.storage.repository import ProjectFile, UnitOfWork
from quire.storage.tables import Base
from quire.storage.unit import SqliteUnitOfWork

_SIDE_FILES = ("", "-wal", "-shm", "-journal")


class SqliteProjectFile:
    """ProjectFile: one connection and the lock that keeps others out."""

    def __init__(self, path: Path, engine: Engine, release: ExitStack) -> None:
        self._path = path
        self._place = path.stat()
        self._engine = engine
        self._release = release

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self._path

    def unit(self) -> UnitOfWork:
        """Return a new unit of work."""
        return SqliteUnitOfWork(self._engine, self._path, self._place)

    def close(self) -> None:
        """Close the file and let others open it."""
        self._release.close()


def create_project_file(path: Path, project: Project, document: Document) -> None:
    """Write a new project file; it appears under its name only when it is complete."""
    path = _resolved(path)
    with told_plainly(path), ExitStack() as stack:
        if not path.parent.is_dir():
            raise ProjectMissing(f"There is no folder {path.parent}. Make it first, or choose another one.")
        _refuse_existing(path)
        stack.callback(ProjectLock(path).release)
        new = path.with_name(f".{path.name}.new")
        _delete(new)
        stack.callback(_delete, new)
        engine = writer_engine(new, create=True)
        try:
            _write_first(engine, new, project, document)
        finally:
            engine.dispose()
        _refuse_existing(path)
        new.rename(path)
        _sync_folder(path.parent)


def open_project_file(path: Path) -> ProjectFile:
    """Open a project to work on it; everything in it has been checked."""
    path = _resolved(path)
    with told_plainly(path), ExitStack() as stack:
        _refuse_missing(path)
        stack.callback(ProjectLock(path).release)
        check_before_writing(path, immutable=not has_log(path))
        engine = writer_engine(path)
        stack.callback(engine.dispose)
        _refuse_unwritable(engine)
        return _checked(path, engine, stack)


def open_project_reader(path: Path) -> ProjectFile:
    """Open a project without changing a byte of it, on read-only disks too."""
    path = _resolved(path)
    with told_plainly(path), ExitStack() as stack:
        _refuse_missing(path)
        readable = path
        try:
            with told_plainly(path):
                stack.callback(ProjectLock(path).release)
        except ProjectReadOnly:
            if has_log(
                path
            ):  # SQLite reads a log only where it may write; nobody has this file in SQLite here
                readable = _copied(path, stack)
        except DiskFull:
            pass  # no lock file could be made, so nobody holds one
        immutable = not has_log(readable)
        check_before_writing(readable, immutable=immutable)
        engine = reader_engine(readable, immutable=immutable)
        stack.callback(engine.dispose)
        return _checked(readable, engine, stack)


def _checked(path: Path, engine: Engine, stack: ExitStack) -> ProjectFile:
    """Check everything in the file; it takes over what the stack would have closed."""
    release = ExitStack()
    file = SqliteProjectFile(path, engine, release)
    _verify(file)
    release.push(stack.pop_all())
    return file


def _refuse_unwritable(engine: Engine) -> None:
    # SQLite opens a read-only file all the same, even with BEGIN IMMEDIATE; only a change shows it
    with engine.connect() as connection:
        connection.execute(text("UPDATE project SET title = title"))
        connection.rollback()


def _verify(file: SqliteProjectFile) -> None:
    try:
        with file.unit() as unit:
            unit.manuscript.project()
            unit.manuscript.document()
            unit.runs.all()
            unit.runs.verify()
    except (TypeError, ValueError, AttributeError) as error:  # values of another kind than Quire writes
        raise damaged(file.path, str(error)) from error


def _write_first(engine: Engine, path: Path, project: Project, document: Document) -> None:
    with engine.begin() as connection:
        Base.metadata.create_all(connection)
        connection.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))
        connection.execute(text(f"PRAGMA user_version = {SCHEMA_VERSION}"))
    with SqliteUnitOfWork(engine, path, path.stat()) as unit:
        unit.manuscript.create(project, document)
        unit.commit()


def _resolved(path: Path) -> Path:
    try:
        return path.expanduser().resolve()  # one file, one lock, whatever it is called
    except RuntimeError:  # ~ of somebody who is not known here, or links that lead in a circle
        raise ProjectMissing(f"{path} leads to no file. Write its folder in full.") from None


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise ProjectExists(f"{path.name} exists already. Choose another name; nothing was changed.")


def _refuse_missing(path: Path) -> None:
    if not path.exists():
        raise ProjectMissing(f"There is no file {path}. Check the name, or make a new project.")


def _delete(path: Path) -> None:
    for suffix in _SIDE_FILES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _copied(path: Path, stack: ExitStack) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="quire-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    for suffix in ("", "-wal"):
        shutil.copyfile(path.with_name(path.name + suffix), folder / (path.name + suffix))
    return folder / path.name


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":  # a folder cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
