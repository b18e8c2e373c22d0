"""Puts texts back into the book that have lost their place in it. No text is changed.

Missing data cannot be repaired: then the project is damaged and its last good backup is offered.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.orphaned_nodes import Adopted, adopted
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.domain.manuscript.tree import Node, NodeKind
from quire.storage.aside_chapters import AsideChapters
from quire.storage.comment_repository import CommentRepository
from quire.storage.connection import writer_engine
from quire.storage.manuscript_repository import ManuscriptRepository, nodes_of
from quire.storage.problems import read_from
from quire.storage.record_repository import RecordRepository
from quire.storage.rows import Rows
from quire.storage.run_repository import RunRepository
from quire.storage.tables import DOCUMENT, NODE, RUN, TAKE

RECOVERED = "recovered texts"
"""The setting that says how many texts were put back, until the writer was told."""
_TITLE_CHARS = 40
_STRAYS = """
WITH RECURSIVE placed(node_id) AS (
    SELECT node_id FROM node WHERE parent_id IS NULL
    UNION SELECT node.node_id FROM node JOIN placed ON node.parent_id = placed.node_id
)
SELECT (SELECT count(*) FROM node WHERE kind = 'book') = 1
    AND EXISTS (SELECT 1 FROM node WHERE kind = 'book' AND parent_id IS NULL)
    AND NOT EXISTS (
        SELECT 1 FROM node WHERE kind <> 'book' AND node_id NOT IN (SELECT document_id FROM document)
    )
    AND (
        (SELECT count(*) FROM node) <> (SELECT count(*) FROM placed)
        OR EXISTS (SELECT 1 FROM document WHERE document_id NOT IN (SELECT node_id FROM node))
        OR EXISTS (SELECT 1 FROM run WHERE document_id NOT IN (SELECT node_id FROM node))
        OR EXISTS (SELECT 1 FROM take WHERE document_id NOT IN (SELECT node_id FROM node))
    )
"""
"""Whether there are any; not where a text or the book itself is missing, because that cannot be mended."""


@dataclass(frozen=True, slots=True)
class _Lost:
    """Texts without a node: those that are there, and those that only runs or takes belong to."""

    texts: tuple[int, ...]
    named_only: tuple[int, ...]


def has_strays(path: Path, *, immutable: bool) -> bool:
    """Return whether a project of the current format has orphaned texts. It changes nothing."""
    uri = f"{path.as_uri()}?mode=ro{'&immutable=1' if immutable else ''}"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        (found,) = connection.execute(_STRAYS).fetchone()
    return bool(found)


def mend(path: Path) -> int:
    """Give orphaned texts a place, all or none; return how many there were.

    0 when the book itself is missing. The file must not be open elsewhere.
    """
    engine = writer_engine(path)
    try:
        with read_from(path, "the book"), closing(Rows(engine, path)) as rows:
            num_texts = _Mending(rows).mend()
            if num_texts:
                rows.record_commit()
                rows.commit()
    finally:
        engine.dispose()
    return num_texts


class _Mending:
    """The repair within one transaction."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._records = RecordRepository(rows)
        comments, aside = CommentRepository(self._records), AsideChapters(self._records)
        self._manuscripts = ManuscriptRepository(rows, comments, aside)
        self._runs = RunRepository(rows)

    def mend(self) -> int:
        """Give every text a place; return how many needed one."""
        nodes = nodes_of(self._rows)
        lost = self._lost()
        chapters = [self._chapter(number) for number in (*lost.texts, *lost.named_only)]
        numbers = [node.node_id for node in (*nodes, *chapters)]
        found = adopted(nodes, chapters, 1 + max(numbers, default=0))
        if found is None:
            return 0
        self._store(found, set(lost.named_only))
        self._untie_takes(lost.named_only)
        num_texts = len(found.nodes) - found.is_new
        told = self._records.setting(RECOVERED)
        self._records.save_setting(RECOVERED, num_texts + (told if isinstance(told, int) else 0))
        return num_texts

    def _store(self, found: Adopted, without_text: set[int]) -> None:
        for node in found.nodes:
            if found.is_new and node.node_id == found.part_id:
                self._manuscripts.add(node, Document(node.node_id, node.title, ""))
            elif node.node_id in without_text:
                self._manuscripts.add(node, self._drafted(node))
            else:
                self._manuscripts.save_node(node)

    def _lost(self) -> _Lost:
        known = set(self._rows.scalars(select(NODE.c.node_id)))
        texts = set(self._rows.scalars(select(DOCUMENT.c.document_id))) - known
        named = set(self._rows.scalars(select(RUN.c.document_id)))
        named |= set(self._rows.scalars(select(TAKE.c.document_id)))
        return _Lost(tuple(sorted(texts)), tuple(sorted(named - known - texts)))

    def _chapter(self, number: int) -> Node:
        row = self._rows.get(DOCUMENT, number)
        words = " ".join((row.text if row else "")[: 4 * _TITLE_CHARS].split())
        title = words if len(words) <= _TITLE_CHARS else words[:_TITLE_CHARS].rpartition(" ")[0] + "\u2026"
        return Node(number, NodeKind.CHAPTER, title or f"Text {number}", position=number)

    def _drafted(self, node: Node) -> Document:
        """Return a text made of what runs had put into the missing one."""
        document = Document(node.node_id, node.title, "")
        query = select(RUN.c.run_id).where(RUN.c.document_id == node.node_id).order_by(RUN.c.run_id)
        for run_id in self._rows.scalars(query):
            waiting = "".join(chunk.text for chunk in self._runs.unfolded(run_id))
            drafted = self._runs.text(run_id).removesuffix(waiting)  # pending chunks are added to it later
            if document.text and drafted:
                document = document.followed_by("\n\n", Provenance.of(2, Origin.WRITTEN))
            document = document.drafted(drafted, run_id)
        return document

    def _untie_takes(self, numbers: tuple[int, ...]) -> None:
        """Let takes of a missing text begin where the new one does; none of them is in the text any more."""
        of_these = TAKE.c.document_id.in_(numbers)
        for run_id in self._rows.scalars(select(RUN.c.run_id).where(RUN.c.document_id.in_(numbers))):
            self._rows.write(RUN, {"run_id": run_id, "take_id": None})
        for take_id in self._rows.scalars(select(TAKE.c.take_id).where(of_these)):
            self._rows.write(TAKE, {"take_id": take_id, "parent_id": None, "place": 0})
        self._rows.delete(TAKE, of_these, TAKE.c.stands.is_(True))
