"""What is printed, and how it looks; then the pages are made and shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPicture
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.tree import Node
from quire.errors import WriterProblem
from quire.exchange.recipe import Format, Look, Paper, Recipe
from quire.widgets.chapter_picker import BOX_STYLE, ChapterPicker
from quire.widgets.labels import plain_label
from quire.widgets.work_row import WorkRow

_POINTS_PER_INCH = 72


class PrintDialog(QDialog):
    """Asks what to print; open it with open(), it never blocks, and stays open while the pages are made.

    pages_wanted: with the recipe for them. stop_wanted: while they are made.
    """

    pages_wanted = Signal(Recipe)
    stop_wanted = Signal()

    def __init__(
        self, nodes: Sequence[Node], recipe: Recipe, check: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Print"))
        self.setMinimumSize(620, 420)
        self._recipe = recipe
        self._is_working = False
        looks = [
            (Look.MANUSCRIPT, self.tr("Standard manuscript")),
            (Look.EBOOK, self.tr("Book")),
            (Look.PLAIN, self.tr("Plain")),
        ]
        self.look_box = QComboBox(self)
        self.look_box.setAccessibleName(self.tr("Look"))
        for look, text in looks:
            self.look_box.addItem(text, look.value)
        self.look_box.setCurrentIndex(self.look_box.findData(recipe.look.value))
        self.paper_box = QComboBox(self)
        self.paper_box.setAccessibleName(self.tr("Paper"))
        for paper, text in ((Paper.A4, self.tr("A4")), (Paper.LETTER, self.tr("US Letter"))):
            self.paper_box.addItem(text, paper.value)
        self.paper_box.setCurrentIndex(self.paper_box.findData(recipe.paper.value))
        self.title_page_box = QCheckBox(self.tr("Begin with a title page"), self)
        self.title_page_box.setStyleSheet(BOX_STYLE.replace("@", "QCheckBox"))
        self.title_page_box.setChecked(recipe.title_page)
        self.picker = ChapterPicker(nodes, None, self)
        self.picker.setAccessibleName(self.tr("Chapters to print"))
        self.check_label = plain_label(self, text=check)
        self.check_label.setWordWrap(True)
        self.check_label.setVisible(bool(check))
        self.problem_label = plain_label(self)
        self.problem_label.setWordWrap(True)
        self.work_row = WorkRow(self)
        self.preview_button = QPushButton(self.tr("Preview"), self)
        self.preview_button.setProperty("primary", True)
        self.preview_button.setDefault(True)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.cancel_button.setAutoDefault(False)
        self._lay_out()
        self.picker.choice_changed.connect(self._check)
        self.preview_button.clicked.connect(self._ask)
        self.cancel_button.clicked.connect(self.reject)
        self.work_row.stop_wanted.connect(self.stop_wanted)
        self._check()

    @property
    def recipe(self) -> Recipe:
        """What is chosen; the rest is as the book was exported last."""
        kept = self._recipe
        look, paper = Look(self.look_box.currentData()), Paper(self.paper_box.currentData())
        title_page = self.title_page_box.isChecked()
        return Recipe(
            Format.PDF, look, title_page, kept.numbering, kept.separator, paper, self.picker.chosen,
            closing_page=kept.closing_page,
        )  # fmt: skip

    def begin_work(self) -> None:
        """Show that the pages are being made."""
        self._set_working(True)
        self.work_row.begin(self.tr("Laying out the pages"))

    def show_share(self, share: float) -> None:
        """Show how much is done, from 0 to 1."""
        self.work_row.show_share(share)

    def end_work(self, problem: str = "") -> None:
        """Show that nothing is made any more, and why nothing was, if there is a sentence for it."""
        self._set_working(False)
        self._check()
        if problem:
            self.problem_label.setText(problem)

    @Slot()
    def reject(self) -> None:
        """Close; while the pages are made, have that stopped instead."""
        if self._is_working:
            self.work_row.stop_button.click()
        else:
            super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Return in the list tick and not print."""
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not (is_return and self.picker.hasFocus()):
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(14)
        fields.setVerticalSpacing(10)
        for row, box in enumerate((self.look_box, self.paper_box)):
            caption = plain_label(self, text=box.accessibleName())
            caption.setObjectName("caption")
            fields.addWidget(caption, row, 0)
            fields.addWidget(box, row, 1)
        fields.addWidget(self.title_page_box, 2, 1)
        fields.setRowStretch(3, 1)
        middle = QHBoxLayout()
        middle.setSpacing(28)
        middle.addLayout(fields)
        middle.addWidget(self.picker, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.problem_label, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.preview_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 20)
        layout.setSpacing(18)
        layout.addLayout(middle, 1)
        layout.addWidget(self.check_label)
        layout.addWidget(self.work_row)
        layout.addLayout(buttons)

    def _set_working(self, working: bool) -> None:
        self._is_working = working
        self.work_row.setVisible(working)
        self.problem_label.setText("")
        for widget in (self.look_box, self.paper_box, self.title_page_box, self.picker, self.cancel_button):
            widget.setEnabled(not working)
        self.preview_button.setEnabled(not working)

    @Slot()
    def _check(self) -> None:
        nothing = self.picker.chosen == ()
        self.preview_button.setEnabled(not nothing)
        self.problem_label.setText(self.tr("Tick at least one chapter.") if nothing else "")

    @Slot()
    def _ask(self) -> None:
        self.pages_wanted.emit(self.recipe)


def play(pages: Sequence[QPicture], size_mm: QSizeF, printer: QPrinter) -> None:
    """Print pages that were drawn for paper of a size; on another one they fit as they are.

    WriterProblem when the printer takes nothing.
    """
    printer.setFullPage(True)
    painter = QPainter()
    if not painter.begin(printer):
        raise WriterProblem("The printer takes nothing. Look whether it is on, or print to a PDF file.")
    first = max(printer.fromPage(), 1)
    chosen = pages[first - 1 : printer.toPage() or None]
    for number, page in enumerate(chosen):
        if number:
            printer.newPage()
        painter.save()
        _place(painter, size_mm, printer)
        # a picture is drawn in points; what plays it takes its units for those of a screen
        painter.scale(page.logicalDpiX() / _POINTS_PER_INCH, page.logicalDpiY() / _POINTS_PER_INCH)
        page.play(painter)
        painter.restore()
    painter.end()


def _place(painter: QPainter, size_mm: QSizeF, printer: QPrinter) -> None:
    """Let a page of a size fill the paper that is there, in the middle of it."""
    paper = QRectF(printer.paperRect(QPrinter.Unit.DevicePixel))
    dots_per_mm = printer.resolution() / 25.4
    width, height = size_mm.width() * dots_per_mm, size_mm.height() * dots_per_mm
    share = min(paper.width() / width, paper.height() / height)
    share = 1.0 if abs(share - 1) < 0.005 else share  # sizes are rounded to dots
    painter.translate((paper.width() - share * width) / 2, (paper.height() - share * height) / 2)
    painter.scale(share, share)
