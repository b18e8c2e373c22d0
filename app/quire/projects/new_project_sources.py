"""The starting points of a new project: an opening, an imported text, an outline."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript.outline_import import Outline
from quire.domain.manuscript.tree import NodeKind
from quire.projects.new_project import OpeningLength, templates
from quire.system.number_text import number_text
from quire.theme.fonts import headline_font
from quire.theme.text_size import set_scaled_font
from quire.ui.calm_fields import CalmCombo
from quire.ui.labels import ElidedLabel, plain_label


class OpeningStart(QWidget):
    """An opening to paste or write; a short one is accepted with a hint."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = QPlainTextEdit(self)
        self.edit.setAccessibleName(self.tr("Opening"))
        self.edit.setTabChangesFocus(True)
        self.edit.setPlaceholderText(
            self.tr(
                "Paste or write an opening, or leave this empty.\nA page or more helps the model find the"
                " voice."
            )
        )
        set_scaled_font(self.edit, headline_font, 16)
        self.length_label = plain_label(self)
        self.length_label.setObjectName("caption")
        self.length_label.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.edit, 1)
        layout.addWidget(self.length_label)
        self.edit.textChanged.connect(self._count)
        self._count()

    @property
    def opening(self) -> str:
        """Return the opening, without empty lines around it."""
        return self.edit.document().toRawText().replace("\u2029", "\n").strip("\n")

    @Slot()
    def _count(self) -> None:
        length = OpeningLength.of(self.opening)
        one = length.num_words == 1
        counted = self.tr("1 word.") if one else self.tr("{0} words.").format(number_text(length.num_words))
        if not length.num_words:
            self.length_label.setText("")
        elif length.is_short:
            self.length_label.setText(
                counted
                + " "
                + self.tr("A page or more helps the model find the voice, but shorter works too.")
            )
        else:
            self.length_label.setText(counted)


class ImportStart(QWidget):
    """A file to import; the result is previewed before anything is created."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.choose_button = QPushButton(self.tr("Choose File…"), self)
        self.choose_button.setAutoDefault(False)
        self.file_label = ElidedLabel(self)
        about = plain_label(
            self,
            text=self.tr(
                "Word, OpenDocument, EPUB, Markdown or plain text. Next, you can check the parts and"
                " chapters and add a title and author before anything is created. Your file is not changed."
            ),
        )
        about.setObjectName("caption")
        about.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.choose_button)
        row.addWidget(self.file_label, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addLayout(row)
        layout.addWidget(about)
        layout.addStretch(1)

    @Slot(str)
    def take(self, path: str) -> None:
        """Set the chosen file."""
        self.path = Path(path)
        self.file_label.show_text(self.path.name)
        self.changed.emit()


class OutlineStart(QWidget):
    """An outline to start with, shown chapter by chapter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outlines = templates()
        self.box = CalmCombo(self)
        self.box.setAccessibleName(self.tr("Outline"))
        for outline in self._outlines:
            self.box.addItem(outline.name)
        self.about_label = plain_label(self)
        self.about_label.setObjectName("caption")
        self.about_label.setWordWrap(True)
        self.view = QTreeWidget(self)
        self.view.setAccessibleName(self.tr("Outline chapters"))
        self.view.setObjectName("bookTree")
        self.view.setHeaderHidden(True)
        self.view.setRootIsDecorated(False)
        self.view.setSelectionMode(QTreeWidget.SelectionMode.SingleSelection)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.box)
        layout.addWidget(self.about_label)
        layout.addWidget(self.view, 1)
        self.box.currentIndexChanged.connect(self._show)
        self._show()

    @property
    def outline(self) -> Outline | None:
        """Return the selected outline; None if this Quire came without any."""
        index = self.box.currentIndex()
        return self._outlines[index] if 0 <= index < len(self._outlines) else None

    @Slot()
    def _show(self) -> None:
        self.view.clear()
        outline = self.outline
        self.about_label.setText("" if outline is None else outline.about)
        part: QTreeWidgetItem | None = None
        for entry in () if outline is None else outline.entries:
            item = QTreeWidgetItem([entry.title])
            item.setToolTip(0, entry.synopsis)
            item.setData(0, Qt.ItemDataRole.AccessibleDescriptionRole, entry.synopsis)
            if entry.kind is NodeKind.PART or part is None:
                self.view.addTopLevelItem(item)
            else:
                part.addChild(item)
            if entry.kind is NodeKind.PART:
                part = item
        self.view.expandAll()
