"""A smaller model that drafts ahead is chosen in the list of models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from quire.model_library import draft_model_box
from quire.services.model_library.draft_models import DraftChoice
from quire.services.model_library.model_library import ModelOrigin
from quire.settings.settings import ModelChoice, Settings
from quire_resources import BUILT_IN_MODEL
from tests.app.model_library.room import Room, own_model


def test_the_model_that_drafts_ahead_is_chosen_in_the_list_and_kept(
    run: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, offered = str(tmp_path / "small"), [DraftChoice(tmp_path / "small", "small", is_suggested=True)]
    monkeypatch.setattr(draft_model_box, "draft_choices", lambda _large, _models: tuple(offered))

    async def scenario(room: Room) -> None:
        dialog = await room.open()
        box = dialog.draft_model
        assert box.list.isEnabled()
        assert [box.list.itemText(row) for row in range(box.list.count())] == ["None", "small (suggested)"]
        assert box.list.currentIndex() == 0
        box.list.activated.emit(1)
        assert room.settings.draft_model_of(BUILT_IN_MODEL) == small
        assert ModelChoice.of(room.settings, "").draft_model == small
        offered.clear()  # its folder was deleted
        dialog._refresh()
        await room.shown.settle()
        assert box.list.currentText() == "small (doesn't fit or is gone)"
        box.list.activated.emit(0)
        assert room.settings.draft_models == {}
        dialog._refresh()
        await room.shown.settle()
        assert not box.list.isEnabled()
        assert box.said.text() == "No smaller model of the same family is on this computer."

    run(scenario)


def test_the_rest_is_folded_and_nothing_moves_with_the_selection(run: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        dialog = await room.open()
        assert not dialog.downloads.isVisible()
        assert dialog.use_button.isVisible()
        dialog.more_button.click()
        assert dialog.downloads.isVisible()
        (known,) = dialog.table.models
        elsewhere = replace(known, path=known.path / "other", origin=ModelOrigin.SUGGESTED)
        dialog.show_models([known, elsewhere], BUILT_IN_MODEL, has_book=True)
        places = set()
        for model in (known, elsewhere):
            dialog.choose(model.path)
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            places.add((dialog.view.height(), dialog.details_area.y(), dialog.downloads.y()))
        assert len(places) == 1

    run(scenario)


def test_the_row_of_smaller_models_says_that_it_looks_and_is_there_only_for_models_of_this_computer(
    run: Callable[..., None],
) -> None:
    async def scenario(room: Room) -> None:
        dialog = await room.open()
        (known,) = dialog.table.models
        dialog.more_button.click()
        box = dialog.draft_model
        assert box.isVisibleTo(dialog)
        elsewhere = replace(known, path=known.path / "other", origin=ModelOrigin.SUGGESTED)
        dialog.show_models([known, elsewhere], BUILT_IN_MODEL, has_book=True)
        dialog.choose(elsewhere.path)
        assert not box.isVisibleTo(dialog)
        dialog.choose(known.path)
        assert box.isVisibleTo(dialog)
        assert (box.said.text(), box.list.isEnabled()) == ("Looking for smaller models…", False)
        await room.shown.settle()
        assert box.said.text() == "No smaller model of the same family is on this computer."

    run(scenario)


def test_a_removed_model_drafts_ahead_for_no_other(run: Callable[..., None], tmp_path: Path) -> None:
    mine = own_model(tmp_path / "mine")

    async def scenario(room: Room) -> None:
        room.part._library.add(mine)
        kept = {"/models/third": "/models/fourth"}
        chosen = {str(BUILT_IN_MODEL): str(mine), "/models/other": str(mine)}
        room.set_to(Settings(draft_models=chosen | kept))
        dialog = await room.open()
        dialog.choose(mine)
        dialog.remove_button.click()
        await room.shown.settle()
        assert room.settings.draft_models == kept

    run(scenario)
