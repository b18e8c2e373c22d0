"""Makes new project files of texts. Plain functions for a storage thread."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.cutting import Piece, cut
from quire.domain.manuscript import Document, Project, cleaned
from quire.domain.tree import Node, NodeKind
from quire.storage.sqlite import create_project_file

DOCUMENT_ID = 1
"""The first text of a new project."""


def create_cut(path: Path, title: str, text: str | Sequence[Piece], author: str = "") -> None:
    """Make a project file of a text that is cut at its headings, or of pieces that it was cut into."""
    pieces = cut(cleaned(text)) if isinstance(text, str) else text
    book_id = DOCUMENT_ID + 1
    first = Document(DOCUMENT_ID, pieces[0].title or title, pieces[0].text)
    above = _Above(book_id)
    above.place(DOCUMENT_ID, pieces[0].kind)
    more: list[tuple[Node, Document]] = []
    for number, piece in enumerate(pieces[1:], start=book_id + 1):
        parent_id = above.place(number, piece.kind)
        node = Node(number, piece.kind, piece.title, parent_id, position=number)
        more.append((node, Document(number, piece.title, piece.text)))
    project = Project(title, datetime.now(UTC), author=author)
    create_project_file(path, project, first, more, pieces[0].kind)


class _Above:
    """Where the next text goes: a scene into the last chapter, a chapter into the last part."""

    def __init__(self, book_id: int) -> None:
        self._book_id = self._part_id = book_id
        self._chapter_id: int | None = None

    def place(self, node_id: int, kind: NodeKind) -> int:
        """Return what a text lies in, and take that it comes next."""
        if kind is NodeKind.PART:
            self._part_id, self._chapter_id = node_id, None
            return self._book_id
        if kind is NodeKind.CHAPTER:
            self._chapter_id = node_id
            return self._part_id
        return self._part_id if self._chapter_id is None else self._chapter_id
