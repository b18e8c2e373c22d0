"""What was left under a project's former name, and what is not its own although it is of the same project."""

from __future__ import annotations

import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.storage import problems
from quire.storage.project_file import (
    create_project_file,
    open_project_file,
    open_project_reader,
    restore_project,
)
from quire.storage.project_identity import OtherProject
from quire.storage.side_files import has_log, side_file
from tests.app.storage.stored import PROJECT, TEXT, save_text

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files where they are")


def text_in(path: Path) -> str:
    file = open_project_file(path)
    try:
        with file.reading() as unit:
            return unit.manuscript.document(1).text
    finally:
        file.close()


def new_project(path: Path) -> Path:
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    return path


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """Return the path of a project as a kill leaves it, with commits in its log."""
    work = tmp_path / "work"
    work.mkdir()
    path = new_project(work / "novel.quire")
    file = open_project_file(path)
    save_text(file, TEXT + "One.")
    save_text(file, TEXT + "One. Two.")
    for found in work.iterdir():
        if not found.name.endswith((".lock", ".spare", "-shm")):
            shutil.copyfile(found, tmp_path / found.name)
    file.close()
    return tmp_path / "novel.quire"


def test_a_project_that_was_renamed_without_its_log_says_how_to_get_its_words(killed: Path) -> None:
    renamed = killed.rename(killed.with_name("renamed.quire"))
    before = renamed.read_bytes()
    with pytest.raises(problems.StorageFailed, match=r"rename novel\.quire-wal to renamed\.quire-wal"):
        open_project_file(renamed)
    reader = open_project_reader(renamed)
    reader.close()
    assert "novel.quire-wal" in str(reader.notices)
    assert renamed.read_bytes() == before
    side_file(killed, "-wal").rename(side_file(renamed, "-wal"))
    assert text_in(renamed) == TEXT + "One. Two."


def test_a_copy_of_a_killed_project_is_not_concerned_by_the_log_of_the_other(killed: Path) -> None:
    copy = killed.with_name("copy.quire")
    shutil.copyfile(killed, copy)
    assert text_in(copy) == TEXT + "One."
    assert has_log(killed)


def test_words_are_missed_too_when_only_the_record_of_the_former_name_is_left(killed: Path) -> None:
    renamed = killed.rename(killed.with_name("renamed.quire"))
    side_file(killed, "-wal").unlink()
    file = open_project_file(renamed)
    file.close()
    assert file.has_lost
    assert "may be missing" in str(file.notices)


@on_posix
def test_a_log_that_is_gone_before_the_first_commit_is_noticed(tmp_path: Path) -> None:
    file = open_project_file(new_project(tmp_path / "novel.quire"))
    side_file(file.path, "-wal").unlink()
    with pytest.raises(problems.FileChanged, match=r"The log of novel\.quire"):
        save_text(file, TEXT + "Lost.")
    file.close()


@on_posix
def test_another_project_in_the_place_of_the_file_is_not_written_to_when_the_log_is_gone_too(
    tmp_path: Path,
) -> None:
    other = tmp_path / "other.quire"
    create_project_file(other, PROJECT, Document(1, "Other", "Another book."))
    file = open_project_file(new_project(tmp_path / "novel.quire"))
    save_text(file, TEXT + "One.")
    save_text(file, TEXT + "One. Two.")
    side_file(file.path, "-wal").unlink()
    shutil.copyfile(other, file.path)
    with pytest.raises(problems.FileChanged):
        file.close()
    assert text_in(file.path) == "Another book."


@on_posix
def test_a_copy_that_was_worked_on_elsewhere_is_not_taken_for_the_file(tmp_path: Path) -> None:
    path = new_project(tmp_path / "novel.quire")
    other = tmp_path / "other.quire"
    shutil.copyfile(path, other)
    branch = open_project_file(other)
    save_text(branch, TEXT + "Another way.")
    branch.close()
    file = open_project_file(path)
    save_text(file, TEXT + "One way.")  # as many commits as in the other
    shutil.copyfile(other, path)
    with pytest.raises(problems.FileChanged, match="overwritten"):
        save_text(file, TEXT + "One way. On.")
    with pytest.raises(problems.FileChanged):
        file.close()
    assert text_in(path) == TEXT + "Another way."


def test_a_new_project_is_not_restored_from_the_backups_of_a_deleted_one(tmp_path: Path) -> None:
    path = new_project(tmp_path / "novel.quire")
    file = open_project_file(path)
    file.back_up(Reason.ASKED)
    file.close()
    path.unlink()
    assert restore_project(path)[0].exists()
    another = Project("Another", datetime(2026, 1, 2, tzinfo=UTC))
    create_project_file(path, another, Document(1, "Another", "Another book."))
    with pytest.raises(OtherProject, match="another project"):
        restore_project(path)
    restored, _ = restore_project(path, other_project=True)
    assert text_in(restored) == TEXT
