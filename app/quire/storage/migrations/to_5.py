"""From format 4 to format 5: phrases of texts are kept, which drafts had to count anew at every start."""

from __future__ import annotations

import sqlite3

from quire.storage import schema


def migrate(connection: sqlite3.Connection) -> None:
    """Add the empty table of phrases, in an open transaction; everything else stays."""
    connection.execute(
        next(made for made in schema.statements(5) if made.startswith("CREATE TABLE phrase_table ("))
    )
