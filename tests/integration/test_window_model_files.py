"""The real window: models that are dropped onto it, or named on the command line as a file."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

import quire.model_library.controller
import quire.services.model_library.model_imports
from quire.application import Application
from quire.model_library.import_bar import ImportBar
from quire.model_library.model_questions import ImportQuestion, UseQuestion
from quire.model_library.models_dialog import ModelsDialog
from quire.services.model_library import starter_model
from quire.services.model_library.kernel_compilation import KernelCompilation
from quire.services.model_library.model_library import ModelLibrary
from quire.settings.settings import Settings, SettingsFile
from quire.shell.notices import NoticeAction, NoticeKind
from quire_engine.catalog.imported_models import read_record
from quire_engine.catalog.memory_fit import FreeMemory
from quire_resources import BUILT_IN_MODEL
from tests.benchmarks.app.latency_probes import turns_until
from tests.engine.gguf_samples import write_gguf
from tests.fakes import ScriptedBackend
from tests.integration.desktop import LEFT, Desktop, ended, press

COPY, NONE = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model as a GGUF file."""
    return write_gguf("llama", tmp_path_factory.mktemp("gguf") / "Tale.Q8_0.gguf", kind="Q8_0")


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Know of no models but the test's own."""
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: FreeMemory(10**10))
    monkeypatch.setattr(starter_model, "installed_models", lambda: tmp_path / "installed")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))


