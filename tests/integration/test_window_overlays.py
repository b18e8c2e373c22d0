"""Overlays in a real window: the key, what a draft leaves behind, and a redraft with other words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from quire.application import Application
from quire.domain.text_quality.overlays import Overlay
from quire.editor.search_matches import select_place
from quire.overlays.alternatives_popover import AlternativesPopover
from quire.services.transactions.closed_projects import read_project
from quire_engine.api.queries import Alternative, TokenScore
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import TEXT, Desktop, ended, press


class OneWord:
    """Would have written another word for any selection."""

    async def score(
        self, prompt_text: str, text: str, progressed: Callable[[float], None]
    ) -> Sequence[TokenScore]:
        """Find it improbable."""
        return (TokenScore(text, 0, len(text), 0.01, 40, (Alternative(" boat", 0.5),)),)


async def one_word() -> OneWord:
    return OneWord()


def test_the_key_marks_what_was_drafted(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        window = quire.window
        quire.app.controls.bar.goal_box.set_goal(20)
        press(qtbot, quire, "continue")
        await ended(quire)
        qtbot.keyClick(window.editor, Qt.Key.Key_F7)
        assert quire.app.page_overlays.picker.overlay is Overlay.SOURCE
        first = window.editor.document().begin()
        await turns_until(lambda: first.layout().formats())
        marks = first.layout().formats()
        assert marks[0].start == len(TEXT)  # what the writer wrote stands without a mark
        window.editor.selectAll()
        window.editor.copy()
        assert "text/html" not in QApplication.clipboard().mimeData().formats()

    assert desktop.start(ScriptedBackend(), scenario) == 0


def test_a_draft_goes_on_behind_other_words(desktop: Desktop, qtbot: Any) -> None:
    place = TEXT.index(" nobody")

    async def scenario(quire: Application) -> None:
        window = quire.window
        quire.app.drafts.questions = one_word  # type: ignore[assignment,method-assign]
        quire.app.controls.bar.goal_box.set_goal(5)
        select_place(window.editor, place, place + 7)
        quire.app.overlays.actions.alternatives.trigger()
        await turns_until(lambda: window.findChild(AlternativesPopover) is not None)
        dialog = window.findChild(AlternativesPopover)
        assert isinstance(dialog, AlternativesPopover)
        await turns_until(dialog.redraft_button.isEnabled)
        qtbot.mouseClick(dialog.redraft_button, Qt.MouseButton.LeftButton)
        await turns_until(lambda: quire.window.status.is_busy)
        await ended(quire)
        assert window.editor.text().startswith(f"{TEXT[:place]} boat")
        assert len(window.editor.text()) > place + 5

    assert desktop.start(ScriptedBackend(), scenario) == 0
    project = read_project(desktop.sample)
    assert project.text.startswith(f"{TEXT[:place]} boat")
    assert project.runs[-1].take_id is not None
