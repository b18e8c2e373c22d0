"""From format 5 to format 6: what a draft model learned from a book is kept with the book."""

from __future__ import annotations

import sqlite3

from quire.storage import schema


def migrate(connection: sqlite3.Connection) -> None:
    """Add the empty table of what was learned, in an open transaction; everything else stays."""
    connection.execute(
        next(made for made in schema.statements(6) if made.startswith("CREATE TABLE learned_drafter ("))
    )
