"""A message in place of the manuscript."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from quire.theme.fonts import headline_font
from quire.theme.text_size import fit, follow, scaled, set_scaled_font
from quire.ui.labels import plain_label
from quire.ui.translated import translated

_WIDTH_PX = 560


class MessagePage(QFrame):
    """A message, and next steps: a new project, another one, or a backup if there is one."""

    new_clicked = Signal()
    open_clicked = Signal()
    backup_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.headline = plain_label(self)
        set_scaled_font(self.headline, headline_font, 26)
        self.headline.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sentence = plain_label(self, 14)
        self.sentence.setWordWrap(True)
        fit(self.sentence.setFixedWidth, _WIDTH_PX)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.new_button = QPushButton(self.tr("New project…"), self)
        self.new_button.setProperty("primary", True)
        self.new_button.clicked.connect(self.new_clicked)
        self.open_button = QPushButton(self.tr("Open…"), self)
        self.open_button.clicked.connect(self.open_clicked)
        self.backup_button = QPushButton(self.tr("Open Last Good Backup"), self)
        self.backup_button.clicked.connect(self.backup_clicked)
        for button in (self.new_button, self.open_button):
            fit(button.setMinimumWidth, 132)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addStretch(1)
        buttons.addWidget(self.backup_button)
        buttons.addWidget(self.new_button)
        buttons.addWidget(self.open_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addStretch(3)
        layout.addWidget(self.headline)
        layout.addSpacing(14)
        layout.addWidget(self.sentence, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(24)
        layout.addLayout(buttons)
        layout.addStretch(5)

    def show_message(self, headline: str, sentence: str, *, has_backup: bool = False) -> None:
        """Show what happened and what to do."""
        self.backup_button.setVisible(has_backup)
        headline, sentence = translated(headline), translated(sentence)
        self.headline.setText(headline)
        self.sentence.setText(sentence)
        follow(self.sentence, "height", _keep_height)
        self.setAccessibleName(f"{headline} {sentence}")


def _keep_height(sentence: QLabel) -> None:
    sentence.setMinimumHeight(sentence.heightForWidth(scaled(_WIDTH_PX)))
