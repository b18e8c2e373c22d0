"""A book as one web page without external resources."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from quire.book_formats.blocks import Block, BlockKind, book_blocks, title_page
from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportSettings, ExportStyle
from quire.book_formats.paragraphs import Paragraph
from quire.book_formats.style_sheets import page_style

_HEADINGS = {BlockKind.PART: "h1", BlockKind.CHAPTER: "h2", BlockKind.SCENE: "h3"}
_CLASSES = {
    BlockKind.AUTHOR: "author",
    BlockKind.NOTE: "note",
    BlockKind.MOTTO: "motto",
    BlockKind.BREAK: "scene-break",
}


def page(book: Book, recipe: ExportSettings) -> bytes:
    """Return the page."""
    body = "\n".join(_body(book, recipe))
    author = f'<meta name="author" content="{escape(book.author)}">\n' if book.author else ""
    direction = ' dir="rtl"' if book.runs_right_to_left else ""
    return f"""<!DOCTYPE html>
<html lang="{escape(book.language)}"{direction}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
{author}<title>{escape(book.title) or "Untitled"}</title>
<style>
{page_style(recipe.look)}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
""".encode()


def _body(book: Book, recipe: ExportSettings) -> Iterator[str]:
    if recipe.title_page:
        lines = title_page(book, with_length=recipe.look is ExportStyle.MANUSCRIPT)
        yield f"<header>\n{''.join(map(_title_line, lines))}</header>"
    for block in book_blocks(book, recipe):
        yield _block(block)


def _title_line(block: Block) -> str:
    if block.kind is BlockKind.TITLE:
        return f'<p class="title" role="heading" aria-level="1">{_inlines(block.spans)}</p>\n'
    return f"{_block(block)}\n"


def _block(block: Block) -> str:
    text = _inlines(block.spans)
    if block.kind in _HEADINGS:
        tag = _HEADINGS[block.kind]
        return f"<{tag}>{text}</{tag}>"
    if block.kind is BlockKind.BREAK:
        return f'<p class="scene-break" role="separator" aria-label="{text}">{text}</p>'
    name = _CLASSES.get(block.kind, "first" if block.is_first else "")
    return f'<p class="{name}">{text}</p>' if name else f"<p>{text}</p>"


def _inlines(spans: Paragraph) -> str:
    return "".join(_styled(escape(one.text, quote=False), one.italic, one.bold) for one in spans)


def _styled(text: str, italic: bool, bold: bool) -> str:
    text = text.replace("\n", "<br>\n")
    text = f"<strong>{text}</strong>" if bold else text
    return f"<em>{text}</em>" if italic else text
