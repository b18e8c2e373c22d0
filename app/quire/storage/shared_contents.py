"""Bytes that several rows share, stored once under their own digest."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from quire.storage.packing import packed_bytes, unpacked_bytes
from quire.storage.problems import damaged
from quire.storage.row_digests import is_sound, reseal
from quire.storage.tables import ContentRow


class Contents:
    """The content table in one open transaction."""

    def __init__(self, orm: Session, path: Path) -> None:
        self._orm = orm
        self._path = path

    def put(self, data: bytes) -> str:
        """Store bytes, unless they are there, and return their digest."""
        digest = hashlib.sha256(data).hexdigest()
        row = self._orm.get(ContentRow, digest)
        if row is None:
            self._orm.add(ContentRow(digest=digest, data=packed_bytes(data)))
        elif not is_sound(row):
            row.data = packed_bytes(data)
            reseal(row)
        self._orm.flush()
        return digest

    def get(self, digest: str) -> bytes:
        """Return the bytes of a digest, checked against it."""
        found = self._orm.scalar(select(ContentRow.data).where(ContentRow.digest == digest))
        if found is None:
            raise damaged(self._path, f"the content {digest[:12]} is missing")
        data = unpacked_bytes(found)
        if hashlib.sha256(data).hexdigest() != digest:
            raise damaged(self._path, f"the checksum of the content {digest[:12]} does not match")
        return data
