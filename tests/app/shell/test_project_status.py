from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.shell import project_status as desk_module
from quire.shell.project_status import ProjectStatus, SaveState


@pytest.fixture
def desk() -> ProjectStatus:
    desk = ProjectStatus()
    desk.open("The Ferry")
    return desk


@pytest.mark.parametrize("state", list(DraftState))
def test_continue_and_pause_exclude_each_other(desk: ProjectStatus, state: DraftState) -> None:
    desk.show_status(DraftStatus(state))
    assert not (desk.can_continue and desk.can_pause)
    assert desk.can_continue or desk.can_pause or state in (DraftState.PAUSING, DraftState.NO_MODEL)


def test_nothing_can_be_drafted_without_a_project() -> None:
    assert not ProjectStatus().can_continue


def test_nothing_begins_while_leaving(desk: ProjectStatus) -> None:
    desk.show_leaving(leaving=True)
    assert not desk.can_continue
    desk.show_leaving(leaving=False)
    assert desk.can_continue


def test_nothing_begins_while_another_project_opens(desk: ProjectStatus) -> None:
    desk.show_switching(switching=True)
    assert desk.switching
    assert not desk.can_continue
    desk.show_switching(switching=False)
    assert desk.can_continue


def test_typing_is_saving_until_it_is_saved(desk: ProjectStatus) -> None:
    states = []
    for happened in (desk.typed, desk.not_saved, desk.typed, desk.saved):
        happened()
        states.append(desk.save_state)
    assert states == [SaveState.SAVING, SaveState.NOT_SAVED, SaveState.SAVING, SaveState.SAVED]


def after(desk: ProjectStatus, *happened: Callable[[], None]) -> list[SaveState]:
    """Return what is shown after each of these."""
    states = []
    for one in happened:
        one()
        states.append(desk.save_state)
    return states


def test_the_worse_of_text_and_draft_is_shown(desk: ProjectStatus) -> None:
    # a draft goes on being stored while what was typed waits, or could not be stored
    assert after(desk, desk.typed, desk.draft_saved) == [SaveState.SAVING, SaveState.SAVING]
    assert after(desk, desk.not_saved, desk.drafted, desk.draft_saved) == [SaveState.NOT_SAVED] * 3
    assert after(desk, desk.text_saved) == [SaveState.SAVED]


def test_what_is_drafted_and_late_is_said_when_the_text_is_stored(
    desk: ProjectStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_module, "_STORED_LATE_MS", -1)
    assert after(desk, desk.drafted, desk.drafted) == [SaveState.SAVED, SaveState.SAVING]
    assert after(desk, desk.typed, desk.text_saved) == [SaveState.SAVING, SaveState.SAVING]
    assert after(desk, desk.saved) == [SaveState.SAVED]


def test_drafting_does_not_flicker_between_saving_and_saved(desk: ProjectStatus, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(desk.changed):
        for _ in range(10):
            desk.drafted()
            desk.draft_saved()
    assert desk.save_state is SaveState.SAVED


def test_the_same_number_of_words_is_no_change(desk: ProjectStatus, qtbot: Any) -> None:
    desk.count_words(7)
    with qtbot.assertNotEmitted(desk.changed):
        desk.count_words(7)
