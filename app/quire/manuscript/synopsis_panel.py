"""The details of one text of the book: its status, its words, its synopsis."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript.tree import Node, NodeKind, Status
from quire.domain.manuscript.tree_requests import SetExported, SetStatus, SetSynopsis
from quire.domain.manuscript.word_counts import Words
from quire.theme.fonts import interface_font
from quire.theme.text_size import INTERFACE_PX, fit, set_scaled_font
from quire.ui.calm_fields import CalmCombo
from quire.ui.form_parts import caption, small_button
from quire.ui.labels import ElidedLabel
from quire.ui.tree_labels import TreeLabels

_STORE_AFTER_MS = 250
_SMALL_PX = 12
_MIN_SYNOPSIS_PX = 52


class StatusBox(CalmCombo):
    """A combo box for the status."""

    def __init__(self, texts: TreeLabels, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Status"))
        for status in Status:
            self.addItem(texts.status(status), status.value)

    @property
    def status(self) -> Status:
        """Return the selected status."""
        return Status(self.currentData())

    def show_status(self, status: Status) -> None:
        """Show a status without emitting a signal."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(status.value))


class NodeDetails(QFrame):
    """Shows one node and lets the writer edit it.

    Signals:
        edit_asked: with a BookEdit.
        summary_asked: the row whose chapters the model is to sum up.
        stop_asked: stop that.
    """

    edit_asked = Signal(object)
    summary_asked = Signal(int)
    stop_asked = Signal()

    def __init__(self, texts: TreeLabels, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("nodeDetails")
        self._texts = texts
        self._node: Node | None = None
        self._shown_synopsis = ""
        self.title = ElidedLabel(self)
        set_scaled_font(self.title, interface_font, INTERFACE_PX, QFont.Weight.DemiBold)
        self.words = ElidedLabel(self)
        self.words.setObjectName("caption")
        set_scaled_font(self.words, interface_font, _SMALL_PX)
        self.status_box = StatusBox(texts, self)
        self.exported_box = QCheckBox(self.tr("Export"), self)
        self.exported_box.setToolTip(self.tr("Include in exports and prints"))
        self.synopsis = QPlainTextEdit(self)
        self.synopsis.setAccessibleName(self.tr("Synopsis"))
        self.synopsis.setPlaceholderText(self.tr("What happens here, in a sentence or two"))
        self.synopsis.setTabChangesFocus(True)
        fit(self.synopsis.setMinimumHeight, _MIN_SYNOPSIS_PX)
        self.synopsis.installEventFilter(self)
        self.sum_up_button = small_button("", self)
        self.said = caption(self)
        self._is_summing_up = False
        self._store_soon = QTimer(self)
        self._store_soon.setSingleShot(True)
        self._store_soon.setInterval(_STORE_AFTER_MS)
        self._store_soon.timeout.connect(self.flush)
        self.status_box.activated.connect(self._choose_status)
        self.exported_box.clicked.connect(self._choose_exported)
        self.synopsis.textChanged.connect(self._store_soon.start)
        self.sum_up_button.clicked.connect(self._ask_for_summary)
        self._lay_out()
        self.clear()

    def clear(self) -> None:
        """Show nothing and drop pending edits: they belong to another book."""
        self._store_soon.stop()
        self._node = None
        self.show_node(None, Words(), may_edit=False)

    def show_node(self, node: Node | None, words: Words, *, may_edit: bool) -> None:
        """Show a node; pending edits of the node that is already shown are kept."""
        if node is None or self._node is None or node.node_id != self._node.node_id:
            if not self._is_summing_up:
                self.said.clear()
            self.flush()
            self._show_synopsis("" if node is None else node.synopsis)
        elif self.synopsis.toPlainText() == self._shown_synopsis:  # the writer has not changed it
            self._show_synopsis(node.synopsis)
        self._node = node
        self.title.show_text("" if node is None else self._texts.title(node))
        in_book = node is not None and node.kind.in_manuscript
        self.show_words(words)
        self.status_box.show_status(Status.NONE if node is None else node.status)
        with QSignalBlocker(self.exported_box):
            self.exported_box.setChecked(node is not None and node.exported)
        may_edit = may_edit and node is not None
        self.status_box.setEnabled(may_edit)
        self.exported_box.setEnabled(may_edit)
        self.exported_box.setVisible(in_book and node is not None and node.kind is not NodeKind.BOOK)
        self.synopsis.setReadOnly(not may_edit)
        self.synopsis.setEnabled(node is not None)
        self.sum_up_button.setVisible(in_book)
        self.sum_up_button.setEnabled(may_edit or self._is_summing_up)
        self.show_summing_up(self.said.text(), is_on=self._is_summing_up)

    def show_summing_up(self, sentence: str, *, is_on: bool) -> None:
        """Show the progress of the model's summaries, or a sentence about their end."""
        self._is_summing_up = is_on
        one = self._node is None or self._node.kind in (NodeKind.CHAPTER, NodeKind.SCENE)
        text = self.tr("Sum Up with the Model") if one else self.tr("Sum Up Its Chapters with the Model")
        self.sum_up_button.setText(self.tr("Stop") if is_on else text)
        self.sum_up_button.setToolTip(
            "" if is_on else self.tr("Writes the synopsis; your own words are never overwritten")
        )
        self.said.setText(sentence)
        self.said.setVisible(bool(sentence))

    def show_words(self, words: Words) -> None:
        """Show the word counts of the same node."""
        self.words.show_text("" if self._node is None else self._texts.words(words))

    @Slot()
    def flush(self) -> None:
        """Request that pending edits are stored."""
        self._store_soon.stop()
        text = self.synopsis.toPlainText()
        if self._node is not None and not self.synopsis.isReadOnly() and text != self._shown_synopsis:
            self._shown_synopsis = text
            self.edit_asked.emit(SetSynopsis(self._node.node_id, text))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Store the synopsis when the field loses the focus."""
        if watched is self.synopsis and event.type() is QEvent.Type.FocusOut:
            self.flush()
        return super().eventFilter(watched, event)

    def _show_synopsis(self, text: str) -> None:
        self._shown_synopsis = text
        if text != self.synopsis.toPlainText():
            with QSignalBlocker(self.synopsis):
                self.synopsis.setPlainText(text)

    @Slot()
    def _ask_for_summary(self) -> None:
        self.flush()
        if self._is_summing_up:
            self.stop_asked.emit()
        elif self._node is not None:
            self.summary_asked.emit(self._node.node_id)

    @Slot()
    def _choose_status(self) -> None:
        if self._node is not None:
            self.edit_asked.emit(SetStatus(self._node.node_id, self.status_box.status))

    @Slot(bool)
    def _choose_exported(self, exported: bool) -> None:
        if self._node is not None:
            self.edit_asked.emit(SetExported(self._node.node_id, exported))

    def _lay_out(self) -> None:
        choices = QHBoxLayout()
        choices.setSpacing(10)
        choices.addWidget(self.status_box, 1)
        choices.addWidget(self.exported_box)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 10, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.title)
        layout.addWidget(self.words)
        layout.addLayout(choices)
        layout.addWidget(self.synopsis, 1)
        layout.addWidget(self.said)
        layout.addWidget(self.sum_up_button, 0, Qt.AlignmentFlag.AlignLeft)
