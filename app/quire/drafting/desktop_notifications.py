"""Tells a writer who looks elsewhere that a draft has ended, or wants them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from quire.domain.drafting.draft_status import DraftProgress, DraftState, DraftStatus
from quire.settings.settings import Settings
from quire.shell.draft_progress import ProgressModel
from quire.ui.translated import translated

SHOWN_MS, ICON_MS = 10_000, 60_000
"""How long a notice is to be seen, and its icon."""
_BEFORE_THE_END = (DraftState.LOADING, DraftState.READING, DraftState.DRAFTING, DraftState.PAUSING)


class DesktopNotices(QObject):
    """Shows a notice outside the window where the desktop can; elsewhere the window asks to be looked at.

    clicked: called when the writer answers a notice.
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
        """Show a notice."""
        QApplication.alert(self._window)
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.messageClicked.connect(self._answered)
            self._tray.activated.connect(self._answered)
        self._tray.show()  # a desktop shows notices only of what has an icon there
        self._tray.showMessage(title, text, self._window.windowIcon(), SHOWN_MS)
        self._gone.start()

    @Slot()
    def clear(self) -> None:
        """Take the icon away again."""
        if self._tray is not None:
            self._tray.hide()

    @Slot()
    def _answered(self) -> None:
        self.clear()
        self._clicked()


class DesktopNotifier(QObject):
    """Notices at the goal, at an alarm and at an error, while the window is not the one in use.

    show: shows a title and a sentence outside the window. A DraftObserver.
    """

    def __init__(
        self, window: QWidget, progress: ProgressModel, show: Callable[[str, str], None] | None = None
    ) -> None:
        super().__init__(window)
        self._window, self._progress = window, progress
        self._notices = DesktopNotices(window, self._come_forward)
        self._show = self._notices.show if show is None else show
        self._is_on = True
        self._was = DraftState.IDLE
        self._alarmed = False

    def take(self, settings: Settings) -> None:
        """Follow the settings."""
        self._is_on = settings.notify

    def is_watched(self) -> bool:
        """Whether the window is the one in use."""
        return self._window.isActiveWindow()

    def alarm(self, sentence: str) -> None:
        """Take what an alarm says of the draft."""
        self._alarmed = True
        self._tell(self.tr("Your draft needs attention"), translated(sentence))

    # ------------------------------------------------------------ DraftObserver
    def status_changed(self, status: DraftStatus) -> None:
        """Tell how a draft ended; a pause that the writer asked for is no news."""
        before, self._was = self._was, status.state
        if status.state is DraftState.LOADING:
            self._alarmed = False
        if before not in _BEFORE_THE_END or status.state in _BEFORE_THE_END:
            return
        if status.state is DraftState.FINISHED:
            counted = self.tr("{0} words drafted.").format(f"{self._progress.num_words:,}")
            is_reached = self._progress.words_left == 0
            title = self.tr("Goal reached") if is_reached else self.tr("Draft finished")
            self._tell(title, f"{counted} {translated(status.sentence)}".strip())
        elif status.state is DraftState.FAILED:
            self._tell(self.tr("Draft stopped"), translated(status.sentence))
        elif status.state is DraftState.PAUSED and status.sentence and not self._alarmed:
            self._tell(self.tr("Draft paused"), translated(status.sentence))

    def text_drafted(self, text: str) -> None:
        """Nobody is told of single words."""

    def progressed(self, progress: DraftProgress) -> None:
        """Nor of the way to the goal."""

    def saved(self) -> None:
        """Nor of what is as it should be."""

    # ------------------------------------------------------------ inside
    def _tell(self, title: str, sentence: str) -> None:
        if self._is_on and not self.is_watched():
            self._show(title, sentence)

    def _come_forward(self) -> None:
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()
