"""GGUF files of the hub in the window: chosen by size, downloaded, paused, resumed, imported, stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

import quire.model_library.controller
from quire.model_library.controller import ModelLibraryController
from quire.model_library.model_questions import ImportQuestion
from quire.model_library.models_dialog import ModelsDialog
from quire.services.model_library.model_download import ModelDownloads
from quire.services.model_library.model_library import ModelLibrary, ModelOrigin
from quire_engine.catalog.imported_models import read_record
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.stored_secret import StoredSecret
from tests.app.model_library.room import with_models
from tests.app.project_window import ProjectWindow, play
from tests.app.services.books import make_book
from tests.benchmarks.app.latency_probes import turns_until
from tests.engine.catalog.conftest import serve
from tests.engine.catalog.hub_server import NAME, Behaviour, HubServer
from tests.engine.gguf_samples import write_gguf

__all__ = ["serve"]  # the fixture
LEFT = Qt.MouseButton.LeftButton
MEMORY = FreeMemory(13 * 10**9, dtype="bfloat16")
Start = Callable[[Callable[["Room"], Any]], None]


class Room:
    """The list of models beside a project, with a hub on this computer."""

    def __init__(self, shown: ProjectWindow, home: Path, endpoint: str) -> None:
        self.shown, self.library = shown, ModelLibrary(home)
        downloads = ModelDownloads(home, endpoint)
        self.part = ModelLibraryController(with_models(shown), self.library, downloads)

    async def looked_up(self, name: str) -> ModelsDialog:
        """Open the list and look a name up."""
        self.part.actions.models.trigger()
        await self.shown.settle()
        dialog = self.part.show_dialog()
        dialog.downloads.look_up(name)
        await self.shown.settle()
        return dialog

    @property
    def imported(self) -> list[Path]:
        return [each.path for each in self.library.models() if each.origin is ModelOrigin.IMPORTED]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A small model as its makers offer it: in two quantisations, one of them in parts."""
    folder = tmp_path_factory.mktemp("hub")
    write_gguf("llama", folder / "Tiny-Q8_0.gguf", kind="Q8_0")
    first = write_gguf("llama", folder / "Tiny-BF16.gguf", kind="BF16", parts=20)
    parts = sorted(first.parent.glob("Tiny-BF16-*"))
    assert len(parts) > 1
    made = {"Tiny-Q8_0.gguf": (folder / "Tiny-Q8_0.gguf").read_bytes()}
    made |= {f"BF16/{part.name}": part.read_bytes() for part in parts}
    return made | {"README.md": b"# Tiny", "mmproj-Tiny-f16.gguf": b"GGUF" + bytes(3000)}


@pytest.fixture
def behaviour(files: dict[str, bytes]) -> Behaviour:
    return Behaviour(dict(files), {"license": "apache-2.0"})


@pytest.fixture
def run(
    qapp: QApplication,
    run_async: Callable[..., Any],
    tmp_path: Path,
    serve: Callable[[Behaviour], HubServer],
    behaviour: Behaviour,
    monkeypatch: pytest.MonkeyPatch,
) -> Start:
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: MEMORY)
    monkeypatch.setattr(StoredSecret, "read", lambda current: "")
    make_book(tmp_path / "novel.quire")
    endpoint = serve(behaviour).address
    rooms: list[Room] = []

    def start(scenario: Callable[[Room], Any]) -> None:
        play(
            qapp,
            run_async,
            tmp_path / "novel.quire",
            lambda _shown: scenario(rooms[-1]),
            lambda shown: rooms.append(Room(shown, tmp_path / "home", endpoint)),
        )

    return start


def names(dialog: ModelsDialog) -> list[tuple[str, str]]:
    return [(each.name, each.origin.value) for each in dialog.table.models[1:]]


def test_the_quantisations_are_offered_by_size_and_the_recommended_one_becomes_a_model(
    run: Start, behaviour: Behaviour, tmp_path: Path
) -> None:
    async def scenario(room: Room) -> None:
        dialog = await room.looked_up(NAME)
        dialog.more_button.click()
        box = dialog.downloads
        entries = [box.choice_box.itemText(row) for row in range(box.choice_box.count())]
        assert box.choice_box.isVisible()
        assert entries == ["Q8_0, 1 MB (recommended)", "BF16, 1 MB"]
        assert box.choice_box.currentIndex() == 0
        said = box.said.text()
        assert said.startswith(f"{NAME} Q8_0: 1 MB to download.")
        assert said.endswith("Licence: apache-2.0. Fits this computer.")
        assert not (tmp_path / "home").exists()
        QTest.mouseClick(box.download_button, LEFT)
        await room.shown.settle()
        assert box.said.text() == (f"{NAME} Q8_0 is downloaded and imported. Choose Use to draft with it.")
        assert names(dialog) == [("Tiny-Q8_0", "imported")]
        chosen = dialog.chosen
        assert chosen is not None
        assert (chosen.path, dialog.use_button.text()) == (room.imported[0], "Use")
        assert sorted(each.name for each in (tmp_path / "home").iterdir()) == ["imported"]

    run(scenario)
    assert {name for name, _, _ in behaviour.asked} == {"Tiny-Q8_0.gguf"}


