"""One notice above the manuscript; it takes no focus and can be ignored."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from quire.models.notices import Notice, Remedy

MAX_MORE = 2
"""So many ways on a notice offers beside the suggested one."""


class NoticeBar(QFrame):
    """Shows a notice until it is dismissed or acted upon."""

    remedy_chosen = Signal(Remedy)
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._notice: Notice | None = None
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.remedy_button = QPushButton(self)
        self.remedy_button.clicked.connect(self._act)
        self.more_buttons = [QPushButton(self) for _ in range(MAX_MORE)]
        for place, button in enumerate(self.more_buttons):
            button.clicked.connect(partial(self._act_on, place))
        self.dismiss_button = QPushButton(self.tr("Dismiss"), self)
        self.dismiss_button.clicked.connect(self._dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 10, 16, 10)
        layout.setSpacing(10)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.remedy_button)
        for button in self.more_buttons:
            layout.addWidget(button)
        layout.addWidget(self.dismiss_button)
        self.hide()

    @property
    def notice(self) -> Notice | None:
        """What is being said; None when nothing is."""
        return self._notice

    def show_notice(self, notice: Notice) -> None:
        """Say something in place of what was said before."""
        self._notice = notice
        self.label.setText(notice.text)
        self.setAccessibleName(notice.text)
        self.setProperty("kind", notice.kind.value)
        self.style().unpolish(self)  # a style sheet looks at properties only when it polishes
        self.style().polish(self)
        self.style().unpolish(self.label)
        self.style().polish(self.label)
        self.remedy_button.setVisible(notice.remedy is not None)
        if notice.remedy is not None:
            self.remedy_button.setText(self._text_of(notice.remedy))
        for place, button in enumerate(self.more_buttons):
            button.setVisible(place < len(notice.more))
            button.setText(self._text_of(notice.more[place]) if place < len(notice.more) else "")
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def clear(self) -> None:
        """Say nothing any more."""
        self._notice = None
        self.hide()

    @Slot()
    def _act(self) -> None:
        remedy = None if self._notice is None else self._notice.remedy
        self.clear()
        if remedy is not None:
            self.remedy_chosen.emit(remedy)

    def _act_on(self, place: int) -> None:
        more = () if self._notice is None else self._notice.more
        self.clear()
        if place < len(more):
            self.remedy_chosen.emit(more[place])

    @Slot()
    def _dismiss(self) -> None:
        self.clear()
        self.dismissed.emit()

    def _text_of(self, remedy: Remedy) -> str:
        return {
            Remedy.RESUME: self.tr("Resume drafting"),
            Remedy.READ_TAIL: self.tr("Let it read the newest part"),
            Remedy.CHOOSE_MODEL: self.tr("Choose model..."),
            Remedy.SAVE_AGAIN: self.tr("Save again"),
            Remedy.REWIND: self.tr("Rewind and go on"),
            Remedy.OPEN_BACKUP: self.tr("Open the last good backup"),
            Remedy.SHOW_REPORT: self.tr("Show Report"),
            Remedy.SWITCH_ON: self.tr("Switch Drafting On"),
            Remedy.DISCARD_TAKE: self.tr("Discard this take"),
        }[remedy]
