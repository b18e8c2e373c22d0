"""An n-gram table as bytes for the project file: its texts, not its counts.

Counts are a function of the texts and are made again faster than they could be read (measured: two million
tokens a second), so the packed form is a few bits per token, a table comes back exactly, and whatever was
appended to the stream since is simply observed from the watermark on. Damage is noticed by a checksum; the
table is then learned again from the texts themselves.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from quire_engine.drafting.ngram_table import Ids, NgramTable

_MAGIC = b"quire-ngrams-1\n"
_DIGEST = hashlib.sha256().digest_size
_MAX_BYTES = 1 << 28  # of the ids; more would be another kind of file
_WIDE = np.dtype("<u4")
_NARROW = np.dtype("<u2")


def pack(table: NgramTable, tokenizer: str) -> bytes:
    """Return a table as bytes. tokenizer: digest of the tokenizer that its ids belong to."""
    parts = [*table.texts, table.stream]
    ids = np.concatenate(parts)
    kind = _NARROW if len(ids) == 0 or int(ids.max()) <= np.iinfo(_NARROW).max else _WIDE
    header = {
        "tokenizer": tokenizer,
        "max_context": table.max_context,
        "own_weight": table.own_weight,
        "lengths": [len(part) for part in parts],
        "bytes_per_token": kind.itemsize,
    }
    body = json.dumps(header).encode() + b"\n" + ids.astype(kind).tobytes()
    packed = zlib.compress(body, 6)
    return _MAGIC + hashlib.sha256(packed).digest() + packed


def unpack(
    data: bytes, tokenizer: str, vocab_size: int, stream: Sequence[int] | Ids | None = None
) -> NgramTable | None:
    """Return the table that was packed; None when the bytes are damaged or of another tokenizer or version.

    stream: the run's tokens now, prompt included. When the stored stream is not its beginning, it becomes one
    text among the others, and the table starts with an empty stream. Observe the rest from `num_stream` on.
    """
    try:
        header, ids = _read(data)
        if header["tokenizer"] != tokenizer:
            return None
        lengths = [int(length) for length in header["lengths"]]
        if min(lengths) < 0 or sum(lengths) != len(ids) or (len(ids) and int(ids.max()) >= vocab_size):
            return None
        table = NgramTable(int(header["max_context"]), int(header["own_weight"]))
    except (ValueError, KeyError, TypeError, zlib.error):
        return None
    *texts, own = np.split(ids, np.cumsum(lengths)[:-1])
    for text in texts:
        table.learn(text)
    if stream is None or np.array_equal(np.asarray(stream[: len(own)], dtype=np.int64), own):
        table.observe(own)
    else:
        table.learn(own)
    return table


def _read(data: bytes) -> tuple[dict[str, Any], Ids]:
    """Return header and ids; ValueError or zlib.error when anything is wrong."""
    start = len(_MAGIC) + _DIGEST
    packed = data[start:]
    if not data.startswith(_MAGIC) or data[len(_MAGIC) : start] != hashlib.sha256(packed).digest():
        raise ValueError("not a packed table, or a damaged one")
    unpacking = zlib.decompressobj()
    body = unpacking.decompress(packed, _MAX_BYTES)
    if unpacking.unconsumed_tail:
        raise ValueError("too large")
    line, _, rest = body.partition(b"\n")
    header = json.loads(line)
    kind = _NARROW if header["bytes_per_token"] == _NARROW.itemsize else _WIDE
    return header, np.frombuffer(rest, dtype=kind).astype(np.int64)
