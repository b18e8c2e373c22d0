from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.drafting.draft_display import DraftDisplay
from quire.shell.main_window import MainWindow
from tests.app.bare_app import bare_app


@pytest.fixture
def view(window: MainWindow, tmp_path: Path) -> DraftDisplay:
    return bare_app(window, tmp_path, "controls", "display").display


def test_what_was_dismissed_stays_away_until_the_next_sitting(
    view: DraftDisplay, window: MainWindow, qtbot: Any
) -> None:
    def read(fraction: float) -> None:
        view.status_changed(
            DraftStatus(DraftState.READING, "The text is too long to be read whole.", fraction)
        )

    view.begin(500)
    read(0.1)
    assert window.notice_bar.notice is not None
    qtbot.mouseClick(window.toast.close_button, Qt.MouseButton.LeftButton)
    read(0.2)
    assert window.notice_bar.notice is None
    view.end(None, everything_stored=True)
    view.begin(500)
    read(0.1)
    assert window.notice_bar.notice is not None
    view.end(None, everything_stored=True)


def test_what_passes_is_taken_back_when_it_has_passed(view: DraftDisplay, window: MainWindow) -> None:
    waiting = DraftStatus(DraftState.DRAFTING, "Nothing answers. Quire is trying again.", is_waiting=True)
    view.begin(500)
    view.status_changed(waiting)
    assert window.notice_bar.notice is not None
    view.status_changed(DraftStatus(DraftState.DRAFTING))
    assert window.notice_bar.notice is None
    view.status_changed(waiting)  # once more
    assert window.notice_bar.notice is not None
    view.status_changed(DraftStatus(DraftState.DRAFTING, "The oldest part was left out."))
    assert window.notice_bar.notice.text == "The oldest part was left out."
    view.end(None, everything_stored=True)
