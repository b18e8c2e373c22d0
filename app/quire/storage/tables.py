"""The tables of format 6: the only schema, used only inside this package.

Times are ISO 8601 in UTC. Booleans are 0 and 1. A checksum is the SHA-256, in hexadecimal, of what the
table's comment names; every row that holds text or tokens has one. Every row ends with a digest of all its
other columns (`rows`); only the link of the last commit has a checksum of its own.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import REAL, CheckConstraint, Column, ForeignKey, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.sql.schema import SchemaItem
from sqlalchemy.types import TypeDecorator, TypeEngine

SCHEMA_VERSION = 6
APPLICATION_ID = 0x51554952
"""'QUIR': what tells a project from any other SQLite file."""
METADATA = MetaData()
DIGEST = "row_digest"
"""The last column of every table but the chain of commits."""


class _Flag(TypeDecorator[bool]):
    """A bool stored as 0 or 1: a strict table knows no other type for it."""

    impl = Integer
    cache_ok = True

    def process_result_value(self, value: int | None, dialect: object) -> bool | None:
        return None if value is None else bool(value)


def _key(name: str, kind: type[TypeEngine[Any]], *items: SchemaItem) -> Column[Any]:
    return Column(name, kind, *items, primary_key=True)


def _of(name: str, kind: type[TypeEngine[Any]], *items: SchemaItem) -> Column[Any]:
    return Column(name, kind, *items, nullable=False)


def _maybe(name: str, kind: type[TypeEngine[Any]], *items: SchemaItem) -> Column[Any]:
    return Column(name, kind, *items)


def _table(name: str, *items: SchemaItem) -> Table:
    # without STRICT SQLite stores whatever it is given in any column
    return Table(name, METADATA, *items, sqlite_strict=True)


def _digested(name: str, *items: SchemaItem) -> Table:
    return _table(name, *items, _of(DIGEST, LargeBinary))


# One row. revision: grows with every commit, so backups know when they are due.
PROJECT = _digested(
    "project",
    _key("project_id", Integer),
    _of("title", Text),
    _of("author", Text),
    _of("language", Text),
    _of("created", Text),
    _of("revision", Integer),
    CheckConstraint("project_id = 1"),
)
# A place in the tree: book, part, chapter, scene, or a note. position: among its siblings.
NODE = _digested(
    "node",
    _key("node_id", Integer),
    _maybe("parent_id", Integer, ForeignKey("node.node_id")),
    _of("position", Integer),
    _of("kind", Text),
    _of("title", Text),
    _of("synopsis", Text),
    _of("status", Text),
    _of("exported", _Flag),
    _of("created", Text),
    _maybe("trashed", Text),
)
# The text of a node. spans: packed provenance; checksum: of the text in UTF-8 and the spans.
DOCUMENT = _digested(
    "document",
    _key("document_id", Integer, ForeignKey("node.node_id")),
    _of("text", Text),
    _of("spans", LargeBinary),
    _of("checksum", Text),
    _of("updated", Text),
)
# Bytes that several rows may share, under their own SHA-256; data: packed.
CONTENT = _digested("content", _key("digest", Text), _of("data", LargeBinary))
# An alternative continuation.
TAKE = _digested(
    "take",
    _key("take_id", Integer),
    _of("document_id", Integer, ForeignKey("document.document_id")),
    # the take that its anchor is in, NULL for the document's own beginning
    _maybe("parent_id", Integer, ForeignKey("take.take_id")),
    _of("place", Integer),  # characters of the parent before it
    _of("stands", _Flag),  # whether its text is part of its parent's; otherwise text and spans hold it
    _of("title", Text),
    _maybe("text", LargeBinary),
    _maybe("spans", LargeBinary),
    _of("checksum", Text),
    _of("created", Text),
    _of("updated", Text),
    _maybe("trashed", Text),
)
# A segment of a take that is resumed from its tokens, seed and settings alone.
RUN = _digested(
    "run",
    _key("run_id", Integer),
    _of("document_id", Integer, ForeignKey("document.document_id")),
    _maybe("take_id", Integer, ForeignKey("take.take_id")),
    _of("state", Text),
    _of("seed", Integer),
    _of("sampling", Text),  # JSON
    _of("goal_words", Integer),
    _of("goal_start", Integer),
    _maybe("model", Text),  # JSON
    _of("prompt", LargeBinary),  # the digests of its blocks in table content, 32 bytes each
    _of("num_prompt", Integer),
    _of("prompt_checksum", Text),
    _of("reading", Text),  # JSON: how each part of the prompt was read
    _of("num_tokens", Integer),
    _of("num_words", Integer),
    _of("num_chunks", Integer),  # stored so far, as is chain_digest
    _of("num_folded", Integer),  # chunks that are merged into the document's text
    _of("chain_digest", Text),
    _of("base_digest", Text),
    _of("end_digest", Text),
    _of("read_tail", _Flag),
    _of("num_left_out", Integer),
    _maybe("finish_reason", Text),
    _of("changed_at", Text),  # JSON: where it was resumed on a computer that computes differently
    _of("error", Text),
    _of("apart", _Flag),  # whether the text was changed where the model had read it
    _of("steering", Text),  # digest of the prompt around the text
    _of("asked", Text),  # JSON: the writer's other choices
    _of("pauses", Text),  # JSON: token counts at which it paused
    _of("created", Text),
    _of("updated", Text),
)
# Steps of a run, stored together; drafting only ever adds rows, so storing is O(1). Both checksums are over
# the unpacked content.
CHUNK = _digested(
    "run_chunk",
    _key("run_id", Integer, ForeignKey("run.run_id", ondelete="CASCADE")),
    _key("seq", Integer),
    _of("compact", _Flag),  # whether ids and text are packed, as they are once a run has ended
    _of("token_ids", LargeBinary),
    _of("text", LargeBinary),
    _of("num_words", Integer),  # whole words in the run after it
    _of("num_steps", Integer),
    _of("step_ms", REAL),
    _maybe("steps", LargeBinary),  # the packed record of every step, NULL where it was not kept
    _of("crc32", Integer),  # of ids and text
    _of("digest", Text),  # chained to the chunk before
    _of("created", Text),
)
SNAPSHOT = _digested(
    "snapshot", _key("snapshot_id", Integer), _of("title", Text), _of("reason", Text), _of("created", Text)
)
# A text in a snapshot. text_digest: its name in table content; checksum: of that and the spans.
SNAPSHOT_TEXT = _digested(
    "snapshot_text",
    _key("snapshot_id", Integer, ForeignKey("snapshot.snapshot_id", ondelete="CASCADE")),
    _key("document_id", Integer),
    _of("title", Text),
    _of("text_digest", Text, ForeignKey("content.digest")),
    _of("spans", LargeBinary),
    _of("checksum", Text),
)
# node_id: of a part of the book, NULL for all of it; due: a date.
GOAL = _digested(
    "goal",
    _key("goal_id", Integer),
    _maybe("node_id", Integer, ForeignKey("node.node_id")),
    _of("words", Integer),
    _maybe("due", Text),
    _of("created", Text),
)
# From opening the project to closing it. active_s: seconds in which something was written or drafted.
WRITING_SESSION = _digested(
    "writing_session",
    _key("session_id", Integer),
    _of("started", Text),
    _of("ended", Text),
    _of("active_s", REAL),
    _of("words_written", Integer),
    _of("words_drafted", Integer),
)
SETTING = _digested("setting", _key("name", Text), _of("value", Text))  # JSON
# The n-grams of a text that came twice or more, for one tokenizer: derived data, rebuilt from the text.
PHRASES = _digested(
    "phrase_table",
    _key("source", Text),  # SHA-256 of the text
    _key("tokenizer", Text),  # SHA-256 of the tokenizer
    _of("max_context", Integer),
    _of("num_tokens", Integer),  # of the text: all of them are counted
    _of("data", LargeBinary),  # packed bytes of the engine
    _of("checksum", Text),
    _of("created", Text),
)
# Weights of draft models that an earlier version kept with the book; nothing reads or writes them.
LEARNED_DRAFTER = _digested(
    "learned_drafter",
    _key("fingerprint", Text),
    _key("version", Integer),
    _of("num_tokens", Integer),
    _of("data", LargeBinary),
    _of("checksum", Text),
    _of("created", Text),
)
# One row: the link of the last commit, a packed CommitLink with a checksum in it.
COMMIT_CHAIN = _table(
    "commit_chain",
    _key("chain_id", Integer),
    _of("link", LargeBinary),
    CheckConstraint("chain_id = 1"),
)
