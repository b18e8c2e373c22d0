from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document
from quire.storage import problems, saved_record
from quire.storage.file_watch import LOG_BYTES
from quire.storage.project_file import (
    ProjectFile,
    create_project_file,
    last_good_backup,
    open_project_file,
    open_project_reader,
)
from quire.storage.saved_record import record_path, saved_commits
from quire.storage.side_files import has_log, side_file
from quire.storage.write_ahead_log import parsed
from tests.app.storage.stored import PROJECT, RUN, TEXT, save_text, store_run

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files where they are")
_WORDS = "one two three four five six seven eight nine ten "


@dataclass(frozen=True)
class Killed:
    """A project as a kill leaves it. older: a closed copy from before. texts: after each commit."""

    path: Path
    older: Path
    texts: tuple[str, ...]

    @property
    def log(self) -> Path:
        return side_file(self.path, "-wal")


@pytest.fixture
def killed(tmp_path: Path) -> Killed:
    work, left = tmp_path / "work", tmp_path / "left"
    work.mkdir()
    left.mkdir()
    path = work / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    older = tmp_path / "older.quire"
    shutil.copyfile(path, older)
    file = open_project_file(path)
    texts = [TEXT]
    for _ in range(6):
        texts.append(texts[-1] + _WORDS)
        save_text(file, texts[-1])
    for found in work.iterdir():
        if not found.name.endswith((".lock", ".spare", "-shm")):
            shutil.copyfile(found, left / found.name)
    file.close()
    return Killed(left / "novel.quire", older, tuple(texts))


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ProjectFile]:
    path = tmp_path / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    file = open_project_file(path)
    yield file
    file.close()


def text_in(path: Path) -> tuple[str, str]:
    """Return the text of a project that is opened to work on it, and what is said of its files."""
    file = open_project_file(path)
    try:
        with file.reading() as unit:
            return unit.manuscript.document(1).text, " ".join(file.notices)
    finally:
        file.close()


def text_read(path: Path) -> tuple[str, str]:
    """Return the same of a project that is only read."""
    file = open_project_reader(path)
    try:
        with file.reading() as unit:
            return unit.manuscript.document(1).text, " ".join(file.notices)
    finally:
        file.close()


def kept_logs(path: Path) -> list[bytes]:
    return [found.read_bytes() for found in path.parent.glob("*.quire-log")]


# ---------------------------------------------------------------- whose log
def test_a_killed_project_gets_its_own_log_back_and_nothing_is_said(killed: Killed) -> None:
    assert text_read(killed.path) == (killed.texts[-1], "")
    assert text_in(killed.path) == (killed.texts[-1], "")
    assert [found.name for found in killed.path.parent.iterdir()] == ["novel.quire"]


def test_a_new_project_takes_over_nothing(killed: Killed) -> None:
    log = killed.log.read_bytes()
    killed.path.unlink()
    (notice,) = create_project_file(killed.path, PROJECT, Document(1, "New", "Another opening."))
    assert "belonged to another project" in notice
    assert text_in(killed.path) == ("Another opening.", "")
    assert kept_logs(killed.path) == [log]
    assert not record_path(killed.path).exists()


def test_another_project_in_its_place_is_not_changed_by_the_log(killed: Killed, tmp_path: Path) -> None:
    log = killed.log.read_bytes()
    other = tmp_path / "other.quire"
    create_project_file(other, PROJECT, Document(1, "Other", "Somebody else's."))
    shutil.copyfile(other, killed.path)
    before = sorted(found.name for found in killed.path.parent.iterdir())
    text, said = text_read(killed.path)
    assert (text, "was not used" in said) == ("Somebody else's.", True)
    assert sorted(found.name for found in killed.path.parent.iterdir()) == before
    text, said = text_in(killed.path)
    assert (text, "it is kept as novel (old log " in said) == ("Somebody else's.", True)
    assert kept_logs(killed.path) == [log]


def test_an_older_copy_in_its_place_shows_the_older_text(killed: Killed) -> None:
    shutil.copyfile(killed.older, killed.path)
    text, said = text_in(killed.path)
    assert (text, "another copy of this one" in said, "missing" in said) == (TEXT, True, False)


def test_a_backup_in_its_place_shows_the_text_of_the_backup(killed: Killed, tmp_path: Path) -> None:
    aside = tmp_path / "aside" / "novel.quire"
    shutil.copytree(killed.path.parent, aside.parent)
    file = open_project_file(aside)
    backup = file.back_up(Reason.ASKED)
    file.close()
    assert backup is not None
    killed.path.unlink()
    shutil.copyfile(backup, killed.path)
    assert "belonged to another project" in text_in(killed.path)[1]


def test_a_file_that_has_some_commits_of_its_log_gets_the_rest(killed: Killed) -> None:
    """Moving the log into the file was interrupted: some of its pages are there already."""
    log = parsed(killed.log.read_bytes())
    with killed.path.open("r+b") as stream:
        for number in range(1, 4):
            if (page := log.page(number)) is not None:
                stream.seek((number - 1) * log.page_size)
                stream.write(page)
    assert text_in(killed.path) == (killed.texts[-1], "")


def test_an_emptied_file_is_damaged_and_keeps_its_log(killed: Killed) -> None:
    log = killed.log.read_bytes()
    killed.path.write_bytes(b"")
    for opened in (open_project_file, open_project_reader):
        with pytest.raises(problems.ProjectDamaged, match="cut short or overwritten"):
            opened(killed.path)
    assert killed.log.read_bytes() == log


