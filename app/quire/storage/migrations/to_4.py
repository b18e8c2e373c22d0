"""From format 3 to format 4: every row has a digest of all its columns, and every commit a link.

A row that does not match the checksum it has had so far keeps its content and gets a digest that is wrong:
it was damaged, and must not be vouched for now.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable

from quire.storage import schema
from quire.storage.codec import chained, crc_of, digest_of_parts, packed, row_digest
from quire.storage.commit_link import CommitLink
from quire.storage.packing import unpacked_bytes, unpacked_ids

_TABLES = (
    "content", "node", "project", "setting", "snapshot", "writing_session", "document", "goal",
    "snapshot_text", "take", "run", "run_chunk",
)  # fmt: skip
_DAMAGED = bytes(16)


def migrate(connection: sqlite3.Connection) -> None:
    """Move every row to a table that has a digest, in an open transaction.

    ValueError when a text, or something that a run wrote, does not match its checksum: such a file is left as
    it is.
    """
    _check(connection)
    made = {_name_in(statement): statement for statement in schema.statements(4)}
    # otherwise renaming a table also renames it in the tables that refer to it
    connection.execute("PRAGMA legacy_alter_table = ON")
    for table in _TABLES:
        connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    connection.execute("PRAGMA legacy_alter_table = OFF")
    for table in _TABLES:
        connection.execute(made[table])
        _move(connection, table)
    for table in _TABLES:
        connection.execute(f"DROP TABLE old_{table}")
    connection.execute(made["commit_chain"])
    connection.execute("INSERT INTO commit_chain VALUES (1, ?)", [CommitLink.first().pack()])


def _name_in(statement: str) -> str:
    return statement.removeprefix("CREATE TABLE ").split(" ", 1)[0]


def _move(connection: sqlite3.Connection, table: str) -> None:
    names = [name for (name,) in connection.execute(f"SELECT name FROM pragma_table_info('old_{table}')")]
    columns = ", ".join(names)

    def digest(*values: object) -> bytes:
        row = dict(zip(names, values, strict=True))
        return row_digest(table, values) if _MATCHES.get(table, _has_none)(row) else _DAMAGED

    connection.create_function("digest_of_row", len(names), digest)
    connection.execute(
        f"INSERT INTO {table} SELECT {columns}, digest_of_row({columns}) FROM old_{table} ORDER BY rowid"
    )


def _has_none(_row: dict[str, object]) -> bool:
    return True


def _content_matches(row: dict[str, object]) -> bool:
    data, digest = row["data"], row["digest"]
    try:
        return isinstance(data, bytes) and hashlib.sha256(unpacked_bytes(data)).hexdigest() == digest
    except ValueError:
        return False


def _snapshot_text_matches(row: dict[str, object]) -> bool:
    text_digest, spans = row["text_digest"], row["spans"]
    if not isinstance(text_digest, str) or not isinstance(spans, bytes):
        return False
    return digest_of_parts(text_digest.encode(), spans) == row["checksum"]


def _take_matches(row: dict[str, object]) -> bool:
    text, spans = row["text"], row["spans"]
    try:
        plain = unpacked_bytes(text) if isinstance(text, bytes) else b""
    except ValueError:
        return False
    return digest_of_parts(plain, spans if isinstance(spans, bytes) else b"") == row["checksum"]


_MATCHES: dict[str, Callable[[dict[str, object]], bool]] = {
    "content": _content_matches,
    "snapshot_text": _snapshot_text_matches,
    "take": _take_matches,
}


def _check(connection: sqlite3.Connection) -> None:
    for number, text, spans, checksum in connection.execute(
        "SELECT document_id, text, spans, checksum FROM document"
    ):
        if digest_of_parts(text.encode(), spans) != checksum:
            raise ValueError(f"the checksum of text {number} does not match")
    query = "SELECT run_id, prompt, num_prompt, prompt_checksum, num_chunks, chain_digest FROM run"
    for run_id, prompt, num_prompt, checksum, num_chunks, last in connection.execute(query).fetchall():
        if digest_of_parts(prompt, str(num_prompt).encode()) != checksum:
            raise ValueError(f"the checksum of run {run_id} does not match")
        if _chain(connection, run_id) != (num_chunks, last):
            raise ValueError(f"parts of run {run_id} do not match their checksums")


def _chain(connection: sqlite3.Connection, run_id: int) -> tuple[int, str]:
    """Return how many parts of a run match their checksums, and the digest of the last of them."""
    digest, count = "", 0
    query = "SELECT seq, compact, token_ids, text, num_words, steps, crc32, digest FROM run_chunk"
    rows = connection.execute(f"{query} WHERE run_id = ? ORDER BY seq", [run_id])
    for seq, compact, ids, text, num_words, steps, crc32, stored in rows:
        if compact:
            ids, text = packed(unpacked_ids(ids)), unpacked_bytes(text)
        digest = chained(digest, ids, text, num_words, steps or b"")
        if (seq, stored, crc32) != (count, digest, crc_of(ids, text)):
            return -1, ""
        count += 1
    return count, digest
