"""Files of earlier versions of Quire open in this one: projects of every format, and a settings file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quire.application import Application
from quire.domain.drafting.run import RunState
from quire.services.transactions.closed_projects import read_project
from quire.settings.settings import LoopChoice, ModelMemory, ReadingChoice, Settings, SettingsFile
from quire.theme.motion import MotionPreference
from quire.theme.theme_switch import ThemeChoice
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop

DATA = Path(__file__).parents[1] / "data"
PROJECTS = sorted(DATA.glob("project-v*.quire"))
SETTINGS = Settings(
    theme=ThemeChoice.HIGH_CONTRAST,
    motion=MotionPreference.FULL,
    font_family="Serif",
    text_px=21,
    line_height=1.8,
    text_width=72,
    smart_typing=False,
    typewriter=True,
    spelling=False,
    spelling_language="en_GB",
    chapter_at_headings=False,
    chapter_words=3000,
    loop_guard=LoopChoice.TELL,
    notify=False,
    keep_awake=False,
    reading_choice=ReadingChoice.WITHOUT,
    preflight_words=4000,
    language="de",
    research_view=True,
    focus_hint_seen=True,
    right_panel=True,
    shortcuts={"window.pause": ("Ctrl+P",), "window.go_on": (), "takes.retry": ("Ctrl+Alt+R",)},
    overlay="origin",
    preset="Lively",
    goal_words=1500,
    recent=("/books/night.quire", "/books/day.quire"),
    model_folder="/models/tiny",
    model_context=8192,
    model_memory=ModelMemory.FLOAT8,
    model_weights={"/models/tiny": "int8"},
    geometry=b"\x01\x02",
)
"""What settings-0.1.json holds: no default for any setting of version 0.1. Those of cut features go."""


@pytest.fixture(params=PROJECTS, ids=lambda path: path.stem)
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a project that an earlier version wrote."""
    return Path(shutil.copyfile(request.param, tmp_path / request.param.name))


def test_a_project_of_every_format_opens_in_the_window(desktop: Desktop, earlier: Path) -> None:
    shown: list[str] = []

    async def scenario(quire: Application) -> None:
        shown.append(quire.window.editor.toPlainText())

    assert desktop.start(ScriptedBackend(), scenario, earlier) == 0
    whole = (DATA / f"{earlier.stem}.txt").read_text(encoding="utf-8")
    assert shown[0].strip()
    assert shown[0].strip() in whole
    assert read_project(earlier).text == whole


def test_a_draft_paused_by_an_earlier_version_is_continued_as_the_same_run(tmp_path: Path) -> None:
    path = shutil.copyfile(DATA / "project-v6.quire", tmp_path / "novel.quire")
    before = read_project(path)
    assert [run.state for run in before.runs] == [RunState.FINISHED, RunState.PAUSED]
    command = [sys.executable, "-m", "quire", "draft", str(path), "--words", "70", "--dtype", "bfloat16"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = read_project(path)
    assert [run.run_id for run in after.runs] == [run.run_id for run in before.runs]
    assert after.runs[-1].num_tokens > before.runs[-1].num_tokens
    assert after.text.startswith(before.text.rstrip("\n"))


def test_settings_of_an_earlier_version_keep_every_value(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    shutil.copyfile(DATA / "settings-0.1.json", file)
    assert SettingsFile(file).load() == SETTINGS
