"""Counts of what followed every context of 1 to `max_context` tokens: small, fast, rebuilt from its texts.

Whole texts are counted in numpy as sorted arrays; the newest tokens of the stream are counted in dictionaries
and merged into the arrays now and then. Merging happens at fixed stream indexes, so a table is the same
whether it was filled token by token, at once, or after a restart.
"""

from __future__ import annotations

import bisect
import hashlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quire_engine.drafting.phrase_counts import (
    TOKEN_BITS,
    TOKEN_MASK,
    Counts,
    Ids,
    Keys,
    PhraseCounts,
    counted,
    extended,
)

MAX_CONTEXT = 5
OWN_WEIGHT = 2
"""How many occurrences elsewhere one occurrence in the stream counts for.

Measured with a novel and two earlier drafts as other texts: 1 and 2 are equally good, 4 and 8 worse.
"""

_FOLD = 8192  # tokens counted in dictionaries before they join the arrays
_LARGE = 32  # followers of one context to return; the others still count in its total
_NEGLIGIBLE = 0.01  # mass below which shorter contexts are not looked at
_MAX_REMEMBERED = 8192  # contexts whose followers are cached; up to 2 KB each


@dataclass(frozen=True, slots=True)
class Followers:
    """What followed one context.

    Attributes:
        counts: weighted, by token.
        total, distinct: of all followers, including those left out of `counts`.
    """

    counts: dict[int, int]
    total: int
    distinct: int


