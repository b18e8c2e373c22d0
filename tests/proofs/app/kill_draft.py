"""T1: `quire draft` is killed at random moments; nothing stored is lost, and the text is the same."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from quire.cli.main import main
from quire.errors import WriterProblem
from quire.services.transactions.closed_projects import read_project
from quire.storage.project_file import open_project_reader
from quire_resources import SAMPLE_OPENING

WORDS = 500
_KILLS_PER_TEXT = 10
_LOOK_EVERY_S = 0.01


@dataclass(frozen=True, slots=True)
class Kill:
    """One kill. phase: what the program was doing. wrong: empty when nothing was lost."""

    phase: str
    wrong: str = ""


def kills(
    folder: Path, seed: int, dtype: str, *, words: int = WORDS, number: int = _KILLS_PER_TEXT
) -> Iterator[Kill]:
    """Kill a draft again and again, let it end at last, and compare it with one that was left alone."""
    rng = random.Random(seed)
    killed, whole = folder / f"killed-{seed}-{dtype}.quire", folder / f"whole-{seed}-{dtype}.quire"
    for path in (killed, whole):
        quire("new", path, "--opening", SAMPLE_OPENING)
    for _ in range(number):
        if (kill := _kill(killed, seed, dtype, words, rng)) is not None:
            yield kill
    for path in (killed, whole):
        quire("draft", path, "--words", words, "--seed", seed, "--dtype", dtype)
    same = read_project(killed).text == read_project(whole).text and _ids(killed) == _ids(whole)
    yield Kill("finished text against the uninterrupted one", "" if same else "another text")


def _kill(path: Path, seed: int, dtype: str, words: int, rng: random.Random) -> Kill | None:
    """Kill one draft; None when it came to its end before that."""
    before = num_stored(path)
    child = subprocess.Popen(
        [sys.executable, "-m", "quire", "draft", str(path), "--words", str(words), "--seed", str(seed),
         "--dtype", dtype],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ,
    )  # fmt: skip
    early = rng.random() < 0.25
    wanted = before + rng.randint(1, 40)
    until = time.monotonic() + rng.random() * (4.0 if early else 0.4)
    while child.poll() is None:
        if early or num_stored(path) >= wanted:
            if time.monotonic() >= until:
                break
        else:
            until = time.monotonic() + rng.random() * 0.4
        time.sleep(_LOOK_EVERY_S)
    stored = num_stored(path)
    child.kill()
    if child.wait() == 0:
        return None
    phase = "starting or reading" if stored == before else "drafting"
    return Kill(phase, _what_is_lost(path, stored))


def _what_is_lost(path: Path, stored: int) -> str:
    there = num_stored(path)
    if there < stored:
        return f"{there} of {stored} stored tokens"
    with closing(_looking(path)) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
    if verdict != "ok":
        return f"integrity: {verdict}"
    try:
        read_project(path)
    except WriterProblem as problem:
        return str(problem)
    return ""


def num_stored(path: Path) -> int:
    """Return how many tokens a project holds, looked at from outside."""
    with closing(_looking(path)) as connection:
        return int(connection.execute("SELECT coalesce(sum(num_tokens), 0) FROM run").fetchone()[0])


def _ids(path: Path) -> tuple[tuple[int, ...], ...]:
    file = open_project_reader(path)
    try:
        with file.reading() as unit:
            return tuple(unit.runs.token_ids(run.run_id) for run in unit.runs.all())
    finally:
        file.close()


def _looking(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=5)


def quire(*arguments: object) -> None:
    """Run a command to its end, in this process, which imports torch once; RuntimeError when it fails."""
    if (status := main([str(each) for each in arguments])) != 0:
        raise RuntimeError(f"quire {arguments[0]} ended with {status}")
