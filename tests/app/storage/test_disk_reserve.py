from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from quire.storage.disk_reserve import SIZE, Ballast, ballast_path
from tests.app.storage.disks import SmallDisk


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return tmp_path / "The Ferry.quire"


def test_it_is_hidden_takes_real_room_and_leaves_nothing_behind(project: Path) -> None:
    ballast = Ballast(project)
    assert ballast.held
    (file,) = project.parent.iterdir()
    assert file == ballast_path(project)
    assert file.name == ".The Ferry.quire.spare"
    content = file.read_bytes()
    assert len(content) == SIZE
    assert len(set(content)) == 256  # a disk that compresses what it holds must not make it smaller
    if hasattr(os.stat_result, "st_blocks"):
        assert file.stat().st_blocks * 512 >= SIZE
    ballast.remove()
    ballast.remove()
    assert list(project.parent.iterdir()) == []


def test_it_is_given_up_once_and_made_again(project: Path) -> None:
    ballast = Ballast(project)
    assert ballast.release()
    assert not ballast.held
    assert list(project.parent.iterdir()) == []
    assert not ballast.release()
    assert ballast.make()
    assert ballast.held
    assert ballast.release()


def test_what_a_killed_process_left_is_taken_over_or_made_whole(project: Path) -> None:
    Ballast(project)
    content = ballast_path(project).read_bytes()
    assert Ballast(project).held
    assert ballast_path(project).read_bytes() == content
    ballast_path(project).write_bytes(b"half")
    assert Ballast(project).held
    ballast_path(project).unlink()
    with ballast_path(project).open("wb") as hole:
        hole.truncate(SIZE)
    assert Ballast(project).held
    assert ballast_path(project).read_bytes() != bytes(SIZE)


def test_a_link_in_its_place_does_not_lead_to_another_file(project: Path) -> None:
    other = project.with_name("diary.txt")
    other.write_bytes(bytes(range(256)) * (SIZE // 256))
    ballast_path(project).symlink_to(other)
    ballast = Ballast(project)
    assert ballast.held
    assert not ballast_path(project).is_symlink()
    ballast_path(project).unlink()
    ballast_path(project).symlink_to(other)
    ballast.release()
    assert not ballast_path(project).is_symlink()
    assert other.stat().st_size == SIZE


@pytest.mark.parametrize("call", ["open", "write", "fsync"])
def test_a_disk_that_refuses_it_is_no_error(
    project: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def refuse(*_arguments: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        ballast = Ballast(project)
        assert not ballast.held
        assert not ballast.release()
        assert list(project.parent.iterdir()) == []
    assert ballast.make()


def test_in_a_folder_that_is_gone_it_is_no_error(tmp_path: Path) -> None:
    ballast = Ballast(tmp_path / "gone" / "novel.quire")
    assert not ballast.held
    assert not ballast.release()
    ballast.remove()


def test_on_a_full_disk_it_makes_room_for_what_must_be_stored(small_disk: SmallDisk) -> None:
    project = small_disk.folder / "novel.quire"
    ballast = Ballast(project)
    assert ballast.held
    small_disk.fill()
    with pytest.raises(OSError, match="No space left"):
        project.write_bytes(bytes(64 * 1024))
    assert ballast.release()
    project.write_bytes(bytes(SIZE // 2))
    assert not ballast.make()
    assert not ballast_path(project).exists()
    small_disk.make_room()
    assert ballast.make()
