from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quire.domain.manuscript.manuscript import Document
from quire.storage.commit_link import LINK_BYTES, CommitLink
from quire.storage.project_file import create_project_file, open_project_file
from tests.app.storage.stored import PROJECT, TEXT, changed, save_text


def stored_link(path: Path) -> CommitLink:
    with closing(sqlite3.connect(path)) as connection:
        return CommitLink.unpack(connection.execute("SELECT link FROM commit_chain").fetchone()[0])


def test_a_link_is_read_as_it_was_packed() -> None:
    link = CommitLink.first().next()
    assert len(link.pack()) == LINK_BYTES == 68
    assert link.pack().startswith(b"QUIRELNK" + link.project_id + (1).to_bytes(8, "big") + link.token)
    assert CommitLink.unpack(link.pack()) == link


def test_each_link_names_the_one_before() -> None:
    first = CommitLink.first()
    second = first.next()
    assert (second.project_id, second.sequence, second.previous) == (first.project_id, 1, first.token)
    assert len({first.token, second.token, second.next().token}) == 3
    assert CommitLink.first().project_id != first.project_id


def test_a_changed_bit_in_a_link_is_found() -> None:
    stored = CommitLink.first().pack()
    for bit in range(8 * LINK_BYTES):
        damaged = bytearray(stored)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ValueError, match="link"):
            CommitLink.unpack(bytes(damaged))
    with pytest.raises(ValueError, match="67 bytes"):
        CommitLink.unpack(stored[:-1])


def test_every_commit_of_a_project_writes_the_next_link(tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    first = stored_link(path)
    assert first.sequence == 0
    file = open_project_file(path)
    save_text(file, "One.")
    save_text(file, "Two.")
    file.close()
    last = stored_link(path)
    assert (last.project_id, last.sequence) == (first.project_id, 2)
    assert first.token not in (last.token, last.previous)


def test_two_projects_have_two_identities(tmp_path: Path) -> None:
    for name in ("a.quire", "b.quire"):
        create_project_file(tmp_path / name, PROJECT, Document(1, "The Ferry", TEXT))
    assert stored_link(tmp_path / "a.quire").project_id != stored_link(tmp_path / "b.quire").project_id


def test_a_project_whose_link_is_damaged_can_still_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    changed(path, "UPDATE commit_chain SET link = x'00'")
    file = open_project_file(path)
    save_text(file, "One.")
    file.close()
    assert stored_link(path).sequence == 0
