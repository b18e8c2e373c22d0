"""The bar below the last line about the draft that the text ends with."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from quire.theme.text_size import fit_line
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.form_parts import arrow_button, bar_button
from quire.ui.labels import plain_label

_BAR_PX = 34
_MARGIN_PX, _SPACING_PX, _GAP_PX = 4, 2, 8


class ResultBar(QFrame):
    """Keep, Retry, Undo, Redraft From Here and the takes, where the writer is looking.

    Signals:
        keep_asked: the draft stays; the bar is done.
        retry_asked, undo_asked, redraft_asked, redo_asked: as the menu entries.
        take_asked: -1 for the previous take, 1 for the next.
    """

    keep_asked = Signal()
    retry_asked = Signal()
    undo_asked = Signal()
    redraft_asked = Signal()
    redo_asked = Signal()
    take_asked = Signal(int)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resultBar")
        self.setAccessibleName(self.tr("The last draft"))
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._themes = themes
        self.keep_button = bar_button(
            self, self.tr("Keep"), self.tr("Keep the draft; its tint and this bar go away")
        )
        self.retry_button = bar_button(
            self, self.tr("Retry"), self.tr("Draft again; this draft is kept as a take (Alt+R)")
        )
        self.undo_button = bar_button(
            self, self.tr("Undo"), self.tr("Remove the draft from the text; it is kept as a take (Ctrl+Z)")
        )
        self.redraft_button = bar_button(
            self, self.tr("Redraft From Here"), self.tr("Draft again from the cursor (Ctrl+Shift+Return)")
        )
        self.redo_button = bar_button(
            self, self.tr("Redo Draft"), self.tr("Bring the draft back into the text (Ctrl+Shift+Z)")
        )
        self.previous_button = arrow_button(self, "<", self.tr("Previous take (Alt+PgUp)"))
        self.take_label = plain_label(self)
        self.next_button = arrow_button(self, ">", self.tr("Next take (Alt+PgDown)"))
        self._parts: tuple[QWidget, ...] = (
            self.keep_button, self.retry_button, self.undo_button, self.redraft_button, self.redo_button,
            self.previous_button, self.take_label, self.next_button,
        )  # fmt: skip
        for part in self._parts:
            part.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not take the caret out of the text
        self._offered: tuple[QWidget, ...] = ()
        self._lay_out()
        self._wire()
        themes.changed.connect(self._dress)
        self._dress()
        self.hide()

    def show_draft(self, number: int, count: int) -> None:
        """Show what can be done with the draft, which is one of several takes."""
        self.take_label.setText(self.tr("Take {0} of {1}").format(number, count))
        takes = (self.previous_button, self.take_label, self.next_button) if count > 1 else ()
        self._offer(self.keep_button, self.retry_button, self.undo_button, self.redraft_button, *takes)

    def show_undone(self) -> None:
        """Show that the draft was undone, and the way back."""
        self._offer(self.redo_button)

    def sizeHint(self) -> QSize:
        """Return the size of everything that is offered, whether or not there is room for it."""
        return QSize(self._width_of(self._offered), _BAR_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what there is no room for."""
        super().resizeEvent(event)
        self._fit()

    def _offer(self, *parts: QWidget) -> None:
        self._offered = parts
        self.adjustSize()
        self._fit()

    def _fit(self) -> None:
        """Hide what is in the menus as well until the rest has room: half a word can't be read."""
        shown = list(self._offered)
        for part in (self.redraft_button, self.keep_button, self.take_label):
            if part in shown and self._width_of(shown) > self.width():
                shown.remove(part)
        for offered in self._parts:
            offered.setVisible(offered in shown)

    def _width_of(self, parts: Sequence[QWidget]) -> int:
        gaps = _SPACING_PX * len(parts) + _GAP_PX + 2 * _MARGIN_PX
        return sum(part.sizeHint().width() for part in parts) + gaps

    def _lay_out(self) -> None:
        fit_line(self, _BAR_PX)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(_MARGIN_PX, 2, _MARGIN_PX, 2)
        layout.setSpacing(_SPACING_PX)
        for part in self._parts:
            if part is self.previous_button:
                layout.addSpacing(_GAP_PX)
            layout.addWidget(part)
        layout.addStretch(1)

    def _wire(self) -> None:
        self.keep_button.clicked.connect(self.keep_asked)
        self.retry_button.clicked.connect(self.retry_asked)
        self.undo_button.clicked.connect(self.undo_asked)
        self.redraft_button.clicked.connect(self.redraft_asked)
        self.redo_button.clicked.connect(self.redo_asked)
        self.previous_button.clicked.connect(lambda: self.take_asked.emit(-1))
        self.next_button.clicked.connect(lambda: self.take_asked.emit(1))

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.setStyleSheet(
            f"#resultBar {{ background: {tokens.raised}; border: 1px solid {tokens.line};"
            f" border-radius: 8px; }}"
            f" QPushButton {{ background: transparent; border: none; color: {tokens.ink};"
            f" padding: 3px 10px; min-height: 20px; border-radius: 5px; }}"
            f" QPushButton:hover {{ background: {tokens.hover}; }}"
            f" QPushButton:focus {{ border: 2px solid {tokens.accent}; padding: 1px 8px; }}"
        )
