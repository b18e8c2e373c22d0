from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.shell import project_status as status_module
from quire.shell.project_status import ProjectStatus, SaveState


@pytest.fixture
def status() -> ProjectStatus:
    status = ProjectStatus()
    status.open("The Ferry")
    return status


@pytest.mark.parametrize("state", list(DraftState))
def test_continue_and_pause_exclude_each_other(status: ProjectStatus, state: DraftState) -> None:
    status.show_status(DraftStatus(state))
    assert not (status.can_continue and status.can_pause)
    assert status.can_continue or status.can_pause or state in (DraftState.PAUSING, DraftState.NO_MODEL)


def test_nothing_can_be_drafted_without_a_project() -> None:
    assert not ProjectStatus().can_continue


def test_nothing_begins_while_leaving(status: ProjectStatus) -> None:
    status.show_leaving(leaving=True)
    assert not status.can_continue
    status.show_leaving(leaving=False)
    assert status.can_continue


def test_nothing_begins_while_another_project_opens(status: ProjectStatus) -> None:
    status.show_switching(switching=True)
    assert status.switching
    assert not status.can_continue
    status.show_switching(switching=False)
    assert status.can_continue


def test_typing_is_saving_until_it_is_saved(status: ProjectStatus) -> None:
    states = []
    for happened in (status.typed, status.not_saved, status.typed, status.saved):
        happened()
        states.append(status.save_state)
    assert states == [SaveState.SAVING, SaveState.NOT_SAVED, SaveState.SAVING, SaveState.SAVED]


def after(status: ProjectStatus, *happened: Callable[[], None]) -> list[SaveState]:
    """Return what is shown after each of these."""
    states = []
    for one in happened:
        one()
        states.append(status.save_state)
    return states


def test_the_worse_of_text_and_draft_is_shown(status: ProjectStatus) -> None:
    # a draft goes on being stored while what was typed waits, or could not be stored
    assert after(status, status.typed, status.draft_saved) == [SaveState.SAVING, SaveState.SAVING]
    assert after(status, status.not_saved, status.drafted, status.draft_saved) == [SaveState.NOT_SAVED] * 3
    assert after(status, status.text_saved) == [SaveState.SAVED]


def test_what_is_drafted_and_late_is_said_when_the_text_is_stored(
    status: ProjectStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_module, "_STORED_LATE_MS", -1)
    assert after(status, status.drafted, status.drafted) == [SaveState.SAVED, SaveState.SAVING]
    assert after(status, status.typed, status.text_saved) == [SaveState.SAVING, SaveState.SAVING]
    assert after(status, status.saved) == [SaveState.SAVED]


def test_drafting_does_not_flicker_between_saving_and_saved(status: ProjectStatus, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(status.changed):
        for _ in range(10):
            status.drafted()
            status.draft_saved()
    assert status.save_state is SaveState.SAVED


def test_the_same_number_of_words_is_no_change(status: ProjectStatus, qtbot: Any) -> None:
    status.count_words(7)
    with qtbot.assertNotEmitted(status.changed):
        status.count_words(7)
