"""Another text to the right of the manuscript, to be read while writing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from quire.editor.format_layer import FormatLayer
from quire.editor.read_only_text import ReadOnlyText
from quire.editor.text_layers import TextLayers
from quire.theme.text_size import fit_line
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.calm_fields import CalmCombo

_HEIGHT_PX = 44
_MIN_WIDTH_PX = 200
_ROOM_PX = 500
"""A narrower page belongs to the manuscript alone: two columns of it would be a few words wide."""


class TextBeside(QFrame):
    """Shows one text of the project, which can be chosen above it.

    Signals:
        text_chosen: the number of another text.
        edit_asked: the writer wants to edit what is shown.
        closed: the writer has seen enough.
    """

    text_chosen = Signal(int)
    edit_asked = Signal()
    closed = Signal()

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("textBeside")
        self.setAccessibleName(self.tr("Second text"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumWidth(_MIN_WIDTH_PX)
        self._themes = themes
        self._choices: list[tuple[int, str]] = []
        self._page: QWidget | None = None
        self._is_wanted = False
        self.text_box = CalmCombo(self)
        self.text_box.setAccessibleName(self.tr("Text to show"))
        self.text_box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.edit_button = QPushButton(self.tr("Edit"), self)
        self.edit_button.setToolTip(self.tr("Swaps the two texts, so that you can edit this one on the left"))
        self.edit_button.setAccessibleDescription(self.edit_button.toolTip())
        self.close_button = QToolButton(self)
        self.close_button.setText("×")
        self.close_button.setAutoRaise(True)
        self.close_button.setToolTip(self.tr("Close this text"))
        self.close_button.setAccessibleName(self.close_button.toolTip())
        self.page = ReadOnlyText(self)
        self.page.setObjectName("beside")
        self.layers, self._formatting = TextLayers(self.page), FormatLayer(self.page)
        self.layers.add(self._formatting)
        self._lay_out()
        self.text_box.activated.connect(self._choose)
        self.edit_button.clicked.connect(self.edit_asked)
        self.close_button.clicked.connect(self.closed)
        themes.changed.connect(self._dress)
        self._dress()
        self.hide()

    @property
    def has_room(self) -> bool:
        """Return whether the page is wide enough for two texts."""
        return self._page is None or self._page.width() >= _ROOM_PX

    def follow(self, page: QWidget) -> None:
        """Follow the width of a page from now on: hide while it is narrow."""
        self._page = page
        page.installEventFilter(self)

    def set_wanted(self, *, wanted: bool) -> None:
        """Show or hide it."""
        self._is_wanted = wanted
        self.setVisible(wanted and self.has_room)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide when the page becomes narrow, and show again when it is wide."""
        if watched is self._page and event.type() is QEvent.Type.Resize:
            self.setVisible(self._is_wanted and self.has_room)
        return super().eventFilter(watched, event)

    def show_choices(self, choices: Sequence[tuple[int, str]], chosen: int | None, other: str = "") -> None:
        """List the texts that can be shown, by number and title.

        Args:
            chosen: the one that is shown; None for another one, such as a take, which is called `other`.
        """
        self.text_box.setPlaceholderText(other)
        with QSignalBlocker(self.text_box):
            if list(choices) != self._choices:
                self._choices = list(choices)
                self.text_box.clear()
                for node_id, title in choices:
                    self.text_box.addItem(title, node_id)
            self.text_box.setCurrentIndex(-1 if chosen is None else self.text_box.findData(chosen))

    def show_text(self, text: str, title: str, *, is_same: bool, may_edit: bool) -> None:
        """Show a text.

        Args:
            is_same: it is the one that is shown already, perhaps changed: the view stays where it is.
            may_edit: it can come to the left.
        """
        if is_same:
            self.page.update_text(text)
        else:
            self.page.show_text(text, self.tr("{0} (read-only)").format(title))
        self.edit_button.setEnabled(may_edit)

    def sizeHint(self) -> QSize:
        """Return as much as the manuscript beside it gets."""
        return QSize(_MIN_WIDTH_PX, 0)

    def _lay_out(self) -> None:
        head = QWidget(self)
        fit_line(head, _HEIGHT_PX)
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 6, 8, 4)
        row.setSpacing(6)
        row.addWidget(self.text_box, 1)
        row.addWidget(self.edit_button)
        row.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(head)
        layout.addWidget(self.page, 1)
        self.page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @Slot()
    def _choose(self) -> None:
        node_id = self.text_box.currentData()
        if isinstance(node_id, int):
            self.text_chosen.emit(node_id)

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.setStyleSheet(f"#textBeside {{ background: {tokens.paper}; }}")
        self._formatting.set_tokens(tokens)
        self.layers.refresh()
