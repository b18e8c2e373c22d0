"""Compiled kernels are kept where that is possible, and a folder that can't be written stops nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from quire_engine.integer.kernel_cache import folder_for_kernels


def test_kernels_are_kept_by_version(tmp_path: Path) -> None:
    folder = folder_for_kernels(tmp_path / "kernels")
    assert folder.parent == tmp_path / "kernels"
    assert folder == folder_for_kernels(tmp_path / "kernels")
    assert not list(folder.iterdir())


def test_a_folder_that_cannot_be_made_has_a_substitute(tmp_path: Path) -> None:
    (tmp_path / "kernels").write_text("a file is in the way")
    folder = folder_for_kernels(tmp_path / "kernels")
    assert folder.is_dir()
    assert tmp_path not in folder.parents


def test_a_full_disk_has_a_substitute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    total = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: total._replace(free=1000))
    folder = folder_for_kernels(tmp_path / "kernels")
    assert folder.is_dir()
    assert tmp_path not in folder.parents
