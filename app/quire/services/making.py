"""Makes new project files of texts. Plain functions for a storage thread."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from quire.domain.cutting import cut
from quire.domain.manuscript import Document, Project, cleaned
from quire.domain.tree import Node, NodeKind
from quire.storage.sqlite import create_project_file

DOCUMENT_ID = 1
"""The first text of a new project."""


def create_cut(path: Path, title: str, text: str) -> None:
    """Make a project file of a text that is cut at its headings."""
    pieces = cut(cleaned(text))
    book_id = DOCUMENT_ID + 1
    first = Document(DOCUMENT_ID, pieces[0].title or title, pieces[0].text)
    more: list[tuple[Node, Document]] = []
    part_id = DOCUMENT_ID if pieces[0].kind is NodeKind.PART else book_id
    for number, piece in enumerate(pieces[1:], start=book_id + 1):
        parent_id = book_id if piece.kind is NodeKind.PART else part_id
        node = Node(number, piece.kind, piece.title, parent_id, position=number)
        more.append((node, Document(number, piece.title, piece.text)))
        if piece.kind is NodeKind.PART:
            part_id = number
    create_project_file(path, Project(title, datetime.now(UTC)), first, more, pieces[0].kind)
