"""Presets: the box above the page, and the dialog."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from quire.domain.drafting.presets import BALANCED, BUILT_IN, LIVELY, Preset
from quire.presets.preset_box import PresetBox
from quire.presets.preset_dialog import PresetDialog
from quire.presets.preset_form import PresetForm
from quire.theme.theme_switch import ThemeSwitch
from quire_engine.api.config import SamplingConfig

LEFT = Qt.MouseButton.LeftButton
GOTHIC = Preset("Gothic", SamplingConfig(temperature=1.3, top_k=40, eta=0.002, penalty_window=4096), "Fog.")


# ------------------------------------------------------------ the box
@pytest.fixture
def box(themes: ThemeSwitch, qtbot: Any) -> PresetBox:
    box = PresetBox()
    qtbot.addWidget(box)
    box.show()
    return box


def choose(box: PresetBox, text: str) -> None:
    index = box.findText(text)
    box.setCurrentIndex(index)
    box.activated.emit(index)


def test_the_box_lists_the_presets_and_says_which_was_chosen(box: PresetBox, qtbot: Any) -> None:
    assert box.preset == BALANCED
    assert [box.itemText(n) for n in range(len(BUILT_IN))] == [one.name for one in BUILT_IN]
    with qtbot.waitSignal(box.preset_chosen) as chosen:
        choose(box, "Lively")
    assert chosen.args == [LIVELY]
    assert box.preset == LIVELY
    with qtbot.assertNotEmitted(box.preset_chosen):
        choose(box, "Lively")


def test_editing_presets_chooses_none(box: PresetBox, qtbot: Any) -> None:
    with qtbot.waitSignal(box.edit_asked), qtbot.assertNotEmitted(box.preset_chosen):
        choose(box, "Edit Presets…")
    assert box.currentText() == "Balanced"


def test_a_preset_that_only_the_project_has_is_listed_too(box: PresetBox, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(box.preset_chosen):
        box.show_presets(BUILT_IN, GOTHIC)
    assert box.preset == GOTHIC
    assert box.currentText() == "Gothic"
    assert "Fog" in box.toolTip()


# ------------------------------------------------------------ the form
@pytest.fixture
def form(themes: ThemeSwitch, qtbot: Any) -> PresetForm:
    form = PresetForm()
    qtbot.addWidget(form)
    form.show()
    return form


def test_every_sampler_of_the_engine_can_be_set(form: PresetForm) -> None:
    rules = {field.name for field in fields(SamplingConfig)} - {"seed", "banned"}  # a project bans
    assert rules <= set(form.boxes)
    assert all(box.accessibleName() and box.accessibleDescription() for box in form.boxes.values())


@pytest.mark.parametrize("preset", [*BUILT_IN, GOTHIC], ids=lambda preset: preset.name)
def test_settings_come_back_as_they_were_shown(form: PresetForm, preset: Preset) -> None:
    form.show_sampling(preset.sampling)
    assert form.sampling == preset.sampling


def test_greedy_needs_no_temperature_and_gives_it_back(form: PresetForm, qtbot: Any) -> None:
    form.show_sampling(GOTHIC.sampling)
    with qtbot.waitSignal(form.changed):
        form.greedy_box.setChecked(True)
    assert form.sampling.temperature == 0
    assert not form.boxes["temperature"].isEnabled()
    form.greedy_box.setChecked(False)
    assert form.sampling == GOTHIC.sampling
    form.show_sampling(SamplingConfig(temperature=0))
    assert form.greedy_box.isChecked()


# ------------------------------------------------------------ the dialog
@pytest.fixture
def dialog(themes: ThemeSwitch, qtbot: Any) -> PresetDialog:
    dialog = PresetDialog((GOTHIC,), BALANCED)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def rows(dialog: PresetDialog) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def test_the_dialog_begins_with_the_preset_in_use(dialog: PresetDialog) -> None:
    shown = [one.name + " (in use)" * (one is BALANCED) for one in BUILT_IN]
    assert rows(dialog) == [*shown, "Gothic"]
    assert dialog.name_edit.text() == "Balanced"
    for button in (dialog.save_button, dialog.delete_button, dialog.use_button):
        assert not button.isEnabled()


def test_what_comes_with_quire_is_kept_under_another_name_only(dialog: PresetDialog, qtbot: Any) -> None:
    dialog.form.boxes["temperature"].setValue(1.1)
    assert not dialog.save_button.isEnabled()
    assert "another name" in dialog.hint.text()
    dialog.name_edit.setText("Mine")
    assert dialog.save_button.text() == "Save As New"
    with qtbot.waitSignal(dialog.saved) as saved:
        qtbot.mouseClick(dialog.save_button, LEFT)
    assert saved.args == [Preset("Mine", replace(BALANCED.sampling, temperature=1.1))]
    mine = saved.args[0]
    dialog.show_presets((GOTHIC, mine), BALANCED, "Mine")
    assert dialog.name_edit.text() == "Mine"
    assert dialog.use_button.isEnabled()


def test_ones_own_is_saved_over_used_and_deleted(dialog: PresetDialog, qtbot: Any) -> None:
    dialog.list.setCurrentRow(len(BUILT_IN))
    assert dialog.delete_button.isEnabled()
    with qtbot.waitSignal(dialog.chosen) as chosen:
        qtbot.mouseClick(dialog.use_button, LEFT)
    assert chosen.args == [GOTHIC]
    with qtbot.waitSignal(dialog.deleted) as deleted:
        qtbot.mouseClick(dialog.delete_button, LEFT)
    assert deleted.args == ["Gothic"]
    dialog.form.boxes["min_p"].setValue(0.2)
    assert not dialog.use_button.isEnabled()
    with qtbot.waitSignal(dialog.saved) as saved:
        qtbot.mouseClick(dialog.save_button, LEFT)
    assert saved.args == [replace(GOTHIC, sampling=replace(GOTHIC.sampling, min_p=0.2))]


def test_a_deleted_preset_that_is_in_use_is_still_listed(dialog: PresetDialog) -> None:
    dialog.show_presets((), GOTHIC)
    assert rows(dialog)[-1] == "Gothic (in use)"
    assert dialog.name_edit.text() == "Gothic"


def test_files_are_asked_for(dialog: PresetDialog, qtbot: Any, tmp_path: Path) -> None:
    dialog.list.setCurrentRow(len(BUILT_IN))
    qtbot.mouseClick(dialog.export_button, LEFT)
    files = dialog.findChild(QFileDialog)
    assert files is not None
    with qtbot.waitSignal(dialog.export_asked) as exported:
        files.fileSelected.emit(str(tmp_path / "g.json"))
    files.close()
    assert exported.args == [tmp_path / "g.json", [GOTHIC]]
    qtbot.mouseClick(dialog.import_button, LEFT)
    files = dialog.findChildren(QFileDialog)[-1]
    with qtbot.waitSignal(dialog.import_asked) as imported:
        files.fileSelected.emit(str(tmp_path / "in.json"))
    files.close()
    assert imported.args == [tmp_path / "in.json"]


def test_a_problem_is_said_until_something_else_is_shown(dialog: PresetDialog) -> None:
    dialog.show_problem("There is no preset in x.json.")
    assert dialog.problem.text() == "There is no preset in x.json."
    dialog.show_presets((), BALANCED)
    assert dialog.problem.text() == ""


@pytest.mark.qt_log_ignore("raise", "grabbing the keyboard", extend=True)
def test_the_list_has_room_for_all_that_can_be_chosen(qtbot: Any, themes: ThemeSwitch) -> None:
    box = PresetBox()
    qtbot.addWidget(box)
    box.show()
    box.showPopup()
    QApplication.processEvents()
    view = box.view()
    assert [box.itemText(row) for row in range(box.count())][-1] == "Edit Presets…"
    last = view.visualRect(view.model().index(box.count() - 1, 0))
    assert view.viewport().rect().contains(last)
    box.hidePopup()
