"""A folder `portable` beside the program: a process of its own leaves nothing in the home folder."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.fakes import ENVIRONMENT

_NAMED_FOLDERS = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "QUIRE_CACHE")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder with an environment in which Quire can be started, as bootstrap makes it."""
    program = tmp_path / "Quire"
    venv.EnvBuilder(symlinks=os.name != "nt", with_pip=False).create(program / ".venv")
    return program


def started(program: Path, home: Path, *arguments: str) -> str:
    """Start Quire with nothing but a home folder; return what it says."""
    home.mkdir(exist_ok=True)
    variables = {name: value for name, value in ENVIRONMENT.items() if name not in _NAMED_FOLDERS}
    variables |= {"HOME": str(home), "USERPROFILE": str(home), "QT_QPA_PLATFORM": "offscreen"}
    variables |= {"LOCALAPPDATA": str(home / "Local"), "APPDATA": str(home / "Roaming")}
    python = program / ".venv" / ("Scripts" if os.name == "nt" else "bin") / Path(sys.executable).name
    python = python if python.exists() else python.with_name("python")
    ended = subprocess.run(
        [str(python), "-m", "quire", *arguments],
        env=variables, cwd=program, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return ended.stdout


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_portable_quire_leaves_nothing_in_the_home_folder(program: Path, tmp_path: Path) -> None:
    home, portable = tmp_path / "home", program / "portable"
    portable.mkdir()
    assert started(program, home, "--measure-start")  # the window, with the sample project
    assert files_in(home) == set()
    kept = files_in(portable)
    assert "settings/settings.json" in kept
    assert {name.partition("/")[0] for name in kept} >= {"projects", "settings", "state"}
    assert any(name.startswith("projects/") and name.endswith(".quire") for name in kept)
