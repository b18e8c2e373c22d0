from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from quire.domain.manuscript.manuscript import Document
from quire.storage.codec import row_digest
from quire.storage.project_file import create_project_file, open_project_file
from tests.app.storage.stored import PROJECT, TEXT, changed, save_text, store_run
from tests.stored_rows import unsound


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    """A project with a text and a run."""
    path = tmp_path / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    file = open_project_file(path)
    store_run(file)
    save_text(file, "Another text.")
    file.close()
    return path


def unsound_in(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return unsound(connection)


def test_every_row_that_quire_writes_matches_its_digest(novel: Path) -> None:
    assert unsound_in(novel) == []


def test_a_number_in_another_form_has_the_same_digest_and_another_value_another(novel: Path) -> None:
    assert row_digest("a", [True, -0.0, "é"]) == row_digest("a", [1, 0.0, bytearray("é".encode())])
    assert (
        len({row_digest("a", [1]), row_digest("a", [1.0]), row_digest("a", ["1"]), row_digest("b", [1])}) == 4
    )


def test_a_damaged_row_is_not_vouched_for_when_something_else_in_it_changes(novel: Path) -> None:
    changed(novel, "UPDATE run SET seed = seed + 1")
    file = open_project_file(novel)
    with file.unit() as unit:
        unit.runs.save(replace(unit.runs.all()[0], error="Stopped.", take_id=None))
        unit.commit()
    file.close()
    assert unsound_in(novel) == ["run"]


def test_a_title_written_again_is_vouched_for(novel: Path) -> None:
    changed(novel, "UPDATE node SET title = 'The Fwrry' WHERE node_id = 1")
    assert unsound_in(novel) == ["node"]
    file = open_project_file(novel)
    with file.unit() as unit:
        unit.manuscript.save_node(replace(unit.manuscript.tree().node(1), title="The Ferry"))
        unit.commit()
    file.close()
    assert unsound_in(novel) == []
