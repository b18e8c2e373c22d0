from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from quire.settings.settings import SettingsFile
from quire.system.app_folders import (
    PORTABLE,
    be_portable,
    cache_folder,
    data_folder,
    models_home,
    portable_folder,
    state_folder,
)


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/fast/cache"}, "/fast/cache/quire"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/ann/.cache/quire"),
        ("linux", {}, "/home/ann/.cache/quire"),
        ("darwin", {}, "/home/ann/Library/Caches/Quire"),
        ("win32", {"LOCALAPPDATA": "/home/ann/Local"}, "/home/ann/Local/Quire/Cache"),
        ("win32", {}, "/home/ann/AppData/Local/Quire/Cache"),
    ],
)
def test_what_can_be_made_again_lies_where_the_system_keeps_such_things(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    assert cache_folder() == Path(expected)


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_STATE_HOME": "/fast/state"}, "/fast/state/quire"),
        ("linux", {"XDG_STATE_HOME": "relative"}, "/home/ann/.local/state/quire"),
        ("linux", {}, "/home/ann/.local/state/quire"),
        ("darwin", {}, "/home/ann/Library/Application Support/Quire"),
        ("win32", {"LOCALAPPDATA": "/home/ann/Local"}, "/home/ann/Local/Quire/State"),
        ("win32", {}, "/home/ann/AppData/Local/Quire/State"),
    ],
)
def test_what_is_noted_of_starts_lies_where_the_system_keeps_such_things(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    assert state_folder() == Path(expected)


@pytest.mark.parametrize("is_frozen", [False, True])
def test_a_folder_beside_the_program_takes_the_place_of_the_home_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_frozen: bool
) -> None:
    monkeypatch.setenv("QUIRE_CACHE", "as it was")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "quire"))
    monkeypatch.setattr(sys, "frozen", is_frozen, raising=False)
    at_home = (cache_folder(), state_folder(), models_home(), data_folder(), SettingsFile().path)
    assert portable_folder() is None
    be_portable()
    assert os.environ["QUIRE_CACHE"] == "as it was"
    portable = tmp_path / PORTABLE
    portable.mkdir()
    be_portable()
    assert portable_folder() == portable
    assert os.environ["QUIRE_CACHE"] == str(portable / "cache")  # the engine's processes inherit it
    kept = (cache_folder(), state_folder(), models_home(), data_folder(), SettingsFile().path)
    assert all(path.is_relative_to(portable) for path in kept)
    assert not any(path.is_relative_to(portable) for path in at_home)
    assert len(set(kept)) == len(kept)


def test_a_python_of_the_system_has_no_folder_beside_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / PORTABLE).mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "usr"))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path / "usr"))
    assert portable_folder() is None
