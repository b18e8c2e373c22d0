"""The identity of a project and of each of its commits.

Every commit stores a link to the one before it. Whoever compares the links of a file and of a log beside it
sees whether both are of one life of one project.
"""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

_MAGIC = b"QUIRELNK"
_FORMAT = struct.Struct(">8s16sQ16s16s")
_CRC = struct.Struct(">I")
_ID_BYTES = 16
LINK_BYTES = _FORMAT.size + _CRC.size


@dataclass(frozen=True, slots=True)
class CommitLink:
    """The link that a commit stores.

    Attributes:
        project_id: random, of the project and of its copies.
        sequence: how many commits there were since the first link.
        token: random, of this commit alone.
        previous: the token of the commit before; zeros in the first link.
    """

    project_id: bytes
    sequence: int
    token: bytes
    previous: bytes

    @classmethod
    def first(cls) -> Self:
        """Return the first link of a project with a new identity."""
        return cls(os.urandom(_ID_BYTES), 0, os.urandom(_ID_BYTES), bytes(_ID_BYTES))

    @classmethod
    def after(cls, stored: bytes | None) -> CommitLink:
        """Return the link of the commit after a stored one; a damaged or missing one begins a new chain."""
        with contextlib.suppress(ValueError, TypeError):  # TypeError: something else than bytes is stored
            return cls.first() if stored is None else cls.unpack(stored).next()
        return cls.first()

    def next(self) -> CommitLink:
        """Return the link of the commit after this one."""
        return CommitLink(self.project_id, self.sequence + 1, os.urandom(_ID_BYTES), self.token)

    def pack(self) -> bytes:
        """Return the link as it is stored."""
        content = _FORMAT.pack(_MAGIC, self.project_id, self.sequence, self.token, self.previous)
        return content + _CRC.pack(zlib.crc32(content))

    @classmethod
    def unpack(cls, stored: bytes) -> Self:
        """Return a stored link; ValueError when it is not whole."""
        if len(stored) != LINK_BYTES:
            raise ValueError(f"a commit's link has {len(stored)} bytes")
        content = stored[: _FORMAT.size]
        magic, project_id, sequence, token, previous = _FORMAT.unpack(content)
        if magic != _MAGIC or _CRC.unpack(stored[_FORMAT.size :]) != (zlib.crc32(content),):
            raise ValueError("the checksum of a commit's link does not match")
        return cls(project_id, sequence, token, previous)


def links_in(content: bytes) -> Iterator[CommitLink]:
    """Yield every whole link in some bytes, wherever it is: a database that SQLite cannot read, or a log."""
    at = content.find(_MAGIC)
    while at >= 0:
        with contextlib.suppress(ValueError):
            yield CommitLink.unpack(content[at : at + LINK_BYTES])
        at = content.find(_MAGIC, at + 1)
