from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from quire.settings import MAX_RECENT, Settings, SettingsFile
from quire.theme.keeper import ThemeChoice

CHANGED = Settings(
    theme=ThemeChoice.DARK,
    text_px=23,
    goal_words=2000,
    recent=("/books/a.quire", "/books/Ünïcode, with a comma.quire"),
    model_folder="/models/big",
    geometry=b"\x00\x01\xffgeometry",
)


@pytest.fixture
def path(tmp_path: Path, qapp: object) -> Path:
    return tmp_path / "quire.ini"


def test_settings_come_back_as_they_were(path: Path) -> None:
    SettingsFile(path).save(CHANGED)
    assert SettingsFile(path).load() == CHANGED


def test_no_file_gives_the_defaults(path: Path) -> None:
    assert SettingsFile(path).load() == Settings()


@pytest.mark.parametrize("recent", [(), ("/only.quire",), ("/a.quire", "/b.quire", "/c.quire")])
def test_any_number_of_recent_projects_comes_back(path: Path, recent: tuple[str, ...]) -> None:
    SettingsFile(path).save(Settings(recent=recent))
    assert SettingsFile(path).load().recent == recent


@pytest.mark.parametrize("nonsense", ["", "purple", "-1", "1" * 400, "3.7", "@Invalid()", "\x00"])
def test_nonsense_gives_way_to_the_defaults(path: Path, nonsense: str) -> None:
    ini = QSettings(str(path), QSettings.Format.IniFormat)
    for key in ("theme", "text_px", "goal_words", "geometry"):
        ini.setValue(key, nonsense)
    ini.sync()
    assert SettingsFile(path).load() == Settings()


def test_a_file_that_is_no_ini_gives_the_defaults(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 10)
    assert SettingsFile(path).load() == Settings()


def test_the_last_project_comes_first_and_once(path: Path) -> None:
    settings = Settings()
    for name in "abcab":
        settings = settings.with_recent(Path("/books") / name)
    assert settings.recent == tuple(str(Path("/books") / name) for name in "bac")


def test_only_so_many_projects_are_remembered() -> None:
    settings = Settings()
    for number in range(MAX_RECENT + 5):
        settings = settings.with_recent(Path(f"/books/{number}"))
    assert len(settings.recent) == MAX_RECENT
