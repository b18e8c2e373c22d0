"""Notifies a writer who is in another program that a draft has ended or needs attention."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.settings.settings import Settings
from quire.system.number_text import number_text
from quire.ui.translated import translated

if TYPE_CHECKING:
    from quire.app import App
    from quire.domain.text_quality.alarms import Alarm

SHOWN_MS, ICON_MS = 10_000, 60_000
"""How long a notification and its icon are visible."""
_BEFORE_THE_END = (DraftState.LOADING, DraftState.READING, DraftState.DRAFTING, DraftState.PAUSING)


class DesktopNotices(QObject):
    """Shows a desktop notification if possible; otherwise the window requests attention.

    Attributes:
        clicked: called when the writer clicks a notification.
    """

    def __init__(self, window: QWidget, clicked: Callable[[], None]) -> None:
        super().__init__(window)
        self._window, self._clicked = window, clicked
        self._tray: QSystemTrayIcon | None = None
        self._gone = QTimer(self)
        self._gone.setSingleShot(True)
        self._gone.setInterval(ICON_MS)
        self._gone.timeout.connect(self.clear)

    def show(self, title: str, text: str) -> None:
        """Show a notification."""
        QApplication.alert(self._window)
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.messageClicked.connect(self._answered)
            self._tray.activated.connect(self._answered)
        self._tray.show()  # desktops show notifications only with an icon there
        self._tray.showMessage(title, text, self._window.windowIcon(), SHOWN_MS)
        self._gone.start()

    @Slot()
    def clear(self) -> None:
        """Remove the icon."""
        if self._tray is not None:
            self._tray.hide()

    @Slot()
    def _answered(self) -> None:
        self.clear()
        self._clicked()


class DesktopNotifier(QObject):
    """Notifies at the goal, at a warning and at an error, while the window is not active.

    Args:
        show: shows a title and a sentence outside the window.
    """

    def __init__(self, app: App, show: Callable[[str, str], None] | None = None) -> None:
        super().__init__(app.window)
        self._window, self._progress = app.window, app.window.progress
        self._notices = DesktopNotices(app.window, self._come_forward)
        self._show = self._notices.show if show is None else show
        self._is_on = True
        self._was = DraftState.IDLE
        self._alarmed = False
        app.settings.follow(self._take)
        app.events.draft.status_changed.subscribe("notifications", self._status_changed)
        app.events.alarm_raised.subscribe("notifications", self._alarm)

    def _take(self, settings: Settings) -> None:
        self._is_on = settings.notify

    def is_watched(self) -> bool:
        """Return whether the window is active."""
        return self._window.isActiveWindow()

    def _alarm(self, alarm: Alarm) -> None:
        """Notify of what is seriously wrong with the draft."""
        if alarm.severity.value != "amber":
            self._alarmed = True
            self._notify(self.tr("Your draft needs attention"), translated(alarm.sentence))

    def _status_changed(self, status: DraftStatus) -> None:
        """Notify how a draft ended, unless the writer paused it."""
        before, self._was = self._was, status.state
        if status.state is DraftState.LOADING:
            self._alarmed = False
        if before not in _BEFORE_THE_END or status.state in _BEFORE_THE_END:
            return
        if status.state is DraftState.FINISHED:
            counted = self.tr("{0} words drafted.").format(number_text(self._progress.num_words))
            is_reached = self._progress.words_left == 0
            title = self.tr("Goal reached") if is_reached else self.tr("Draft finished")
            self._notify(title, f"{counted} {translated(status.sentence)}".strip())
        elif status.state is DraftState.FAILED:
            self._notify(self.tr("Draft stopped"), translated(status.sentence))
        elif status.state is DraftState.PAUSED and status.sentence and not self._alarmed:
            self._notify(self.tr("Draft paused"), translated(status.sentence))

    # ------------------------------------------------------------ inside
    def _notify(self, title: str, sentence: str) -> None:
        if self._is_on and not self.is_watched():
            self._show(title, sentence)

    def _come_forward(self) -> None:
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()
