"""How often each token followed each context in one text, as sorted arrays and as bytes to be stored.

A context is identified by 44 bits of a hash of its tokens, so that one key holds context and follower: a
collision costs at most a draft token.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

TOKEN_BITS = 20
"""Token ids that fit in a key; the largest vocabularies have 18 bits."""
TOKEN_MASK = (1 << TOKEN_BITS) - 1
FREQUENT = 2
"""Occurrences from which an entry is worth storing: a tenth of all entries."""

_MAGIC = b"QNG1"  # the next number when the hash or the layout changes
_HEADER = struct.Struct("<4sBI")
_KEY_BYTES, _COUNT_BYTES = 8, 4
_MAX_CONTEXTS = 16
_MASK = (1 << 64) - 1
_MULTIPLIER = 0x9E3779B97F4A7C15
_HASH_SHIFT = 29

Ids = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class PhraseCounts:
    """Entries of one text or a part of one.

    Attributes:
        orders: for contexts of 1, 2, ... tokens: ascending keys (44 bits of the context's hash, then the
            token) and their counts, of equal shapes.
        num_tokens: counted.
    """

    orders: tuple[tuple[Keys, Counts], ...]
    num_tokens: int

    def frequent(self, least: int = FREQUENT) -> PhraseCounts:
        """Return the entries seen at least this often."""
        kept = tuple((keys[counts >= least], counts[counts >= least]) for keys, counts in self.orders)
        return PhraseCounts(kept, self.num_tokens)

    def packed(self) -> bytes:
        """Return the entries as bytes that `unpacked` reads.

        Differences of neighbouring keys and counts, their equal bytes side by side: made to be compressed.
        """
        parts = [_HEADER.pack(_MAGIC, len(self.orders), self.num_tokens)]
        parts += [struct.pack("<I", len(keys)) for keys, _ in self.orders]
        for keys, counts in self.orders:
            parts.append(_planes(np.diff(keys, prepend=np.uint64(0)).astype("<u8")))
            parts.append(_planes(counts.astype("<u4")))
        return b"".join(parts)


def counted(text: Ids, max_context: int, first: int = 0) -> PhraseCounts:
    """Count the tokens of a text from `first` on, each after the 1 to `max_context` tokens before it."""
    tokens = text.astype(np.uint64)
    states = np.zeros(len(tokens), dtype=np.uint64)
    orders: list[tuple[Keys, Counts]] = []
    for length in range(1, max_context + 1):
        if length >= len(tokens):
            orders.append((np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint32)))
            continue
        # states[i] holds the context that ends before token i + length
        states = _extended(states[1:], tokens[: len(tokens) - length])
        begin = max(first - length, 0)
        keys = np.left_shift(np.right_shift(states[begin:], np.uint64(TOKEN_BITS)), np.uint64(TOKEN_BITS))
        keys |= tokens[length + begin :]
        found, counts = np.unique(keys, return_counts=True)
        orders.append((found, counts.astype(np.uint32)))
    return PhraseCounts(tuple(orders), len(text) - first)


def unpacked(stored: bytes, max_context: int) -> PhraseCounts:
    """Return what `packed` was called on.

    Raises:
        ValueError: these are no such bytes, or not for contexts of 1 to `max_context` tokens.
    """
    if len(stored) < _HEADER.size:
        raise ValueError("phrase counts are cut off")
    magic, num_orders, num_tokens = _HEADER.unpack_from(stored)
    if (magic, num_orders) != (_MAGIC, max_context) or num_orders > _MAX_CONTEXTS:
        raise ValueError(f"phrase counts of another kind: {magic!r}, {num_orders}")
    place = _HEADER.size + 4 * num_orders
    if len(stored) < place:
        raise ValueError("phrase counts are cut off")
    lengths = struct.unpack_from(f"<{num_orders}I", stored, _HEADER.size)
    if len(stored) != place + sum(lengths) * (_KEY_BYTES + _COUNT_BYTES):
        raise ValueError("phrase counts are not as long as they claim")
    orders: list[tuple[Keys, Counts]] = []
    for length in lengths:
        steps = _from_planes(stored, place, length, "<u8")
        counts = _from_planes(stored, place + length * _KEY_BYTES, length, "<u4").astype(np.uint32)
        place += length * (_KEY_BYTES + _COUNT_BYTES)
        keys = np.cumsum(steps.astype(np.uint64), dtype=np.uint64)
        if not np.all(keys[1:] > keys[:-1]) or not np.all((counts > 0) & (counts <= num_tokens)):
            raise ValueError("phrase counts are out of order")
        orders.append((keys, counts))
    return PhraseCounts(tuple(orders), num_tokens)


def extended(state: int, token: int) -> int:
    """Extend the hash of a context by the token before it; 0 is the empty context's."""
    state = ((state ^ (token + 1)) * _MULTIPLIER) & _MASK
    return state ^ (state >> _HASH_SHIFT)


def _extended(states: Keys, tokens: Keys) -> Keys:
    """Do the same for many contexts at once."""
    mixed = (states ^ (tokens + np.uint64(1))) * np.uint64(_MULTIPLIER)
    return mixed ^ (mixed >> np.uint64(_HASH_SHIFT))


def _planes(values: npt.NDArray[np.unsignedinteger]) -> bytes:
    size = values.dtype.itemsize
    return np.ascontiguousarray(values).view(np.uint8).reshape(-1, size).T.tobytes()


def _from_planes(stored: bytes, place: int, length: int, dtype: str) -> npt.NDArray[np.unsignedinteger]:
    size = np.dtype(dtype).itemsize
    planes = np.frombuffer(stored, np.uint8, length * size, place).reshape(size, length)
    return np.ascontiguousarray(planes.T).reshape(-1).view(dtype)
