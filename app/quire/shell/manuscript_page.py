"""The page: a head, the manuscript under it, and the echo map beside that."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from quire.editor.manuscript_editor import ManuscriptEditor
from quire.overlays.echo_density import EchoDensity
from quire.overlays.echo_map import EchoMap
from quire.search.find_bar import FindBar
from quire.shell.page_header import PageHead
from quire.shell.project_status import ProjectStatus
from quire.theme.icons import icon
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import ElidedLabel

_HEAD_PX = 11
_HEAD_SPACING_PERCENT = 114


class ManuscriptPage(QFrame):
    """Shows the title as books do, small and above the text."""

    def __init__(self, status: ProjectStatus, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._status, self._themes = status, themes
        self.running_head = ElidedLabel(self)
        self.running_head.setObjectName("runningHead")
        font = self.running_head.font()
        font.setPixelSize(_HEAD_PX)
        font.setWeight(QFont.Weight.Medium)
        font.setCapitalization(QFont.Capitalization.AllUppercase)
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, _HEAD_SPACING_PERCENT)
        self.running_head.setFont(font)
        self.head = PageHead(self.running_head, themes, self)
        self.editor = ManuscriptEditor(self)
        self.find_bar = FindBar(self.editor, themes, self)
        self.echo_heat = EchoDensity(self)
        self.echo_map = EchoMap(self.echo_heat, themes, self.editor.verticalScrollBar(), self)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.editor, 1)
        middle.addWidget(self.echo_map)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.find_bar)
        layout.addWidget(self.head)
        layout.addLayout(middle, 1)
        # Shift+Tab leads out of the text to what stands before it; these two come behind
        QWidget.setTabOrder(self.editor, self.head.picker)
        QWidget.setTabOrder(self.head.picker, self.echo_map)
        status.changed.connect(self._show_title)
        themes.changed.connect(self._dress)
        self._show_title()
        self._dress()

    @Slot()
    def _show_title(self) -> None:
        self.running_head.show_text(self._status.title or "")

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.editor.set_tokens(tokens)
        self.editor.newest_button.setIcon(icon("down", tokens.ink, size=16))
