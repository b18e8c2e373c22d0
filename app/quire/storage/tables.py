"""The tables of schema 1, seen nowhere outside this package. Times are ISO 8601 in UTC."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Table mappings; the domain classes know nothing of them."""


class ProjectRow(Base):
    """The project; there is one row."""

    __tablename__ = "project"
    __table_args__ = (CheckConstraint("project_id = 1"),)
    project_id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    created: Mapped[str]
    language: Mapped[str]


class DocumentRow(Base):
    """One text; checksum is the SHA-256 of the text in UTF-8."""

    __tablename__ = "document"
    document_id: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int]
    title: Mapped[str]
    text: Mapped[str]
    checksum: Mapped[str]
    updated: Mapped[str]


class RunRow(Base):
    """One run.

    sampling, model: JSON objects. num_chunks, chain_digest: of its chunks stored so far; num_folded: how
    many of them are part of the document's text.
    """

    __tablename__ = "run"
    run_id: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[int] = mapped_column(ForeignKey("document.document_id"))
    state: Mapped[str]
    seed: Mapped[int]
    sampling: Mapped[str]
    goal_words: Mapped[int]
    goal_start: Mapped[int]
    model: Mapped[str | None]
    prompt_ids: Mapped[bytes]
    prompt_checksum: Mapped[str]
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
    error: Mapped[str]
    created: Mapped[str]
    updated: Mapped[str]


class ChunkRow(Base):
    """Steps of a run, stored together; rows are only ever added, so storing costs the same at any length.

    num_words: whole words in the run after it. crc32: of ids and text; digest: chained to the chunk before.
    """

    __tablename__ = "run_chunk"
    run_id: Mapped[int] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    token_ids: Mapped[bytes]
    text: Mapped[str]
    num_words: Mapped[int]
    num_steps: Mapped[int]
    step_ms: Mapped[float]
    crc32: Mapped[int]
    digest: Mapped[str]
    created: Mapped[str]
