"""Writes a book to a file atomically."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from quire.book_formats import docx, epub, html, odt, pandoc, pandoc_writer, text_and_markdown
from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportSettings, Format
from quire.book_formats.work_progress import WorkProgress
from quire.errors import WriterProblem
from quire_engine.api.atomic_file import replace_file

LIMIT_S = 600.0
_PROJECT_SUFFIX = ".quire"
_Dressing = Callable[[bytes, Book, ExportSettings, datetime], bytes]
_DRESSINGS: dict[Format, _Dressing] = {
    Format.DOCX: docx.dressed,
    Format.ODT: odt.dressed,
    Format.EPUB: epub.dressed,
}


def export(book: Book, recipe: ExportSettings, path: Path, watch: WorkProgress | None = None) -> None:
    """Write a book to a file; an existing one is replaced when the new one is complete.

    WriterProblem when it cannot be written, Cancelled when the writer stopped it: the old file, if there was
    one, is unchanged then, and nothing else is left behind.
    """
    watch = watch or WorkProgress()
    if path.suffix.lower() == _PROJECT_SUFFIX:
        raise WriterProblem(
            "{file} is the name of a project. Choose another name for the exported book.", file=path.name
        )
    if not any(chapter.scenes or chapter.title for chapter in book.chapters):
        raise WriterProblem("There is nothing to export. Choose at least one chapter with text.")
    watch.step(0.0)
    content = made(book, recipe, watch.part(0.05, 0.95))
    watch.step(0.95)
    write_whole(path, content)
    watch.progress(1.0)


def made(book: Book, recipe: ExportSettings, watch: WorkProgress | None = None) -> bytes:
    """Return the content of the file of a book."""
    watch = watch or WorkProgress()
    match recipe.format:
        case Format.TXT:
            return text_and_markdown.text_file(book, recipe)
        case Format.MD:
            return text_and_markdown.markdown_file(book, recipe)
        case Format.HTML:
            return html.page(book, recipe)
        case Format.PDF:
            from quire.book_formats import pdf  # Qt, which no other format needs

            return pdf.pages(book, recipe, watch)
        case _:
            return _by_pandoc(book, recipe, watch)


def _by_pandoc(book: Book, recipe: ExportSettings, watch: WorkProgress) -> bytes:
    arguments = ["-f", "json", "-t", "epub3" if recipe.format is Format.EPUB else recipe.format.value, "-s"]
    if recipe.format is Format.EPUB:
        arguments += [
            f"--epub-title-page={'true' if recipe.title_page else 'false'}",
            f"--split-level={2 if book.has_parts else 1}",
            "--metadata",
            f"identifier={epub.identifier(book)}",
            "--toc-depth=2",
        ]
    try:
        content = pandoc.converted(
            arguments, pandoc_writer.document(book, recipe), watch.part(0.1, 0.9), limit_s=LIMIT_S
        )
    except pandoc.PandocTooLong as problem:
        raise WriterProblem(
            "Making the file took too much time or memory. Export fewer chapters at a time."
        ) from problem
    except pandoc.PandocFailed as problem:
        raise WriterProblem(
            "The file could not be made (Pandoc: {reason}). Choose another format.",
            reason=str(problem)[:200],
        ) from problem
    watch.step(0.9)
    dress = _DRESSINGS.get(recipe.format)
    return content if dress is None else dress(content, book, recipe, datetime.now(UTC))


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file atomically; WriterProblem, and nothing changed, when that fails."""
    target = path.resolve()
    try:
        replace_file(target, content)
    except OSError as error:
        raise WriterProblem(
            "{file} could not be saved in {folder} ({reason}). Close it in other programs, free some "
            "space, or choose another folder.",
            file=path.name,
            folder=path.parent,
            reason=error.strerror,
        ) from error
