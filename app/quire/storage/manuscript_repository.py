"""Read and write the project, its tree and its texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select

from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.storage.aside_chapters import AsideChapters
from quire.storage.codec import digest_of_parts, now
from quire.storage.comment_repository import CommentRepository
from quire.storage.packing import packed_spans, unpacked_spans
from quire.storage.problems import damaged
from quire.storage.rows import EPOCH, Rows, nearest
from quire.storage.tables import DOCUMENT, GOAL, NODE, PROJECT


class ManuscriptRepository:
    """The project, its tree and its texts in one open transaction.

    Args:
        comments: they follow every change of a text.
        aside: the chapters that are in the trash as parts of takes.
    """

    def __init__(self, rows: Rows, comments: CommentRepository, aside: AsideChapters) -> None:
        self._rows = rows
        self._comments, self._aside = comments, aside

    def create(self, project: Project, book: Node, texts: Iterable[tuple[Node, Document]]) -> None:
        """Write the project, the book and its texts into a new file; parents come first."""
        self._rows.write(
            PROJECT,
            {
                "project_id": 1,
                "title": project.title,
                "author": project.author,
                "language": project.language,
                "created": project.created.isoformat(),
                "revision": 0,
            },
        )
        self.save_node(book)
        for node, document in texts:
            self.add(node, document)

    def project(self) -> Project:
        """Return the project."""
        row = self._rows.get(PROJECT, 1)
        if row is None:
            raise damaged(self._rows.path, "it has no project in it")
        created = self._rows.read_or(PROJECT, row, EPOCH, datetime.fromisoformat, row.created)
        return Project(row.title, created, row.language, row.author)

    def revision(self) -> int:
        """Return a number that grows with every commit."""
        return self._rows.scalar(select(PROJECT.c.revision)) or 0

    def tree(self) -> Tree:
        """Return the tree."""
        try:
            aside = {chapter for chapters in self._aside.all().values() for chapter in chapters}
            return Tree(
                replace(node, aside=True) if node.node_id in aside and node.trashed else node
                for node in nodes_of(self._rows)
            )
        except ValueError as error:
            raise damaged(self._rows.path, f"its chapters are out of order: {error}") from error

    def save_node(self, node: Node) -> None:
        """Insert a node or overwrite the one of the same number."""
        row = self._rows.get(NODE, node.node_id)
        # the writer has seen what was wrong in it, and wrote over it
        rewritten = row is not None and (row.title, row.synopsis) != (node.title, node.synopsis)
        values = {
            "node_id": node.node_id,
            "parent_id": node.parent_id,
            "position": node.position,
            "kind": node.kind.value,
            "title": node.title,
            "synopsis": node.synopsis,
            "status": node.status.value,
            "exported": node.exported,
            "trashed": None if node.trashed is None else node.trashed.isoformat(),
        }
        self._rows.write(NODE, values, new={"created": now()}, mended=rewritten)

    def add(self, node: Node, document: Document) -> None:
        """Insert a node and its text."""
        self.save_node(node)
        self._write(replace(document, document_id=node.node_id))

    def remove(self, node_id: int) -> None:
        """Remove a node without children, runs or takes, with its text, its comments and its goal."""
        self._comments.remove(node_id)
        self._rows.delete(DOCUMENT, DOCUMENT.c.document_id == node_id)
        self._rows.delete(GOAL, GOAL.c.node_id == node_id)
        self._rows.delete(NODE, NODE.c.node_id == node_id)

    def document(self, document_id: int | None = None) -> Document:
        """Return a text, checked against its checksum; None: the first one as the book is read."""
        if document_id is None:
            first = next(iter(self.tree().reading_order()), None)
            if first is None:
                raise damaged(self._rows.path, "it has no text in it")
            document_id = first.node_id
        query = select(NODE.c.title, DOCUMENT.c.text, DOCUMENT.c.spans, DOCUMENT.c.checksum)
        found = self._rows.all(
            query.join_from(DOCUMENT, NODE, NODE.c.node_id == DOCUMENT.c.document_id).where(
                DOCUMENT.c.document_id == document_id
            )
        )
        if not found:
            raise damaged(self._rows.path, f"text {document_id} is missing")
        title, text, spans, checksum = found[0]
        if _checksum(text, spans) != checksum:
            raise damaged(self._rows.path, f"the checksum of text {document_id} does not match")
        return Document(document_id, title, text, unpacked_spans(spans))

    def lengths(self) -> dict[int, int]:
        """Return the characters of each text, without reading the texts here."""
        return dict(self._rows.all(select(DOCUMENT.c.document_id, func.length(DOCUMENT.c.text))))

    def written_ids(self) -> frozenset[int]:
        """Return which texts are not blank, without reading them here."""
        words = func.trim(DOCUMENT.c.text, " \n\t")
        return frozenset(self._rows.scalars(select(DOCUMENT.c.document_id).where(words != "")))

    def save(self, document: Document) -> None:
        """Replace a text and its provenance."""
        row = self._rows.get(DOCUMENT, document.document_id)
        if row is None:
            raise damaged(self._rows.path, f"text {document.document_id} is missing")
        self._comments.follow(document.document_id, row.text, document.text)
        self._write(document)

    def _write(self, document: Document) -> None:
        spans = packed_spans(document.provenance)
        values = {
            "document_id": document.document_id,
            "text": document.text,
            "spans": spans,
            "checksum": _checksum(document.text, spans),
            "updated": now(),
        }
        self._rows.write(DOCUMENT, values, mended=True)


def nodes_of(rows: Rows) -> list[Node]:
    """Every node; of a damaged one, what can be read."""
    return [_node(rows, row) for row in rows.all(select(NODE))]


def _node(rows: Rows, row: Row[Any]) -> Node:
    kind, status = nearest(NodeKind, row.kind, NodeKind.CHAPTER), nearest(Status, row.status, Status.NONE)
    return Node(
        row.node_id,
        rows.read_or(NODE, row, kind, NodeKind, row.kind),
        row.title,
        row.parent_id,
        row.position,
        row.synopsis,
        rows.read_or(NODE, row, status, Status, row.status),
        row.exported,
        None if row.trashed is None else rows.read_or(NODE, row, EPOCH, datetime.fromisoformat, row.trashed),
    )


def _checksum(text: str, spans: bytes) -> str:
    return digest_of_parts(text.encode(), spans)
