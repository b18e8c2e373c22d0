"""The page: a running head and the manuscript under it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from quire.editor.manuscript_editor import ManuscriptEditor
from quire.models.desk import DeskModel
from quire.theme.icons import icon
from quire.theme.keeper import ThemeKeeper
from quire.widgets.find_bar import FindBar
from quire.widgets.labels import ElidedLabel

_HEAD_PX = 11
_HEAD_SPACING_PERCENT = 114
_HEAD_WIDTH_PX = 620


class ManuscriptPage(QFrame):
    """Shows the title as books do, small and above the text."""

    def __init__(self, desk: DeskModel, themes: ThemeKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._desk, self._themes = desk, themes
        self.running_head = ElidedLabel(self)
        self.running_head.setObjectName("runningHead")
        font = self.running_head.font()
        font.setPixelSize(_HEAD_PX)
        font.setWeight(QFont.Weight.Medium)
        font.setCapitalization(QFont.Capitalization.AllUppercase)
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, _HEAD_SPACING_PERCENT)
        self.running_head.setFont(font)
        self.running_head.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.running_head.setFixedSize(_HEAD_WIDTH_PX, 44)
        self.editor = ManuscriptEditor(self)
        self.find_bar = FindBar(self.editor, themes, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.find_bar)
        layout.addWidget(self.running_head, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self.editor, 1)
        desk.changed.connect(self._show_title)
        themes.changed.connect(self._dress)
        self._show_title()
        self._dress()

    @Slot()
    def _show_title(self) -> None:
        self.running_head.show_text(self._desk.title or "")

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.editor.set_tokens(tokens)
        self.editor.newest_button.setIcon(icon("down", tokens.ink, size=16))
