"""A book as a sequence of blocks, laid out by its export settings: the input of every format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from quire.book_formats.book import Book, Chapter
from quire.book_formats.chapter_numbering import numbered
from quire.book_formats.export_settings import ExportSettings
from quire.book_formats.paragraphs import MarkupSpan, Paragraph, paragraphs, parsed
from quire.domain.manuscript.comment_marks import marks_around


class BlockKind(Enum):
    """The kind of a block. NOTE: a line on the title page."""

    TITLE = auto()
    AUTHOR = auto()
    NOTE = auto()
    PART = auto()
    MOTTO = auto()
    CHAPTER = auto()
    SCENE = auto()
    BREAK = auto()
    PARAGRAPH = auto()

    @property
    def stands_alone(self) -> bool:
        """Whether a paragraph below it is a first one."""
        return self is not BlockKind.PARAGRAPH


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph or a break; `is_first`: the paragraph follows one of the others."""

    kind: BlockKind
    spans: Paragraph
    is_first: bool = False


def title_page(book: Book, *, with_length: bool) -> tuple[Block, ...]:
    """Return the blocks of a title page; with_length: that of a manuscript, with its length and contact."""
    author = "\n".join(filter(None, (book.author, book.contact if with_length else "")))
    lines = [(BlockKind.TITLE, book.title), (BlockKind.AUTHOR, author)]
    if with_length:
        lines.append((BlockKind.NOTE, about_words(book.num_words, book.language)))
    return tuple(Block(kind, (MarkupSpan(text),)) for kind, text in lines if text)


def book_blocks(book: Book, recipe: ExportSettings) -> Iterator[Block]:
    """Yield the blocks of a book, without its title page."""
    marked = [marks_around(chapter.title) for chapter in book.chapters]
    plain = numbered([title for _, title, _ in marked], recipe.numbering, book.language)
    titles = (f"{first}{title}{last}" for (first, _, last), title in zip(marked, plain, strict=True))
    for part in book.parts:
        if part.title:
            yield Block(BlockKind.PART, parsed(part.title))
        for motto in paragraphs(part.motto):
            yield Block(BlockKind.MOTTO, motto)
        for chapter in part.chapters:
            if title := next(titles):
                yield Block(BlockKind.CHAPTER, parsed(title))
            yield from _scenes(chapter, recipe)


def _scenes(chapter: Chapter, recipe: ExportSettings) -> Iterator[Block]:
    for number, scene in enumerate(chapter.scenes):
        if scene.title:
            yield Block(BlockKind.SCENE, parsed(scene.title))
        elif number:
            yield Block(BlockKind.BREAK, (MarkupSpan(recipe.separator.value),))
        for place, paragraph in enumerate(scene.paragraphs):
            yield Block(BlockKind.PARAGRAPH, paragraph, is_first=place == 0)


def about_words(num_words: int, language: str = "en") -> str:
    """Return the length of a book as title pages give it; in German, or else in English."""
    step = 1000 if num_words >= 10_000 else 100
    rounded = max(step, round(num_words / step) * step)
    in_german = language[:2].lower() == "de"
    return f"Etwa {rounded:,} Wörter".replace(",", ".") if in_german else f"About {rounded:,} words"
