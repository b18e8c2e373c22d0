"""Compiled kernels are kept where that is possible, and a folder that can't be written stops nothing."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from numba.core import config as numba_config

from quire_engine.api.load_progress import LoadStopped
from quire_engine.integer import kernel_cache, kernel_process
from quire_engine.integer.__main__ import main as compile_main
from quire_engine.integer.kernel_cache import folder_for_kernels, keep_compiled_kernels, kernels_folder
from quire_engine.integer.kernel_process import ensure_compiled


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for kernels in which there are none."""
    config: Any = numba_config
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    return tmp_path


def _sentence(*lines: str, status: int = 0) -> tuple[str, ...]:
    """Return a command that says this."""
    said = "".join(f"{line}\n" for line in lines)
    return (sys.executable, "-c", f"print({said!r}, end=''); raise SystemExit({status})")


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


def test_folders_of_earlier_versions_are_deleted_but_the_last_used(tmp_path: Path) -> None:
    parent = tmp_path / "kernels"
    for age, name in enumerate(("newest", "newer", "old", "older")):
        (parent / name).mkdir(parents=True)
        (parent / name / "kernel.nbc").write_bytes(b"code")
        os.utime(parent / name, (1e9 - age, 1e9 - age))
    own = folder_for_kernels(parent)
    assert {each.name for each in parent.iterdir()} == {own.name, "newest", "newer"}


@pytest.mark.usefixtures("empty")
def test_what_is_compiled_is_known_until_a_source_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not kernel_cache.all_compiled()
    kernel_cache.note_all_compiled()
    assert kernel_cache.all_compiled()
    monkeypatch.setattr(kernel_cache, "_digest_of_sources", lambda: "of other ones")
    assert not kernel_cache.all_compiled()


@pytest.mark.usefixtures("empty")
def test_nothing_is_started_where_everything_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel_cache.note_all_compiled()
    monkeypatch.setattr(kernel_process, "_COMMAND", ("no such program",))
    told: list[float] = []
    ensure_compiled(told.append)
    assert not told


@pytest.mark.usefixtures("empty")
def test_a_process_that_fails_or_is_not_there_stops_no_load(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in (_sentence("0.5", "what numba says", status=3), ("no such program",)):
        monkeypatch.setattr(kernel_process, "_COMMAND", command)
        ensure_compiled(lambda _share: None)


@pytest.mark.usefixtures("empty")
def test_compiling_is_stopped_with_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = "import threading; print(0.25, flush=True); threading.Event().wait()"
    monkeypatch.setattr(kernel_process, "_COMMAND", (sys.executable, "-c", waits))
    told: list[float] = []

    def report(share: float) -> None:
        told.append(share)
        if share:
            raise LoadStopped("Stopped.")

    with pytest.raises(LoadStopped):  # and not before the process has ended
        ensure_compiled(report)
    assert told[-1] == 0.25


@pytest.mark.usefixtures("empty")
def test_one_process_compiles_at_a_time() -> None:
    order: list[str] = []
    inside, leave = threading.Event(), threading.Event()

    def first() -> None:
        with kernel_cache.compiling_alone():
            inside.set()
            leave.wait(60)
            order.append("first")

    def second() -> None:
        with kernel_cache.compiling_alone():
            order.append("second")

    one = threading.Thread(target=first)
    one.start()
    assert inside.wait(60)
    other = threading.Thread(target=second)
    other.start()
    leave.set()
    one.join()
    other.join()
    assert order == ["first", "second"]


@pytest.mark.usefixtures("empty")
def test_beside_a_graphics_card_nothing_is_compiled_in_the_background(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert compile_main(["--without-gpu"]) == 0
    assert not kernel_cache.all_compiled()
    assert capsys.readouterr().out == ""


def test_the_cache_is_where_the_app_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config: Any = numba_config
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setenv("QUIRE_CACHE", str(tmp_path))
    keep_compiled_kernels()
    assert kernels_folder().parent == tmp_path / "kernels"
