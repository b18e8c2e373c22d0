"""A manuscript from another program, previewed before it is imported."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from quire.book_formats.importing.import_plan import Division, ImportDecision, ImportPlan, PreviewPiece
from quire.domain.manuscript.tree import NodeKind
from quire.system.number_text import number_text
from quire.ui.calm_fields import CalmCombo
from quire.ui.labels import ElidedLabel, plain_label
from quire.ui.progress_row import WorkRow
from quire.ui.translated import translated
from quire_engine.metrics.word_count import count_words


class ImportDialog(QDialog):
    """Previews the texts and asks for confirmation; open it with open(), which does not block."""

    import_wanted = Signal(ImportDecision)
    stop_wanted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan: ImportPlan | None = None
        self._is_working = True
        self.setWindowTitle(self.tr("Import Manuscript"))
        self.setMinimumSize(640, 480)
        self.file_label = ElidedLabel(self)
        self.file_label.show_text(name)
        self.title_edit = QLineEdit(self)
        self.title_edit.setAccessibleName(self.tr("Title"))
        self.author_edit = QLineEdit(self)
        self.author_edit.setAccessibleName(self.tr("Author"))
        self.division_box = CalmCombo(self)
        self.division_box.setAccessibleName(self.tr("Split"))
        self.division_box.addItem(self.tr("At chapters"), Division.CHAPTERS.value)
        self.division_box.addItem(self.tr("At chapters and scenes"), Division.SCENES.value)
        self.division_box.addItem(self.tr("Only if too long"), Division.WHOLE.value)
        self.pieces_view = self._view()
        self.summary_label = plain_label(self)
        self.summary_label.setWordWrap(True)
        self.problem_label = plain_label(self)
        self.problem_label.setWordWrap(True)
        self.work_row = WorkRow(self)
        self.import_button = QPushButton(self.tr("Import"), self)
        self.import_button.setProperty("primary", True)
        self.import_button.setDefault(True)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.cancel_button.setAutoDefault(False)
        self._lay_out()
        self.division_box.currentIndexChanged.connect(self._show_pieces)
        self.title_edit.textChanged.connect(self._check)
        self.import_button.clicked.connect(self._import)
        self.cancel_button.clicked.connect(self.reject)
        self.work_row.stop_wanted.connect(self.stop_wanted)
        self.work_row.begin(self.tr("Reading {0}").format(name))
        self._check()

    def show_share(self, share: float) -> None:
        """Show how much is read, from 0 to 1."""
        self.work_row.show_share(share)

    def show_plan(self, plan: ImportPlan) -> None:
        """Show what was read."""
        self._end_work()
        self._plan = plan
        self.title_edit.setText(plan.title)
        self.author_edit.setText(plan.manuscript.author)
        self._show_pieces()
        self._check()
        self.import_button.setFocus()

    def show_problem(self, problem: str) -> None:
        """Show why reading failed."""
        self._end_work()
        self.problem_label.setText(translated(problem))
        self._check()

    @Slot()
    def reject(self) -> None:
        """Close, and stop reading the file."""
        if self._is_working:
            self.stop_wanted.emit()
        super().reject()

    @property
    def _division(self) -> Division:
        return Division(self.division_box.currentData())

    def _view(self) -> QTreeWidget:
        view = QTreeWidget(self)
        view.setAccessibleName(self.tr("Texts to be created"))
        view.setHeaderLabels([self.tr("Title"), self.tr("Kind"), self.tr("Words")])
        view.setUniformRowHeights(True)
        view.setStyleSheet("QTreeView::item { min-height: 22px; }")
        view.setAllColumnsShowFocus(True)
        header = view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        view.headerItem().setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return view

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(14)
        fields.setVerticalSpacing(10)
        fields.setColumnStretch(1, 1)
        rows = (
            (self.tr("File"), self.file_label),
            (self.tr("Title"), self.title_edit),
            (self.tr("Author"), self.author_edit),
            (self.tr("Split"), self.division_box),
        )
        for row, (text, widget) in enumerate(rows):
            caption = plain_label(self, text=text)
            caption.setObjectName("caption")
            fields.addWidget(caption, row, 0)
            fields.addWidget(widget, row, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.problem_label, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.import_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 20)
        layout.setSpacing(16)
        layout.addLayout(fields)
        layout.addWidget(self.pieces_view, 1)
        layout.addWidget(self.summary_label)
        layout.addWidget(self.work_row)
        layout.addLayout(buttons)

    def _end_work(self) -> None:
        self._is_working = False
        self.work_row.end()

    @Slot()
    def _check(self) -> None:
        ready = self._plan is not None
        for widget in (self.title_edit, self.author_edit, self.division_box, self.pieces_view):
            widget.setEnabled(ready)
        self.import_button.setEnabled(ready and bool(self.title_edit.text().strip()))

    @Slot()
    def _show_pieces(self) -> None:
        if self._plan is None:
            return
        pieces = self._plan.pieces(self._division)
        self.pieces_view.clear()
        self.pieces_view.addTopLevelItems(self._items(pieces))
        self.pieces_view.expandAll()
        self.summary_label.setText(self._summary(self._plan, pieces))

    def _items(self, pieces: Sequence[PreviewPiece]) -> list[QTreeWidgetItem]:
        kinds = {
            NodeKind.PART: self.tr("Part"),
            NodeKind.CHAPTER: self.tr("Chapter"),
            NodeKind.SCENE: self.tr("Scene"),
        }
        tops = list[QTreeWidgetItem]()
        above = dict[NodeKind, QTreeWidgetItem]()
        for piece in pieces:
            words = number_text(piece.num_words) if piece.num_words or piece.kind is not NodeKind.PART else ""
            title = " ".join(piece.title.split()) or self.tr("Untitled")
            item = QTreeWidgetItem([title, kinds[piece.kind], words])
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            parent = _parent_of(piece.kind, above)
            if parent is None:
                tops.append(item)
            else:
                parent.addChild(item)
            above[piece.kind] = item
            if piece.kind is NodeKind.PART:
                above.pop(NodeKind.CHAPTER, None)
        return tops

    def _summary(self, plan: ImportPlan, pieces: Sequence[PreviewPiece]) -> str:
        num_words = sum(piece.num_words for piece in pieces)
        texts = (
            self.tr("1 text") if len(pieces) == 1 else self.tr("{0} texts").format(number_text(len(pieces)))
        )
        said = self.tr("{0}, {1} words.").format(texts, number_text(num_words))
        if plan.manuscript.left_out:
            counted = (_counted(count, thing) for thing, count in plan.manuscript.left_out)
            said += " " + self.tr("Only the text is imported. Left out: {0}.").format(", ".join(counted))
            if num_left := count_words(plan.manuscript.left_out_text):
                said += " " + self.tr("Words in it: {0}.").format(number_text(num_left))
        return said + " " + self.tr("Your file is not changed.")

    @Slot()
    def _import(self) -> None:
        if self._plan is not None:
            title, author = self.title_edit.text().strip(), self.author_edit.text().strip()
            self.import_wanted.emit(ImportDecision(self._plan, self._division, title, author))
            self.accept()


def _parent_of(kind: NodeKind, above: dict[NodeKind, QTreeWidgetItem]) -> QTreeWidgetItem | None:
    if kind is NodeKind.PART:
        return None
    if kind is NodeKind.SCENE and NodeKind.CHAPTER in above:
        return above[NodeKind.CHAPTER]
    return above.get(NodeKind.PART)


def _counted(count: int, thing: str) -> str:
    return f"1 {thing}" if count == 1 else f"{number_text(count)} {thing}s"
