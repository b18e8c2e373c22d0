"""From format 1, one text and its runs, to format 2: chapters, takes, snapshots and provenance.

The tables are written by name, not through the classes of the current format, which keep changing.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator

from quire.domain.manuscript.provenance import Origin, Provenance
from quire.storage import schema
from quire.storage.codec import digest_of_parts
from quire.storage.packing import packed_bytes, packed_spans

_TABLES = ("project", "document", "run", "run_chunk")
_BLOCK_BYTES = 4 * 1024
"""A block of a prompt: 1,024 ids."""


def migrate(connection: sqlite3.Connection) -> None:
    """Move everything to the new tables, in an open transaction.

    ValueError when something does not match its checksum, or would be lost.
    """
    # otherwise renaming a table also renames it in the tables that refer to it
    connection.execute("PRAGMA legacy_alter_table = ON")
    for table in _TABLES:
        connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    connection.execute("PRAGMA legacy_alter_table = OFF")
    schema.create(connection.execute, 2)
    _move_project(connection)
    _move_documents(connection)
    _move_runs(connection)
    for table in _TABLES:
        if _count(connection, table) != _count(connection, f"old_{table}"):
            raise ValueError(f"rows of {table} were lost")
    for table in reversed(_TABLES):
        connection.execute(f"DROP TABLE old_{table}")


def _move_project(connection: sqlite3.Connection) -> None:
    connection.execute(
        "INSERT INTO project SELECT project_id, title, '', language, created, 0 FROM old_project"
    )


def _move_documents(connection: sqlite3.Connection) -> None:
    (book,) = connection.execute("SELECT max(document_id) + 1 FROM old_document").fetchone()
    connection.execute(
        "INSERT INTO node SELECT ?, NULL, 0, 'book', title, '', '', 1, created, NULL FROM old_project", [book]
    )
    rows = connection.execute(
        "SELECT document_id, position, title, text, checksum, updated FROM old_document"
    ).fetchall()
    for document_id, position, title, text, checksum, updated in rows:
        if hashlib.sha256(text.encode()).hexdigest() != checksum:
            raise ValueError("the checksum of the manuscript does not match")
        connection.execute(
            "INSERT INTO node VALUES (?, ?, ?, 'chapter', ?, '', '', 1, ?, NULL)",
            [document_id, book, position, title, updated],
        )
        spans = packed_spans(_found_again(connection, document_id, text))
        connection.execute(
            "INSERT INTO document VALUES (?, ?, ?, ?, ?)",
            [document_id, text, spans, digest_of_parts(text.encode(), spans), updated],
        )


def _found_again(connection: sqlite3.Connection, document_id: int, text: str) -> Provenance:
    """Return the provenance of a text: what a run wrote and is there word for word was drafted."""
    provenance, done = Provenance(), 0
    query = "SELECT run_id, num_folded FROM old_run WHERE document_id = ? ORDER BY run_id"
    for run_id, num_folded in connection.execute(query, [document_id]).fetchall():
        chunks = connection.execute(
            "SELECT text FROM old_run_chunk WHERE run_id = ? AND seq < ? ORDER BY seq", [run_id, num_folded]
        )
        drafted = "".join(part for (part,) in chunks)
        start = text.find(drafted, done) if drafted else -1
        if start >= 0:
            provenance = provenance.grown(start - done, Origin.WRITTEN)
            provenance = provenance.grown(len(drafted), Origin.DRAFTED, run_id)
            done = start + len(drafted)
    return provenance.grown(len(text) - done, Origin.WRITTEN)


def _move_runs(connection: sqlite3.Connection) -> None:
    prompts: dict[int, bytes] = {}
    rows = connection.execute("SELECT run_id, prompt_ids, prompt_checksum FROM old_run").fetchall()
    for run_id, prompt, checksum in rows:
        if hashlib.sha256(prompt).hexdigest() != checksum:
            raise ValueError(f"the checksum of run {run_id} does not match")
        prompts[run_id] = _stored_in_blocks(connection, prompt)
    connection.create_function("prompt_blocks", 1, lambda run_id: prompts[run_id])
    connection.create_function("prompt_seal", 2, lambda blocks, n: digest_of_parts(blocks, str(n).encode()))
    connection.execute(
        "INSERT INTO run SELECT run_id, document_id, NULL, state, seed, sampling, goal_words, goal_start,"
        " model, prompt_blocks(run_id), length(prompt_ids) / 4,"
        " prompt_seal(prompt_blocks(run_id), length(prompt_ids) / 4), '[]', num_tokens, num_words,"
        " num_chunks, num_folded, chain_digest, base_digest, end_digest, read_tail, num_left_out,"
        " finish_reason, '[]', error, created, updated FROM old_run"
    )
    connection.execute(
        "INSERT INTO run_chunk SELECT run_id, seq, 0, token_ids, CAST(text AS BLOB), num_words, num_steps,"
        " step_ms, NULL, crc32, digest, created FROM old_run_chunk"
    )


def _stored_in_blocks(connection: sqlite3.Connection, prompt: bytes) -> bytes:
    blocks = b""
    for block in _blocks(prompt):
        digest = hashlib.sha256(block)
        connection.execute(
            "INSERT OR IGNORE INTO content VALUES (?, ?)", [digest.hexdigest(), packed_bytes(block)]
        )
        blocks += digest.digest()
    return blocks


def _blocks(prompt: bytes) -> Iterator[bytes]:
    return (prompt[at : at + _BLOCK_BYTES] for at in range(0, len(prompt), _BLOCK_BYTES))


def _count(connection: sqlite3.Connection, table: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(count)
