"""The search field with its three options."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QSizePolicy, QToolButton, QWidget

from quire.domain.manuscript.find_replace import MAX_QUERY_CHARS, Query

_MIN_FIELD_PX = 110


class EntryField(QLineEdit):
    """A line of text.

    Signals:
        entered: Return was pressed, with Shift (backwards) or without.
    """

    entered = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Return; with Ctrl it belongs to the window."""
        with_ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not with_ctrl:
            self.entered.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            event.accept()
            return
        super().keyPressEvent(event)


class QueryField(QWidget):
    """The input for a search query.

    Args:
        stacked: put the options below the field, for narrow places.

    Signals:
        query_changed: the writer edited the query.
    """

    query_changed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, *, stacked: bool = False) -> None:
        super().__init__(parent)
        self.field = EntryField(self)
        self.field.setPlaceholderText(name)
        self.field.setAccessibleName(name)
        self.field.setMinimumWidth(_MIN_FIELD_PX)
        self.field.setMaxLength(MAX_QUERY_CHARS)
        self.field.textEdited.connect(self._changed)
        self.case_button = self._option("Aa", self.tr("Match case and quotation marks"))
        self.words_button = self._option(self.tr("Word"), self.tr("Whole words only"))
        self.regex_button = self._option(".*", self.tr("Regular expression"))
        ways = QBoxLayout.Direction
        layout = QBoxLayout(ways.TopToBottom if stacked else ways.LeftToRight, self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.field, 1)
        self.options = QHBoxLayout()
        self.options.setSpacing(4)
        for button in (self.case_button, self.words_button, self.regex_button):
            self.options.addWidget(button)
        layout.addLayout(self.options)
        self.setFocusProxy(self.field)

    @property
    def query(self) -> Query:
        """Return the query."""
        return Query(
            self.field.text(),
            is_regex=self.regex_button.isChecked(),
            whole_words=self.words_button.isChecked(),
            match_case=self.case_button.isChecked(),
        )

    def _option(self, text: str, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("findOption")
        button.setText(text)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(self._changed)
        return button

    @Slot()
    def _changed(self) -> None:
        self.query_changed.emit()
