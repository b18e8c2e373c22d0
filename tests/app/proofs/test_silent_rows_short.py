"""The proof of silent rows, in small: one bit of every column, looked at by the check of rows alone."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from quire.storage.rows import damaged_rows
from tests.proofs.app.silent_rows import a_full_project, places, turn_over, turned_over


@pytest.mark.parametrize("seed", [0, 1])
def test_one_bit_in_any_column_of_any_table_is_found(tmp_path: Path, seed: int) -> None:
    original, _ = a_full_project(tmp_path)
    rng, found, unfound = random.Random(seed), 0, list[str]()
    copy = tmp_path / "copy.quire"
    for place in places(original, 1):
        shutil.copyfile(original, copy)
        what = turn_over(copy, place, rng)
        if what:
            with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                damage = damaged_rows(connection)
            found += bool(damage)
            unfound += [] if damage else [what]
    assert unfound == []
    assert found > 80


def test_a_project_and_a_backup_with_such_a_bit_are_not_called_sound(tmp_path: Path) -> None:
    cases = list(islice(turned_over(tmp_path, 3, rows_of_a_table=1), 0, 8))
    assert [case.wrong for case in cases if case.wrong] == []
