"""The tables of schema 5, used only inside this package.

Times are ISO 8601 in UTC. Booleans are 0 and 1. A checksum is the SHA-256, in hexadecimal, of what the row's
docstring names; every row that holds text or tokens has one. Every row ends with a digest of all its other
columns (`row_digests`); only the link of the last commit has a checksum of its own.
"""

from __future__ import annotations

from sqlalchemy import REAL, CheckConstraint, ForeignKey, Integer, MetaData, Table, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class _Flag(TypeDecorator[bool]):
    """A bool stored as 0 or 1: a strict table knows no other type for it."""

    impl = Integer
    cache_ok = True

    def process_result_value(self, value: int | None, dialect: object) -> bool | None:
        return None if value is None else bool(value)


class Base(DeclarativeBase):
    """Table mappings; the domain classes know nothing of them."""

    metadata = MetaData()
    type_annotation_map = {str: Text, float: REAL, bool: _Flag}  # noqa: RUF012  SQLAlchemy's own way


DIGEST = "row_digest"
"""The last column of a table."""


class DigestedRow(Base):
    """A row with a digest of all its other columns, which the mapper writes."""

    __abstract__ = True
    row_digest: Mapped[bytes] = mapped_column(sort_order=1000)


def table_of(row: type[Base]) -> Table:
    """Return the table of a class of rows."""
    table = row.__table__
    if not isinstance(table, Table):
        raise TypeError(f"{row.__name__} has no table of its own")
    return table


_STRICT = {"sqlite_strict": True}
"""Without it SQLite stores whatever it is given in any column."""


class ProjectRow(DigestedRow):
    """The project; there is one row. revision: grows with every commit, so backups know when they are due."""

    __tablename__ = "project"
    __table_args__ = (CheckConstraint("project_id = 1"), _STRICT)
    project_id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    author: Mapped[str]
    language: Mapped[str]
    created: Mapped[str]
    revision: Mapped[int]


class NodeRow(DigestedRow):
    """A place in the tree: book, part, chapter, scene, or a note. position: among its siblings."""

    __tablename__ = "node"
    __table_args__ = _STRICT
    node_id: Mapped[int] = mapped_column(primary_key=True)
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("node.node_id"))
    position: Mapped[int]
    kind: Mapped[str]
    title: Mapped[str]
    synopsis: Mapped[str]
    status: Mapped[str]
    exported: Mapped[bool]
    created: Mapped[str]
    trashed: Mapped[str | None]


class DocumentRow(DigestedRow):
    """The text of a node. spans: packed provenance; checksum: of the text in UTF-8 and the spans."""

    __tablename__ = "document"
    __table_args__ = _STRICT
    document_id: Mapped[int] = mapped_column(ForeignKey("node.node_id"), primary_key=True)
    text: Mapped[str]
    spans: Mapped[bytes]
    checksum: Mapped[str]
    updated: Mapped[str]


class ContentRow(DigestedRow):
    """Bytes that several rows may share, under their own SHA-256; data: packed."""

    __tablename__ = "content"
    __table_args__ = _STRICT
    digest: Mapped[str] = mapped_column(primary_key=True)
    data: Mapped[bytes]


class TakeRow(DigestedRow):
    """An alternative continuation.

    Attributes:
        parent_id: the take that its anchor is in, None for the document's own beginning.
        place: characters of the parent before it.
        stands: whether its text is part of its parent's text; otherwise its pieces hold it.
    """

    __tablename__ = "take"
    __table_args__ = _STRICT
    take_id: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[int] = mapped_column(ForeignKey("document.document_id"))
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("take.take_id"))
    place: Mapped[int]
    stands: Mapped[bool]
    title: Mapped[str]
    text: Mapped[bytes | None]
    spans: Mapped[bytes | None]
    checksum: Mapped[str]
    created: Mapped[str]
    updated: Mapped[str]
    trashed: Mapped[str | None]


class RunRow(DigestedRow):
    """One run: a segment of a take that is resumed from its tokens, seed and settings alone.

    Attributes:
        sampling, model: JSON objects.
        prompt: the digests of its blocks in table content, 32 bytes each.
        reading: JSON, how each part of the prompt was read.
        changed_at: JSON, where it was resumed on a computer that computes differently.
        num_chunks, chain_digest: of its chunks stored so far.
        num_folded: how many of them are merged into the document's text.
        apart: whether the text was changed where the model had read it.
        steering: digest of the prompt around the text.
        asked: JSON, the writer's other choices.
        pauses: JSON, token counts at which it paused.
    """

    __tablename__ = "run"
    __table_args__ = _STRICT
    run_id: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[int] = mapped_column(ForeignKey("document.document_id"))
    take_id: Mapped[int | None] = mapped_column(ForeignKey("take.take_id"))
    state: Mapped[str]
    seed: Mapped[int]
    sampling: Mapped[str]
    goal_words: Mapped[int]
    goal_start: Mapped[int]
    model: Mapped[str | None]
    prompt: Mapped[bytes]
    num_prompt: Mapped[int]
    prompt_checksum: Mapped[str]
    reading: Mapped[str]
    num_tokens: Mapped[int]
    num_words: Mapped[int]
    num_chunks: Mapped[int]
    num_folded: Mapped[int]
    chain_digest: Mapped[str]
    base_digest: Mapped[str]
    end_digest: Mapped[str]
    read_tail: Mapped[bool]
    num_left_out: Mapped[int]
    finish_reason: Mapped[str | None]
    changed_at: Mapped[str]
    error: Mapped[str]
    apart: Mapped[bool]
    steering: Mapped[str]
    asked: Mapped[str]
    pauses: Mapped[str]
    created: Mapped[str]
    updated: Mapped[str]


