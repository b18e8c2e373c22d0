from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from quire.storage.problems import ProjectLocked
from quire.storage.project_lock import ProjectLock, lock_path
from tests.fakes import ENVIRONMENT

HOLDER = """
import sys
from pathlib import Path
from quire.storage.project_lock import ProjectLock
lock = ProjectLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def hold_elsewhere(project: Path) -> subprocess.Popen[str]:
    """Start another process that holds the lock until it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(project)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_project_is_locked_once_and_free_after_release(tmp_path: Path) -> None:
    project = tmp_path / "novel.quire"
    lock = ProjectLock(project)
    assert lock_path(project).name == ".novel.quire.lock"
    with pytest.raises(ProjectLocked):
        ProjectLock(project)
    lock.release()
    assert list(tmp_path.iterdir()) == []
    ProjectLock(project).release()


def test_the_message_says_where_it_is_open(tmp_path: Path) -> None:
    project = tmp_path / "novel.quire"
    with hold_elsewhere(project) as holder:
        with pytest.raises(
            ProjectLocked, match=r"novel.quire is already open in another Quire, since \d\d:\d\d"
        ):
            ProjectLock(project)
        holder.kill()


def test_the_lock_of_a_killed_process_blocks_nobody(tmp_path: Path) -> None:
    project = tmp_path / "novel.quire"
    with hold_elsewhere(project) as holder:
        holder.kill()
    assert lock_path(project).exists()
    ProjectLock(project).release()
    assert not lock_path(project).exists()
