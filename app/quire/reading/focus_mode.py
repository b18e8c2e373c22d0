"""Focus mode: only the page, apart from what needs an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QColor, QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QProgressBar, QWidget

from quire.reading.page_alone import PageAlone
from quire.shell.draft_progress import ProgressModel
from quire.shell.project_status import ProjectStatus
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label
from quire.ui.translated import translated

LINE_PX = 2
_STEPS = 10_000
_HINT_MS = 6_000
_HINT_BELOW_PX = 14
"""From the upper edge: the line that is written is mostly low on the page."""
_SERVER_PX = 12
"""Size of its text, and its distance from the corner."""


@dataclass(frozen=True, slots=True)
class FocusParts:
    """What focus mode hides and what shows it again.

    Attributes:
        hidden: widgets that are hidden meanwhile.
        toggles: actions that show one of these; triggering one ends focus mode.
        goers: actions that move the focus to one of these; they end focus mode as well, and are then
            triggered again.
        full_screen: fills the screen meanwhile; None: nothing does.
    """

    hidden: Sequence[QWidget]
    toggles: Sequence[QAction] = ()
    goers: Sequence[QAction] = ()
    full_screen: QAction | None = None


class ProgressLine(QProgressBar):
    """The progress of a draft, at the lower edge of the window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._tokens: Tokens = LIGHT
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setAccessibleName(self.tr("Progress towards the goal"))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme."""
        self._tokens = tokens
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a thin line and the finished part of it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._tokens.line))
        done = round(self.width() * self.value() / self.maximum())
        painter.fillRect(0, 0, done, self.height(), QColor(self._tokens.accent))
        painter.end()


class FocusMode(QObject):
    """Hides everything around the page, and restores it.

    Attributes:
        action: switches focus mode.

    Signals:
        hint_shown: the hint on how to leave was shown, which is done once.
    """

    hint_shown = Signal()

    def __init__(
        self,
        window: QMainWindow,
        parts: FocusParts,
        action: QAction,
        status: ProjectStatus,
        progress: ProgressModel,
        themes: ThemeSwitch,
    ) -> None:
        super().__init__(window)
        self._window, self._parts, self._action = window, parts, action
        self._status, self._progress, self._themes = status, progress, themes
        self._alone = PageAlone(self.leave, self)
        self._is_on = self._was_full = False
        self._hint_due = True
        self.line = ProgressLine(window)
        self.hint = self._make_hint()
        self.server_label = plain_label(window, _SERVER_PX)
        self.server_label.setObjectName("caption")
        self.server_label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.server_label.hide()
        self._hint_timer = QTimer(self)
        self._hint_timer.setSingleShot(True)
        self._hint_timer.setInterval(_HINT_MS)
        self._hint_timer.timeout.connect(self.hint.hide)
        window.installEventFilter(self)
        action.toggled.connect(self._switch)
        self._alone.watch(parts.toggles, parts.goers)
        status.changed.connect(self._refresh)
        progress.changed.connect(self._show_progress)
        themes.changed.connect(self._dress)
        self._dress()
        self._refresh()

    @property
    def is_on(self) -> bool:
        """Return whether focus mode is on."""
        return self._is_on

    def set_hint_due(self, *, due: bool) -> None:
        """Set whether to show how to leave."""
        self._hint_due = due

    def add(self, widget: QWidget, toggle: QAction | None = None) -> None:
        """Hide one more widget; toggle: the action that shows it."""
        self._parts = replace(self._parts, hidden=(*self._parts.hidden, widget))
        if toggle is not None:
            self._alone.watch([toggle])

    def leave(self) -> None:
        """Restore everything."""
        self._action.setChecked(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave on an Esc that nothing else handles."""
        if not self._is_on:
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.Resize:
            self._place()
        return self._takes_key(event)

    # ------------------------------------------------------------ inside
    @Slot(bool)
    def _switch(self, on: bool) -> None:
        if on and not self._status.is_open:
            with QSignalBlocker(self._action):
                self._action.setChecked(False)
        elif on and not self._is_on:
            self._enter()
        elif not on and self._is_on:
            self._leave()

    def _enter(self) -> None:
        self._alone.begin(self._parts.hidden)
        # at zero height it is invisible, and its shortcuts still work, unlike those of a hidden menu bar
        self._window.menuBar().setMaximumHeight(0)
        self._is_on = True
        if self._parts.full_screen is not None:
            self._was_full = self._parts.full_screen.isChecked()
            self._parts.full_screen.setChecked(True)
        self._refresh()
        if self._hint_due:
            self._hint_due = False
            self.hint.show()
            self._hint_timer.start()
            self.hint_shown.emit()
        self._place()

    def _leave(self) -> None:
        self._is_on = False
        self._alone.end()
        self._window.menuBar().setMaximumHeight(QWIDGETSIZE_MAX)
        if self._parts.full_screen is not None:
            self._parts.full_screen.setChecked(self._was_full)
        self._hint_timer.stop()
        self.hint.hide()
        self._refresh()

    def _takes_key(self, event: QEvent) -> bool:
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if event.type() is not QEvent.Type.KeyPress or not is_escape or not isinstance(event, QKeyEvent):
            return False
        if not self._status.is_busy and not event.isAutoRepeat():  # the first Esc pauses the draft
            self.leave()
        return True

    @Slot()
    def _refresh(self) -> None:
        self._action.setEnabled(self._status.is_open)
        if self._is_on and not self._status.is_open:
            self.leave()
        self._show_progress()
        self.line.setVisible(self._is_on and self._status.is_busy)
        self.line.raise_()
        self._show_server()

    @Slot()
    def _show_progress(self) -> None:
        self.line.setValue(round(_STEPS * self._progress.fraction))

    def _show_server(self) -> None:
        """Show who gets the words, as the strip does that is hidden here."""
        place = translated(self._status.words_go_to)
        self.server_label.setVisible(self._is_on and bool(place))
        if place:
            self.server_label.setText(self.tr("Words go to {0}").format(place))
            self._place_server()

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.line.set_tokens(tokens)
        self.hint.setStyleSheet(
            f"background: {tokens.raised}; color: {tokens.soft_ink}; border: 1px solid {tokens.line};"
            " border-radius: 14px; padding: 5px 14px;"
        )

    def _place(self) -> None:
        width, height = self._window.width(), self._window.height()
        self.line.setGeometry(0, height - LINE_PX, width, LINE_PX)
        size = self.hint.sizeHint()
        left = (width - size.width()) // 2
        self.hint.setGeometry(left, _HINT_BELOW_PX, size.width(), size.height())
        self.hint.raise_()
        self.line.raise_()
        self._place_server()

    def _place_server(self) -> None:
        size, window = self.server_label.sizeHint(), self._window
        left, top = window.width() - size.width() - _SERVER_PX, window.height() - size.height() - _SERVER_PX
        self.server_label.setGeometry(left, top, size.width(), size.height())
        self.server_label.raise_()

    def _make_hint(self) -> QLabel:
        hint = plain_label(
            self._window, weight=QFont.Weight.Medium, text=self.tr("Press F8 or Esc to leave focus mode")
        )
        hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        hint.hide()
        return hint


QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's value for a widget of any height."""
