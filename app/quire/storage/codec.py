"""How token ids, digests and times are written to the project file."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

ID_BYTES = 4
"""Bytes of a token id where it is not packed."""
ROW_DIGEST_BYTES = 16
NO_DIGEST = ""
"""What the first chunk of a run is chained to."""


def packed(token_ids: Sequence[int]) -> bytes:
    """Return token ids as little-endian u32."""
    return struct.pack(f"<{len(token_ids)}I", *token_ids)


def unpacked(blob: bytes) -> tuple[int, ...]:
    """Return the token ids of a blob; ValueError when it is not whole."""
    if len(blob) % ID_BYTES:
        raise ValueError(f"a blob of token ids has {len(blob)} bytes")
    return struct.unpack(f"<{len(blob) // ID_BYTES}I", blob)


def crc_of(token_ids: bytes, text: bytes) -> int:
    """Return the CRC-32 of what a chunk holds."""
    return zlib.crc32(text, zlib.crc32(token_ids))


def chained(previous: str, token_ids: bytes, text: bytes, num_words: int, steps: bytes = b"") -> str:
    """Return the digest of a chunk and, through its predecessor's, of every chunk before it.

    Args:
        steps: the packed record of its steps; empty where there is none, as in projects of format 1.
    """
    words = num_words.to_bytes(8, "little")
    content = len(token_ids).to_bytes(8, "little") + token_ids + words + text
    if steps:
        content += len(text).to_bytes(8, "little") + steps
    return hashlib.sha256(previous.encode() + content).hexdigest()


def digest_of_parts(*parts: bytes) -> str:
    """Return the SHA-256 of parts, each with its length, so that no two lists of parts share one."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "little"))
        whole.update(part)
    return whole.hexdigest()


def encoded_row(values: Iterable[object]) -> bytes:
    """Return the values of a row as bytes that no other row has; text may come as a string or a bytearray."""
    parts: list[bytes | bytearray] = []
    for value in values:
        match value:
            case bytes():
                parts += (b"b%d:" % len(value), value)
            case str():
                text = value.encode()
                parts += (b"t%d:" % len(text), text)
            case bytearray():
                parts += (b"t%d:" % len(value), value)
            case int():
                parts.append(b"i%d;" % value)
            case float():
                parts.append(b"f" + struct.pack(">d", value + 0.0))  # SQLite keeps no sign of a zero
            case _:
                parts.append(b"n")
    parts.append(b".")
    return b"".join(parts)


def row_digest(table: str, values: Iterable[object]) -> bytes:
    """Return the digest of a row: of its table's name, and of all its columns but the digest, in order."""
    return hashlib.sha256(table.encode() + b":" + encoded_row(values)).digest()[:ROW_DIGEST_BYTES]


def now() -> str:
    """Return the time as it is stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