def test_a_log_of_a_newer_quire_is_left_where_it_is(killed: Killed, tmp_path: Path) -> None:
    with closing(sqlite3.connect(killed.path, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 99")
        for suffix in ("", "-wal"):
            shutil.copyfile(side_file(killed.path, suffix), side_file(tmp_path / "newer.quire", suffix))
    with pytest.raises(problems.SchemaTooNew):
        open_project_file(tmp_path / "newer.quire")
    assert has_log(tmp_path / "newer.quire")


# ---------------------------------------------------------------- damage
def test_a_wrong_bit_costs_what_follows_it_which_is_said_and_the_log_is_kept(killed: Killed) -> None:
    content = bytearray(killed.log.read_bytes())
    log = parsed(bytes(content))
    content[32 + log.transactions[1].end * (24 + log.page_size) + 2000] ^= 0x04
    killed.log.write_bytes(content)
    for opened in (text_read, text_in):
        text, said = opened(killed.path)
        assert text == killed.texts[-4]
        assert "may be missing" in said
    assert kept_logs(killed.path) == [bytes(content)]


def test_what_a_cut_log_has_lost_is_said_with_its_time(killed: Killed) -> None:
    content = killed.log.read_bytes()
    log = parsed(content)
    kept = log.transactions[1].end
    killed.log.write_bytes(content[: 32 + kept * (24 + log.page_size)])
    broken = killed.log.read_bytes()
    for opened in (text_read, text_in):
        text, said = opened(killed.path)
        assert text == killed.texts[-4]
        assert "about 26 words that were saved since " in said  # 3 * 49 characters
        assert "may be missing" in said
    assert kept_logs(killed.path) == [broken]
    assert text_in(killed.path) == (killed.texts[-4], "")  # said once


def test_a_log_that_is_gone_is_said_too(killed: Killed) -> None:
    killed.log.unlink()
    text, said = text_in(killed.path)
    assert text == killed.texts[1]
    assert "may be missing" in said


# ---------------------------------------------------------------- the record
def test_the_record_holds_every_commit_and_goes_with_the_project(file: ProjectFile) -> None:
    save_text(file, TEXT + _WORDS)
    store_run(file, RUN)
    before = saved_commits(file.path)[-1].num_chars
    save_text(file, TEXT + _WORDS)
    assert saved_commits(file.path)[-1].num_chars == before  # nothing was written
    saved = saved_commits(file.path)
    assert [commit.sequence for commit in saved] == list(range(saved[0].sequence, saved[0].sequence + 6))
    assert saved[0].num_chars == len(_WORDS)
    file.close()
    assert list(file.path.parent.iterdir()) == [file.path]


def test_a_disk_that_refuses_the_record_refuses_no_commit(
    file: ProjectFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> None:
        raise OSError(22, "not here")

    monkeypatch.setattr(saved_record, "_sync", refuse)
    save_text(file, "other")
    with file.reading() as unit:
        assert unit.manuscript.document(1).text == "other"


def test_a_long_log_is_moved_into_the_file(file: ProjectFile) -> None:
    text = TEXT
    for _ in range(2):
        text += "x" * LOG_BYTES
        save_text(file, text)
    assert side_file(file.path, "-wal").stat().st_size == 0
    assert file.path.stat().st_size > LOG_BYTES


# ---------------------------------------------------------------- while it is open
@on_posix
def test_a_file_that_is_cut_short_is_noticed_and_its_log_kept(file: ProjectFile) -> None:
    save_text(file, "first")
    save_text(file, "second")
    os.truncate(file.path, 0)
    with pytest.raises(problems.FileChanged, match="cut short or overwritten"):
        save_text(file, "third")
    with pytest.raises(problems.FileChanged):
        file.close()
    assert has_log(file.path)
    assert file.path.stat().st_size == 0


@on_posix
def test_a_copy_that_is_written_over_the_file_is_noticed(file: ProjectFile, tmp_path: Path) -> None:
    other = tmp_path / "other" / "novel.quire"
    other.parent.mkdir()
    create_project_file(other, PROJECT, Document(1, "Other", TEXT))
    save_text(file, "first")
    save_text(file, "second")
    file.path.write_bytes(other.read_bytes())
    with pytest.raises(problems.FileChanged, match="overwritten by another program"):
        save_text(file, "third")
    with pytest.raises(problems.FileChanged):
        file.close()


def test_new_times_of_a_file_are_no_other_file(file: ProjectFile) -> None:
    save_text(file, "first")
    os.utime(file.path, (1, 1))
    save_text(file, "second")


@on_posix
def test_a_second_name_is_noticed_and_refused(file: ProjectFile, tmp_path: Path) -> None:
    second = tmp_path / "second.quire"
    os.link(file.path, second)
    with pytest.raises(problems.FileChanged, match="a second name"):
        save_text(file, "other")
    with pytest.raises(problems.ProjectReadOnly, match="a second name"):
        open_project_file(second)
    second.unlink()
    save_text(file, "other")


@on_posix
def test_what_is_open_can_be_copied_when_its_file_is_gone(file: ProjectFile, tmp_path: Path) -> None:
    save_text(file, "first")
    save_text(file, "second")
    file.path.unlink()
    file.copy_to(tmp_path / "saved.quire")
    assert text_in(tmp_path / "saved.quire") == ("second", "")
    with pytest.raises(problems.FileChanged):
        file.close()


@on_posix
def test_no_backup_is_made_of_another_file(file: ProjectFile, tmp_path: Path) -> None:
    other = tmp_path / "other.quire"
    create_project_file(other, PROJECT, Document(1, "Other", "Somebody else's."))
    aside = file.path.rename(tmp_path / "aside.quire")
    shutil.copyfile(other, file.path)
    with pytest.raises(problems.FileChanged):
        file.back_up(Reason.ASKED)
    assert last_good_backup(file.path) is None
    aside.replace(file.path)
