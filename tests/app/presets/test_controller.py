"""Presets, wired to a real window and a real project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from quire.domain.drafting.presets import BUILT_IN, FAITHFUL, LIVELY, Preset, dumped
from quire.services.project.project_session import ProjectSession
from quire_engine.api.config import SamplingConfig
from tests.app.steering_room import Room, RunAsync, open_room, project


@pytest.fixture
def room(qapp: QApplication, tmp_path: Path) -> Iterator[Room]:
    with open_room(qapp, tmp_path) as room:
        yield room


def test_a_preset_belongs_to_its_project(run_async: RunAsync, room: Room, tmp_path: Path) -> None:
    async def scenario() -> None:
        room.app.settings.change(preset="faithful")
        async with project(room, tmp_path / "a.quire"):
            assert room.steering.preset == FAITHFUL
            assert room.steering.sampling == FAITHFUL.sampling
            box = room.steering.presets.box
            box.activated.emit(box.findText("Lively"))
            assert room.steering.preset == LIVELY
            assert room.app.settings.settings.preset == "Lively"
        again = await ProjectSession.open(tmp_path / "a.quire")
        await room.show(again)
        assert room.steering.preset == LIVELY
        await again.close()

    run_async(scenario())


def test_presets_are_saved_imported_exported_and_deleted(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire"):
            room.steering.actions.presets.trigger()
            dialog = room.steering.presets._dialog
            assert dialog is not None
            dialog.form.boxes["temperature"].setValue(1.4)
            dialog.name_edit.setText("Gothic")
            dialog.save_button.click()
            await room.done()
            kept = json.loads((room.app.settings.folder / "presets.json").read_text())
            assert kept["presets"][0]["name"] == "Gothic"
            assert dialog.name_edit.text() == "Gothic"
            dialog.use_button.click()
            assert room.steering.sampling.temperature == 1.4
            dialog.export_asked.emit(tmp_path / "out.json", [room.steering.preset])
            await room.done()
            assert "was exported" in dialog.problem.text()
            dialog.import_asked.emit(tmp_path / "out.json")
            await room.done()
            assert dialog.name_edit.text() == "Gothic 2"
            (tmp_path / "bad.json").write_text("{}")
            dialog.import_asked.emit(tmp_path / "bad.json")
            await room.done()
            assert "Choose one exported by Quire" in dialog.problem.text()
            dialog.deleted.emit("Gothic")
            await room.done()
            assert room.steering.preset.name == "Gothic"  # the project keeps what it is drafted with
            assert room.steering.sampling.temperature == 1.4
            dialog.close_button.click()

    run_async(scenario())


def test_a_preset_of_ones_own_is_there_at_the_next_start(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    (room.app.settings.folder / "presets.json").write_text(
        dumped((Preset("Gothic", SamplingConfig(temperature=1.4)),))
    )

    async def scenario() -> None:
        room.app.settings.change(preset="Gothic")
        async with project(room, tmp_path / "a.quire"):
            assert room.steering.sampling.temperature == 1.4
            assert room.steering.presets.box.count() == len(BUILT_IN) + 2
            assert [one.name for one in room.steering.presets.known][len(BUILT_IN) :] == ["Gothic"]

    run_async(scenario())
