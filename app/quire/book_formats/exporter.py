"""Writes a book to a file atomically."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from pathlib import Path

from quire.book_formats import docx, epub, html, odt, pandoc, pandoc_writer, text_and_markdown
from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportSettings, Format
from quire.book_formats.work_progress import WorkProgress
from quire.errors import WriterProblem
from quire_engine.api.atomic_file import replace_file

LIMIT_S = 600.0
_MAX_STEM = 72
"""Characters of a name, so that a number after it fits into what file_stem_of() allows."""
_PROJECT_SUFFIX = ".quire"
_Dressing = Callable[[bytes, Book, ExportSettings, datetime], bytes]
_DRESSINGS: dict[Format, _Dressing] = {
    Format.DOCX: docx.dressed,
    Format.ODT: odt.dressed,
    Format.EPUB: epub.dressed,
}


def export(book: Book, recipe: ExportSettings, path: Path, watch: WorkProgress | None = None) -> str:
    """Write a book to a file, return its digest; an existing file is replaced when the new one is complete.

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
    return _digest(content)


def name_to_offer(folder: Path, stem: str, digests: Collection[str]) -> str:
    """Return a name without an ending under which an export replaces nothing but earlier exports.

    The original of an imported book often lies in this folder, under the title of the book.

    Args:
        digests: of the files that this book was exported to; one that was changed since is somebody's work.
    """
    names = (stem, *(f"{stem} {number}" for number in range(2, 1000)))
    return next((name for name in names if _is_free(folder / name, digests)), stem)


def free_name(path: Path) -> Path:
    """Return this path with the first number after its name under which there is no file."""
    stem = path.stem[:_MAX_STEM]
    paths = (path.with_name(f"{stem} {number}{path.suffix}") for number in range(2, 1000))
    return next((free for free in paths if not free.exists()), path)


def _is_free(path: Path, digests: Collection[str]) -> bool:
    """Return whether with every ending there is no such file, or it is as this book was exported."""
    files = (path.with_name(f"{path.name}.{ending.value}") for ending in Format)
    try:
        return all(_digest(file.read_bytes()) in digests for file in files if file.exists())
    except OSError:
        return False


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


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
