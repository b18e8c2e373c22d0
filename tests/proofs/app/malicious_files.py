"""Project files that somebody made to do harm, and things that only look like project files."""

from __future__ import annotations

import os
import random
import socket
import sqlite3
import struct
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.orphaned_nodes import TITLE
from quire.domain.manuscript.project_records import SnapshotReason
from quire.errors import WriterProblem
from quire.services.transactions import known_phrases, maintenance, project_text, take_changes
from quire.services.transactions.closed_projects import ProjectOverview, read_project
from quire.storage.project_file import ProjectFile, open_project_file
from quire_engine.api.config import SamplingConfig
from tests.proofs.app.outcome import CheckResult, hang
from tests.proofs.app.writer_day import a_day
from tests.stored_rows import digested

NAME = "proof.quire"

_PARTS = {
    "a trigger": "CREATE TRIGGER evil AFTER UPDATE ON {table} BEGIN DELETE FROM {table}; END",
    "a temporary-looking view": "CREATE VIEW evil AS SELECT load_extension('evil')",
    "a table more": "CREATE TABLE evil (x)",
    "a virtual table": "CREATE VIRTUAL TABLE evil USING fts5(x)",
    "an index with code": "CREATE INDEX evil ON {table} (abs({column}))",
    "a column more": "ALTER TABLE {table} ADD COLUMN evil TEXT DEFAULT (randomblob(10))",
    "a table less": "DROP TABLE {table}",
}
_HEADER = {
    "page size": (16, ">H"),
    "file format": (18, ">H"),
    "reserved bytes": (20, ">B"),
    "payload fractions": (21, ">I"),
    "page count": (28, ">I"),
    "first free page": (32, ">I"),
    "free pages": (36, ">I"),
    "schema format": (44, ">I"),
    "text encoding": (56, ">I"),
    "user version": (60, ">I"),
    "application id": (68, ">I"),
    "first page": (100, ">Q"),
}
VALUES: tuple[object, ...] = (
    None, "", "x", "x" * 100_000, "\0", "{", "[" * 100_000, '{"a": 1e999}', "9" * 5_000, "NaN", "../evil",
    -1, 0, 1, 2**31, 2**63 - 1, -(2**63), 1e308, float("inf"), b"", b"\xff" * 1000, b"\0" * 5,
    b"\x78\x9c\xff", b"\x80\x04.", "2026-01-01", "9999-12-31T23:59:59.999999+23:59",
    "0001-01-01T00:00:00-23:59",
)  # fmt: skip
"""What may stand where something else should."""


def a_project(folder: Path) -> tuple[bytes, ProjectOverview]:
    """Return a sound project of a day's work, and what is in it."""
    folder.mkdir(exist_ok=True)
    path = folder / NAME
    a_day(path, 5, lambda _kept: None, lambda _phase: None)
    return path.read_bytes(), read_project(path)


def _of_parts(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        table, column = _columns(connection)[0]
        connection.execute(statement.format(table=table, column=column))


def _columns(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    tables = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ).fetchall()
    return [
        (table, row[1])
        for (table,) in tables
        for row in connection.execute(f"PRAGMA table_info('{table}')").fetchall()
    ]


def added_parts(content: bytes, overview: ProjectOverview) -> Iterator[CheckResult]:
    """Try projects with code of somebody else in them, and with parts more or less."""
    for what, statement in _PARTS.items():
        yield tried(content, partial(_of_parts, statement=statement), what, "parts", overview)


def headers(content: bytes, overview: ProjectOverview) -> Iterator[CheckResult]:
    """Try projects whose header speaks of sizes and formats that are not so."""
    for name, (place, kind) in _HEADER.items():
        for value in (0, 1, 2, 7, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**63, 2**64 - 1):
            if value >= 1 << 8 * struct.calcsize(kind):
                continue
            changed = bytearray(content)
            struct.pack_into(kind, changed, place, value)
            yield tried(bytes(changed), None, f"{name} {value}", "header", overview)


def values(
    content: bytes, overview: ProjectOverview, seed: int, number: int, *, writing: bool = True
) -> Iterator[CheckResult]:
    """Try projects with a wrong value somewhere in the tables, whatever tables there are.

    writing: also open them to work on, as a writer would.
    """
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="quire-hostile-") as folder:
        path = Path(folder) / NAME
        path.write_bytes(content)
        with closing(sqlite3.connect(path)) as connection:
            columns = _columns(connection)
    for _ in range(number):
        (table, column), value = rng.choice(columns), rng.choice(VALUES)
        what = f"{table}.{column} = {value!r:.60}"
        change = partial(_set, table, column, value, rng.random() < 0.5)
        yield tried(content, change, what, "values", overview)
        if writing:
            yield worked_on(content, change, what)


