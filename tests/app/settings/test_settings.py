from __future__ import annotations

import json
import stat
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.settings.settings import (
    MAX_RECENT,
    LoopChoice,
    ModelChoice,
    ModelMemory,
    ReadingChoice,
    Settings,
    SettingsFile,
)
from quire.theme.motion import MotionPreference
from quire.theme.text_size import TextSize
from quire.theme.theme_switch import ThemeChoice
from quire_resources import BUILT_IN_MODEL
from tests.fakes import ReadOnly

CHANGED = Settings(
    focus_hint_seen=True,
    right_panel=True,
    charts=False,
    charts_px=480,
    theme=ThemeChoice.HIGH_CONTRAST,
    interface_size=TextSize.LARGER,
    motion=MotionPreference.REDUCED,
    font_family="Georgia",
    text_px=23,
    line_height=1.75,
    text_width=64,
    smart_typing=False,
    typewriter=True,
    spelling=False,
    spelling_language="de_DE",
    chapter_at_headings=False,
    chapter_words=3000,
    loop_guard=LoopChoice.TELL,
    notify=False,
    keep_awake=False,
    preflight_words=20_000,
    reading_choice=ReadingChoice.WITHOUT,
    language="de",
    research_view=True,
    shortcuts={"window.go_on": ("F9", "Ctrl+Return"), "window.retry": ()},
    beside={"/books/a.quire": "7"},
    reading_speeds={"sha256:abc": 812.3},
    overlay="echoes",
    preset="Lively",
    goal_words=2000,
    recent=("/books/a.quire", "/books/Ünïcode, with a comma.quire", "/books/\udcff.quire"),
    model_folder="/models/big",
    model_context=4096,
    model_memory=ModelMemory.FLOAT8,
    model_weights={"/models/big": "int8"},
    draft_models={"/models/big": "/models/small"},
    accelerate=False,
    drafters_off=("ngrams",),
    starter_done=True,
    geometry=b"\x00\x01\xffgeometry",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "somewhere" / "settings.json"


def test_the_example_differs_from_the_defaults_in_everything() -> None:
    assert [
        one.name for one in fields(Settings) if getattr(CHANGED, one.name) == getattr(Settings(), one.name)
    ] == []


def test_settings_come_back_as_they_were(path: Path) -> None:
    SettingsFile(path).save(CHANGED)
    assert SettingsFile(path).load() == CHANGED


def test_no_file_gives_the_defaults(path: Path) -> None:
    assert SettingsFile(path).load() == Settings()
    assert not path.parent.exists()


@pytest.mark.parametrize("recent", [(), ("/only.quire",), ("/a.quire", "/b.quire", "/c.quire")])
def test_any_number_of_recent_projects_comes_back(path: Path, recent: tuple[str, ...]) -> None:
    SettingsFile(path).save(Settings(recent=recent))
    assert SettingsFile(path).load().recent == recent


NONSENSE: list[Any] = [
    None, "", "purple", -1, 10**400, 3.7, 1e400, float("nan"), [], {}, [1], {"a": 1}, True, ["a", 7], "\0",
    "é" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("nonsense", NONSENSE, ids=repr)
def test_nonsense_gives_way_to_the_default_of_that_field_alone(path: Path, nonsense: Any) -> None:
    for one in fields(Settings):
        SettingsFile(path).save(CHANGED)
        stored = json.loads(path.read_text())
        stored[one.name] = nonsense
        path.write_text(json.dumps(stored))
        found = SettingsFile(path).load()
        assert type(getattr(found, one.name)) is type(getattr(CHANGED, one.name))
        assert replace(found, **{one.name: getattr(CHANGED, one.name)}) == CHANGED


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([one.name for one in fields(Settings)]), _JSON))
def test_whatever_is_stored_quire_starts_and_stores_again(tmp_path: Path, stored: dict[str, object]) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(stored))
    found = SettingsFile(path).load()
    SettingsFile(path).save(found)
    assert SettingsFile(path).load() == found


_FOLDERS: tuple[str, ...] = ("", "/models/a", "/models/b", "/models/\udcff", "models/a")


@given(st.lists(st.tuples(st.sampled_from(_FOLDERS), st.sampled_from(["auto", "full", "int8"]))))
def test_weights_are_kept_for_each_folder_alone(changes: list[tuple[str, Any]]) -> None:
    found, last = Settings(), dict.fromkeys(_FOLDERS, "auto")
    for chosen, weights in changes:
        found = found.with_weights(Path(chosen) if chosen else BUILT_IN_MODEL, weights)
        last[chosen] = weights
    assert {chosen: ModelChoice.of(found, chosen).weights for chosen in last} == last
    assert set(found.model_weights.values()) <= {"full", "int8"}  # what nobody chose needs no entry


def test_weights_that_only_another_version_knows_were_never_chosen() -> None:
    kept = Settings(model_weights={"/models/a": "int3"})
    assert ModelChoice.of(kept, "/models/a").weights == "auto"


@pytest.mark.parametrize("content", [bytes(range(256)) * 10, b"", b"[1, 2]", b"{", b"[" * 100_000, b"7"])
def test_a_file_that_holds_no_settings_is_put_aside(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert SettingsFile(path).load() == Settings()
    assert path.with_name("settings.json.broken").read_bytes() == content
    assert not path.exists()


def test_what_another_version_keeps_there_stays(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"theme": "dark", "from_tomorrow": {"a": [1, 2]}}))
    file = SettingsFile(path)
    file.save(replace(file.load(), text_px=25))
    assert json.loads(path.read_text())["from_tomorrow"] == {"a": [1, 2]}


def test_two_of_quire_do_not_undo_each_other(path: Path) -> None:
    one, other = SettingsFile(path), SettingsFile(path)
    mine, theirs = one.load(), other.load()
    one.save(replace(mine, text_px=25))
    other.save(replace(theirs, theme=ThemeChoice.SEPIA))
    found = SettingsFile(path).load()
    assert (found.text_px, found.theme) == (25, ThemeChoice.SEPIA)


def test_a_folder_that_cannot_be_written_to_costs_nothing_else(read_only: ReadOnly) -> None:
    file = SettingsFile(read_only.folder / "settings.json")
    with read_only.now():
        file.save(CHANGED)
    assert list(read_only.folder.iterdir()) == []
    file.save(CHANGED)
    assert SettingsFile(file.path).load() == CHANGED


@pytest.mark.skipif(sys.platform == "win32", reason="a link needs rights there")
def test_nothing_but_the_settings_is_left_behind(path: Path) -> None:
    file = SettingsFile(path)
    for px in (20, 21, 22):
        file.save(Settings(text_px=px))
    assert [one.name for one in path.parent.iterdir()] == ["settings.json"]
    assert stat.S_ISREG(path.stat().st_mode)


def test_the_last_project_comes_first_and_once() -> None:
    remembered = Settings()
    for name in "abcab":
        remembered = remembered.with_recent(Path("/books") / name)
    assert remembered.recent == tuple(str(Path("/books") / name) for name in "bac")


def test_only_so_many_projects_are_remembered() -> None:
    remembered = Settings()
    for number in range(MAX_RECENT + 5):
        remembered = remembered.with_recent(Path(f"/books/{number}"))
    assert len(remembered.recent) == MAX_RECENT
