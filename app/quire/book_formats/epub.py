"""Styles Pandoc's EPUB books: our style sheet, the date, the title in every file."""

from __future__ import annotations

import re
import uuid
import zipfile
from datetime import datetime
from io import BytesIO
from xml.sax.saxutils import escape

from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportSettings
from quire.book_formats.style_sheets import epub_style
from quire.book_formats.zip_rewriter import Change, repacked

_NEVER = "1970-01-01T00:00:00Z"
_FONTS_SWITCH = "META-INF/com.apple.ibooks.display-options.xml"
_PAGES_TURN = ' page-progression-direction="rtl"'
_COVER = '<item id="cover" href="media/cover.png" media-type="image/png" properties="cover-image" />'
_FILE_TITLE = re.compile(r"<title>[^<]*</title>")


def _turned(text: str, tag: str, says: str, book: Book) -> str:
    """Return a member that says of a tag that the book runs from right to left, where it does."""
    return text.replace(tag, tag + says, 1) if book.runs_right_to_left else text


def identifier(book: Book) -> str:
    """Return the book's identifier: the same at every export, so that readers keep their place."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"quire:{book.author}/{book.title}/{book.language}").urn


def dressed(content: bytes, book: Book, recipe: ExportSettings, made: datetime) -> bytes:
    """Return an EPUB book in the style of the export settings; it embeds no fonts."""
    from quire.book_formats.cover import cover  # Qt, which only this and a PDF need

    when, picture = made.strftime("%Y-%m-%dT%H:%M:%SZ"), cover(book)
    changes: dict[str, Change] = {
        "EPUB/styles/stylesheet1.css": lambda _: epub_style(recipe.style),
        "EPUB/content.opf": lambda text: _turned(
            _covered(text.replace(_NEVER, when)) if picture else text.replace(_NEVER, when),
            "<spine",
            _PAGES_TURN,
            book,
        ),
    }
    title = f"<title>{escape(book.title or 'Untitled')}</title>"
    with zipfile.ZipFile(BytesIO(content)) as archive:
        pages = [name for name in archive.namelist() if name.startswith("EPUB/text/")]
    for name in pages:
        changes[name] = lambda text: _turned(
            _FILE_TITLE.sub(lambda _: title, text, count=1), "<html", ' dir="rtl"', book
        )
    added = {"EPUB/media/cover.png": picture} if picture else {}
    return repacked(content, changes, added, (_FONTS_SWITCH,))


def _covered(package: str) -> str:
    """Return the package file with the cover that libraries show."""
    package = package.replace("</metadata>", '<meta name="cover" content="cover" /></metadata>', 1)
    return package.replace("</manifest>", f"{_COVER}</manifest>", 1)
