"""The words that are correct in this book, regardless of the dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript.spelling import is_listable, plain_form
from quire.spelling.dictionary_file_dialogs import WordFileDialog
from quire.system.number_text import number_text
from quire.ui.labels import plain_label
from quire.ui.translated import translated


class WordListDialog(QDialog):
    """Shows the list and asks for changes; open it with open(), which does not block.

    Signals:
        added: a tuple of words.
        removed: a tuple of words.
        import_asked: a text file with one word per line.
        export_asked: a text file with one word per line.
    """

    added = Signal(object)
    removed = Signal(object)
    import_asked = Signal(Path)
    export_asked = Signal(Path)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Personal Dictionary"))
        self.setMinimumSize(460, 480)
        self.hint_label = plain_label(self)
        self.hint_label.setObjectName("caption")
        self.hint_label.setWordWrap(True)
        self.word_edit = QLineEdit(self)
        self.word_edit.setAccessibleName(self.tr("Word to add"))
        self.word_edit.setPlaceholderText(self.tr("A name or word from your book"))
        self.word_edit.setMaxLength(60)
        self.add_button = self._button(self.tr("&Add"))
        self.list = QListWidget(self)
        self.list.setObjectName("wordList")
        self.list.setAccessibleName(self.tr("Words in the personal dictionary"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setUniformItemSizes(True)
        self.list.setSpacing(3)
        self.remove_button = self._button(self.tr("&Remove"))
        self.import_button = self._button(self.tr("&Import…"))
        self.export_button = self._button(self.tr("&Export…"))
        self.close_button = self._button(self.tr("Close"))
        self.said_label = plain_label(self)
        self.said_label.setWordWrap(True)
        self._lay_out()
        self._wire()
        self.show_words(())

    def show_words(self, words: Sequence[str], hint: str = "") -> None:
        """Show the current list, with a hint about it."""
        chosen = {item.text() for item in self.list.selectedItems()}
        self.list.clear()
        self.list.addItems(list(words))
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setSelected(item.text() in chosen)
        count = self.tr("1 word") if len(words) == 1 else self.tr("{0} words").format(number_text(len(words)))
        usual = self.tr("Personal dictionary ({0})").format(count)
        self.hint_label.setText(f"{usual} {hint}".strip())
        self.said_label.clear()
        self._refresh()

    def say(self, sentence: str) -> None:
        """Show the result of an action or why it failed."""
        self.said_label.setText(translated(sentence))

    # ------------------------------------------------------------ inside
    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        return button

    def _lay_out(self) -> None:
        adding = QHBoxLayout()
        adding.setSpacing(10)
        adding.addWidget(self.word_edit, 1)
        adding.addWidget(self.add_button)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        for button in (self.remove_button, self.import_button, self.export_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(14)
        layout.addWidget(self.hint_label)
        layout.addLayout(adding)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.said_label)
        layout.addLayout(buttons)

    def _wire(self) -> None:
        self.word_edit.textChanged.connect(self._refresh)
        self.word_edit.returnPressed.connect(self._add)
        self.add_button.clicked.connect(self._add)
        self.list.itemSelectionChanged.connect(self._refresh)
        self.remove_button.clicked.connect(self._remove)
        self.import_button.clicked.connect(self.ask_for_import)
        self.export_button.clicked.connect(self.ask_for_export)
        self.close_button.clicked.connect(self.accept)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)

    @property
    def _word(self) -> str:
        return plain_form(self.word_edit.text().strip())

    @Slot()
    def _refresh(self) -> None:
        self.add_button.setEnabled(is_listable(self._word))
        self.remove_button.setEnabled(bool(self.list.selectedItems()))
        self.export_button.setEnabled(self.list.count() > 0)

    @Slot()
    def _add(self) -> None:
        word = self._word
        if is_listable(word):
            self.word_edit.clear()
            self.added.emit((word,))

    @Slot()
    def _remove(self) -> None:
        words = tuple(item.text() for item in self.list.selectedItems())
        if words:
            self.removed.emit(words)

    @Slot()
    def ask_for_import(self) -> WordFileDialog:
        """Let the writer choose a file to import words from."""
        dialog = WordFileDialog(self, to_write=False)
        dialog.fileSelected.connect(self._import)
        dialog.open()
        return dialog

    @Slot()
    def ask_for_export(self) -> WordFileDialog:
        """Let the writer choose a file to export the words to."""
        dialog = WordFileDialog(self, to_write=True)
        dialog.fileSelected.connect(self._export)
        dialog.open()
        return dialog

    @Slot(str)
    def _import(self, path: str) -> None:
        self.import_asked.emit(Path(path))

    @Slot(str)
    def _export(self, path: str) -> None:
        self.export_asked.emit(Path(path))
