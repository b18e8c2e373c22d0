from __future__ import annotations

import sys
from pathlib import Path

import pytest

from quire.system.app_folders import cache_size, clear_cache
from tests.fakes import ReadOnly


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    (folder / "deep" / "deeper").mkdir(parents=True)
    (folder / "a").write_bytes(b"12345")
    (folder / "deep" / "deeper" / "b").write_bytes(b"1234567")
    return folder


def test_every_file_counts(cache: Path) -> None:
    assert cache_size(cache) == 12


def test_a_cache_that_is_not_there_takes_nothing(tmp_path: Path) -> None:
    assert cache_size(tmp_path / "none") == 0
    assert clear_cache(tmp_path / "none") == 0


def test_clearing_leaves_an_empty_folder(cache: Path) -> None:
    assert clear_cache(cache) == 0
    assert list(cache.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a link needs rights there")
def test_what_a_link_points_to_stays(cache: Path, tmp_path: Path) -> None:
    novel, shelf = tmp_path / "novel.txt", tmp_path / "shelf"
    novel.write_text("It rained.")
    shelf.mkdir()
    (shelf / "other.txt").write_text("It snowed.")
    (cache / "novel").symlink_to(novel)
    (cache / "shelf").symlink_to(shelf)
    clear_cache(cache)
    assert list(cache.iterdir()) == []
    assert novel.read_text() == "It rained."
    assert (shelf / "other.txt").read_text() == "It snowed."


def test_what_cannot_be_deleted_stays_and_is_counted(read_only: ReadOnly) -> None:
    (read_only.folder / "kept").write_bytes(b"123")
    with read_only.now():
        assert clear_cache(read_only.folder) == 3
