"""Printing: the pages of a real project on a printer that writes a PDF."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pytest
from PySide6.QtCore import QMarginsF, QSizeF, Qt
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog, QPrintPreviewWidget
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quire.book_formats.book import Book, book_of_text
from quire.book_formats.export_settings import ExportSettings, ExportStyle, Format, Numbering, Paper
from quire.book_formats.pdf import pages, pictures
from quire.book_formats.work_progress import Cancelled, WorkProgress
from quire.domain.manuscript.tree import Node, NodeKind
from quire.errors import WriterProblem
from quire.import_export.print_controller import PrintController
from quire.import_export.print_dialog import PrintDialog
from quire.import_export.print_dialog import play as print_pages
from tests.app.book_formats.novels import novel
from tests.app.project_window import ProjectWindow, Scenario, play
from tests.app.services.books import make_book

A4_MM = QSizeF(210, 297)
BOOK: Book = book_of_text("# One\n\nIt *rained*.\n\n# Two\n\nIt stopped.", "Dry Ground", "Ann Lee")
LOOKS = pytest.mark.parametrize("look", ExportStyle, ids=lambda look: str(look.value))


def pdf_printer(path: Path, size: QPageSize.PageSizeId = QPageSize.PageSizeId.A4) -> QPrinter:
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(path))
    printer.setPageLayout(QPageLayout(QPageSize(size), QPageLayout.Orientation.Portrait, QMarginsF()))
    return printer


def texts(source: Path | bytes) -> list[str]:
    """Return what stands on each page, without spaces: how many there are is guessed from gaps."""
    reader = pypdf.PdfReader(BytesIO(source) if isinstance(source, bytes) else source)
    return ["".join(page.extract_text().split()) for page in reader.pages]


def lines(source: Path | bytes, number: int) -> set[int]:
    """Return how high each line of a page stands, in points from the lower edge."""
    found = set[int]()

    def see(text: str, cm: Any, tm: Any, _font: object, _size: object) -> None:
        if text.strip():
            found.add(round(float(tm[4]) * cm[1] + float(tm[5]) * cm[3] + cm[5]))

    reader = pypdf.PdfReader(BytesIO(source) if isinstance(source, bytes) else source)
    reader.pages[number].extract_text(visitor_text=see)
    return found


@pytest.mark.sliced
@LOOKS
def test_what_is_printed_is_what_is_exported(look: ExportStyle, tmp_path: Path, qapp: QApplication) -> None:
    recipe, book = ExportSettings(Format.PDF, look), novel(900)
    drawn = pictures(book, recipe, WorkProgress())
    print_pages(drawn, A4_MM, pdf_printer(tmp_path / "p.pdf"))
    exported = pages(book, recipe, WorkProgress())
    assert texts(tmp_path / "p.pdf") == texts(exported)
    assert len(drawn) == len(texts(exported)) > 2
    for number in range(len(drawn)):
        printed, wanted = lines(tmp_path / "p.pdf", number), lines(exported, number)
        assert wanted
        assert all(min(abs(y - other) for other in printed) <= 1 for y in wanted)


def test_on_other_paper_a_page_fits_as_it_is(tmp_path: Path, qapp: QApplication) -> None:
    drawn = pictures(BOOK, ExportSettings(Format.PDF), WorkProgress())
    print_pages(drawn, A4_MM, pdf_printer(tmp_path / "p.pdf", QPageSize.PageSizeId.A5))
    assert "Itrained." in texts(tmp_path / "p.pdf")[1]
    assert all(0 < y < 595 for y in lines(tmp_path / "p.pdf", 1))


def test_some_pages_can_be_printed_alone(tmp_path: Path, qapp: QApplication) -> None:
    drawn = pictures(BOOK, ExportSettings(Format.PDF), WorkProgress())
    printer = pdf_printer(tmp_path / "p.pdf")
    printer.setFromTo(2, 2)
    print_pages(drawn, A4_MM, printer)
    assert len(texts(tmp_path / "p.pdf")) == 1
    assert "rained" in texts(tmp_path / "p.pdf")[0]


def test_a_page_can_be_seen(qapp: QApplication) -> None:
    image = QImage(794, 1123, QImage.Format.Format_RGB32)  # A4 at 96 dots to the inch
    image.setDotsPerMeterX(3780)
    image.setDotsPerMeterY(3780)
    image.fill(Qt.GlobalColor.white)
    page = pictures(BOOK, ExportSettings(Format.PDF, title_page=False), WorkProgress())[0]
    painter = QPainter(image)
    painter.scale(page.logicalDpiX() / 72, page.logicalDpiY() / 72)
    page.play(painter)
    painter.end()
    rows = {y for y in range(1123) if any(image.pixelColor(x, y).lightness() < 90 for x in range(90, 700))}
    assert rows
    assert min(rows) > 30
    assert max(rows) < 700


@pytest.mark.qt_log_ignore("QPainter::begin")
def test_a_printer_that_takes_nothing_ends_in_a_sentence(tmp_path: Path, qapp: QApplication) -> None:
    drawn = pictures(BOOK, ExportSettings(Format.PDF), WorkProgress())
    with pytest.raises(WriterProblem, match="Check that it is on, or print"):
        print_pages(drawn, A4_MM, pdf_printer(tmp_path / "no folder" / "p.pdf"))


def test_making_pages_can_be_stopped(qapp: QApplication) -> None:
    steps = list[float]()
    with pytest.raises(Cancelled):
        pictures(novel(3_000), ExportSettings(Format.PDF), WorkProgress(steps.append, lambda: len(steps) > 1))


# ---------------------------------------------------------------- the dialog
NODES = (Node(2, NodeKind.CHAPTER, "One", 1, 0), Node(3, NodeKind.CHAPTER, "Two", 1, 1))


@pytest.fixture
def dialog(qtbot: Any, qapp: QApplication) -> PrintDialog:
    recipe = ExportSettings(Format.DOCX, ExportStyle.EBOOK, False, Numbering.NUMBERS, paper=Paper.LETTER)
    dialog = PrintDialog(NODES, recipe, "A draft is running.")
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog


def test_the_dialog_begins_as_the_book_was_exported(dialog: PrintDialog, qtbot: Any) -> None:
    with qtbot.waitSignal(dialog.pages_wanted) as wanted:
        dialog.do_button.click()
    assert wanted.args == [
        ExportSettings(Format.PDF, ExportStyle.EBOOK, False, Numbering.NUMBERS, paper=Paper.LETTER)
    ]
    assert dialog.check_label.isVisible()


def test_nothing_is_not_printed(dialog: PrintDialog) -> None:
    dialog.picker.tick(set())
    assert not dialog.do_button.isEnabled()
    assert "at least one" in dialog.problem_label.text()
    dialog.picker.tick({3})
    assert dialog.do_button.isEnabled()
    assert dialog.recipe.chosen == (3,)


def test_work_can_be_stopped(dialog: PrintDialog, qtbot: Any) -> None:
    dialog.begin_work()
    dialog.show_share(0.5)
    assert not dialog.do_button.isEnabled()
    with qtbot.waitSignal(dialog.stop_wanted):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    dialog.end_work("The disk is full.")
    assert dialog.problem_label.text() == "The disk is full."
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_everything_has_a_name(dialog: PrintDialog) -> None:
    assert all(widget.accessibleName() for widget in (dialog.look_box, dialog.paper_box, dialog.picker))


# ---------------------------------------------------------------- in the window
@pytest.fixture
def run(qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path) -> Callable[[Scenario], None]:
    make_book(tmp_path / "novel.quire")

    def make(project: ProjectWindow) -> None:
        project.parts.append(PrintController(project.app))

    return lambda scenario: play(qapp, run_async, tmp_path / "novel.quire", scenario, make)


async def opened(project: ProjectWindow) -> PrintDialog:
    project.actions.print_book.trigger()
    await project.settle()
    (dialog,) = project.window.findChildren(PrintDialog)
    assert dialog.isVisible()
    return dialog


def test_the_pages_are_shown_before_they_are_printed(run: Callable[[Scenario], None]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        QTest.keyClicks(project.window.editor, " Mara!")
        dialog = await opened(project)
        dialog.do_button.click()
        await project.settle()
        assert project.window.findChildren(PrintDialog) == []
        (preview,) = project.window.findChildren(QPrintPreviewDialog)
        assert preview.isVisible()
        shown = preview.findChildren(QPrintPreviewWidget)[0]
        shown.updatePreview()
        assert shown.pageCount() == 4
        preview.close()

    run(scenario)


def test_stopping_shows_no_pages(run: Callable[[Scenario], None]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        dialog = await opened(project)
        dialog.do_button.click()
        dialog.work_row.stop_button.click()
        await project.settle()
        assert dialog.isVisible()
        assert not dialog.work_row.isVisible()
        assert project.window.findChildren(QPrintPreviewDialog) == []
        dialog.close()

    run(scenario)
