"""What can be wrong with a project file, as messages for the writer."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from quire.errors import SaveElsewhere, WriterProblem
from quire.storage.tables import SCHEMA_VERSION


class StorageProblem(WriterProblem):
    """The project file cannot be used safely."""


class ProjectMissing(StorageProblem):
    """There is no such file."""


class ProjectExists(StorageProblem):
    """There is a file already where a new project should go."""


class NotAProject(StorageProblem):
    """The file is something else."""


class SchemaTooNew(StorageProblem):
    """The file was written by a newer release; writing to it could lose data."""


class ProjectDamaged(StorageProblem):
    """The file is not what was written to it."""


class ProjectReadOnly(StorageProblem):
    """The file or its folder cannot be written to."""


class ProjectLocked(StorageProblem):
    """Another Quire has the project open."""


class DiskFull(StorageProblem):
    """The disk is full; what was stored before is safe."""


class StorageFailed(StorageProblem):
    """The disk or the system refused, in a way that has no message of its own."""


class FileChanged(StorageFailed, SaveElsewhere):
    """The file was moved, replaced or changed while it was open; what it held can be saved elsewhere."""


_FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC}
_READ_ONLY_ERRNOS = {errno.EACCES, errno.EPERM, errno.EROFS}


@contextmanager
def as_user_message(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite and of the file system into problems that name the file."""
    try:
        yield
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.Error):
            raise _sqlite_problem(error.orig, path) from error
        raise
    except UnicodeDecodeError as error:  # what SQLite says of a damaged file quotes it, and Python cannot
        raise damaged(path, "its structure cannot be read") from error
    except (OverflowError, RecursionError) as error:  # numbers past 64 bits, JSON nested without an end
        raise damaged(path, f"it holds what Quire did not write: {error}") from error
    except sqlite3.Error as error:
        raise _sqlite_problem(error, path) from error
    except OSError as error:
        raise _system_problem(error, path) from error


@contextmanager
def read_from(path: Path, what: str) -> Iterator[None]:
    """Turn the errors of reading a value of an unexpected kind into ProjectDamaged."""
    try:
        yield
    except (TypeError, ValueError, AttributeError) as error:
        raise damaged(path, f"{what} cannot be read: {error}") from error


def damaged(path: Path, what: str) -> ProjectDamaged:
    """Return the problem of a damaged file, with what shows it."""
    return ProjectDamaged(
        "{file} is damaged ({what}). It was not changed; restore the project from a backup.",
        file=path.name,
        what=what,
    )


def not_a_project(path: Path) -> NotAProject:
    """Return the problem of a file that is not a project."""
    return NotAProject("{file} is not a Quire project. Choose another file.", file=path.name)


def too_new(path: Path, version: int) -> SchemaTooNew:
    """Return the problem of a file that was written by a newer release."""
    return SchemaTooNew(
        "{file} was made by a newer version of Quire (format {version}; this version uses "
        "{supported}). Update Quire to open it; the file was not changed.",
        file=path.name,
        version=version,
        supported=SCHEMA_VERSION,
    )


def read_only(path: Path) -> ProjectReadOnly:
    """Return the problem of a project that cannot be written to."""
    return ProjectReadOnly(
        "{file} can't be saved: the file or its folder {folder} is read-only. Allow writing there, "
        "or copy the project to another folder.",
        file=path.name,
        folder=path.parent,
    )


def disk_full(path: Path) -> DiskFull:
    """Return the problem of a full disk."""
    return DiskFull(
        "The disk is full, so {file} could not be saved completely. Free some space on the disk with "
        "{folder}; everything saved before is safe.",
        file=path.name,
        folder=path.parent,
    )


def _sqlite_problem(error: sqlite3.Error, path: Path) -> StorageProblem:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_FULL:
            return disk_full(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return read_only(path)
        case sqlite3.SQLITE_NOTADB:
            return not_a_project(path)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_FORMAT:
            return damaged(path, str(error))
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return ProjectLocked(
                "{file} is in use by another program, perhaps a backup. Wait for it or close it, "
                "then try again; everything saved before is safe.",
                file=path.name,
            )
        case sqlite3.SQLITE_CANTOPEN:
            return StorageFailed(
                "{file} could not be opened. Check that you have access to its folder {folder}.",
                file=path.name,
                folder=path.parent,
            )
        case sqlite3.SQLITE_ERROR | 0:  # a column that is not there, or text that is no text
            return damaged(path, str(error))
        case _:
            return StorageFailed(
                "The disk could not save {file} ({error}). Check the disk; everything saved before is safe.",
                file=path.name,
                error=error,
            )


def _system_problem(error: OSError, path: Path) -> StorageProblem:
    if error.errno in _FULL_ERRNOS:
        return disk_full(path)
    if error.errno in _READ_ONLY_ERRNOS:
        return read_only(path)
    return StorageFailed(
        "{file} could not be used ({reason}). Check its folder {folder}.",
        file=path.name,
        reason=error.strerror or error,
        folder=path.parent,
    )