class NgramTable:
    """How often each token followed each context, over one growing stream and any number of other texts.

    No context spans two texts. Contexts are identified by 44 bits of a hash: a collision costs at most a
    draft token.
    """

    def __init__(self, max_context: int = MAX_CONTEXT, own_weight: int = OWN_WEIGHT) -> None:
        if max_context < 1:
            raise ValueError(f"max_context must be at least 1, got {max_context}")
        if own_weight < 1:
            raise ValueError(f"own_weight must be at least 1, got {own_weight}")
        self._max_context = max_context
        self._own_weight = own_weight
        self._orders = [_Counts() for _ in range(max_context)]
        self._live: list[dict[int, dict[int, int]]] = [{} for _ in range(max_context)]
        self._at_hand: dict[tuple[int, int], Followers | None] = {}
        self._texts: list[Ids] = []
        self._known: set[bytes] = set()  # digests of the texts
        self._stream = _Stream()
        self._num_folded = 0

    @property
    def num_stream(self) -> int:
        """Tokens of the stream that were observed: where to resume."""
        return len(self._stream)

    @property
    def recent(self) -> tuple[int, ...]:
        """The last tokens of the stream, at most max_context."""
        return self._stream.last(self._max_context)

    @property
    def stream(self) -> Ids:
        """The tokens of the stream, int64; a copy."""
        return self._stream.part(0, len(self._stream))

    @property
    def texts(self) -> tuple[Ids, ...]:
        """The other texts, in the order in which they were learned."""
        return tuple(self._texts)

    @property
    def num_bytes(self) -> int:
        """Memory of the arrays and texts, without the dictionaries of the newest tokens."""
        arrays = sum(order.num_bytes for order in self._orders)
        return arrays + sum(text.nbytes for text in self._texts) + self._stream.num_bytes

    def learn(self, token_ids: Sequence[int] | Ids) -> bool:
        """Count a text outside of the stream; return whether it was new: a known text is not counted
        twice."""
        text = _as_ids(token_ids)
        digest = digest_of(text)
        if digest in self._known or len(text) == 0:
            return False
        self._known.add(digest)
        self._texts.append(text)
        self._merge(counted(text, self._max_context), 1)
        return True

    def learn_counts(self, counts: PhraseCounts) -> None:
        """Add what was counted in a text that is not here; the caller adds none twice.

        Args:
            counts: of contexts of 1 to max_context tokens.
        """
        self._merge(counts, 1)

    def observe(self, token_ids: Sequence[int] | Ids) -> None:
        """Count tokens that the stream gained, after what it had before."""
        if len(token_ids) == 1:  # the common case: no array for one number
            self._append(int(token_ids[0]))
            return
        new = _as_ids(token_ids)
        self._stream.extend(new)
        self._fold((len(self._stream) - self._num_folded) // _FOLD * _FOLD)
        first = max(self._num_folded, len(self._stream) - len(new))
        for place in range(first, len(self._stream)):
            self._count_one(place)

    def followers(self, context: Sequence[int]) -> list[Followers]:
        """Return what followed the last 1, 2, ... tokens of a context, as far as they occurred."""
        return [_joined(stored, live) for stored, live in self._matches(context)]

    def mix(self, context: Sequence[int], caution: Sequence[float]) -> tuple[dict[int, float], float]:
        """Return the interpolated probabilities of followers and the mass left for unknown ones.

        Witten-Bell interpolation: a context of `total` occurrences and `distinct` followers gets the weight
        total / (total + caution * distinct), and the rest goes to the context one token shorter. caution: by
        context length, the last value for all longer ones; 1 is Witten and Bell's own.
        """
        mixed: dict[int, float] = {}
        rest = 1.0
        matches = self._matches(context)
        for length in range(len(matches), 0, -1):
            stored, live = matches[length - 1]
            total, distinct = _size(stored, live)
            doubt = caution[min(length, len(caution)) - 1] * distinct
            share = rest / (total + doubt)
            if stored is not None:
                for token, count in stored.counts.items():
                    mixed[token] = mixed.get(token, 0.0) + share * count
            if live is not None:
                for token, count in live.items():
                    mixed[token] = mixed.get(token, 0.0) + share * count
            rest = share * doubt
            if rest < _NEGLIGIBLE:
                break
        return mixed, rest

    def _matches(self, context: Sequence[int]) -> list[tuple[Followers | None, dict[int, int] | None]]:
        """Return the stored and the live followers of 1, 2, ... tokens of a context, until there are none."""
        found: list[tuple[Followers | None, dict[int, int] | None]] = []
        state = 0
        for length in range(min(len(context), self._max_context)):
            state = extended(state, context[-1 - length])
            live = self._live[length].get(state >> TOKEN_BITS)
            stored = self._stored(length, state >> TOKEN_BITS)
            if live is None and stored is None:
                break
            found.append((stored, live))
        return found

    def _stored(self, order: int, context: int) -> Followers | None:
        place = (order, context)
        if place in self._at_hand:
            return self._at_hand[place]
        if len(self._at_hand) >= _MAX_REMEMBERED:
            self._at_hand.clear()
        found = self._at_hand[place] = self._orders[order].followers(context)
        return found

    def _append(self, token: int) -> None:
        if not 0 <= token < TOKEN_MASK:
            raise _not_an_id()
        self._stream.append(token)
        self._count_one(len(self._stream) - 1)
        if len(self._stream) - self._num_folded >= _FOLD:
            self._fold(_FOLD)

    def _count_one(self, place: int) -> None:
        """Count the token at a stream index in the dictionaries."""
        tokens, weight = self._stream.tokens, self._own_weight
        token = tokens[place]
        state = 0
        for length in range(min(place, self._max_context)):
            state = extended(state, tokens[place - 1 - length])
            context = state >> TOKEN_BITS
            followers = self._live[length].get(context)
            if followers is None:
                self._live[length][context] = {token: weight}
            else:
                followers[token] = followers.get(token, 0) + weight

    def _fold(self, count: int) -> None:
        """Move the next `count` tokens of the stream from the dictionaries into the arrays."""
        if count == 0:
            return
        start = max(0, self._num_folded - self._max_context)
        text = self._stream.part(start, self._num_folded + count)
        self._merge(counted(text, self._max_context, self._num_folded - start), self._own_weight)
        self._num_folded += count
        for live in self._live:
            live.clear()

    def _merge(self, counts: PhraseCounts, weight: int) -> None:
        for order, (keys, numbers) in zip(self._orders, counts.orders, strict=True):
            order.add(keys, numbers * np.uint32(weight))
        self._at_hand.clear()


class _Counts:
    """Contexts of one length: sorted keys (44 bits of the context's hash, then the token), and counts."""

    def __init__(self) -> None:
        self._keys: Keys = np.zeros(0, dtype=np.uint64)
        self._counts: Counts = np.zeros(0, dtype=np.uint32)

    @property
    def num_bytes(self) -> int:
        """Memory of both arrays."""
        return self._keys.nbytes + self._counts.nbytes

    def add(self, new: Keys, counts: Counts) -> None:
        """Add counts, given by ascending keys."""
        places = np.searchsorted(self._keys, new)
        known = np.zeros(len(new), dtype=bool)
        inside = places < len(self._keys)
        known[inside] = self._keys[places[inside]] == new[inside]
        self._counts[places[known]] += counts[known]
        fresh = ~known
        self._keys = np.insert(self._keys, places[fresh], new[fresh])
        self._counts = np.insert(self._counts, places[fresh], counts[fresh])

    def followers(self, context: int) -> Followers | None:
        """Return what followed a context, given by its hash."""
        low = context << TOKEN_BITS
        keys = self._keys.data  # read one by one, which is slow in an array
        start = bisect.bisect_left(keys, low)
        end = bisect.bisect_left(keys, low + TOKEN_MASK, start)  # ids are smaller than the mask
        if start == end:
            return None
        tokens = self._keys[start:end] & np.uint64(TOKEN_MASK)
        counts = self._counts[start:end]
        total, distinct = int(counts.sum()), len(tokens)
        if distinct > _LARGE:
            # compare the token too, so that ties do not depend on the partition's order
            ranks = np.left_shift(counts.astype(np.uint64), np.uint64(TOKEN_BITS)) | tokens
            best = np.argpartition(ranks, -_LARGE)[-_LARGE:]
            tokens, counts = tokens[best], counts[best]
        return Followers(dict(zip(tokens.tolist(), counts.tolist(), strict=True)), total, distinct)


class _Stream:
    """Token ids that grow one by one; 4 bytes each."""

    def __init__(self) -> None:
        self.tokens = array("i")

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def num_bytes(self) -> int:
        """Memory of the ids."""
        return len(self.tokens) * self.tokens.itemsize

    def append(self, token: int) -> None:
        """Add one id at the end."""
        self.tokens.append(token)

    def extend(self, ids: Ids) -> None:
        """Add ids at the end."""
        self.tokens.frombytes(ids.astype(np.int32).tobytes())

    def part(self, start: int, end: int) -> Ids:
        """Return ids as an array of its own; a view would forbid the stream to grow."""
        return np.array(self.tokens[start:end], dtype=np.int64)

    def last(self, count: int) -> tuple[int, ...]:
        """Return the newest ids, at most `count`."""
        return tuple(self.tokens[-count:])


def _size(stored: Followers | None, live: dict[int, int] | None) -> tuple[int, int]:
    """Return the occurrences of a context and the number of its distinct followers."""
    if live is None:
        return (0, 0) if stored is None else (stored.total, stored.distinct)
    total = sum(live.values())
    if stored is None:
        return total, len(live)
    # a rare follower left out of `counts` is counted as another one, the same way every time
    return stored.total + total, stored.distinct + sum(token not in stored.counts for token in live)


def _joined(stored: Followers | None, live: dict[int, int] | None) -> Followers:
    counts = dict(stored.counts) if stored is not None else {}
    for token, count in (live or {}).items():
        counts[token] = counts.get(token, 0) + count
    return Followers(counts, *_size(stored, live))


def digest_of(token_ids: npt.NDArray[np.integer]) -> bytes:
    """Return the SHA-256 of a text given as ids."""
    return hashlib.sha256(np.ascontiguousarray(token_ids, dtype="<i4").tobytes()).digest()


def _as_ids(token_ids: Sequence[int] | Ids) -> Ids:
    ids: Ids = np.array(token_ids, dtype=np.int64)  # copied: the caller may change its own
    if len(ids) and not (int(ids.min()) >= 0 and int(ids.max()) < TOKEN_MASK):
        raise _not_an_id()
    return ids


def _not_an_id() -> ValueError:
    return ValueError(f"token ids must be from 0 to {TOKEN_MASK - 1}")
