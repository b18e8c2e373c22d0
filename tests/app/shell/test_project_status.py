from __future__ import annotations

from typing import Any

import pytest

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.manuscript.writing_statistics import WritingTally
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


def test_a_save_state_is_shown_once(status: ProjectStatus, qtbot: Any) -> None:
    with qtbot.waitSignal(status.saved):
        status.show_save_state(SaveState.SAVING)
    assert status.save_state is SaveState.SAVING
    with qtbot.assertNotEmitted(status.saved):
        status.show_save_state(SaveState.SAVING)


def test_the_same_number_of_words_is_no_change(status: ProjectStatus, qtbot: Any) -> None:
    status.count_words(7)
    with qtbot.assertNotEmitted(status.counted):
        status.count_words(7)


def test_words_and_saving_do_not_tell_those_who_ask_what_can_be_done(
    status: ProjectStatus, qtbot: Any
) -> None:
    with qtbot.assertNotEmitted(status.changed):
        status.count_words(7)
        status.show_today(WritingTally(1.0, 2, 3))
        status.show_save_state(SaveState.SAVING)
