"""A project as the first Quire left it, cut off in the middle of a run."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from quire.storage import schema
from quire.storage.codec import NO_DIGEST, chained, crc_of, packed
from quire_engine.api.config import SamplingConfig

TEXT = "It was written long ago, by an earlier Quire.\n\n" + "Low water. " * 300
DRAFTED = (" And", " it", " went", " on.")
_WHEN = "2026-01-01T00:00:00+00:00"


def make_old_project(path: Path) -> None:
    """Write a project of format 1 with a run that had stored four words when it was killed."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        schema.create(connection.execute, 1)
        connection.execute("INSERT INTO project VALUES (1, 'Old', ?, 'en')", [_WHEN])
        digest = hashlib.sha256(TEXT.encode()).hexdigest()
        connection.execute("INSERT INTO document VALUES (1, 0, 'Old', ?, ?, ?)", [TEXT, digest, _WHEN])
        chain = NO_DIGEST
        rows = []
        for seq, text in enumerate(DRAFTED):
            ids, encoded = packed((seq,)), text.encode()
            chain = chained(chain, ids, encoded, seq + 1)
            rows.append([1, seq, ids, text, seq + 1, 1, 5.0, crc_of(ids, encoded), chain, _WHEN])
        prompt = packed(tuple(range(900)))
        connection.execute(
            "INSERT INTO run VALUES"
            " (1, 1, 'running', 7, ?, 50, 0, NULL, ?, ?, 4, 4, 4, 0, ?, ?, ?, 0, 0, NULL, '', ?, ?)",
            [
                json.dumps(asdict(SamplingConfig(seed=7))), prompt, hashlib.sha256(prompt).hexdigest(),
                chain, digest, digest, _WHEN, _WHEN,
            ],
        )  # fmt: skip
        connection.executemany("INSERT INTO run_chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        connection.execute("COMMIT")
