"""Fixtures of the storage tests."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from quire.storage.backups import backup_folder
from tests.app.storage.disks import SmallDisk
from tests.app.storage.plain_projects import new_project, opened


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """A disk that really gets full; skips where the tests may not mount one."""
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    folder = tmp_path / "disk"
    folder.mkdir()
    command = [mount or "", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if not mount or not unmount or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield SmallDisk(folder)
    subprocess.run([unmount, str(folder)], check=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that is not open; the format does not matter to its backups."""
    folder = tmp_path / "Novels"
    folder.mkdir()
    return new_project(folder / "The Ferry.quire")


@pytest.fixture
def folder(project: Path) -> Path:
    return backup_folder(project)


@pytest.fixture
def writer(project: Path) -> Iterator[sqlite3.Connection]:
    """The connection that writes while the project is open."""
    with closing(opened(project)) as connection:
        yield connection
