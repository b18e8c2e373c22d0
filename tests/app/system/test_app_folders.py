from __future__ import annotations

import sys
from pathlib import Path

import pytest

from quire.system.app_folders import cache_folder, state_folder


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
