"""What the views of the whole book have in common: a caption with buttons, and a way back to the page."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from quire.ui.labels import ElidedLabel, plain_label


class BookView(QFrame):
    """A view of the parts, chapters and scenes in place of the manuscript.

    Signals:
        edit_asked: with a BookEdit.
        document_chosen: the text that the writer wants to see.
        left: the writer wants to write again.
        shown: the view was shown or replaced.
    """

    edit_asked = Signal(object)
    document_chosen = Signal(int)
    left = Signal()
    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.hint = ElidedLabel(self)
        self.hint.setObjectName("caption")
        self.back_button = QPushButton(self.tr("Back to Writing"), self)
        self.back_button.setToolTip(self.tr("Esc"))
        self.back_button.clicked.connect(self.left)

    @property
    def is_current(self) -> bool:
        """Return whether it is shown instead of the manuscript."""
        return not self.isHidden() and self.parentWidget() is not None

    def go_to(self, node_id: int) -> None:
        """Select the row of a text."""
        raise NotImplementedError

    def open_chosen(self) -> None:
        """Open the text of the selected row."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        """Emit that it was shown or replaced."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.shown.emit()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the selected text on Return, leave on Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_chosen()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def lay_out(self, caption: str, view: QAbstractItemView, *buttons: QPushButton) -> None:
        """Put the caption, the hint and the buttons above the rows."""
        bar = QHBoxLayout()
        bar.setSpacing(12)
        bar.addWidget(plain_label(self, 18, QFont.Weight.DemiBold, caption))
        bar.addSpacing(12)
        bar.addWidget(self.hint, 1)
        for button in (*buttons, self.back_button):
            bar.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 16, 24, 16)
        layout.setSpacing(12)
        layout.addLayout(bar)
        layout.addWidget(view, 1)
        self.setFocusProxy(view)
