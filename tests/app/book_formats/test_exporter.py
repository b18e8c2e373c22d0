from __future__ import annotations

import errno
import os
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from quire.book_formats import pandoc, pandoc_writer
from quire.book_formats.blocks import about_words
from quire.book_formats.book import Book, book_of_text
from quire.book_formats.export_settings import ExportSettings, ExportStyle, Format
from quire.book_formats.exporter import export, made
from quire.book_formats.typography import running_head
from quire.book_formats.work_progress import Cancelled, WorkProgress
from quire.errors import WriterProblem
from tests.app.book_formats.novels import novel
from tests.fakes import ReadOnly

BOOK = book_of_text("# One\n\nIt rained.", "The Ferry")
KINDS = pytest.mark.parametrize("kind", Format, ids=lambda kind: str(kind.value))


@KINDS
def test_a_file_is_replaced_by_the_whole_new_one(kind: Format, tmp_path: Path, qtbot: QtBot) -> None:
    path, shares = tmp_path / f"book.{kind.value}", list[float]()
    path.write_bytes(b"old")
    export(BOOK, ExportSettings(kind), path, WorkProgress(shares.append))
    assert path.read_bytes() != b"old"
    assert os.listdir(tmp_path) == [path.name]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


@KINDS
def test_stopping_leaves_the_old_file(kind: Format, tmp_path: Path, qtbot: QtBot) -> None:
    path, steps = tmp_path / f"book.{kind.value}", list[float]()
    path.write_bytes(b"old")
    book = novel(1000) if kind is Format.PDF else BOOK
    with pytest.raises(Cancelled):
        export(book, ExportSettings(kind), path, WorkProgress(steps.append, lambda: len(steps) > 0))
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("call", ["open", "fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "book.txt"
    path.write_bytes(b"old")
    if call == "open":
        monkeypatch.setattr(Path, "open", full)
    else:
        monkeypatch.setattr(os, call, full)
    with pytest.raises(WriterProblem, match=r"book\.txt could not be saved .*No space left on device"):
        export(BOOK, ExportSettings(Format.TXT), path)
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [path.name]


def test_a_folder_that_cannot_be_written_to_ends_in_a_sentence(read_only: ReadOnly) -> None:
    with read_only.now(), pytest.raises(WriterProblem, match="choose another folder"):
        export(BOOK, ExportSettings(Format.TXT), read_only.folder / "book.txt")


def test_a_folder_that_is_missing_or_a_folder_as_the_target_ends_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken.txt").mkdir()
    for path in (tmp_path / "no" / "book.txt", tmp_path / "taken.txt"):
        with pytest.raises(WriterProblem, match="could not be saved"):
            export(BOOK, ExportSettings(Format.TXT), path)
    assert os.listdir(tmp_path) == ["taken.txt"]


def test_a_link_keeps_pointing_to_the_book(tmp_path: Path) -> None:
    target, link = tmp_path / "real.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    export(BOOK, ExportSettings(Format.TXT), link)
    assert link.is_symlink()
    assert "It rained." in target.read_text()


def test_a_project_is_not_written_over(tmp_path: Path) -> None:
    with pytest.raises(WriterProblem, match="Choose another name for the exported book"):
        export(BOOK, ExportSettings(Format.TXT), tmp_path / "book.quire")


def test_an_empty_book_is_not_exported(tmp_path: Path) -> None:
    with pytest.raises(WriterProblem, match="nothing to export"):
        export(Book("T", "", "en", ()), ExportSettings(Format.TXT), tmp_path / "book.txt")


@pytest.mark.parametrize("kind", [Format.DOCX, Format.ODT, Format.EPUB])
def test_a_missing_pandoc_ends_in_a_sentence(
    kind: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pandoc, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WriterProblem, match=r"Pandoc.*is missing"):
        export(BOOK, ExportSettings(kind), tmp_path / "book")
    assert os.listdir(tmp_path) == []


def test_a_pandoc_that_cannot_be_started_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pandoc, "pandoc_path", lambda: tmp_path)
    with pytest.raises(WriterProblem, match="could not be started"):
        export(BOOK, ExportSettings(Format.DOCX), tmp_path / "book.docx")


def test_a_long_book_goes_through_however_often_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that was filled in between once kept Pandoc waiting for the rest."""
    monkeypatch.setattr(pandoc, "_POLL_S", 0.001)
    shares = list[float]()
    made(novel(20_000), ExportSettings(Format.DOCX), WorkProgress(shares.append))
    assert len(shares) > 2


def test_what_pandoc_refuses_ends_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pandoc_writer, "document", lambda _book, _recipe: b"no tree")
    with pytest.raises(WriterProblem, match=r"\(Pandoc: .*Choose another format"):
        export(BOOK, ExportSettings(Format.DOCX), tmp_path / "book.docx")


def test_a_part_may_be_watched_as_a_part_of_the_whole() -> None:
    shares = list[float]()
    WorkProgress(shares.append).part(0.2, 0.6).step(0.5)
    assert shares == [pytest.approx(0.4)]


@pytest.mark.parametrize(
    ("words", "said"), [(0, "100"), (149, "100"), (7_349, "7,300"), (61_499, "61,000"), (99_999, "100,000")]
)
def test_lengths_are_rounded_as_title_pages_have_them(words: int, said: str) -> None:
    assert about_words(words) == f"About {said} words"


def test_running_heads_do_without_names() -> None:
    assert running_head("Ann van Lee", "The Ferry") == "Lee / THE FERRY"
    assert running_head("", "The Ferry") == "THE FERRY"
    assert running_head("", "") == ""


@pytest.mark.parametrize("look", ExportStyle)
def test_a_book_without_names_can_be_exported(look: ExportStyle, tmp_path: Path, qtbot: QtBot) -> None:
    for kind in Format:
        export(book_of_text("It rained."), ExportSettings(kind, look), tmp_path / f"book.{kind.value}")
    assert len(os.listdir(tmp_path)) == len(Format)


def test_an_epub_has_a_cover_with_its_title_and_author(qapp: QApplication) -> None:
    pictures = list[QImage]()
    for title, author in (("Ebb & Flow", "A. <Vane>"), ("Ebb " * 80, "A. <Vane>"), ("Ebb & Flow", "")):
        book = book_of_text("It rained.", title, author)
        with zipfile.ZipFile(BytesIO(made(book, ExportSettings(Format.EPUB)))) as archive:
            pictures.append(QImage.fromData(archive.read("EPUB/media/cover.png")))
            package = ElementTree.fromstring(archive.read("EPUB/content.opf"))
    assert [(picture.width(), picture.height()) for picture in pictures] == [(1200, 1800)] * 3
    assert pictures[0] not in pictures[1:]
    items = package.iter("{http://www.idpf.org/2007/opf}item")
    assert [item.get("href") for item in items if item.get("properties") == "cover-image"] == [
        "media/cover.png"
    ]
