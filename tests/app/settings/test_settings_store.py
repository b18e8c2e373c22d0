from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quire.settings.settings import Settings, SettingsFile
from quire.settings.settings_store import SettingsStore
from quire.theme.theme_switch import ThemeChoice


class NotedFile(SettingsFile):
    """Notes what is stored, and on which thread."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.saved: list[Settings] = []
        self.threads: set[int] = set()

    def save(self, settings: Settings) -> None:
        self.saved.append(settings)
        self.threads.add(threading.get_ident())
        super().save(settings)


@pytest.fixture
def file(tmp_path: Path) -> NotedFile:
    return NotedFile(tmp_path / "settings.json")


@pytest.fixture
def keeper(file: NotedFile, qapp: object) -> Iterator[SettingsStore]:
    keeper = SettingsStore(file)
    yield keeper
    keeper.close()


def test_who_follows_is_told_at_once_and_of_every_change(keeper: SettingsStore, qtbot: Any) -> None:
    taken = list[Settings]()
    keeper.follow(taken.append)
    with qtbot.waitSignal(keeper.changed) as told:
        keeper.change(text_px=25)
    assert told.args == [Settings(text_px=25)]
    assert taken == [Settings(), Settings(text_px=25)]
    assert keeper.settings == Settings(text_px=25)


def test_what_is_so_already_changes_nothing(keeper: SettingsStore, file: NotedFile) -> None:
    taken = list[Settings]()
    keeper.follow(taken.append)
    keeper.apply(Settings())
    keeper.flush()
    assert taken == [Settings()]
    assert file.saved == []


def test_changes_are_stored_together_and_off_the_key_path(
    keeper: SettingsStore, file: NotedFile, qtbot: Any
) -> None:
    for px in range(20, 30):
        keeper.change(text_px=px)
    assert file.saved == []
    qtbot.waitUntil(lambda: bool(file.saved))
    keeper.flush()
    assert file.saved == [Settings(text_px=29)]
    assert threading.get_ident() not in file.threads
    assert SettingsFile(file.path).load().text_px == 29


def test_closing_stores_what_is_waiting(keeper: SettingsStore, file: NotedFile) -> None:
    keeper.change(theme=ThemeChoice.SEPIA)
    keeper.close()
    assert SettingsFile(file.path).load().theme is ThemeChoice.SEPIA
    keeper.change(theme=ThemeChoice.DARK)  # and it can be used again
    keeper.close()
    assert SettingsFile(file.path).load().theme is ThemeChoice.DARK


def test_a_follower_may_change_the_settings_once_more(keeper: SettingsStore) -> None:
    def make_even(settings: Settings) -> None:
        keeper.apply(replace(settings, text_px=settings.text_px // 2 * 2))

    taken = list[Settings]()
    told: list[Settings] = []
    keeper.changed.connect(told.append)
    keeper.follow(make_even)
    keeper.follow(taken.append)
    keeper.change(text_px=25)
    assert keeper.settings.text_px == 24
    assert taken[-1].text_px == 24
    assert [settings.text_px for settings in told][-1] == 24
