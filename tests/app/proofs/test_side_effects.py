from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes import ENVIRONMENT
from tests.proofs.app import side_effects


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.sliced("walls")
def test_the_commands_stay_within_their_walls() -> None:
    assert side_effects.watched_work("commands").wrong == ""


@pytest.mark.sliced("walls")
@pytest.mark.slow
def test_the_shipped_model_stays_within_its_walls() -> None:
    assert side_effects.watched_work("the shipped model").wrong == ""


@pytest.mark.sliced
@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("open(project)", "opened past SQLite"),
        ("project.with_name('novel.quire-wal').touch()", "opened past SQLite"),
        ("os.open(project, os.O_RDONLY)", "opened past SQLite"),
        ("shutil.copyfile(project, project.with_name('copy'))", "opened past SQLite"),
        ("(outside / 'x').touch()", "written to"),
        ("(outside / 'x').mkdir()", "os.mkdir"),
        ("project.rename(outside / 'x')", "os.rename"),
        ("socket.socket(socket.AF_INET)", "socket.__new__"),
        ("socket.getaddrinfo('localhost', 80)", "socket.getaddrinfo"),
        ("subprocess.run([sys.executable, '--version'])", "subprocess.Popen"),
        ("print(project.stat(), outside.exists())", ""),
        ("project.with_name('y').write_text('fine')", ""),
        ("socket.socketpair()", ""),
    ],
)
def test_what_breaks_a_wall_is_heard(tmp_path: Path, deed: str, said: str) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "novel.quire").touch()
    code = f"""
import json, os, pathlib, shutil, socket, subprocess, sys
from tests.proofs.app.side_effects import Wall
outside = pathlib.Path({str(tmp_path)!r})
project = outside / "project" / "novel.quire"
wall = Wall([project.parent], project.parent)
wall.build()
{deed}
print()
print(json.dumps(wall.broken))
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    heard = json.loads(ended.stdout.splitlines()[-1])
    assert (said in " ".join(heard)) if said else heard == []


def test_a_program_that_fails_is_no_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_effects, "SAMPLE_OPENING", tmp_path / "nothing")
    monkeypatch.setitem(side_effects.PROGRAMS, "unknown", side_effects.commands)
    assert "it ended with" in side_effects.watched_work("unknown").wrong
