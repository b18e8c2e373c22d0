"""Read and write the project, its tree and its texts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.storage.codec import digest_of_parts, now
from quire.storage.comment_repository import CommentRepository
from quire.storage.damaged_values import EPOCH, nearest, read_or
from quire.storage.packing import packed_spans, unpacked_spans
from quire.storage.problems import damaged
from quire.storage.row_digests import reseal
from quire.storage.tables import DocumentRow, GoalRow, NodeRow, ProjectRow


class ManuscriptRepository:
    """The project, its tree and its texts in one open transaction.

    Args:
        comments: they follow every change of a text.
    """

    def __init__(self, orm: Session, path: Path, comments: CommentRepository) -> None:
        self._orm = orm
        self._path = path
        self._comments = comments

    def create(self, project: Project, book: Node, texts: Iterable[tuple[Node, Document]]) -> None:
        """Write the project, the book and its texts into a new file; parents come first."""
        self._orm.add(
            ProjectRow(
                project_id=1,
                title=project.title,
                author=project.author,
                language=project.language,
                created=project.created.isoformat(),
                revision=0,
            )
        )
        self.save_node(book)
        for node, document in texts:
            self.add(node, document)

    def project(self) -> Project:
        """Return the project."""
        row = self._orm.get(ProjectRow, 1)
        if row is None:
            raise damaged(self._path, "it has no project in it")
        created = read_or(row, EPOCH, datetime.fromisoformat, row.created)
        return Project(row.title, created, row.language, row.author)

    def revision(self) -> int:
        """Return a number that grows with every commit."""
        return self._orm.scalar(select(ProjectRow.revision)) or 0

    def tree(self) -> Tree:
        """Return the tree."""
        try:
            return Tree(node_of(row) for row in self._orm.scalars(select(NodeRow)))
        except ValueError as error:
            raise damaged(self._path, f"its chapters are out of order: {error}") from error

    def save_node(self, node: Node) -> None:
        """Insert a node or overwrite the one of the same number."""
        row = self._orm.get(NodeRow, node.node_id)
        if row is None:
            row = NodeRow(node_id=node.node_id, created=now())
            self._orm.add(row)
        elif (row.title, row.synopsis) != (node.title, node.synopsis):
            reseal(row)  # the writer has seen what was wrong in it, and wrote over it
        row.parent_id = node.parent_id
        row.position = node.position
        row.kind = node.kind.value
        row.title = node.title
        row.synopsis = node.synopsis
        row.status = node.status.value
        row.exported = node.exported
        row.trashed = None if node.trashed is None else node.trashed.isoformat()
        self._orm.flush()

    def add(self, node: Node, document: Document) -> None:
        """Insert a node and its text."""
        self.save_node(node)
        spans = packed_spans(document.provenance)
        self._orm.add(
            DocumentRow(
                document_id=node.node_id,
                text=document.text,
                spans=spans,
                checksum=_checksum(document.text, spans),
                updated=now(),
            )
        )
        self._orm.flush()

    def remove(self, node_id: int) -> None:
        """Remove a node without children, runs or takes, with its text, its comments and its goal."""
        self._comments.remove(node_id)
        self._orm.execute(delete(DocumentRow).where(DocumentRow.document_id == node_id))
        self._orm.execute(delete(GoalRow).where(GoalRow.node_id == node_id))
        self._orm.execute(delete(NodeRow).where(NodeRow.node_id == node_id))

    def document(self, document_id: int | None = None) -> Document:
        """Return a text, checked against its checksum; None: the first one as the book is read."""
        if document_id is None:
            first = next(iter(self.tree().reading_order()), None)
            if first is None:
                raise damaged(self._path, "it has no text in it")
            document_id = first.node_id
        query = select(NodeRow.title, DocumentRow.text, DocumentRow.spans, DocumentRow.checksum)
        found = self._orm.execute(
            query.join(NodeRow, NodeRow.node_id == DocumentRow.document_id).where(
                DocumentRow.document_id == document_id
            )
        ).one_or_none()
        if found is None:
            raise damaged(self._path, f"text {document_id} is missing")
        title, text, spans, checksum = found
        if _checksum(text, spans) != checksum:
            raise damaged(self._path, f"the checksum of text {document_id} does not match")
        return Document(document_id, title, text, unpacked_spans(spans))

    def written_ids(self) -> frozenset[int]:
        """Return which texts are not blank, without reading them here."""
        words = func.trim(DocumentRow.text, " \n\t")
        return frozenset(self._orm.scalars(select(DocumentRow.document_id).where(words != "")))

    def save(self, document: Document) -> None:
        """Replace a text and its provenance."""
        spans = packed_spans(document.provenance)
        row = self._orm.get(DocumentRow, document.document_id)
        if row is None:
            raise damaged(self._path, f"text {document.document_id} is missing")
        self._comments.follow(document.document_id, row.text, document.text)
        row.text, row.spans, row.checksum = document.text, spans, _checksum(document.text, spans)
        row.updated = now()
        reseal(row)  # everything in it was written
        self._orm.flush()


def node_of(row: NodeRow) -> Node:
    """Return the node of a row of the table; of a damaged one, what can be read."""
    return Node(
        row.node_id,
        read_or(row, nearest(NodeKind, row.kind, NodeKind.CHAPTER), NodeKind, row.kind),
        row.title,
        row.parent_id,
        row.position,
        row.synopsis,
        read_or(row, nearest(Status, row.status, Status.NONE), Status, row.status),
        row.exported,
        None if row.trashed is None else read_or(row, EPOCH, datetime.fromisoformat, row.trashed),
    )


def _checksum(text: str, spans: bytes) -> str:
    return digest_of_parts(text.encode(), spans)
