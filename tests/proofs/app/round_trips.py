"""Exports novels in every format, and reads them back: python -m tests.proofs.app.round_trips DIR

DIR has the novels as `*.txt.xz`, parted by form feeds; each begins with its title and "by X". A format passes
where every character of the text is there again, in order; white space may differ.
"""

from __future__ import annotations

import argparse
import lzma
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from quire.book_formats.book import Book, book_of_text
from quire.book_formats.export_settings import ExportSettings, ExportStyle, Format
from quire.book_formats.exporter import export
from quire.book_formats.importer import read_manuscript
from quire.book_formats.paragraphs import plain

FORMATS = (Format.DOCX, Format.ODT, Format.EPUB, Format.MD, Format.TXT, Format.HTML, Format.RTF)
_AROUND = 30


def books_in(folder: Path, count: int) -> Iterator[Book]:
    """Yield some novels, the shortest of each file first."""
    for path in sorted(folder.glob("*.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            texts = sorted(file.read().split("\f\n"), key=len)
        for text in texts[len(texts) // 2 :][: -(-count // 4)]:
            title, _, rest = text.partition("\n\n")
            author, _, story = rest.partition("\n\n")
            yield book_of_text(story, title.removeprefix("# "), author.removeprefix("by "), "en")


def characters(book: Book) -> str:
    """Return what a reader sees of a book, without white space."""
    texts = list[str]()
    for part in book.parts:
        texts += [part.title, part.motto]
        for chapter in part.chapters:
            texts.append(chapter.title)
            for scene in chapter.scenes:
                texts += [scene.title, *map(plain, scene.paragraphs)]
    return "".join("".join(texts).split())


def first_difference(one: str, other: str) -> str:
    """Return where two texts differ first; empty where they are equal."""
    if one == other:
        return ""
    place = next(
        (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
    around = slice(max(place - _AROUND, 0), place + _AROUND)
    return f"{one[around]!r} came back as {other[around]!r}"


def main() -> int:
    """Try all formats; return 1 when a character was lost."""
    parser = argparse.ArgumentParser(description="Export novels in every format, and read them back.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--books", type=int, default=5)
    options = parser.parse_args()
    num_wrong = 0
    for book in books_in(options.corpus, options.books):
        wanted = characters(book)
        with tempfile.TemporaryDirectory() as folder:
            for kind in FORMATS:
                path = Path(folder) / f"book.{kind.value}"
                export(book, ExportSettings(kind, ExportStyle.EBOOK), path)
                plan = read_manuscript(path)
                again = book_of_text(plan.manuscript.text, plan.title, plan.manuscript.author, "en")
                wrong = first_difference(wanted, characters(again))
                num_wrong += bool(wrong)
                told = wrong or f"{len(wanted):,} characters"
                sys.stdout.write(f"{book.title}, {kind.value}: {told}\n")
                sys.stdout.flush()
    return 1 if num_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
