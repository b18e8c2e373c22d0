"""Commands run in this process with a scripted engine, and a window with its models."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.cli import main
from tests.app.commands import OPENING, Said, Say
from tests.app.widget_fixtures import fonts, quire, themes, window
from tests.fakes import ScriptedBackend

__all__ = ["fonts", "quire", "themes", "window"]  # fixtures


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str]) -> Say:
    """Run a command in this process, with a scripted engine."""

    def run(*arguments: object, backend: ScriptedBackend | None = None) -> Said:
        code = main.main([str(argument) for argument in arguments], lambda: backend or ScriptedBackend())
        captured = capfd.readouterr()
        return Said(code, captured.out, captured.err)

    return run


@pytest.fixture
def opening(tmp_path: Path) -> Path:
    path = tmp_path / "opening.txt"
    path.write_text(OPENING)
    return path


@pytest.fixture
def project(tmp_path: Path, opening: Path, say: Say) -> Path:
    path = tmp_path / "novel.quire"
    assert say("new", path, "--opening", opening).code == 0
    return path
