from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quire.cli.main import main
from quire.launch_options import Options, parse
from quire.services.transactions.closed_projects import read_project

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "QT_QPA_PLATFORM": "offscreen"}

SHOW_A_WINDOW = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from quire.application import Application
from quire.launch_options import Options
from quire.settings.settings import SettingsFile
app = QApplication([])
quire = Application(app, SettingsFile(Path(sys.argv[1])), Options(), Path(sys.argv[1]).parent)
quire.window.show()
app.processEvents()
heavy = {"torch", "transformers", "sqlalchemy", "numpy", "sqlite3"} & set(sys.modules)
assert not heavy, heavy
"""

LEAVE_WHILE_THE_ENGINE_HANGS = """
import asyncio, sys, threading
from pathlib import Path
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from quire.projects import shutdown as storing
from quire.application import Application
from quire.launch_options import Options
from quire.settings.settings import SettingsFile
from tests.fakes import ScriptedBackend

folder = Path(sys.argv[1])
app = QApplication([])
storing.LEAVE_WITHIN_S = 0.3
backend = ScriptedBackend(gated=True)
options = Options(folder / "book.quire", str(folder))
quire = Application(app, SettingsFile(folder / "quire.ini"), options, folder, lambda: backend)
loops = []

def hang(timeout):
    loops[0].call_soon_threadsafe(quire.window.close)
    threading.Event().wait()

def begin():
    if quire.window.status.is_open and not loops:
        loops.append(asyncio.get_running_loop())
        quire.app.controls.bar.continue_button.click()

backend.gate.acquire = hang
quire.window.status.changed.connect(begin)
quire.window.show()
with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
    runner.run(quire.run())
raise SystemExit(3)  # the deadline ends the process before this
"""

LEAVE_WHILE_THE_DISK_HANGS = """
import asyncio, sys, threading
from pathlib import Path
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from quire.projects import shutdown as storing
from quire.application import Application
from quire.launch_options import Options
from quire.services.transactions import project_text as transactions
from quire.settings.settings import SettingsFile
from tests.fakes import ScriptedBackend

folder = Path(sys.argv[1])
app = QApplication([])
storing.LEAVE_WITHIN_S, storing.STORE_WITHIN_S = 0.05, 0.2
options = Options(folder / "book.quire", str(folder))
quire = Application(app, SettingsFile(folder / "quire.ini"), options, folder, ScriptedBackend)
loops = []

def hang(*arguments):
    loops[0].call_soon_threadsafe(quire.window.close)
    threading.Event().wait()

def begin():
    if quire.window.status.is_open and not loops:
        loops.append(asyncio.get_running_loop())
        loops[0].call_soon(quire.window.editor.insertPlainText, " And on.")

transactions.save_text = hang
quire.window.status.changed.connect(begin)
quire.window.show()
with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
    runner.run(quire.run())
raise SystemExit(3)  # the deadline ends the process before this
"""


def python(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=150, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    opening = tmp_path / "opening.txt"
    opening.write_text("It rained all night.", encoding="utf-8")
    path = tmp_path / "book.quire"
    assert main(["new", str(path), "--opening", str(opening)]) == 0
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    return path


def test_arguments_say_what_to_open_and_with_what() -> None:
    assert parse([]) == Options()
    assert parse(["a.quire", "--model", "big", "--dtype", "float32"]) == Options(
        Path("a.quire"), "big", None, "float32"
    )


@pytest.mark.parametrize("arguments", [["--dtype", "int4"], ["a", "b"], ["--nonsense"]])
def test_arguments_that_mean_nothing_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(arguments)


def test_nothing_heavy_is_imported_before_the_first_window(tmp_path: Path) -> None:
    shown = python("-c", SHOW_A_WINDOW, tmp_path / "quire.ini")
    assert shown.returncode == 0, shown.stderr


def test_the_start_can_be_measured(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setitem(ENVIRONMENT, variable, str(project.parent))
    started = python("-m", "quire", project, "--model", project.parent, "--measure-start")
    assert started.returncode == 0, started.stderr
    assert float(started.stdout) > 0


def test_an_engine_that_hangs_does_not_keep_quire_open(project: Path) -> None:
    left = python("-c", LEAVE_WHILE_THE_ENGINE_HANGS, project.parent)
    assert left.returncode == 0, left.stderr
    assert read_project(project).text == "It rained all night."


def test_a_disk_that_hangs_for_good_is_told_by_the_exit_status(project: Path) -> None:
    left = python("-c", LEAVE_WHILE_THE_DISK_HANGS, project.parent)
    assert left.returncode == 1, left.stderr
    assert read_project(project).text == "It rained all night."


def test_measuring_the_start_of_a_project_that_cannot_be_opened_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setitem(ENVIRONMENT, variable, str(tmp_path))
    started = python("-m", "quire", tmp_path / "missing.quire", "--measure-start")
    assert started.returncode == 1
    assert "missing.quire" in started.stderr
    assert not started.stdout
