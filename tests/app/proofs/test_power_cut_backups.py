from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tests.proofs.app import power_cut_backups
from tests.proofs.app.sqlite_vfs import is_available

pytestmark = [
    pytest.mark.skipif(not is_available(), reason="this Python hides its SQLite"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc names the file of a descriptor"),
]


def test_a_power_cut_takes_no_backup(tmp_path: Path) -> None:
    found = list(power_cut_backups.backup_cuts(tmp_path, 1, 60))
    assert [one for one in found if one.wrong] == []
    assert {"backing up", "typing", "closing"} == {one.phase for one in found}


@pytest.mark.parametrize(
    ("left_out", "said"), [("sync", "is not whole"), ("sync folder", "is gone"), ("rename", "is gone")]
)
def test_a_backup_that_is_not_brought_to_the_disk_is_found(tmp_path: Path, left_out: str, said: str) -> None:
    recording, place = power_cut_backups.record_backups(tmp_path)
    recording.operations = [
        one for one in recording.operations if one.kind != left_out or place.name not in one.path
    ]
    rng = random.Random(1)
    found = [
        power_cut_backups.backup_cut(recording, place, rng.randint(0, len(recording.operations)), rng).wrong
        for _ in range(60)
    ]
    assert any(said in one for one in found)
