"""How token ids and checksums are written to the project file."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Sequence

NO_DIGEST = ""
"""What the first chunk of a run is chained to."""


def packed(token_ids: Sequence[int]) -> bytes:
    """Return token ids as little-endian u32."""
    return struct.pack(f"<{len(token_ids)}I", *token_ids)


def unpacked(blob: bytes) -> tuple[int, ...]:
    """Return the token ids of a blob; ValueError when it is not whole."""
    if len(blob) % 4:
        raise ValueError(f"a blob of token ids has {len(blob)} bytes")
    return struct.unpack(f"<{len(blob) // 4}I", blob)


def crc_of(token_ids: bytes, text: str) -> int:
    """Return the CRC-32 of what a chunk holds."""
    return zlib.crc32(text.encode(), zlib.crc32(token_ids))


def chained(previous: str, token_ids: bytes, text: str, num_words: int) -> str:
    """Return the digest of a chunk and, through its predecessor's, of every chunk before it."""
    words = num_words.to_bytes(8, "little")
    encoded = text.encode()
    content = len(token_ids).to_bytes(8, "little") + token_ids + words + encoded
    return hashlib.sha256(previous.encode() + content).hexdigest()
