"""The page: a header, the manuscript below it, and places around them for the widgets of features."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from quire.editor.manuscript_editor import ManuscriptEditor
from quire.shell.page_header import PageHead
from quire.shell.project_status import ProjectStatus
from quire.theme.fonts import interface_font
from quire.theme.icons import icon
from quire.theme.text_size import set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import ElidedLabel
from quire.ui.tab_order import tab_last_in

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
        set_scaled_font(self.running_head, _head_font)
        self.header = PageHead(self.running_head, self)
        self.editor = ManuscriptEditor(self)
        self._middle = QHBoxLayout()
        self._middle.setSpacing(0)
        self._middle.addWidget(self.editor, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.header)
        self._column.addLayout(self._middle, 1)
        status.changed.connect(self._show_title)
        themes.changed.connect(self._dress)
        self._show_title()
        self._dress()

    def add_above(self, bar: QWidget) -> None:
        """Put a bar above the header."""
        self._column.insertWidget(0, bar)
        tab_last_in(bar, self)

    def add_beside(self, widget: QWidget, stretch: int = 0) -> None:
        """Put a widget to the right of the text.

        Args:
            stretch: its share of the width, where the text has 1; 0: it takes what it needs.
        """
        self._middle.addWidget(widget, stretch)

    @Slot()
    def _show_title(self) -> None:
        self.running_head.show_text(self._status.title or "")

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.editor.set_tokens(tokens)
        self.editor.newest_button.setIcon(icon("down", tokens.ink, size=16))


def _head_font() -> QFont:
    font = interface_font(_HEAD_PX, QFont.Weight.Medium)
    font.setCapitalization(QFont.Capitalization.AllUppercase)
    font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, _HEAD_SPACING_PERCENT)
    return font