def test_another_one_can_be_chosen_and_its_parts_are_one_model(run: Start, behaviour: Behaviour) -> None:
    async def scenario(room: Room) -> None:
        dialog = await room.looked_up(NAME)
        dialog.downloads.choice_box.setCurrentIndex(1)
        assert dialog.downloads.said.text().startswith(f"{NAME} BF16: ")
        QTest.mouseClick(dialog.downloads.download_button, LEFT)
        await room.shown.settle()
        assert names(dialog) == [("Tiny-BF16", "imported")]
        record = read_record(room.imported[0])
        assert record is not None
        assert set(record.quantisations) >= {"BF16"}

    run(scenario)
    assert len({name for name, _, _ in behaviour.asked}) > 1


def test_a_named_quantisation_is_the_only_one_offered(run: Start) -> None:
    async def scenario(room: Room) -> None:
        dialog = await room.looked_up(f"{NAME}:bf16")
        assert not dialog.downloads.choice_box.isVisible()
        assert dialog.downloads.said.text().startswith(f"{NAME} BF16: ")
        dialog.downloads.name_edit.setText("other/model")
        assert dialog.downloads.chosen is None
        assert not dialog.downloads.download_button.isVisible()

    run(scenario)


def test_a_download_that_breaks_off_is_resumed_from_the_list_and_imported(
    run: Start, behaviour: Behaviour, files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behaviour.status = 0

    async def scenario(room: Room) -> None:
        dialog = await room.looked_up(f"{NAME}:q8_0")
        behaviour.wrong["Tiny-Q8_0.gguf"] = 2
        QTest.mouseClick(dialog.downloads.download_button, LEFT)
        await room.shown.settle()
        assert "checksum" in dialog.downloads.said.text()
        assert names(dialog) == [(f"{NAME} Q8_0", "unfinished")]
        dialog.choose(tmp_path / "home" / "maker--tiny-model--Q8_0")
        assert dialog.use_button.text() == "Resume"
        QTest.mouseClick(dialog.use_button, LEFT)
        await room.shown.settle()
        assert names(dialog) == [("Tiny-Q8_0", "imported")]

    run(scenario)


def test_a_stopped_import_leaves_the_download_which_can_be_imported_or_deleted(
    run: Start, tmp_path: Path
) -> None:
    place = tmp_path / "home" / "maker--tiny-model--Q8_0"

    async def stop_import(room: Room) -> ModelsDialog:
        dialog = await room.looked_up(f"{NAME}:q8_0")
        QTest.mouseClick(dialog.downloads.download_button, LEFT)
        await turns_until(dialog.import_row.isVisible)
        QTest.mouseClick(dialog.import_row.stop_button, LEFT)
        await room.shown.settle()
        said = f"{NAME} Q8_0 is downloaded, but not imported yet. Choose Import to draft with it."
        assert dialog.downloads.said.text() == said
        assert names(dialog) == [("Tiny-Q8_0", "downloaded")]
        dialog.choose(place)
        return dialog

    async def scenario(room: Room) -> None:
        dialog = await stop_import(room)
        assert dialog.use_button.text() == "Use"
        QTest.mouseClick(dialog.use_button, LEFT)
        (question,) = dialog.findChildren(ImportQuestion)
        assert question.informativeText().endswith("of disk space and a few seconds.")
        QTest.mouseClick(question.yes_button, LEFT)
        await room.shown.settle()
        assert names(dialog) == [("Tiny-Q8_0", "imported")]
        assert not place.exists()
        await room.shown.settle()
        dialog.remove_asked.emit(room.library.look_at(room.imported[0]))
        await room.shown.settle()
        dialog = await stop_import(room)
        assert dialog.remove_button.text() == "Delete…"
        QTest.mouseClick(dialog.remove_button, LEFT)
        (box,) = [each for each in dialog.findChildren(QMessageBox) if each.isVisible()]
        assert "Delete Tiny, 8 bits (1 MB) from this computer?" in box.text()
        next(button for button in box.buttons() if button.text() == "Delete").click()
        await room.shown.settle()
        assert names(dialog) == []
        assert not place.exists()

    run(scenario)


def test_a_list_that_was_closed_meanwhile_leaves_the_progress_and_the_result_to_the_window(
    run: Start,
) -> None:
    async def scenario(room: Room) -> None:
        dialog = await room.looked_up(f"{NAME}:q8_0")
        QTest.mouseClick(dialog.downloads.download_button, LEFT)
        await turns_until(dialog.import_row.isVisible)
        assert not room.part.importing.bar.isVisible()
        dialog.close()
        assert room.part.importing.bar.isVisible()
        await room.shown.settle()
        assert not room.part.importing.bar.isVisible()
        assert room.shown.said == f"{NAME} Q8_0 is downloaded and imported. Choose Use to draft with it."

    run(scenario)
