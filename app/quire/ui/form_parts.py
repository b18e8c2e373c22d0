"""The parts of the steering panel: collapsible sections, and fields that grow with their text."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QTransform
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from quire.theme.fonts import figures_font, interface_font
from quire.theme.icons import icon
from quire.theme.text_size import INTERFACE_PX, fit_icon, set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import ElidedLabel, plain_label

SMALL_PX = 12
_ARROW_PX = 12


class GrowingEdit(QPlainTextEdit):
    """A plain text field that grows with its content, up to a number of lines.

    Signals:
        edited: the new text, each time the writer changed it.
    """

    edited = Signal(str)

    def __init__(self, name: str, hint: str, lines: tuple[int, int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = lines
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setTabChangesFocus(True)
        set_scaled_font(self, interface_font)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(self._grow)
        self.textChanged.connect(self._notify)
        self._grow()

    def show_text(self, text: str) -> None:
        """Show the stored text; keep caret and scroll position if it is the same."""
        if text != self.toPlainText():
            with QSignalBlocker(self):
                self.setPlainText(text)
            self._grow()

    def sizeHint(self) -> QSize:
        """Return the size of the text's lines."""
        return QSize(super().sizeHint().width(), self.height())

    @Slot()
    def _notify(self) -> None:
        self.edited.emit(self.toPlainText())

    @Slot()
    def _grow(self) -> None:
        # the layout of plain text counts lines, not pixels
        num_lines = round(self.document().documentLayout().documentSize().height())
        fewest, most = self._lines
        around = round(2 * self.document().documentMargin()) + 14  # the frame and the padding of the style
        shown = min(max(num_lines, fewest), most)
        self.setFixedHeight(shown * QFontMetrics(self.font()).lineSpacing() + around)


class Section(QFrame):
    """A collapsible section with a heading; figure: a number at its right."""

    folded = Signal(bool)

    def __init__(self, title: str, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self.head = QToolButton(self)
        self.head.setText(title)
        self.head.setAutoRaise(True)
        self.head.setCheckable(True)
        self.head.setChecked(True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setObjectName("plain")
        set_scaled_font(self.head, interface_font, INTERFACE_PX, QFont.Weight.DemiBold)
        self.head.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.head.toggled.connect(self._fold)
        self.figure = ElidedLabel(self)
        self.figure.setObjectName("caption")
        set_scaled_font(self.figure, figures_font, SMALL_PX)
        self._head_row = QHBoxLayout()
        self._head_row.setContentsMargins(0, 0, 0, 0)
        self._head_row.setSpacing(4)
        self._head_row.addWidget(self.head)
        self._head_row.addStretch(1)
        self._head_row.addWidget(self.figure)
        self.body = QWidget(self)
        self.column = QVBoxLayout(self.body)
        self.column.setContentsMargins(2, 0, 0, 2)
        self.column.setSpacing(5)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(self._head_row)
        layout.addWidget(self.body)
        themes.changed.connect(self._dress)
        self._fold(True)

    def add_button(self, button: QWidget) -> None:
        """Put a button at the right of the heading."""
        self._head_row.addWidget(button)

    def open(self) -> None:
        """Expand the section."""
        self.head.setChecked(True)

    @Slot(bool)
    def _fold(self, is_open: bool) -> None:
        self.body.setVisible(is_open)
        state = self.tr("expanded") if is_open else self.tr("collapsed")
        self.head.setAccessibleName(self.tr("{0}, {1}").format(self.head.text(), state))
        self._dress()
        self.folded.emit(not is_open)

    @Slot()
    def _dress(self) -> None:
        arrow = icon("down", self._themes.tokens.soft_ink, size=_ARROW_PX).pixmap(_ARROW_PX, _ARROW_PX)
        if not self.head.isChecked():
            arrow = arrow.transformed(QTransform().rotate(-90))
        self.head.setIcon(QIcon(arrow))
        fit_icon(self.head, _ARROW_PX)


def caption(parent: QWidget) -> QLabel:
    """Return a small label that may have several lines."""
    label = plain_label(parent, SMALL_PX)
    label.setObjectName("caption")
    label.setWordWrap(True)
    return label


def small_button(text: str, parent: QWidget) -> QToolButton:
    """Return a small, unobtrusive text button."""
    button = QToolButton(parent)
    button.setText(text)
    button.setObjectName("plain")
    set_scaled_font(button, interface_font, SMALL_PX)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setStyleSheet(
        "QToolButton { color: palette(link); padding: 3px 4px; }"
        " QToolButton:disabled { color: palette(dark); }"
    )
    return button


def bar_button(parent: QWidget, text: str, tip: str) -> QPushButton:
    """Return a button of a bar at the text."""
    button = QPushButton(text, parent)
    button.setToolTip(tip)
    button.setAccessibleDescription(tip)
    return button


def arrow_button(parent: QWidget, text: str, tip: str) -> QToolButton:
    """Return a small button that goes to the previous or the next of several."""
    button = QToolButton(parent)
    button.setObjectName("plain")
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    return button


def finish_dialog(dialog: QDialog, content: QLayout, close_text: str) -> QLayout:
    close = QPushButton(close_text, dialog)
    close.setDefault(True)
    close.clicked.connect(dialog.accept)
    buttons = QHBoxLayout()
    buttons.addStretch(1)
    buttons.addWidget(close)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(28, 24, 28, 20)
    layout.setSpacing(18)
    layout.addLayout(content)
    layout.addLayout(buttons)
    return layout