def _set(table: str, column: str, value: object, with_digests: bool, path: Path) -> None:
    """Set a value; with digests as if Quire had written it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        if connection.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ?', [value]).rowcount < 1:
            raise sqlite3.IntegrityError("nothing was changed")
        if with_digests:
            digested(connection)


def side_files(content: bytes, overview: ProjectOverview, seed: int, number: int) -> Iterator[CheckResult]:
    """Try a sound project beside a log, or a journal, of noise: none of it may get into the text."""
    rng = random.Random(seed)
    heads = {
        "-wal": (b"", b"\x37\x7f\x06\x82\x00\x2d\xe2\x18" + struct.pack(">III", 4096, 0, 1)),
        "-journal": (b"", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + struct.pack(">IIIII", 2, 1, 24, 512, 4096)),
    }
    for _ in range(number):
        suffix = rng.choice(list(heads))
        noise = rng.choice(heads[suffix]) + rng.randbytes(rng.choice((1, 31, 32, 512, 5_000, 20_000)))

        def change(path: Path, suffix: str = suffix, noise: bytes = noise) -> None:
            path.with_name(path.name + suffix).write_bytes(noise)

        yield tried(content, change, f"{suffix} of {len(noise)} bytes", f"noise as {suffix}", overview)


def worked_on(content: bytes, change: Callable[[Path], None], what: str) -> CheckResult:
    """Work on such a project; it may be mended or refused, but never ends in anything but a sentence."""
    with tempfile.TemporaryDirectory(prefix="quire-hostile-") as folder:
        path = Path(folder) / NAME
        path.write_bytes(content)
        found: list[CheckResult] = []

        def work() -> None:
            try:
                change(path)
            except sqlite3.Error:
                found.append(CheckResult("work, cannot be made"))
                return
            found.append(_outcome_of_work(path, what))

        return CheckResult("work", f"{what}: {late}") if (late := hang(work)) else found[0]


def _outcome_of_work(path: Path, what: str) -> CheckResult:
    try:
        file = open_project_file(path)
        try:
            _work(file)
        finally:
            file.close()
    except WriterProblem as problem:
        return CheckResult("work, noticed", "" if str(problem).endswith(".") else f"{what}: {problem}")
    except Exception as error:  # noqa: BLE001  that is what is looked for
        return CheckResult("work", f"{what}: {error!r}")
    return CheckResult("work, harmless")


def _work(file: ProjectFile) -> None:
    """Do a little of everything that changes a project."""
    opened = project_text.open_and_recover(file)
    document = opened.document
    project_text.save_text(file, document.document_id, document.text + " More.")
    known_phrases.known_texts(file, document.document_id, "0" * 64)
    number = max((run.run_id for run in opened.runs), default=0) + 1
    run = Run(number, document.document_id, SamplingConfig(), 50, "before", "before")
    run = project_text.begin_run(file, run.moved_to(RunState.RUNNING))
    chunk = Chunk((1, 2), " Low water.", 2, 1, 1.0)
    run = run.grown_by(chunk)
    project_text.append(file, run, chunk)
    project_text.merge_drafted_text(file, run.moved_to(RunState.PAUSED), None)
    take_changes.branch(file, document.document_id, len(document.text) // 2)
    for take in take_changes.takes_of(file, document.document_id).all:
        take_changes.choose(file, take.take_id)
    take_changes.keep_snapshot(file, "Proof", SnapshotReason.BY_HAND)
    maintenance.tidy(file)


def tried(
    content: bytes, change: Callable[[Path], None] | None, what: str, phase: str, overview: ProjectOverview
) -> CheckResult:
    """Read a changed project: it is refused with a sentence, or its text and tokens are as they were."""
    with tempfile.TemporaryDirectory(prefix="quire-hostile-") as folder:
        path = Path(folder) / NAME
        path.write_bytes(content)
        if change is not None:
            try:
                change(path)
            except sqlite3.Error:  # SQLite itself refuses to make such a file
                return CheckResult(f"{phase}, cannot be made")
        before = _contents(Path(folder))
        found: list[CheckResult] = []
        late = hang(lambda: found.append(_read(path, what, phase, overview)))
        if late:
            return CheckResult(phase, f"{what}: {late}")
        if _contents(Path(folder)) != before:
            return CheckResult(phase, f"{what}: the file, or its folder, was changed")
        return found[0]


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


def _read(path: Path, what: str, phase: str, overview: ProjectOverview) -> CheckResult:
    try:
        there = read_project(path)
    except WriterProblem as problem:
        return CheckResult(f"{phase}, noticed", "" if str(problem).endswith(".") else f"{what}: {problem}")
    except Exception as error:  # noqa: BLE001  that is what is looked for
        return CheckResult(phase, f"{what}: {error!r}")
    if any(node.title == TITLE for node in there.tree.nodes):
        return CheckResult(f"{phase}, recovered")  # in a part of its own, and the writer is told
    return CheckResult(
        f"{phase}, harmless", "" if _same(there, overview) else f"{what}: another text, unnoticed"
    )


def _same(there: ProjectOverview, overview: ProjectOverview) -> bool:
    counts = [{run.run_id: run.num_tokens for run in one.runs} for one in (there, overview)]
    return there.text == overview.text and counts[0] == counts[1]


# ---------------------------------------------------------------- what only looks like a project
def _zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../evil", "x" * 1000)


def _loop(path: Path) -> None:
    other = path.with_name("other.quire")
    other.symlink_to(path)
    path.symlink_to(other)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


LOOKALIKES: dict[str, Callable[[Path], object]] = {
    "nothing at all": lambda path: None,
    "an empty file": lambda path: path.touch(),
    "a zip": _zip,
    "a pickle": lambda path: path.write_bytes(b"\x80\x04cos\nsystem\n(S'true'\ntR."),
    "a folder": lambda path: path.mkdir(),
    "another database": lambda path: _of_sql(path, "CREATE TABLE project (x)"),
    "text": lambda path: path.write_text("It was a dark night.\n" * 100, encoding="utf-8"),
}
"""What lies at the path, by name."""
if sys.platform != "win32":
    LOOKALIKES |= {
        "a fifo": lambda path: os.mkfifo(path),
        "links in a circle": _loop,
        "a link to nowhere": lambda path: path.symlink_to("nowhere.quire"),
        "a link to a device": lambda path: path.symlink_to("/dev/zero"),
        "a socket": _socket,
    }


def _of_sql(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)


def lookalikes() -> Iterator[CheckResult]:
    """Try what is no project at all, to read and to work on; each is refused at once and left as it is."""
    for what, make in LOOKALIKES.items():
        for read in (read_project, open_project_file):
            yield _refused(what, make, read)


def _refused(what: str, make: Callable[[Path], object], read: Callable[[Path], object]) -> CheckResult:
    with tempfile.TemporaryDirectory(prefix="quire-hostile-") as folder:
        path = Path(folder) / NAME
        make(path)
        before = sorted((name, os.lstat(Path(folder) / name).st_size) for name in os.listdir(folder))
        wrong: list[str] = []

        def work() -> None:
            try:
                read(path)
                wrong.append("it was taken for a project")
            except WriterProblem as problem:
                wrong.append("" if str(problem).endswith(".") else f"no whole sentence: {problem}")
            except Exception as error:  # noqa: BLE001  that is what is looked for
                wrong.append(repr(error))

        problem = hang(work) or wrong[0]
        after = sorted((name, os.lstat(Path(folder) / name).st_size) for name in os.listdir(folder))
        problem = problem or ("" if after == before else f"the folder was changed: {after}")
        return CheckResult("lookalikes", f"{what}, {read.__name__}: {problem}" if problem else "")
