"""What is printed, and how; then the pages are created and previewed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSizeF, Signal, Slot
from PySide6.QtGui import QPainter, QPicture
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from quire.book_formats.export_settings import ExportSettings, ExportStyle, Format, Paper
from quire.domain.manuscript.tree import Node
from quire.errors import WriterProblem
from quire.import_export.book_options_dialog import BookDialog, chosen_in

_POINTS_PER_INCH = 72


class PrintDialog(BookDialog):
    """Asks what to print; open it with open().

    Signals:
        pages_wanted: the export settings of the pages.
    """

    pages_wanted = Signal(ExportSettings)

    def __init__(
        self, nodes: Sequence[Node], recipe: ExportSettings, check: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(nodes, None, recipe, check, parent)
        self.setWindowTitle(self.tr("Print"))
        self.setMinimumSize(620, 420)
        self._recipe = recipe
        self.picker.setAccessibleName(self.tr("Chapters to print"))
        self.do_button.setText(self.tr("Preview"))
        self.do_button.clicked.connect(self._ask)
        self._lay_out()
        self._check()

    @property
    def recipe(self) -> ExportSettings:
        """Return the export settings, with defaults from the last export."""
        kept = self._recipe
        look, paper = chosen_in(self.look_box, ExportStyle), chosen_in(self.paper_box, Paper)
        title_page = self.title_page_box.isChecked()
        return ExportSettings(
            Format.PDF, look, title_page, kept.numbering, kept.separator, paper, self.picker.chosen,
            closing_page=kept.closing_page,
        )  # fmt: skip

    def begin_work(self) -> None:
        """Show that the pages are being created."""
        self._begin(self.tr("Preparing pages"))

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(14)
        fields.setVerticalSpacing(10)
        for row, box in enumerate((self.look_box, self.paper_box)):
            fields.addWidget(self._caption(box.accessibleName()), row, 0)
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
        buttons.addWidget(self.do_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 20)
        layout.setSpacing(18)
        layout.addLayout(middle, 1)
        layout.addWidget(self.check_label)
        layout.addWidget(self.work_row)
        layout.addLayout(buttons)

    @Slot()
    def _ask(self) -> None:
        self.pages_wanted.emit(self.recipe)


def play(pages: Sequence[QPicture], size_mm: QSizeF, printer: QPrinter) -> None:
    """Print pages that were drawn for a paper size, scaled to fit on another.

    Raises:
        WriterProblem: the printer does not accept the pages.
    """
    printer.setFullPage(True)
    painter = QPainter()
    if not painter.begin(printer):
        raise WriterProblem("The printer doesn't respond. Check that it is on, or print to a PDF file.")
    first = max(printer.fromPage(), 1)
    chosen = pages[first - 1 : printer.toPage() or None]
    for number, page in enumerate(chosen):
        if number:
            printer.newPage()
        painter.save()
        _place(painter, size_mm, printer)
        # a picture is drawn in points, but played back in screen units
        painter.scale(page.logicalDpiX() / _POINTS_PER_INCH, page.logicalDpiY() / _POINTS_PER_INCH)
        page.play(painter)
        painter.restore()
    painter.end()


def _place(painter: QPainter, size_mm: QSizeF, printer: QPrinter) -> None:
    """Scale and centre a page on the available paper."""
    paper = QRectF(printer.paperRect(QPrinter.Unit.DevicePixel))
    dots_per_mm = printer.resolution() / 25.4
    width, height = size_mm.width() * dots_per_mm, size_mm.height() * dots_per_mm
    share = min(paper.width() / width, paper.height() / height)
    share = 1.0 if abs(share - 1) < 0.005 else share  # sizes are rounded to dots
    painter.translate((paper.width() - share * width) / 2, (paper.height() - share * height) / 2)
    painter.scale(share, share)
