"""T14: a log or a journal that another project left behind is never taken for a project's own."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.manuscript.manuscript import Document, Project
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import read_project
from quire.services.transactions.project_creation import create_cut
from quire.storage.project_file import create_project_file
from quire.storage.write_ahead_log import WriteAheadLog, parsed
from tests.proofs.app.killed_project import NAME, KilledProject, killed, names_like, prose, text_of
from tests.proofs.app.outcome import CheckResult

_LATER = "And then Mara laughed."
_ROUNDS = 2


class _Wrong(Exception):
    """Not as promised."""


def lives(folder: Path, seed: int) -> Iterator[CheckResult]:
    """Let everything happen to two killed projects that can happen to their names."""
    for number in range(_ROUNDS):
        rng = random.Random(f"{seed} {number}")
        left = killed(folder / f"{number}", rng, rng.choice((1, 2, 5, 20, 60)))
        for what, put in EVENTS.items():
            yield _tried(what, put, left, folder / f"{number} {what}", rng)


def _tried(
    what: str, put: Callable[[KilledProject, Path, random.Random], str], left: KilledProject, folder: Path,
    rng: random.Random,
) -> CheckResult:  # fmt: skip
    path = left.copied(folder)
    log = path.with_name(f"{NAME}-wal").read_bytes()
    try:
        expected = put(left, path, rng)
        _check(path, expected, log, is_own=what in OWN)
    except _Wrong as wrong:
        return CheckResult(what, str(wrong))
    except Exception as error:  # noqa: BLE001  that is what is looked for
        return CheckResult(what, repr(error))
    return CheckResult(what)


def _check(path: Path, expected: str, log: bytes, *, is_own: bool) -> None:
    before = {found.name: found.read_bytes() for found in path.parent.iterdir()}
    overview = read_project(path)
    if overview.text.strip() != expected.strip():
        raise _Wrong(f"read: another text, …{overview.text[-60:]!r} instead of …{expected[-60:]!r}")
    if {found.name: found.read_bytes() for found in path.parent.iterdir() if "-shm" not in found.name} != {
        name: content for name, content in before.items() if "-shm" not in name
    }:
        raise _Wrong("reading it changed something")
    text, file = text_of(path)
    notices = file.notices
    try:
        if text.strip() != expected.strip():
            raise _Wrong(f"another text, …{text[-60:]!r} instead of …{expected[-60:]!r}")
        project_text.save_text(file, 1, text + _LATER)
    finally:
        file.close()
    if read_project(path).text.strip() != (text + _LATER).strip():
        raise _Wrong("what was written afterwards is not there")
    with closing(sqlite3.connect(path)) as connection:
        if (verdict := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            raise _Wrong(f"integrity: {verdict}")
    aside = names_like(path.parent, ("old log",))
    if is_own and (aside or notices):
        raise _Wrong(f"its own log was put aside: {notices}")
    if not is_own and log and log not in [found.read_bytes() for found in aside]:
        raise _Wrong("the log was not kept")


# ---------------------------------------------------------------- what happens
def _another(path: Path, rng: random.Random) -> str:
    text = prose(rng, rng.randint(3, 300))
    create_project_file(path, Project("Other", datetime(2026, 1, 2, tzinfo=UTC)), Document(1, "Other", text))
    return text


def _new(_left: KilledProject, path: Path, rng: random.Random) -> str:
    path.unlink()
    return _another(path, rng)


def _imported(_left: KilledProject, path: Path, rng: random.Random) -> str:
    path.unlink()
    text = prose(rng, 40)
    create_cut(path, "Import", text)
    return text


def _replaced(_left: KilledProject, path: Path, rng: random.Random) -> str:
    """Another project is put there: closed, or worked on with as many commits."""
    other = path.with_name("other.quire")
    text = _another(other, rng)
    if rng.random() < 0.5:
        text, file = text_of(other)
        for _ in range(rng.randint(1, 30)):
            text += prose(rng, 5)
            project_text.save_text(file, 1, text)
        file.close()
    other.replace(path)
    return text


def _older(left: KilledProject, path: Path, _rng: random.Random) -> str:
    shutil.copyfile(left.closed[0], path)
    return left.closed[1]


def _backup(left: KilledProject, path: Path, _rng: random.Random) -> str:
    path.chmod(0o600)
    shutil.copyfile(left.backup[0], path)
    return left.backup[1]


def _backup_worked_on(left: KilledProject, path: Path, rng: random.Random) -> str:
    aside = path.with_name("aside.quire")
    shutil.copyfile(left.backup[0], aside)
    text, file = text_of(aside)
    text += prose(rng, 9)
    project_text.save_text(file, 1, text)
    file.close()
    aside.replace(path)
    return text


def _untouched(left: KilledProject, _path: Path, _rng: random.Random) -> str:
    return left.texts[-1]


def _checkpoint_cut(left: KilledProject, path: Path, rng: random.Random) -> str:
    """Moving the log into the file was interrupted: some pages are there, in any order."""
    log = parsed(path.with_name(f"{NAME}-wal").read_bytes())
    pages = _last_pages(log)
    chosen = rng.sample(sorted(pages), rng.randint(0, len(pages)))
    with path.open("r+b") as file:
        for number in chosen:
            file.seek((number - 1) * log.page_size)
            file.write(pages[number])
    return left.texts[-1]


def _checkpoint_done(left: KilledProject, path: Path, _rng: random.Random) -> str:
    log = parsed(path.with_name(f"{NAME}-wal").read_bytes())
    with path.open("r+b") as file:
        for number, page in _last_pages(log).items():
            file.seek((number - 1) * log.page_size)
            file.write(page)
    return left.texts[-1]


def _moved_away(left: KilledProject, path: Path, _rng: random.Random) -> str:
    """The whole folder is copied to another disk: another file, and the same log."""
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)
    return left.texts[-1]


def _last_pages(log: WriteAheadLog) -> dict[int, bytes]:
    frame = 24 + log.page_size
    pages: dict[int, bytes] = {}
    for index in range(log.num_valid):
        at = 32 + index * frame
        pages[int.from_bytes(log.content[at : at + 4], "big")] = log.content[at + 24 : at + frame]
    return pages


EVENTS: dict[str, Callable[[KilledProject, Path, random.Random], str]] = {
    "a new project of its name": _new,
    "an import of its name": _imported,
    "another project in its place": _replaced,
    "an older copy in its place": _older,
    "a backup in its place": _backup,
    "a backup that was worked on in its place": _backup_worked_on,
    "its own log": _untouched,
    "its own log, half moved into the file": _checkpoint_cut,
    "its own log, moved into the file": _checkpoint_done,
    "its own log, copied with the file": _moved_away,
}
OWN = {what for what in EVENTS if what.startswith("its own")}
