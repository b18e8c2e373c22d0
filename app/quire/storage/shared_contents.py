"""Bytes that several rows share, stored once under their own digest."""

from __future__ import annotations

import hashlib

from quire.storage.packing import packed_bytes, unpacked_bytes
from quire.storage.problems import damaged
from quire.storage.rows import Rows
from quire.storage.tables import CONTENT


def put(rows: Rows, data: bytes) -> str:
    """Store bytes, unless they are there, and return their digest."""
    digest = hashlib.sha256(data).hexdigest()
    row = rows.get(CONTENT, digest)
    if row is None or not rows.is_sound(CONTENT, row):
        rows.write(CONTENT, {"digest": digest, "data": packed_bytes(data)}, mended=True)
    return digest


def get(rows: Rows, digest: str) -> bytes:
    """The bytes of a digest, checked against it."""
    row = rows.get(CONTENT, digest)
    if row is None:
        raise damaged(rows.path, f"the content {digest[:12]} is missing")
    data = unpacked_bytes(row.data)
    if hashlib.sha256(data).hexdigest() != digest:
        raise damaged(rows.path, f"the checksum of the content {digest[:12]} does not match")
    return data
