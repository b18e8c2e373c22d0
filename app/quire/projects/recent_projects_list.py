"""Recent projects, each as a button; missing ones can be removed from the list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDate, QLocale, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from quire.projects.recent_projects import RecentProject, days_ago
from quire.system.number_text import number_text
from quire.theme.fonts import headline_font
from quire.theme.text_size import fit, set_scaled_font
from quire.ui.labels import ElidedLabel

_TITLE_PX = 17
_LINE_PX = 26


class RecentButton(QToolButton):
    """One project in two lines: its title, and its folder and when it was open."""

    def __init__(self, project: RecentProject, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plain")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setEnabled(project.exists)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{project.title}, {about}, {project.folder}")
        self.setToolTip(str(project.path))
        self.title_label = ElidedLabel(self)
        set_scaled_font(self.title_label, headline_font, _TITLE_PX)
        fit(self.title_label.setFixedHeight, _LINE_PX)  # Literata is taller than its line height
        self.title_label.show_text(project.title)
        self.about_label = ElidedLabel(self)
        self.about_label.setObjectName("caption")
        self.about_label.show_text(f"{about}  ·  {project.folder}")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 6, 10, 8)
        layout.setSpacing(1)
        for label in (self.title_label, self.about_label):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            layout.addWidget(label)

    def sizeHint(self) -> QSize:
        """Return a size for both lines."""
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return no width."""
        return QSize(120, self.sizeHint().height())


class RecentList(QWidget):
    """The list; the arrow keys move between the items.

    Signals:
        chosen: a project to open.
        forget_asked: a project to remove from the list.
    """

    chosen = Signal(Path)
    forget_asked = Signal(Path)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: list[RecentButton] = []
        self.remove_buttons: list[QPushButton] = []
        self._rows: list[QWidget] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2)

    def show_projects(self, projects: Sequence[RecentProject], now: datetime | None = None) -> None:
        """List projects, the most recent first."""
        now = now or datetime.now(UTC)
        for row in self._rows:
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows, self.buttons, self.remove_buttons = [], [], []
        for project in projects:
            row = self._row(project, now)
            self._rows.append(row)
            self._layout.addWidget(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move up and down with the arrow keys."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        enabled = [button for button in self.buttons if button.isEnabled()]
        here = next((place for place, button in enumerate(enabled) if button.hasFocus()), None)
        if steps is None or here is None:
            super().keyPressEvent(event)
        else:
            enabled[min(max(here + steps, 0), len(enabled) - 1)].setFocus()

    def _row(self, project: RecentProject, now: datetime) -> QWidget:
        row = QWidget(self)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        button = RecentButton(project, self._about(project, now), row)
        button.clicked.connect(partial(self.chosen.emit, project.path))
        self.buttons.append(button)
        layout.addWidget(button, 1)
        if not project.exists:
            remove = QPushButton(self.tr("Remove"), row)
            remove.setAccessibleName(self.tr("Remove {0} from the list").format(project.title))
            remove.clicked.connect(partial(self.forget_asked.emit, project.path))
            self.remove_buttons.append(remove)
            layout.addWidget(remove)
        return row

    def _about(self, project: RecentProject, now: datetime) -> str:
        parts = [] if project.exists else [self.tr("not found")]
        if project.opened is not None:
            parts.append(self._when(project.opened, now))
        if project.num_words is not None:
            one = project.num_words == 1
            parts.append(
                self.tr("1 word") if one else self.tr("{0} words").format(number_text(project.num_words))
            )
        return "  ·  ".join(parts) or self.tr("opened earlier")

    def _when(self, opened: datetime, now: datetime) -> str:
        days = days_ago(opened, now)
        if days <= 0:
            return self.tr("today")
        if days == 1:
            return self.tr("yesterday")
        date = opened.astimezone().date()
        return QLocale().toString(QDate(date.year, date.month, date.day), QLocale.FormatType.LongFormat)
