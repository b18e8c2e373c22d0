"""The bar below the last line about the draft that the text ends with."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label

_BAR_PX = 34


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
        self.keep_button = self._button(self.tr("Keep"), self.tr("Keep the draft and hide this bar"))
        self.retry_button = self._button(
            self.tr("Retry"), self.tr("Draft again; this draft is kept as a take (Alt+R)")
        )
        self.undo_button = self._button(
            self.tr("Undo"), self.tr("Remove the draft from the text; it is kept as a take (Ctrl+Z)")
        )
        self.redraft_button = self._button(
            self.tr("Redraft From Here"), self.tr("Draft again from the cursor (Ctrl+Shift+Return)")
        )
        self.redo_button = self._button(
            self.tr("Redo Draft"), self.tr("Bring the draft back into the text (Ctrl+Shift+Z)")
        )
        self.previous_button = self._arrow("<", self.tr("Previous take (Alt+PgUp)"))
        self.take_label = plain_label(self)
        self.next_button = self._arrow(">", self.tr("Next take (Alt+PgDown)"))
        self._lay_out()
        self._wire()
        themes.changed.connect(self._dress)
        self._dress()
        self.hide()

    def show_draft(self, number: int, count: int) -> None:
        """Show what can be done with the draft, which is one of several takes."""
        for button in (self.keep_button, self.retry_button, self.undo_button, self.redraft_button):
            button.show()
        self.redo_button.hide()
        for part in (self.previous_button, self.take_label, self.next_button):
            part.setVisible(count > 1)
        self.take_label.setText(self.tr("Take {0} of {1}").format(number, count))
        self.adjustSize()

    def show_undone(self) -> None:
        """Show that the draft was undone, and the way back."""
        for button in (self.retry_button, self.undo_button, self.redraft_button):
            button.hide()
        for part in (self.previous_button, self.take_label, self.next_button, self.keep_button):
            part.hide()
        self.redo_button.show()
        self.adjustSize()

    def _lay_out(self) -> None:
        self.setFixedHeight(_BAR_PX)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 2, 4, 2)
        layout.setSpacing(2)
        for button in (
            self.keep_button, self.retry_button, self.undo_button, self.redraft_button, self.redo_button,
        ):  # fmt: skip
            layout.addWidget(button)
        layout.addSpacing(8)
        for part in (self.previous_button, self.take_label, self.next_button):
            layout.addWidget(part)

    def _wire(self) -> None:
        self.keep_button.clicked.connect(self.keep_asked)
        self.retry_button.clicked.connect(self.retry_asked)
        self.undo_button.clicked.connect(self.undo_asked)
        self.redraft_button.clicked.connect(self.redraft_asked)
        self.redo_button.clicked.connect(self.redo_asked)
        self.previous_button.clicked.connect(lambda: self.take_asked.emit(-1))
        self.next_button.clicked.connect(lambda: self.take_asked.emit(1))

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        button.setAccessibleDescription(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not take the caret out of the text
        button.setAutoDefault(False)
        return button

    def _arrow(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("plain")
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

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
