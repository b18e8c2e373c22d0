"""A manuscript from another program, previewed before it is imported."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
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

_WRITTEN = ("note", "comment", "front matter", "page beside the text", "other text")
"""What the author wrote of what may be left out: it is kept unless the writer decides otherwise."""


class ImportDialog(QDialog):
    """Previews the texts and asks for confirmation; open it with open(), which does not block."""

    import_wanted = Signal(ImportDecision)
    encoding_wanted = Signal(str)
    stop_wanted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan: ImportPlan | None = None
        self.is_working = False
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
        self.encoding_box = CalmCombo(self)
        self.encoding_box.setAccessibleName(self.tr("Encoding"))
        self.rest_box = QCheckBox(self.tr("Keep what is left out as a note"), self)
        self.rest_box.hide()
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
        self.encoding_box.activated.connect(self._read_again)
        self._begin_work()

    def show_share(self, share: float) -> None:
        """Show how much is read, from 0 to 1."""
        self.work_row.show_share(share)

    def show_plan(self, plan: ImportPlan) -> None:
        """Show what was read."""
        self._end_work()
        self._plan = plan
        self.title_edit.setText(plan.title)
        self.author_edit.setText(plan.manuscript.author)
        self._show_encoding(plan.manuscript.encoding)
        self.rest_box.setVisible(bool(plan.manuscript.left_out_text))
        self.rest_box.setChecked(any(thing in _WRITTEN for thing, _ in plan.manuscript.left_out))
        self.problem_label.clear()
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
        if self.is_working:
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
            (self.tr("Encoding"), self.encoding_box),
            (self.tr("Split"), self.division_box),
        )
        for row, (text, widget) in enumerate(rows):
            caption = plain_label(self, text=text)
            caption.setObjectName("caption")
            fields.addWidget(caption, row, 0)
            fields.addWidget(widget, row, 1)
            if widget is self.encoding_box:
                self.encoding_caption = caption
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
        layout.addWidget(self.rest_box)
        layout.addWidget(self.work_row)
        layout.addLayout(buttons)

    def _begin_work(self) -> None:
        self.is_working = True
        self.work_row.begin(self.tr("Reading {0}").format(self.file_label.whole_text))
        self._check()

    def _end_work(self) -> None:
        self.is_working = False
        self.work_row.end()

    def _show_encoding(self, encoding: str) -> None:
        """Offer the encodings for a text file; other files say theirs themselves."""
        for widget in (self.encoding_box, self.encoding_caption):
            widget.setVisible(bool(encoding))
        if not encoding:
            return
        name = codecs.lookup(encoding).name.replace("utf-8-sig", "utf-8")
        if not self.encoding_box.count():
            for codec, text in self._encodings():
                self.encoding_box.addItem(text, codec)
        if self.encoding_box.findData(name) < 0:
            self.encoding_box.addItem(name.upper(), name)
        self.encoding_box.setCurrentIndex(self.encoding_box.findData(name))

    def _encodings(self) -> tuple[tuple[str, str], ...]:
        return (
            ("utf-8", "UTF-8"),
            ("utf-16", "UTF-16"),
            ("cp1252", self.tr("Western European (Windows-1252)")),
            ("cp1250", self.tr("Central European (Windows-1250)")),
            ("cp1257", self.tr("Baltic (Windows-1257)")),
            ("cp1251", self.tr("Cyrillic (Windows-1251)")),
            ("koi8-r", self.tr("Cyrillic (KOI8-R)")),
            ("cp1253", self.tr("Greek (Windows-1253)")),
            ("cp1254", self.tr("Turkish (Windows-1254)")),
            ("cp1255", self.tr("Hebrew (Windows-1255)")),
            ("cp1256", self.tr("Arabic (Windows-1256)")),
            ("cp1258", self.tr("Vietnamese (Windows-1258)")),
            ("cp874", self.tr("Thai (Windows-874)")),
            ("shift_jis", self.tr("Japanese (Shift JIS)")),
            ("euc_jp", self.tr("Japanese (EUC-JP)")),
            ("gb18030", self.tr("Chinese (GB 18030)")),
            ("big5", self.tr("Chinese (Big5)")),
            ("cp949", self.tr("Korean (Windows-949)")),
            ("mac-roman", self.tr("Western European (Mac)")),
            ("cp850", self.tr("Western European (DOS)")),
        )

    @Slot()
    def _read_again(self) -> None:
        self._begin_work()
        self.encoding_wanted.emit(self.encoding_box.currentData())

    @Slot()
    def _check(self) -> None:
        ready = self._plan is not None and not self.is_working
        for widget in (self.title_edit, self.author_edit, self.division_box, self.pieces_view, self.rest_box):
            widget.setEnabled(ready)
        self.encoding_box.setEnabled(not self.is_working)
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
            counted = (self._counted(count, thing) for thing, count in plan.manuscript.left_out)
            said += " " + self.tr("Only the text is imported. Left out: {0}.").format(", ".join(counted))
            if num_left := count_words(plan.manuscript.left_out_text):
                said += " " + self.tr("Words in it: {0}.").format(number_text(num_left))
        return said + " " + self.tr("Your file is not changed.")

    @property
    def _keeps_rest(self) -> bool:
        return self.rest_box.isChecked() and not self.rest_box.isHidden()

    def _counted(self, count: int, thing: str) -> str:
        one, more = {
            "picture": (self.tr("1 picture"), self.tr("{0} pictures")),
            "note": (self.tr("1 footnote"), self.tr("{0} footnotes")),
            "comment": (self.tr("1 comment"), self.tr("{0} comments")),
            "table": (self.tr("the form of 1 table"), self.tr("the form of {0} tables")),
            "missing page": (self.tr("1 missing page"), self.tr("{0} missing pages")),
            "title page": (self.tr("1 title page"), self.tr("{0} title pages")),
            "hidden text": (self.tr("1 hidden text"), self.tr("{0} hidden texts")),
            "running head": (self.tr("1 header or footer"), self.tr("{0} headers and footers")),
            "diagram": (self.tr("1 diagram"), self.tr("{0} diagrams")),
            "page beside the text": (
                self.tr("1 page beside the text"),
                self.tr("{0} pages beside the text"),
            ),
            "front matter": (self.tr("1 block of front matter"), self.tr("{0} blocks of front matter")),
            "other text": (self.tr("1 other piece of text"), self.tr("{0} other pieces of text")),
            "table of contents": (self.tr("1 table of contents"), self.tr("{0} tables of contents")),
        }[thing]
        return one if count == 1 else more.format(number_text(count))

    @Slot()
    def _import(self) -> None:
        if self._plan is not None:
            title, author = self.title_edit.text().strip(), self.author_edit.text().strip()
            self.import_wanted.emit(
                ImportDecision(self._plan, self._division, title, author, self._keeps_rest)
            )
            self.accept()


def _parent_of(kind: NodeKind, above: dict[NodeKind, QTreeWidgetItem]) -> QTreeWidgetItem | None:
    if kind is NodeKind.PART:
        return None
    if kind is NodeKind.SCENE and NodeKind.CHAPTER in above:
        return above[NodeKind.CHAPTER]
    return above.get(NodeKind.PART)
