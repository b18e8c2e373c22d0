"""The controls of drafting in the window: the bar above the manuscript, the state at the bottom, the speed
of a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from quire.drafting.draft_bar import DraftBar
from quire.drafting.pace_model import PaceModel
from quire.drafting.run_strip import RunStrip

if TYPE_CHECKING:
    from quire.app import App
    from quire.settings.settings import Settings


class DraftControls(QObject):
    """Creates bar and strip, adds them to the window, and connects their actions."""

    def __init__(self, app: App) -> None:
        window = app.window
        super().__init__(window)
        self._window = window
        self.pace = PaceModel()
        self.bar = DraftBar(window.status, window.themes, window)
        self.strip = RunStrip(window.status, window.progress, self.pace, window.themes, window)
        window.add_bar(self.bar)
        window.status_line.add_state(self.strip)
        self.strip.pace_clicked.connect(window.commands.charts.toggle)
        do = window.commands
        do.go_on.triggered.connect(self.bar.ask_to_continue)
        do.pause.triggered.connect(self.bar.ask_to_pause)
        do.go_to_draft_bar.triggered.connect(self._go_to_bar)
        self.bar.goal_box.goal_changed.connect(window.preferences_changed)
        app.settings.follow(self._take)

    def _take(self, settings: Settings) -> None:
        for part in (self.strip, self._window.status_line):
            part.set_research(on=settings.research_view)

    @Slot()
    def _go_to_bar(self) -> None:
        """Focus the first enabled control: Tab belongs to the text, so this is the way out."""
        bar, notice = self.bar, self._window.notice_bar
        controls: list[QWidget] = [bar.pause_button, bar.continue_button]
        if notice.isVisible():
            controls += [notice.action_button, notice.dismiss_button]
        controls += [bar.goal_box, bar.theme_button]
        next(one for one in controls if one.isEnabled() and one.isVisibleTo(self._window)).setFocus()
