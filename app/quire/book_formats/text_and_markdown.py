"""A book as plain text and as Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from quire.book_formats.blocks import Block, BlockKind, book_blocks, title_page
from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportSettings
from quire.book_formats.paragraphs import MarkupSpan, Paragraph, plain

_ABOVE = {BlockKind.PART: "\n\n", BlockKind.CHAPTER: "\n\n", BlockKind.SCENE: "\n", BlockKind.BREAK: ""}
_ANYWHERE = re.compile(r"[\\`*_\[\]~|]|<(?=[A-Za-z/!?])|&(?=#?\w+;)")
_AT_START = re.compile(r"^(?:[#>+=:-]|(?<!\w)(?P<number>\d{1,9})(?=[.)]))", re.MULTILINE)
_SPACE_OR_END = ("", " ", "\n")


def text_file(book: Book, recipe: ExportSettings) -> bytes:
    """Return the words of a book, without their emphasis."""
    front = title_page(book, with_length=False) if recipe.title_page else ()
    blocks = [plain(block.spans) for block in front]
    for number, block in enumerate((*book_blocks(book, recipe),)):
        above = _ABOVE.get(block.kind, "") if number or front else ""
        blocks.append(above + plain(block.spans))
    return ("\n\n".join(blocks) + "\n").encode()


def markdown_file(book: Book, recipe: ExportSettings) -> bytes:
    """Return a book as CommonMark; where asterisks cannot mark emphasis, as within a word, tags do."""
    head = _front_matter(book) if recipe.title_page else ""
    blocks = (_markdown(block, has_parts=book.has_parts) for block in book_blocks(book, recipe))
    return (head + "\n\n".join(blocks) + "\n").encode()


def _front_matter(book: Book) -> str:
    lines = [("title", book.title), ("author", book.author), ("lang", book.language)]
    said = "".join(f"{name}: {_quoted(text)}\n" for name, text in lines if text)
    return f"---\n{said}---\n\n"


def _quoted(text: str) -> str:
    """Return a text as a YAML string; single quotes need only one escape."""
    markup = _ANYWHERE.sub(r"\\\g<0>", text)
    return "'" + markup.replace("'", "''") + "'"


def _markdown(block: Block, *, has_parts: bool) -> str:
    levels = {BlockKind.PART: 1, BlockKind.CHAPTER: 2 if has_parts else 1, BlockKind.SCENE: 3}
    if block.kind is BlockKind.BREAK:
        return "* * *"
    if block.kind in levels:
        title = "".join(_inlines(block.spans))
        title = re.sub(r"#+$", lambda found: "\\#" * len(found[0]), title)
        return f"{'#' * levels[block.kind]} {title}"
    return _at_line_starts("".join(_inlines(block.spans)))


def _at_line_starts(text: str) -> str:
    def quiet(found: re.Match[str]) -> str:
        return f"{found[0]}\\" if found["number"] else f"\\{found[0]}"

    return "\\\n".join(_AT_START.sub(quiet, line) for line in text.split("\n"))


def _inlines(spans: Paragraph) -> Iterator[str]:
    texts = ["", *(span.text for span in spans), ""]
    for place, span in enumerate(spans, start=1):
        text = _ANYWHERE.sub(r"\\\g<0>", span.text)
        stars = "*" * (span.italic + 2 * span.bold)
        neighbours = (*spans[max(place - 2, 0) : place - 1], *spans[place : place + 1])
        if not stars:
            yield text
        elif _is_plain(neighbours) and _may_touch(texts[place - 1][-1:], texts[place + 1][:1], span):
            yield stars + text + stars
        else:
            yield _tagged(span, text)


def _is_plain(spans: Iterable[MarkupSpan]) -> bool:
    return not any(span.italic or span.bold for span in spans)


def _may_touch(before: str, behind: str, span: MarkupSpan) -> bool:
    """Return whether asterisks between the span and its neighbours are unambiguous."""
    edges = (span.text[0], span.text[-1])
    if any(unicodedata.category(edge)[0] not in "LNP" for edge in edges):
        return False
    return all(one in _SPACE_OR_END or unicodedata.category(one)[0] == "P" for one in (before, behind))


def _tagged(span: MarkupSpan, text: str) -> str:
    text = f"<strong>{text}</strong>" if span.bold else text
    return f"<em>{text}</em>" if span.italic else text
