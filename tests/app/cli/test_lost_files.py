"""What `quire draft` does when something happens to its file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from quire.cli import main
from quire.services.transactions.closed_projects import read_project
from quire.storage.project_file import open_project_file
from tests.app.commands import OPENING
from tests.fakes import ScriptedBackend

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files where they are")
_WORDS = 40


def drafted(path: Path, happen: Callable[[], object], capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Draft; something happens before the last word. Return the exit code and what was printed."""
    passes = 0

    def before(place: str) -> None:
        nonlocal passes
        passes += place == "forward"
        if passes == _WORDS - 2:
            happen()

    code = main.main(
        ["draft", str(path), "--words", str(_WORDS), "--seed", "7"], lambda: ScriptedBackend(before=before)
    )
    return code, capfd.readouterr().err


def saved_beside(path: Path) -> Path:
    (saved,) = path.parent.glob(f"{path.stem} (saved *.quire")
    return saved


@pytest.mark.parametrize("second_name", [False, True])
def test_a_file_that_is_deleted_or_linked_is_saved_under_another_name(
    project: Path, second_name: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    def happen() -> None:
        if second_name:
            os.link(project, project.with_name("second.quire"))
        else:
            project.unlink()

    code, said = drafted(project, happen, capfd)
    assert code == main.PROBLEM
    assert ("second name" if second_name else "moved, replaced or deleted") in said
    assert "Everything was saved as novel (saved " in said
    saved = read_project(saved_beside(project))
    assert saved.runs[-1].num_words >= _WORDS - 3
    assert saved.text.startswith(OPENING)


def test_an_emptied_file_is_no_finished_draft(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = drafted(project, lambda: os.truncate(project, 0), capfd)
    assert code == main.PROBLEM
    assert "cut short or overwritten" in said
    assert "Finished" not in said
    assert len(read_project(saved_beside(project)).text.split()) >= _WORDS - 3


def test_an_emptied_file_with_a_backup_keeps_the_other_texts(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = open_project_file(project)
    file.close()
    assert main.main(["backup", str(project)]) == 0
    code, said = drafted(project, lambda: os.truncate(project, 0), capfd)
    assert code == main.PROBLEM
    assert "is from the backup of" in said
    assert len(read_project(saved_beside(project)).text.split()) >= _WORDS - 3
