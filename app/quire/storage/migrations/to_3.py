"""From format 2 to format 3: a run keeps its request, its pauses, and whether its text changed."""

from __future__ import annotations

import sqlite3

from quire.storage import schema
from quire.storage.codec import digest_of_parts

_SAME = (
    "run_id, document_id, take_id, state, seed, sampling, goal_words, goal_start, model, prompt, num_prompt,"
    " prompt_checksum, reading, num_tokens, num_words, num_chunks, num_folded, chain_digest, base_digest,"
    " end_digest, read_tail, num_left_out, finish_reason, changed_at, error"
)


def migrate(connection: sqlite3.Connection) -> None:
    """Move the runs to a table with more columns, in an open transaction; everything else stays.

    ValueError when something does not match its checksum: such a file is left as it is.
    """
    _check(connection)
    # otherwise renaming the table also renames it in the one that refers to it
    connection.execute("PRAGMA legacy_alter_table = ON")
    connection.execute("ALTER TABLE run RENAME TO old_run")
    connection.execute("PRAGMA legacy_alter_table = OFF")
    connection.execute(next(made for made in schema.statements(3) if made.startswith("CREATE TABLE run (")))
    connection.execute(
        f"INSERT INTO run ({_SAME}, apart, steering, asked, pauses, created, updated)"
        f" SELECT {_SAME}, 0, '', '{{}}', '[]', created, updated FROM old_run"
    )
    connection.execute("DROP TABLE old_run")


def _check(connection: sqlite3.Connection) -> None:
    for text, spans, checksum in connection.execute("SELECT text, spans, checksum FROM document"):
        if digest_of_parts(text.encode(), spans) != checksum:
            raise ValueError("the checksum of a text does not match")
    query = "SELECT run_id, prompt, num_prompt, prompt_checksum FROM run"
    for run_id, prompt, num_prompt, checksum in connection.execute(query):
        if digest_of_parts(prompt, str(num_prompt).encode()) != checksum:
            raise ValueError(f"the checksum of run {run_id} does not match")
