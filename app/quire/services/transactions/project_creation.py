"""Creates project files from texts and outlines. Plain functions for a storage thread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.drafting.steering import NewCard
from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.chapter_splitting import MAX_CHARS, MAX_TEXTS, TextSection, cut
from quire.domain.manuscript.comments import Comment, checked, parted
from quire.domain.manuscript.manuscript import Document, Project, cleaned
from quire.domain.manuscript.outline_import import Outline
from quire.domain.manuscript.tree import Node, NodeKind
from quire.errors import WriterProblem
from quire.services.transactions.project_text import OPEN_DOCUMENT
from quire.storage.project_file import create_project_file, open_project_file
from quire_engine.api.user_message import UserMessage

DOCUMENT_ID = 1
"""The first text of a new project."""
_BOOK_ID = DOCUMENT_ID + 1
_REST = re.compile(r"\(\d+\)")
"""The title of the rest of a section without a title, which was too long for one document."""


def create(
    path: Path, project: Project, opening: str = "", outline: Outline | None = None
) -> tuple[UserMessage, ...]:
    """Create a project file with an opening, with the empty chapters of an outline, or blank.

    Return what the writer is to know of files that another project of this name left behind.

    An opening that is too long for one document is cut at its headings; WriterProblem where those are more
    than a project is made of.
    """
    opening = cleaned(opening)
    if outline is not None:
        return _create_outlined(path, project, outline, opening)
    if len(opening) > MAX_CHARS:
        pieces = cut(opening)
        if len(pieces) > MAX_TEXTS:
            raise WriterProblem(
                "The opening has more than {most:,} chapters and scenes. Make it shorter.", most=MAX_TEXTS
            )
        return _create_of_pieces(path, project, pieces)
    return create_project_file(path, project, Document(DOCUMENT_ID, project.title, opening))


def create_cut(
    path: Path,
    title: str,
    text: str | Sequence[TextSection],
    author: str = "",
    comments: Sequence[Comment] = (),
    note: NewCard | None = None,
) -> tuple[UserMessage, ...]:
    """Create a project file of a text that is cut at its headings, or of ready-made sections.

    Args:
        comments: on the sections, placed as in one text.
        note: goes to the notes.
    """
    pieces = cut(cleaned(text)) if isinstance(text, str) else text
    notices = _create_of_pieces(path, Project(title, datetime.now(UTC), author=author), pieces)
    if comments:
        _add_comments(path, pieces, comments)
    if note is not None:
        _add_note(path, note)
    return notices


def _add_comments(path: Path, pieces: Sequence[TextSection], comments: Sequence[Comment]) -> None:
    file = open_project_file(path)
    try:
        with file.unit() as unit:
            for place in range(len(pieces) - 1, -1, -1):
                start = sum(len(piece.text) for piece in pieces[:place])
                comments, here = parted(comments, start)
                text = pieces[place].text
                clipped = (replace(one, end=min(one.end, len(text))) for one in here)
                unit.comments.save(_id_at(place), [checked(one, text) for one in clipped])
            unit.commit()
    finally:
        file.close()


def _add_note(path: Path, note: NewCard) -> None:
    file = open_project_file(path)
    try:
        with file.unit() as unit:
            tree = unit.manuscript.tree()
            for node in tree_edits.added(tree, note.kind, note.title, tree_edits.Spot(None)):
                if node.node_id == tree.next_id:
                    unit.manuscript.add(node, Document(node.node_id, node.title, cleaned(note.text)))
                else:
                    unit.manuscript.save_node(node)
            unit.commit()
    finally:
        file.close()


def _create_of_pieces(path: Path, project: Project, pieces: Sequence[TextSection]) -> tuple[UserMessage, ...]:
    titles = [_title_of(piece, project.title) for piece in pieces]
    first = Document(DOCUMENT_ID, titles[0] or project.title, pieces[0].text)
    nodes = _placed([piece.kind for piece in pieces], titles)
    more = [
        (node, Document(node.node_id, node.title, piece.text))
        for node, piece in zip(nodes[1:], pieces[1:], strict=True)
    ]
    return create_project_file(path, project, first, more, pieces[0].kind)


def _title_of(piece: TextSection, book_title: str) -> str:
    """Return the title of a section; the rest of one without a title has the book's."""
    return f"{book_title} {piece.title}" if _REST.fullmatch(piece.title) else piece.title


def _create_outlined(path: Path, project: Project, outline: Outline, opening: str) -> tuple[UserMessage, ...]:
    """Create the chapters of an outline; an opening goes into the first of them, and that is the open
    text."""
    entries = outline.entries
    nodes = _placed([entry.kind for entry in entries], [entry.title for entry in entries])
    nodes = [replace(node, synopsis=entry.synopsis) for node, entry in zip(nodes, entries, strict=True)]
    chapter = next(node for node in nodes if node.kind is NodeKind.CHAPTER)
    texts = [Document(node.node_id, node.title, opening if node is chapter else "") for node in nodes]
    notices = create_project_file(
        path, project, texts[0], list(zip(nodes[1:], texts[1:], strict=True)), kind=nodes[0].kind
    )
    file = open_project_file(path)
    try:
        with file.unit() as unit:
            unit.manuscript.save_node(
                replace(unit.manuscript.tree().node(DOCUMENT_ID), synopsis=nodes[0].synopsis)
            )
            unit.records.save_setting(OPEN_DOCUMENT, chapter.node_id)
            unit.commit()
    finally:
        file.close()
    return notices


def _placed(kinds: Sequence[NodeKind], titles: Sequence[str]) -> list[Node]:
    """Return a node for each text, in order: the first has the first number, the book the second."""
    above = _Above(_BOOK_ID)
    nodes: list[Node] = []
    for place, (kind, title) in enumerate(zip(kinds, titles, strict=True)):
        node_id = _id_at(place)
        nodes.append(Node(node_id, kind, title, above.place(node_id, kind), position=node_id))
    return nodes


def _id_at(place: int) -> int:
    return DOCUMENT_ID if place == 0 else _BOOK_ID + place


class _Above:
    """The parents of the next text: a scene goes into the last chapter, a chapter into the last part."""

    def __init__(self, book_id: int) -> None:
        self._book_id = self._part_id = book_id
        self._chapter_id: int | None = None

    def place(self, node_id: int, kind: NodeKind) -> int:
        """Return the parent of a text, and record the text as the latest of its kind."""
        if kind is NodeKind.PART:
            self._part_id, self._chapter_id = node_id, None
            return self._book_id
        if kind is NodeKind.CHAPTER:
            self._chapter_id = node_id
            return self._part_id
        return self._part_id if self._chapter_id is None else self._chapter_id
