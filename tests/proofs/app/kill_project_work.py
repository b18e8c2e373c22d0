"""Editing, backing up, migrating, making and restoring projects, killed at random moments.

`kills` does the same to `quire draft` with the shipped model.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.errors import WriterProblem
from quire.services.transactions.closed_projects import backed_up, read_project
from quire.storage.project_file import create_project_file, last_good_backup, open_project_file
from quire.storage.tables import SCHEMA_VERSION
from tests.proofs.app.kill_victim import OPENING, numbered, text_at
from tests.proofs.app.old_project import TEXT, make_old_project
from tests.proofs.app.outcome import CheckResult

NAME = "proof.quire"
_TURNS = 10_000
_MIGRATION_S = 0.4
"""Longer than the slowest migration of these small projects, backup and all."""


def kill(
    work: str, path: Path, seed: int, rng: random.Random, only_piece_s: float | None = None
) -> list[list[str]]:
    """Have some work done, kill it in the middle; return the words of the lines that it wrote.

    It lets the work come to a random piece, and then for a random part of the time that a piece took.

    Args:
        only_piece_s: the time that the one piece of the work takes; None where there are many.
    """
    pieces, lines = 0 if only_piece_s else rng.randint(0, 12), list[list[str]]()
    command = [sys.executable, "-m", "tests.proofs.app.kill_victim", work, str(path), str(seed)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as child:
        assert child.stdout is not None
        piece_s, since_s = only_piece_s or 0.02, time.monotonic()
        for line in child.stdout:
            lines.append(line.split(maxsplit=2))
            if lines[-1][0] == "done":
                now_s = time.monotonic()
                piece_s, since_s = now_s - since_s, now_s
            elif sum(1 for one in lines if one[0] == "tasks") > pieces:
                break
            else:
                since_s = time.monotonic()
        time.sleep(rng.random() * 1.2 * piece_s)
        child.kill()
        lines += [line.split(maxsplit=2) for line in child.stdout]  # what it wrote before it was dead
        assert child.stderr is not None
        if said := child.stderr.read():
            raise RuntimeError(f"{work} ended by itself: {said[-2000:]}")
    return [line for line in lines if len(line) >= 2]


def done(lines: list[list[str]]) -> int:
    """Return the last turn that was acknowledged; -1 when none was."""
    return max((int(line[1]) for line in lines if line[0] == "done"), default=-1)


def _sound(path: Path) -> str:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
    return "" if verdict == "ok" else f"{path.name} fails integrity_check: {verdict}"


def _text_is_one_of(path: Path, *texts: str) -> str:
    try:
        text = read_project(path).text
    except WriterProblem as problem:
        return str(problem)
    return "" if text in texts else f"{path.name} holds another text: …{text[-60:]!r}"


def _is_there(path: Path, *texts: str) -> str:
    return (_sound(path) or _text_is_one_of(path, *texts)) if path.exists() else f"{path.name} is gone"


def _project(path: Path) -> None:
    if not path.exists():
        project = Project("Proof", datetime(2026, 1, 1, tzinfo=UTC))
        create_project_file(path, project, Document(1, "Proof", OPENING))


def _editing(path: Path, seed: int, rng: random.Random) -> str:
    _project(path)
    before = read_project(path).text
    last = done(kill("editing", path, seed, rng))
    first = _turn_of(before, seed) if last < 0 else last
    return _is_there(path, text_at(seed, first), text_at(seed, first + 1))


def _turn_of(text: str, seed: int) -> int:
    return next(turn for turn in range(_TURNS) if text_at(seed, turn) == text)


def _backing_up(path: Path, seed: int, rng: random.Random) -> str:
    _project(path)
    before = _turn_of(read_project(path).text, seed)
    lines = kill("backing up", path, seed, rng)
    made = [line for line in lines if line[0] == "done"]
    for _, turn, backup in made:
        if wrong := _text_is_one_of(Path(backup.strip()), text_at(seed, int(turn))):
            return f"a backup: {wrong}"
    if made and last_good_backup(path) is None:
        return "no backup is good"
    last = max((int(line[1]) for line in lines), default=before)
    return _is_there(path, text_at(seed, last), text_at(seed, last + 1))


def _migrating(path: Path, seed: int, rng: random.Random) -> str:
    """Kill the migration of a project of an earlier format; it opens, and then has the current one."""
    for left in path.parent.iterdir():  # a new one every time: only the first opening migrates
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    make_old_project(path)
    kill("migrating", path, seed, rng, _MIGRATION_S)
    if wrong := _is_there(path, TEXT):
        return wrong
    try:
        file = open_project_file(path)
    except WriterProblem as problem:
        return str(problem)
    file.close()
    (version,) = _pragma(path, "user_version")
    return "" if (version, file.damage) == (SCHEMA_VERSION, ()) else f"{version}, {file.damage}"


def _pragma(path: Path, name: str) -> tuple[object, ...]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        found: tuple[object, ...] = connection.execute(f"PRAGMA {name}").fetchone()
    return found


def _making(path: Path, seed: int, rng: random.Random) -> str:
    lines = kill("making", path, seed, rng)
    turns = [int(line[1]) for line in lines]
    last = done(lines)
    for turn in sorted(set(turns)):
        made = numbered(path, turn)
        if turn <= last or made.exists():
            if wrong := _is_there(made, OPENING):
                return wrong
        else:  # the name is still free, whatever was left
            _project(made)
        made.unlink()
    return ""


def _restoring(path: Path, seed: int, rng: random.Random) -> str:
    _project(path)
    if last_good_backup(path) is None:
        backed_up(path, Reason.ASKED)
    lines = kill("restoring", path, seed, rng)
    for line in lines:
        if line[0] == "done" and (wrong := _is_there(Path(line[2].strip()), OPENING)):
            return wrong
    for made in path.parent.glob(f"{path.stem} (restored*{path.suffix}"):
        if wrong := _is_there(made, OPENING):
            return wrong
        made.unlink()
    return _is_there(path, OPENING)


WORKS: dict[str, Callable[[Path, int, random.Random], str]] = {
    "editing": _editing,
    "backing up": _backing_up,
    "migrating": _migrating,
    "making": _making,
    "restoring": _restoring,
}
"""What is killed, and what does it and returns what was wrong afterwards."""


def work_kills(folder: Path, seed: int, number: int) -> Iterator[CheckResult]:
    """Kill so many pieces of work, of each kind in turn."""
    rng = random.Random(seed)
    names = list(WORKS)
    for turn in range(number):
        name = names[(seed + turn) % len(names)]
        place = folder / name
        place.mkdir(exist_ok=True)
        yield CheckResult(name, WORKS[name](place.resolve() / NAME, seed, rng))
