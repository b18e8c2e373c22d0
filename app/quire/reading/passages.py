"""The whole book as a list of passages for reading on the screen, each with its place in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from quire.book_formats.blocks import BlockKind
from quire.book_formats.paragraphs import Habits, MarkupSpan, Paragraph, fit, habits, parsed, plain, tidied
from quire.domain.manuscript.headings import Heading, all_headings
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind, Tree

_BLANK = re.compile(r"\n\s*\n")
_REST = re.compile(r"(?P<stem>.*\S)\s*\((?P<number>\d{1,6})\)")
_BREAK = "* * *"
_MAX_CHARS = 6_000
"""A longer paragraph is split into several passages: pasted text may be one line for a whole book."""
_TYPED = Habits(spaced=True, wrapped=False)


@dataclass(frozen=True, slots=True)
class ReadingPassage:
    """A heading, a break or a paragraph.

    Attributes:
        kind: which of them.
        node_id: the text that contains it.
        start: number of characters before it in that text.
        source: its text as typed.
        typed: the markup of the source.
        is_first: whether it follows a heading or a break.
        goes_on: whether it continues a paragraph that was too long.
    """

    kind: BlockKind
    node_id: int
    start: int
    source: str
    typed: Habits = _TYPED
    is_first: bool = False
    goes_on: bool = False

    @property
    def spans(self) -> Paragraph:
        """Return its text with emphasis."""
        text = fit(self.source)
        if self.kind is BlockKind.PARAGRAPH:
            return parsed(tidied(text, self.typed))
        text = " ".join(text.split())
        is_typed = self.kind in (BlockKind.PART, BlockKind.CHAPTER, BlockKind.SCENE)
        return parsed(text) if is_typed else (MarkupSpan(text),)

    @property
    def text(self) -> str:
        """Return its text."""
        return plain(self.spans)

    def place_of(self, offset: int) -> int:
        """Return the position in the project's text of a character of the passage; both are counted in
        characters.
        """
        if self.kind is not BlockKind.PARAGRAPH:
            return self.start
        places = _places(self.source, self.text)
        return self.start + (places[offset] if offset < len(places) else len(self.source))


def passages_of(
    project: Project, tree: Tree, documents: Mapping[int, Document]
) -> tuple[ReadingPassage, ...]:
    """Return the book from its title to its last paragraph, without notes and the trash."""
    order = [node for node in tree.reading_order() if node.node_id in documents]
    making = _PassageBuilder()
    if order:
        first_id = order[0].node_id
        for kind, line in ((BlockKind.TITLE, project.title), (BlockKind.AUTHOR, project.author)):
            making.add_heading(kind, first_id, 0, line)
    for node in order:
        _take(making, node, documents[node.node_id].text, project.title)
    return making.passages


def index_of_place(passages: Sequence[ReadingPassage], node_id: int, place: int) -> int:
    """Return the passage at a position of a text, or the first one if that text is not in the book.

    The very beginning of a text is its heading, and that of the book its title.
    """
    if place == 0 and passages and passages[0].node_id == node_id:
        return 0
    front = (BlockKind.TITLE, BlockKind.AUTHOR)
    of_text = [
        n for n, passage in enumerate(passages) if passage.node_id == node_id and passage.kind not in front
    ]
    before = [index for index in of_text if passages[index].start <= place] if place else []
    return before[-1] if before else next(iter(of_text), 0)


class _PassageBuilder:
    """Collects passages: never two breaks in a row, and none below a heading or at the end."""

    def __init__(self) -> None:
        self._passages = list[ReadingPassage]()
        self._break: ReadingPassage | None = None
        self.last_title = ""

    @property
    def passages(self) -> tuple[ReadingPassage, ...]:
        """Return the passages."""
        return tuple(self._passages)

    def add_heading(self, kind: BlockKind, node_id: int, start: int, title: str) -> None:
        """Add a line of its own, unless it is empty."""
        self._break = None
        if title.strip():
            self._passages.append(ReadingPassage(kind, node_id, start, title))

    def add_break(self, node_id: int, start: int) -> None:
        """Separate what follows from what is there."""
        if self._passages and not self._passages[-1].kind.stands_alone:
            self._break = ReadingPassage(BlockKind.BREAK, node_id, start, _BREAK)

    def add_paragraphs(self, node_id: int, start: int, text: str, typed: Habits) -> None:
        """Add the paragraphs of a range of a text that begins at `start`."""
        for place, source in _paragraphs(text, typed):
            if self._break is not None:
                self._passages.append(self._break)
                self._break = None
            is_first = not self._passages or self._passages[-1].kind.stands_alone
            for number, (further, part) in enumerate(_cut(source)):
                at = start + place + further
                first = is_first and number == 0
                self._passages.append(
                    ReadingPassage(BlockKind.PARAGRAPH, node_id, at, part, typed, first, goes_on=number > 0)
                )


_KINDS = {
    NodeKind.PART: BlockKind.PART,
    NodeKind.CHAPTER: BlockKind.CHAPTER,
    NodeKind.SCENE: BlockKind.SCENE,
}


def _take(making: _PassageBuilder, node: Node, text: str, book_title: str) -> None:
    """Add one text; its place in the tree names it if it has no heading of its own."""
    headings, typed = all_headings(text), habits(text)
    before = text[: headings[0].start] if headings else text
    if before.strip() or not headings or headings[0].kind is NodeKind.SCENE:
        _begin(making, node, book_title)
    making.add_paragraphs(node.node_id, 0, before, typed)
    bounds: list[Heading | None] = [*headings, None]
    for heading, below in pairwise(bounds):
        if heading is None:
            continue
        if heading.title:
            making.add_heading(_KINDS[heading.kind], node.node_id, heading.start, heading.title)
        else:
            making.add_break(node.node_id, heading.start)
        end = len(text) if below is None else below.start
        making.add_paragraphs(node.node_id, heading.end, text[heading.end : end], typed)
    making.last_title = _tidy(node.title) if node.kind is not NodeKind.SCENE else making.last_title


def _begin(making: _PassageBuilder, node: Node, book_title: str) -> None:
    title = _tidy(node.title)
    if node.kind is NodeKind.SCENE:
        making.add_break(node.node_id, 0)
    elif not _goes_on(title, making.last_title) and title != _tidy(book_title):
        making.add_heading(_KINDS[node.kind], node.node_id, 0, title)


def _tidy(title: str) -> str:
    return " ".join(fit(title).split())


def _goes_on(title: str, before: str) -> bool:
    """Return whether a title is that of the rest of a chapter which was too long for one text."""
    rest, last = _REST.fullmatch(title), _REST.fullmatch(before)
    if rest is None:
        return False
    if int(rest["number"]) == 2:
        return before == rest["stem"]
    return (
        last is not None and last["stem"] == rest["stem"] and int(last["number"]) == int(rest["number"]) - 1
    )


def _paragraphs(text: str, typed: Habits) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a text with their starts."""
    ends = _BLANK.finditer(text) if typed.spaced else re.finditer("\n", text)
    place = 0
    for start, end in (*(found.span() for found in ends), (len(text), len(text))):
        block = text[place:start]
        source = block.strip()
        if source:
            yield place + block.index(source), source
        place = end


def _cut(source: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a paragraph, usually one, with their starts."""
    place = 0
    while len(source) - place > _MAX_CHARS:
        end = source.rfind(" ", place + 1, place + _MAX_CHARS)
        end = place + _MAX_CHARS if end < 0 else end + 1
        yield place, source[place:end]
        place = end
    yield place, source[place:]


def _places(source: str, text: str) -> list[int]:
    """Return the position of each character in the typed text, which has markup in between."""
    places, at = list[int](), 0
    for character in text:
        if character.isspace():
            found = next((place for place in range(at, len(source)) if source[place].isspace()), at)
        else:
            found = max(source.find(character, at), at)
        places.append(found)
        at = found + 1
    return places
