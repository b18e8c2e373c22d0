"""Connections to a project file, set up so that a commit is safe when it returns."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from quire.storage import schema
from quire.storage.commit_link import CommitLink
from quire.storage.problems import ProjectMissing, StorageProblem, damaged, not_a_project
from quire.storage.tables import APPLICATION_ID, SCHEMA_VERSION
from quire_engine.api.atomic_file import sync_folder

BUSY_TIMEOUT_MS = 2000
"""Well within the time that a window which is closed gives its project."""

# FULL: a commit has reached the disk when it returns; NORMAL loses commits in a power cut.
WRITER_PRAGMAS: dict[str, str | int] = {
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "trusted_schema": 0,
    "cell_size_check": 1,
    "mmap_size": 0,
    "temp_store": 2,
    "busy_timeout": BUSY_TIMEOUT_MS,
    # the log is moved into the file when Quire says so: the file then has a commit that Quire knows
    "wal_autocheckpoint": 0,
}
if sys.platform == "darwin":  # without it the drive may still hold the commit in its own cache
    WRITER_PRAGMAS |= {"fullfsync": 1, "checkpoint_fullfsync": 1}
_READER_PRAGMAS: dict[str, str | int] = {
    "query_only": 1,
    "trusted_schema": 0,
    "cell_size_check": 1,
    "mmap_size": 0,
}


def writer_engine(path: Path, *, create: bool = False) -> Engine:
    """Return an engine that writes; its pool holds one connection, two could meet in the write-ahead log."""
    return _engine(
        f"{path.as_uri()}?mode={'rwc' if create else 'rw'}",
        WRITER_PRAGMAS,
        # in a transaction a row may come before the one that it refers to: they are compared when it commits
        ("BEGIN IMMEDIATE", "PRAGMA defer_foreign_keys = ON"),
        path,
    )


def reader_engine(path: Path, *, immutable: bool) -> Engine:
    """Return an engine that only reads and leaves no file behind."""
    return _engine(_reader_uri(path, immutable=immutable), _READER_PRAGMAS, ("BEGIN",), path)


def inspect(path: Path, *, immutable: bool) -> int:
    """Return the format of a project; refuse what is no project or is damaged. It cannot change a byte.

    Args:
        immutable: the write-ahead log is empty, so SQLite needs no files beside this one.
    """
    if not path.is_file():
        if path.exists():
            raise not_a_project(path)
        raise ProjectMissing(
            "The file {path} doesn't exist. Check the name, or create a new project.", path=path
        )
    with closing(sqlite3.connect(_reader_uri(path, immutable=immutable), uri=True)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        if _pragma(connection, "application_id") != APPLICATION_ID:
            raise not_a_project(path)
        version = _pragma(connection, "user_version")
        if not isinstance(version, int) or (version < SCHEMA_VERSION and version not in schema.STEPS):
            raise damaged(path, f"unknown format {version}")
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise damaged(path, str(verdict))
        if version > SCHEMA_VERSION:
            schema.check_harmless(connection, path)
        else:
            schema.check(connection, path, version)
            if connection.execute("PRAGMA foreign_key_check(run_chunk)").fetchone() is not None:
                raise damaged(path, "words of a draft belong to no draft")
        return version


def migrate_file(path: Path) -> None:
    """Migrate a project of an earlier format to the current one; it must not be open elsewhere."""
    connection = _connect(f"{path.as_uri()}?mode=rw", WRITER_PRAGMAS, path)
    with closing(connection):
        try:
            schema.migrate(connection, path)
        except ValueError as error:
            raise damaged(path, str(error)) from error


def roll_back(path: Path) -> None:
    """Let SQLite roll back what was interrupted, as it does when a writing connection opens the file."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def checkpoint(engine: Engine) -> bool:
    """Move the log into the file; return whether all of it is there now.

    It waits for no reader, and fails without a word: what was committed is as safe in the log.
    """
    with contextlib.suppress(sqlite3.Error), closing(engine.raw_connection()) as pooled:
        connection = pooled.driver_connection
        if not isinstance(connection, sqlite3.Connection):
            return False
        patience = _pragma(connection, "busy_timeout")
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            connection.execute(f"PRAGMA busy_timeout = {patience}")
        return not busy
    return False


def link_of(engine: Engine) -> CommitLink | None:
    """Return the link of the last commit; None where there is none, or a damaged one."""
    with engine.connect() as connection:
        row = connection.exec_driver_sql("SELECT link FROM commit_chain").first()
        connection.rollback()
    with contextlib.suppress(ValueError):
        return None if row is None else CommitLink.unpack(row[0])
    return None


def _reader_uri(path: Path, *, immutable: bool) -> str:
    return f"{path.as_uri()}?mode=ro{'&immutable=1' if immutable else ''}"


def _engine(uri: str, pragmas: dict[str, str | int], begin: tuple[str, ...], path: Path) -> Engine:
    def connect() -> sqlite3.Connection:
        return _connect(uri, pragmas, path)

    def begin_transaction(connection: Connection) -> None:
        for statement in begin:
            connection.exec_driver_sql(statement)

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=1, max_overflow=0)
    event.listen(engine, "begin", begin_transaction)
    return engine


def _connect(uri: str, pragmas: dict[str, str | int], path: Path) -> sqlite3.Connection:
    # isolation_level None: the driver's own hidden BEGIN would make some pragmas silently fail
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_MS / 1000
    )
    connection.text_factory = _text
    try:
        before = _pragma(connection, "journal_mode")
        _set_pragmas(connection, pragmas, path)
        if pragmas.get("journal_mode", before) != before:
            # to change the mode SQLite wrote a journal and deleted it: if a power cut brought that back after
            # something was committed to the log, it would be rolled back into the file
            sync_folder(path.parent)
    except BaseException:
        connection.close()
        raise
    return connection


def _text(stored: bytes) -> str:
    """Return stored text; what is no text does not match its checksum, and is found by that."""
    return stored.decode(errors="replace")


def _set_pragmas(connection: sqlite3.Connection, pragmas: dict[str, str | int], path: Path) -> None:
    for name, wanted in pragmas.items():
        connection.execute(f"PRAGMA {name} = {wanted}").fetchall()
        found = _pragma(connection, name)
        # SQLite built without memory mapping has no mmap_size to report
        if found != wanted and not (name == "mmap_size" and found is None):
            raise StorageProblem(
                "The disk with {file} can't store projects safely ({name} is {found}, not {wanted}). "
                "Move the project to a disk of this computer.",
                file=path.name,
                name=name,
                found=found,
                wanted=wanted,
            )


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    row = connection.execute(f"PRAGMA {name}").fetchone()
    return row[0] if row else None
