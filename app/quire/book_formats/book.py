"""A whole book for export: parts, chapters and scenes, made from the texts of a project."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from quire.book_formats.paragraphs import Paragraph, fit, habits, paragraphs, tidied
from quire.domain.manuscript.comment_marks import marks_around, put_around, split_ending
from quire.domain.manuscript.comments import Comment
from quire.domain.manuscript.headings import all_headings
from quire.domain.manuscript.manuscript import Document, Project, is_right_to_left
from quire.domain.manuscript.tree import Node, NodeKind, Tree
from quire_engine.metrics.word_count import count_words

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene. title: mostly empty. text: a blank line between paragraphs, with the manuscript's marks."""

    text: str
    title: str = ""

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """The paragraphs with their emphasis."""
        return tuple(paragraphs(self.text))


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter; only the first one of a part may be without a title.

    A title that has comments and no words below it, such as that of a part or a scene, is inside their marks.
    """

    title: str
    scenes: tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class BookPart:
    """A part. title: empty where chapters are outside of parts. motto: the text below its title."""

    title: str
    chapters: tuple[Chapter, ...]
    motto: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """A book.

    Attributes:
        language: a BCP 47 tag, English for an invalid one.
        comments: in the order of their marks in the text.
        contact: how to reach the author of a manuscript.
    """

    title: str
    author: str
    language: str
    parts: tuple[BookPart, ...]
    comments: tuple[Comment, ...] = ()
    contact: str = ""

    def __post_init__(self) -> None:
        if not _LANGUAGE.fullmatch(self.language):
            object.__setattr__(self, "language", "en")

    @property
    def runs_right_to_left(self) -> bool:
        """Whether its language is written from right to left."""
        return is_right_to_left(self.language)

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """All chapters, in order."""
        return tuple(chapter for part in self.parts for chapter in part.chapters)

    @property
    def has_parts(self) -> bool:
        """Whether a part has a title."""
        return any(part.title for part in self.parts)

    @property
    def num_words(self) -> int:
        """The words of the text, titles not counted."""
        return sum(count_words(scene.text) for chapter in self.chapters for scene in chapter.scenes)


def book_of(
    project: Project,
    tree: Tree,
    documents: Mapping[int, Document],
    chosen: Collection[int] | None = None,
) -> Book:
    """Return the book of a project: no notes, no trash, nothing that is excluded from exports.

    Args:
        chosen: only these nodes, what is below them, and the titles of their parts; None for everything.
    """
    making = _BookBuilder()
    for node in exported_nodes(tree, chosen):
        if node.node_id in documents:
            _take(making, node, documents[node.node_id].text, project.title)
    title = " ".join(fit(project.title).split())
    author = " ".join(fit(project.author).split())
    return Book(title, author, project.language, making.parts)


def book_of_text(text: str, title: str = "", author: str = "", language: str = "en") -> Book:
    """Return the book in one text."""
    making = _BookBuilder()
    _take(making, Node(1, NodeKind.CHAPTER, title), text, title)
    return Book(title, author, language, making.parts)


def exported_nodes(tree: Tree, chosen: Collection[int] | None = None) -> tuple[Node, ...]:
    """Return the exported nodes of a project, in reading order; `chosen` as in `book_of`."""
    wanted = None if chosen is None else _with_parts(tree, chosen)
    return tuple(node for node in tree.reading_order() if _leaves(tree, node, wanted))


def nodes_to_choose(tree: Tree) -> tuple[Node, ...]:
    """Return the parts and chapters, or scenes without one, that can be exported, in reading order."""
    return tuple(
        node
        for node in tree.reading_order()
        if _leaves(tree, node, None) and (node.kind is not NodeKind.SCENE or _stands_alone(tree, node))
    )


def _stands_alone(tree: Tree, node: Node) -> bool:
    return all(above.kind is NodeKind.BOOK for above in _line(tree, node) if above is not node)


def _leaves(tree: Tree, node: Node, wanted: Collection[int] | None) -> bool:
    is_wanted = wanted is None or node.node_id in wanted
    return is_wanted and all(one.exported and one.trashed is None for one in _line(tree, node))


def _with_parts(tree: Tree, chosen: Collection[int]) -> set[int]:
    """Return the chosen nodes with their descendants, and the parts above them."""
    wanted = set[int]()
    for node in tree.reading_order():
        line = tuple(_line(tree, node))
        if any(one.node_id in chosen for one in line):
            wanted |= {one.node_id for one in line if one is node or one.kind is NodeKind.PART}
    return wanted


def _line(tree: Tree, node: Node) -> Iterator[Node]:
    """Yield a node and its ancestors."""
    yield node
    while node.parent_id is not None:
        node = tree.node(node.parent_id)
        yield node


@dataclass(slots=True)
class _OpenChapter:
    title: str
    scenes: list[Scene] = field(default_factory=list)


@dataclass(slots=True)
class _OpenPart:
    title: str
    motto: str = ""
    chapters: list[_OpenChapter] = field(default_factory=list)


class _BookBuilder:
    """Builds a book while its texts are read."""

    def __init__(self) -> None:
        self._parts = list[_OpenPart]()
        self._break_at_end = False
        self.last_title = ""

    @property
    def parts(self) -> tuple[BookPart, ...]:
        """The parts, without empty ones."""
        made = list[BookPart]()
        for part in self._parts:
            chapters = [Chapter(one.title, tuple(one.scenes)) for one in part.chapters]
            kept = tuple(chapter for chapter in chapters if chapter.title or chapter.scenes)
            if part.title or part.motto or kept:
                made.append(BookPart(part.title, kept, part.motto))
        return tuple(made)

    @property
    def part_title(self) -> str:
        """The title of the current part."""
        return marks_around(self._parts[-1].title)[1] if self._parts else ""

    def open_part(self, title: str, motto: str) -> None:
        """Begin a part."""
        self._parts.append(_OpenPart(title, motto))

    def open_chapter(self, title: str) -> None:
        """Begin a chapter; one without a title continues the one before, if there is one."""
        self._break_at_end = False
        if not self._parts:
            self.open_part("", "")
        if title or not self._parts[-1].chapters:
            self._parts[-1].chapters.append(_OpenChapter(title))

    def add_scene(self, text: str, title: str = "", *, goes_on: bool = False) -> None:
        """Add a scene, or more text to the last one, unless that ended with a break."""
        if not text and not title:
            self._break_at_end = True
            return
        if not self._parts or not self._parts[-1].chapters:
            self.open_chapter("")
        scenes = self._parts[-1].chapters[-1].scenes
        if goes_on and scenes and not self._break_at_end:
            last = scenes.pop()
            text, title = f"{last.text}\n\n{text}".strip("\n"), last.title
        self._break_at_end = False
        scenes.append(Scene(text, title))


@dataclass(frozen=True, slots=True)
class _DocumentSection:
    """A section of one document; `kind` is None before its first heading."""

    kind: NodeKind | None
    title: str
    text: str


def _take(making: _BookBuilder, node: Node, text: str, book_title: str) -> None:
    """Add one document of the project to the book."""
    text, on_headings = split_ending(fit(text))
    stretches = _stretches(text)
    for place, marks in enumerate(on_headings[: len(stretches)], start=1):
        if marks:
            stretches[-place] = replace(stretches[-place], title=put_around(stretches[-place].title, marks))
    if not stretches[0].text and len(stretches) > 1:
        stretches = stretches[1:]
    first = stretches[0]
    if first.kind is None:
        _begin(making, node, first.text, book_title)
    elif _same(first.title, node.title):
        _add(making, _DocumentSection(node.kind, first.title, first.text))
    else:
        _add(making, first)
    for stretch in stretches[1:]:
        _add(making, stretch)
    making.last_title = node.title if node.kind is not NodeKind.SCENE else making.last_title


def _begin(making: _BookBuilder, node: Node, text: str, book_title: str) -> None:
    """Begin a text that has no heading of its own: its node names it."""
    title = " ".join(fit(node.title).split())
    if node.kind is NodeKind.PART:
        making.open_part(title, text)
    elif node.kind is NodeKind.SCENE:
        making.add_scene(text)
    elif _goes_on(title, making.last_title):
        making.add_scene(text, goes_on=True)
    else:
        unnamed = not title or title in (" ".join(book_title.split()), making.part_title)
        making.open_chapter("" if unnamed else title)
        if text:
            making.add_scene(text)


def _add(making: _BookBuilder, stretch: _DocumentSection) -> None:
    if stretch.kind is NodeKind.PART:
        making.open_part(stretch.title, stretch.text)
    elif stretch.kind is NodeKind.CHAPTER:
        making.open_chapter(stretch.title)
        if stretch.text:
            making.add_scene(stretch.text)
    else:
        making.add_scene(stretch.text, stretch.title)


def _stretches(text: str) -> list[_DocumentSection]:
    headings, typed = all_headings(text), habits(text)
    stretches = [_DocumentSection(None, "", tidied(text[: headings[0].start] if headings else text, typed))]
    for heading, below in pairwise([*headings, None]):
        if heading is not None:
            end = len(text) if below is None else below.start
            title = " ".join(heading.title.split())
            stretches.append(_DocumentSection(heading.kind, title, tidied(text[heading.end : end], typed)))
    return stretches


def _same(title: str, node_title: str) -> bool:
    """Return whether a heading equals the node's title, which may be shortened."""
    known = " ".join(fit(node_title).split())
    return bool(known) and marks_around(title)[1][:180] == marks_around(known)[1][:180]


def _goes_on(title: str, before: str) -> bool:
    """Return whether a text is the rest of a chapter that was too long for one document."""
    stem, _, number = title.rpartition("(")
    before_stem, _, before_number = before.rpartition("(")
    stem, number = stem.rstrip(), number.removesuffix(")")
    if not title.endswith(")") or not number.isdecimal() or int(number) < 2:
        return False
    if int(number) == 2:
        return stem == " ".join(before.split())
    is_before = before_number.removesuffix(")") == str(int(number) - 1)
    return is_before and before_stem.rstrip() == stem