def put_model(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        shutil.copy(BUILT_IN_MODEL / name, folder)
    return folder


def drop(quire: Application, onto: QWidget, path: Path) -> bool:
    """Drag a file over a widget and let go, as the system does: from the inside to the window."""
    dragged = QMimeData()
    dragged.setUrls([QUrl.fromLocalFile(str(path))])
    place: QWidget | None = onto
    while place is not None:
        enter = QDragEnterEvent(QPoint(5, 5), COPY, dragged, LEFT, NONE)
        if place.acceptDrops():
            QApplication.sendEvent(place, enter)
            if enter.isAccepted():
                QApplication.sendEvent(place, QDropEvent(QPoint(5, 5), COPY, dragged, LEFT, NONE))
                return True
        place = place.parentWidget()
    return False


async def asked(quire: Application, kind: type[Any]) -> Any:
    """Wait for a question."""
    await turns_until(lambda: quire.window.findChildren(kind))
    (question,) = quire.window.findChildren(kind)
    assert question.isVisible()
    return question


def said_in(quire: Application) -> str:
    notice = quire.window.notice_bar.notice
    return "" if notice is None else str(notice.text)


def bar_of(quire: Application) -> ImportBar:
    (bar,) = quire.window.findChildren(ImportBar)
    return bar


@pytest.mark.parametrize("tries", [True, False])
def test_a_dropped_file_is_imported_after_a_question_and_used(
    desktop: Desktop, qtbot: Any, tiny: Path, tries: bool
) -> None:
    async def scenario(quire: Application) -> None:
        onto = quire.window.editor.viewport() if tries else quire.app.welcome.page.try_button
        assert drop(quire, onto, tiny)
        question = await asked(quire, ImportQuestion)
        assert question.text() == "Import Tale, 8 bits and write with it?"
        assert "of disk space" in question.informativeText()
        assert question.adapted_box is None
        assert not list(desktop.folder.rglob("data/**/*.safetensors"))  # nothing before the answer
        qtbot.mouseClick(question.yes_button, LEFT)
        await turns_until(bar_of(quire).isVisible)
        assert bar_of(quire).row.label.text() == "Importing Tale, 8 bits…"
        await turns_until(
            lambda: said_in(quire) == "Quire will write with Tale, 8 bits from the next draft on."
        )
        assert not bar_of(quire).isVisible()
        assert quire.window.status_line.model_label.text() == "Tale, 8 bits"

    backend = ScriptedBackend()
    assert desktop.start(backend, scenario, tries=tries, named=False) == 0
    folder = Path(SettingsFile(desktop.ini).load().model_folder)
    assert read_record(folder) is not None


def test_a_cancelled_question_changes_nothing(desktop: Desktop, qtbot: Any, tiny: Path) -> None:
    async def scenario(quire: Application) -> None:
        before = quire.app.drafts.model
        assert drop(quire, quire.window.editor.viewport(), tiny)
        question = await asked(quire, ImportQuestion)
        question.reject()
        assert quire.app.drafts.model == before
        assert not bar_of(quire).isVisible()

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert not list(desktop.folder.rglob("data/**/*.safetensors"))
    assert SettingsFile(desktop.ini).load().model_folder == ""


class RecordedKernels(KernelCompilation):
    """Notes what is asked of it; no kernel is compiled."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def start(self) -> None:
        self.asked.append("start")

    def stop(self) -> None:
        self.asked.append("stop")


def test_kernels_are_compiled_beside_the_writer_until_a_draft_and_the_end(
    desktop: Desktop, qtbot: Any
) -> None:
    kernels = RecordedKernels()

    async def scenario(quire: Application) -> None:
        await turns_until(lambda: kernels.asked == ["start"])
        press(qtbot, quire, "continue")
        await ended(quire)
        assert kernels.asked == ["start", "stop"]

    assert desktop.start(ScriptedBackend(), scenario, named=False, kernels=kernels) == 0
    assert kernels.asked == ["start", "stop", "stop"]


def test_a_stopped_import_leaves_the_model_in_use(desktop: Desktop, qtbot: Any, tiny: Path) -> None:
    kernels = RecordedKernels()

    async def scenario(quire: Application) -> None:
        before = quire.app.drafts.model
        assert drop(quire, quire.window.page, tiny)
        question = await asked(quire, ImportQuestion)
        qtbot.mouseClick(question.yes_button, LEFT)
        await turns_until(bar_of(quire).isVisible)
        qtbot.mouseClick(bar_of(quire).row.stop_button, LEFT)
        await turns_until(lambda: not bar_of(quire).isVisible())
        assert quire.app.drafts.model == before
        await turns_until(lambda: kernels.asked == ["start"])

    assert desktop.start(ScriptedBackend(), scenario, kernels=kernels) == 0
    assert not list(desktop.folder.rglob("data/**/*.safetensors"))


def test_a_dropped_folder_is_used_where_it_is_and_a_file_that_was_imported_is_not_imported_twice(
    desktop: Desktop, qtbot: Any, tiny: Path
) -> None:
    mine = put_model(desktop.folder / "models" / "mine")

    async def scenario(quire: Application) -> None:
        assert drop(quire, quire.window.editor.viewport(), mine)
        question = await asked(quire, UseQuestion)
        assert question.text() == "Write with mine?"
        assert question.informativeText() == "Its folder stays where it is."
        qtbot.mouseClick(question.yes_button, LEFT)
        await turns_until(lambda: quire.app.drafts.model.folder == mine)
        await turns_until(lambda: not quire.window.findChildren(UseQuestion))
        assert drop(quire, quire.window.editor.viewport(), tiny)
        asking = await asked(quire, ImportQuestion)
        qtbot.mouseClick(asking.yes_button, LEFT)
        await turns_until(lambda: quire.app.drafts.model.name == "Tale, 8 bits")
        assert drop(quire, quire.window.editor.viewport(), tiny)
        question = await asked(quire, UseQuestion)
        assert question.informativeText() == "It was imported before."

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert mine in {each.path for each in ModelLibrary().models()}


def test_several_models_in_a_folder_are_shown_in_the_list(desktop: Desktop, tiny: Path) -> None:
    put_model(desktop.folder / "models" / "one")
    put_model(desktop.folder / "models" / "deeper" / "two")

    async def scenario(quire: Application) -> None:
        assert drop(quire, quire.window.editor.viewport(), desktop.folder / "models")
        await turns_until(lambda: quire.window.findChildren(ModelsDialog))
        (dialog,) = quire.window.findChildren(ModelsDialog)
        await turns_until(lambda: dialog.said.text() == "2 models added from this folder.")
        dialog.close()

    assert desktop.start(ScriptedBackend(), scenario) == 0


def test_what_is_no_model_gets_a_sentence_or_is_left_alone(desktop: Desktop, tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    empty, text = tmp_path / "empty", tmp_path / "notes.txt"
    empty.mkdir()
    text.write_text("Notes.", encoding="utf-8")

    async def scenario(quire: Application) -> None:
        for path, said in ((broken, "broken.gguf was not added. "), (empty, "empty was not added. ")):
            quire.window.notice_bar.clear()
            assert drop(quire, quire.window.editor.viewport(), path)
            await turns_until(lambda: said_in(quire))
            assert said_in(quire).startswith(said)
        assert not drop(quire, quire.window.editor.viewport(), text)  # as before: it is no text to insert
        assert not quire.window.findChildren(ImportQuestion)

    assert desktop.start(ScriptedBackend(), scenario) == 0


def test_a_file_on_the_command_line_is_imported_first_and_the_draft_waits_for_it(
    desktop: Desktop, qtbot: Any, tiny: Path
) -> None:
    backend = ScriptedBackend()

    async def scenario(quire: Application) -> None:
        assert quire.window.status_line.model_label.text() == "Tale, 8 bits"
        quire.app.controls.bar.goal_box.set_goal(100)
        press(qtbot, quire, "continue")
        await turns_until(bar_of(quire).isVisible)
        await turns_until(lambda: quire.window.status.is_busy)
        await ended(quire)
        assert not bar_of(quire).isVisible()

    assert desktop.start(backend, scenario, model_file=tiny) == 0
    (config,) = backend.configs
    assert read_record(Path(config.folder)) is not None
    assert SettingsFile(desktop.ini).load().model_folder == ""  # the command line is not kept
    again = ScriptedBackend()
    assert desktop.start(again, scenario_of_a_draft(qtbot), model_file=tiny) == 0
    assert [each.folder for each in again.configs] == [config.folder]


def scenario_of_a_draft(qtbot: Any) -> Any:
    async def scenario(quire: Application) -> None:
        await turns_until(lambda: quire.app.drafts.model.name == "Tale, 8 bits")
        quire.app.controls.bar.goal_box.set_goal(200)
        press(qtbot, quire, "continue")
        await turns_until(lambda: quire.window.status.is_busy)
        await ended(quire)

    return scenario


def test_a_file_on_the_command_line_that_is_none_says_what_will_write(
    desktop: Desktop, qtbot: Any, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    backend = ScriptedBackend()

    async def scenario(quire: Application) -> None:
        await turns_until(lambda: said_in(quire).startswith("broken.gguf: "))  # on the welcome page
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert (notice.kind, notice.action) == (NoticeKind.ERROR, NoticeAction.CHOOSE_MODEL)
        assert said_in(quire).endswith("Continue will write with Built-in model.")
        assert quire.window.status_line.model_label.text() == "Built-in model"

    assert desktop.start(backend, scenario, model_file=broken, tries=False) == 0


# An importer that never finishes by itself: it says that it has begun, and ends when it is told to stop.
ENDLESS_IMPORT = """
import pathlib, sys
print('{"done": 0, "total": 1}', flush=True)
sys.stdin.read()
pathlib.Path(sys.argv[1]).with_name("stopped").touch()
sys.exit(3)
"""


def test_closing_quire_does_not_wait_for_an_import(
    desktop: Desktop, qtbot: Any, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (sys.executable, "-c", ENDLESS_IMPORT)
    monkeypatch.setattr(quire.services.model_library.model_imports, "_COMMAND", command)

    async def scenario(quire: Application) -> None:
        press(qtbot, quire, "continue")
        await turns_until(bar_of(quire).isVisible)

    assert desktop.start(ScriptedBackend(), scenario, model_file=tiny) == 0
    assert tiny.with_name("stopped").exists()


def test_a_missing_import_is_called_by_its_name(desktop: Desktop) -> None:
    gone = desktop.folder / "imported" / "Tale.Q8_0-0123456789ab"
    SettingsFile(desktop.ini).save(Settings(model_folder=str(gone)))

    async def scenario(quire: Application) -> None:
        await turns_until(lambda: said_in(quire))
        assert said_in(quire) == (
            "Tale, 8 bits is no longer on this computer. You can write; choose a model to draft."
        )
        assert quire.window.status_line.model_label.text() == "Tale, 8 bits"

    assert desktop.start(ScriptedBackend(), scenario, named=False) == 0