class ChunkRow(DigestedRow):
    """Steps of a run, stored together; drafting only ever adds rows, so storing is O(1).

    Both checksums are over the unpacked content.

    Attributes:
        compact: whether ids and text are packed, as they are once a run has ended.
        steps: the packed record of every step, None where it was not kept.
        num_words: whole words in the run after it.
        crc32: of ids and text.
        digest: chained to the chunk before.
    """

    __tablename__ = "run_chunk"
    __table_args__ = _STRICT
    run_id: Mapped[int] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    compact: Mapped[bool]
    token_ids: Mapped[bytes]
    text: Mapped[bytes]
    num_words: Mapped[int]
    num_steps: Mapped[int]
    step_ms: Mapped[float]
    steps: Mapped[bytes | None]
    crc32: Mapped[int]
    digest: Mapped[str]
    created: Mapped[str]


class SnapshotRow(DigestedRow):
    """A snapshot of the manuscript; `reason` is why it was taken."""

    __tablename__ = "snapshot"
    __table_args__ = _STRICT
    snapshot_id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    reason: Mapped[str]
    created: Mapped[str]


class SnapshotTextRow(DigestedRow):
    """A text in a snapshot. text_digest: its name in table content; checksum: of that and the spans."""

    __tablename__ = "snapshot_text"
    __table_args__ = _STRICT
    snapshot_id: Mapped[int] = mapped_column(
        ForeignKey("snapshot.snapshot_id", ondelete="CASCADE"), primary_key=True
    )
    document_id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    text_digest: Mapped[str] = mapped_column(ForeignKey("content.digest"))
    spans: Mapped[bytes]
    checksum: Mapped[str]


class GoalRow(DigestedRow):
    """A goal of the writer. node_id: of a part of the book, None for all of it; due: a date."""

    __tablename__ = "goal"
    __table_args__ = _STRICT
    goal_id: Mapped[int] = mapped_column(primary_key=True)
    node_id: Mapped[int | None] = mapped_column(ForeignKey("node.node_id"))
    words: Mapped[int]
    due: Mapped[str | None]
    created: Mapped[str]


class WritingSessionRow(DigestedRow):
    """From opening the project to closing it. active_s: seconds in which something was written or drafted."""

    __tablename__ = "writing_session"
    __table_args__ = _STRICT
    session_id: Mapped[int] = mapped_column(primary_key=True)
    started: Mapped[str]
    ended: Mapped[str]
    active_s: Mapped[float]
    words_written: Mapped[int]
    words_drafted: Mapped[int]


class SettingRow(DigestedRow):
    """A setting of the project; value: JSON."""

    __tablename__ = "setting"
    __table_args__ = _STRICT
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class PhraseTableRow(DigestedRow):
    """The n-grams of a text that came twice or more, for one tokenizer: derived data, rebuilt from the text.

    Attributes:
        source: SHA-256 of the text.
        tokenizer: SHA-256 of the tokenizer.
        max_context: tokens of the longest context.
        num_tokens: of the text that are counted: all of them.
        data: packed bytes of the engine.
        checksum: of these bytes.
    """

    __tablename__ = "phrase_table"
    __table_args__ = _STRICT
    source: Mapped[str] = mapped_column(primary_key=True)
    tokenizer: Mapped[str] = mapped_column(primary_key=True)
    max_context: Mapped[int]
    num_tokens: Mapped[int]
    data: Mapped[bytes]
    checksum: Mapped[str]
    created: Mapped[str]


class LearnedDrafterRow(DigestedRow):
    """Weights of draft models that an earlier version kept with the book; nothing reads or writes them."""

    __tablename__ = "learned_drafter"
    __table_args__ = _STRICT
    fingerprint: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    num_tokens: Mapped[int]
    data: Mapped[bytes]
    checksum: Mapped[str]
    created: Mapped[str]


class CommitRow(Base):
    """The link of the last commit; there is one row. link: a packed CommitLink, with a checksum in it."""

    __tablename__ = "commit_chain"
    __table_args__ = (CheckConstraint("chain_id = 1"), _STRICT)
    chain_id: Mapped[int] = mapped_column(primary_key=True)
    link: Mapped[bytes]
