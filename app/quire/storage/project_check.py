"""Checks a project file as it is, damaged or not, and changes nothing."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from quire.domain.manuscript.backup_rotation import Backup
from quire.domain.written_time import WrittenTime
from quire.storage import backups, schema
from quire.storage.damage_report import names_of, same_text_elsewhere
from quire.storage.problems import (
    ProjectMissing,
    ProjectReadOnly,
    StorageProblem,
    as_user_message,
    not_a_project,
    too_new,
)
from quire.storage.project_file import last_good_backup, open_project_reader
from quire.storage.project_lock import ProjectLock
from quire.storage.rows import DamagedRow, damaged_rows
from quire.storage.side_files import copied
from quire.storage.tables import APPLICATION_ID, METADATA, SCHEMA_VERSION
from quire_engine.api.user_message import UserMessage

_LOOKED_AT = 10
_LINES = 5
_COUNTED = ("document", "run", "take", "snapshot_text", "setting")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something damaged, and where it can be had back from, the best place first."""

    what: UserMessage
    ways: tuple[UserMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """What a check found.

    Attributes:
        sound: what was read and is as it was stored.
        findings: what is not; without any the project is sound.
        about_backups: whether there is a good one.
        good_backup: the newest backup in which everything is sound.
        notes: about the files beside the project.
    """

    sound: tuple[UserMessage, ...]
    findings: tuple[Finding, ...]
    about_backups: UserMessage
    good_backup: Path | None = None
    notes: tuple[UserMessage, ...] = ()


def check_project(path: Path) -> ProjectReport:
    """Read everything in a project; WriterProblem for a file that is no project, or is open elsewhere."""
    path = path.expanduser().absolute()
    with as_user_message(path), ExitStack() as stack:
        if not path.is_file():
            raise ProjectMissing("The file {path} doesn't exist. Check the name.", path=path)
        try:
            with as_user_message(path):
                stack.callback(ProjectLock(path).release)
        except ProjectReadOnly:
            pass  # nobody can write there, so nobody has it open
        try:
            connection = stack.enter_context(_copy_of(path, path))
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
                raise
            return ProjectReport((), (Finding(_unreadable(error)),), *_about_backups(path))
        damage = damaged_rows(connection)
        findings = [*_structure(connection), *_findings(path, connection, damage)]
        sound = _counts(connection, damage)
    notes: tuple[UserMessage, ...] = ()
    try:
        file = open_project_reader(path)
    except StorageProblem as problem:
        if not findings:  # every row is as it was stored, and they do not fit together
            findings.append(Finding(problem.message))
    else:
        file.close()
        notes = file.notices
        if file.has_lost:
            findings.append(Finding(notes[-1]))
            notes = notes[:-1]
    return ProjectReport(sound, tuple(findings), *_about_backups(path), notes)


@contextmanager
def _copy_of(path: Path, original: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy of a project in the current format, with its log; return it."""
    with tempfile.TemporaryDirectory(prefix="quire-") as folder:
        copy = Path(folder) / "project.quire"
        copied(path, copy)
        copy.chmod(0o600)
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            connection.text_factory = lambda stored: stored.decode(errors="replace")
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise not_a_project(original)
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA_VERSION:
                raise too_new(original, version)
            if version < SCHEMA_VERSION:
                try:
                    schema.migrate(connection, original)
                except (ValueError, KeyError) as error:
                    raise sqlite3.DatabaseError(str(error)) from error
            yield connection


def _structure(connection: sqlite3.Connection) -> list[Finding]:
    """Return what SQLite finds wrong with the structure of the file."""
    try:
        lines = [str(line) for (line,) in connection.execute(f"PRAGMA integrity_check({_LINES})")]
    except sqlite3.DatabaseError as error:
        lines = [str(error)]
    return [
        Finding(UserMessage("The structure of the file: {what}", what=line)) for line in lines if line != "ok"
    ]


def _findings(path: Path, connection: sqlite3.Connection, damage: Sequence[DamagedRow]) -> list[Finding]:
    if not damage:
        return []
    rows: dict[UserMessage, list[DamagedRow]] = {}
    for row in damage:
        (name,) = names_of(connection, [row])
        rows.setdefault(name, []).append(row)
    in_backups: dict[UserMessage, UserMessage] = {}
    for backup, sound in _sound_in_backups(path, damage):
        for name, parts in rows.items():
            if name not in in_backups and sound.issuperset(parts):
                in_backups[name] = _in_backup(backup)
    found: list[Finding] = []
    for name, parts in rows.items():
        places = [in_backups.get(name), *(same_text_elsewhere(connection, row, damage) for row in parts)]
        found.append(Finding(name, tuple(place for place in places if place is not None)))
    return found


def _in_backup(backup: Backup) -> UserMessage:
    return UserMessage("The backup of {made} holds it as it was then.", made=_made(backup))


def _made(backup: Backup) -> str:
    return WrittenTime(backup.made)


def _sound_in_backups(
    path: Path, damage: Sequence[DamagedRow]
) -> Iterator[tuple[Backup, frozenset[DamagedRow]]]:
    """Return which of the damaged rows each backup holds as they were stored, the newest backup first."""
    for backup in backups.backups_of(path, backups.backup_folder(path))[:_LOOKED_AT]:
        try:
            with as_user_message(backup.path), _copy_of(backup.path, backup.path) as connection:
                broken = set(damaged_rows(connection))
                sound = {row for row in damage if row not in broken and _holds(connection, row)}
        except StorageProblem:
            continue
        yield backup, frozenset(sound)


def _holds(connection: sqlite3.Connection, row: DamagedRow) -> bool:
    keys = [column.name for column in METADATA.tables[row.table].primary_key]
    if len(keys) != len(row.key):
        return True  # all of the table, and nothing in it is broken
    where = " AND ".join(f"{key} = ?" for key in keys)
    found = connection.execute(f"SELECT count(*) FROM {row.table} WHERE {where}", row.key).fetchone()
    return bool(found[0])


def _counts(connection: sqlite3.Connection, damage: Sequence[DamagedRow]) -> tuple[UserMessage, ...]:
    """Return what was read and is sound."""
    found: list[UserMessage] = []
    for table in _COUNTED:
        try:
            (number,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        except sqlite3.DatabaseError:
            continue
        if number:
            broken = min(_broken(connection, table, damage), number)
            found.append(_count(table, number - broken, number))
    return tuple(found)


def _count(table: str, sound: int, number: int) -> UserMessage:
    match table:
        case "document":
            return UserMessage("Texts: {sound:,} of {all:,}", sound=sound, all=number)
        case "run":
            return UserMessage("Runs: {sound:,} of {all:,}", sound=sound, all=number)
        case "take":
            return UserMessage("Takes: {sound:,} of {all:,}", sound=sound, all=number)
        case "snapshot_text":
            return UserMessage("Texts in snapshots: {sound:,} of {all:,}", sound=sound, all=number)
        case _:
            return UserMessage("Settings: {sound:,} of {all:,}", sound=sound, all=number)


def _broken(connection: sqlite3.Connection, table: str, damage: Sequence[DamagedRow]) -> int:
    """Return how many rows of a table are damaged, or consist of something that is."""
    keys = {row.key for row in damage if row.table == table}
    if table == "run":
        keys |= {row.key[:1] for row in damage if row.table == "run_chunk"}
    if table == "snapshot_text":
        for row in damage:
            if row.table == "content":
                query = "SELECT snapshot_id, document_id FROM snapshot_text WHERE text_digest = ?"
                keys |= set(connection.execute(query, row.key))
    return len(keys)


def _unreadable(error: sqlite3.DatabaseError) -> UserMessage:
    return UserMessage("The file can't be read as a project ({error}).", error=error)


def _about_backups(path: Path) -> tuple[UserMessage, Path | None]:
    """Return what is known about the backups of a project, and the newest good one."""
    folder = backups.backup_folder(path)
    if not backups.backups_of(path, folder):
        return UserMessage("There are no backups in {folder}.", folder=folder), None
    good = last_good_backup(path)
    if good is None:
        return UserMessage("None of the backups in {folder} is sound.", folder=folder), None
    said = UserMessage("The newest backup in which everything is sound is from {made}:", made=_made(good))
    return said, good.path
