"""Packs ids, texts, spans and steps for the project file. ValueError for what is not whole.

Every packed value begins with a byte that says how it is packed, so that later formats can coexist with
these. Unpacking never takes more memory than a fixed multiple of what was stored.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from itertools import accumulate, islice, pairwise

from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.provenance import Origin, Provenance, Span
from quire_engine.api.config import OTHER, SOURCES, Source

MAX_UNPACKED = 2**28
"""More bytes than any text or run; what claims to be larger is damaged."""
_PLAIN, _ZLIB = b"\0", b"\1"
_LEVEL = 6


def packed_bytes(data: bytes) -> bytes:
    """Return bytes compressed, unless that makes them longer."""
    small = zlib.compress(data, _LEVEL)
    return _ZLIB + small if len(small) < len(data) else _PLAIN + data


def unpacked_bytes(packed: bytes, most: int = MAX_UNPACKED) -> bytes:
    """Return what packed_bytes was given; ValueError when it is more than `most`, before it takes memory."""
    form, data = packed[:1], packed[1:]
    if form == _ZLIB:
        opener = zlib.decompressobj()
        try:
            data = opener.decompress(data, most + 1)
        except zlib.error as error:
            raise ValueError(f"packed bytes are damaged: {error}") from error
        whole = opener.eof and not opener.unused_data
    elif form == _PLAIN:
        whole = True
    else:
        raise ValueError(f"bytes are packed in an unknown way {form!r}")
    if len(data) > most:
        raise ValueError(f"packed bytes are more than {most}")
    if not whole:
        raise ValueError("packed bytes are not whole")
    return data


def packed_text(text: str) -> bytes:
    """Return a text in UTF-8, compressed."""
    return packed_bytes(text.encode())


def unpacked_text(packed: bytes) -> str:
    """Return what packed_text was given."""
    return unpacked_bytes(packed).decode()


def packed_ids(ids: Sequence[int]) -> bytes:
    """Return token ids compressed, two bytes each where they fit and four where not."""
    code = "I" if max(ids, default=0) >= 2**16 else "H"
    try:
        return code.encode() + packed_bytes(struct.pack(f"<{len(ids)}{code}", *ids))
    except struct.error as error:
        raise ValueError(f"token ids are from 0 to {2**32 - 1}: {error}") from error


def unpacked_ids(packed: bytes) -> tuple[int, ...]:
    """Return what packed_ids was given."""
    form = packed[:1]
    if form not in (b"H", b"I"):
        raise ValueError(f"ids are packed in an unknown way {form!r}")
    data = unpacked_bytes(packed[1:])
    size = 2 if form == b"H" else 4
    if len(data) % size:
        raise ValueError(f"{len(data)} bytes of ids")
    return struct.unpack(f"<{len(data) // size}{form.decode()}", data)


_SPANS = b"S"
_ORIGIN_OF = {0: Origin.WRITTEN, 1: Origin.DRAFTED, 2: Origin.EDITED, 3: Origin.PASTED, 4: Origin.REWRITTEN}
_ORIGIN_NUMBER = {origin: number for number, origin in _ORIGIN_OF.items()}


def packed_spans(provenance: Provenance) -> bytes:
    """Return who wrote which part of a text."""
    spans = provenance.spans
    columns = _ColumnWriter()
    columns.put([len(spans)])
    columns.put([span.length for span in spans])
    columns.put([_ORIGIN_NUMBER[span.origin] for span in spans])
    columns.put([span.run_id for span in spans if span.origin.has_run])
    return _SPANS + packed_bytes(columns.data)


def unpacked_spans(packed: bytes) -> Provenance:
    """Return what packed_spans was given."""
    if packed[:1] != _SPANS:
        raise ValueError(f"spans are packed in an unknown way {packed[:1]!r}")
    columns = _ColumnReader(unpacked_bytes(packed[1:]))
    (num_spans,) = columns.take(1)
    lengths = columns.take(num_spans)
    try:
        origins = [_ORIGIN_OF[number] for number in columns.take(num_spans)]
    except KeyError as error:
        raise ValueError(f"a span has an unknown origin {error}") from error
    runs = iter(columns.take(sum(origin.has_run for origin in origins)))
    columns.finish()
    spans = zip(lengths, origins, strict=True)
    return Provenance(
        tuple(Span(length, origin, next(runs) if origin.has_run else 0) for length, origin in spans)
    )


_STEPS, _OLD_STEPS = b"U", b"T"
"""The older way knows no lengths of tokens."""
_SOURCE_OF: dict[int, Source] = dict(enumerate(SOURCES, start=1))
"""What a source is stored as; 0 would let a column of them take no room, whatever its length."""
_SOURCE_NUMBER = {source: number for number, source in _SOURCE_OF.items()} | {OTHER: 255}
_TICKS_PER_MS = 100
_MOST_TICKS = 2**31 - 1
"""Times are stored in hundredths of a millisecond, up to almost six hours."""
_LARGEST_HALF = 65_504.0
"""The largest finite number that a 16-bit float holds."""


def packed_steps(steps: Sequence[StepRecord]) -> bytes:
    """Return records of steps, packed column by column.

    Counts and sources are kept exactly, times to 0.01 ms, margins to three digits. A time or a margin that is
    too large becomes the largest possible one.
    """
    columns = _ColumnWriter()
    columns.put([len(steps)])
    columns.halves([_half(step.margin) for step in steps])
    columns.put([step.num_accepted for step in steps])
    # these nearly always follow from the counts above, so they take no space
    columns.put([step.num_tokens - step.num_accepted for step in steps])
    columns.put([len(step.sources) - step.num_accepted for step in steps])
    columns.put([_SOURCE_NUMBER[source] for step in steps for source in step.sources])
    columns.put([step.depth for step in steps])
    columns.put([step.num_drafted for step in steps])
    words = [step.num_words for step in steps]
    columns.put(words[:1])
    columns.put([now - before for before, now in pairwise(words)])
    for times in ([s.step_ms for s in steps], [s.draft_ms for s in steps], [s.verify_ms for s in steps]):
        columns.put([_ticks(time_ms) for time_ms in times])
    columns.put([len(step.token_chars) - step.num_tokens for step in steps])
    # one more than they are: like a source, a length of 0 would take no space
    columns.put([length + 1 for step in steps for length in step.token_chars])
    return _STEPS + packed_bytes(columns.data)


def unpacked_steps(packed: bytes) -> tuple[StepRecord, ...]:
    """Return what packed_steps was given, within its precision."""
    if packed[:1] not in (_STEPS, _OLD_STEPS):
        raise ValueError(f"steps are packed in an unknown way {packed[:1]!r}")
    columns = _ColumnReader(unpacked_bytes(packed[1:]))
    (num_steps,) = columns.take(1)
    margins = columns.halves(num_steps)
    accepted = columns.take(num_steps)
    tokens = list(map(int.__add__, accepted, columns.take(num_steps)))
    num_sources = list(map(int.__add__, accepted, columns.take(num_steps)))
    if min(num_sources, default=0) < 0:
        raise ValueError("a step has fewer sources than none")
    numbers = columns.take(sum(num_sources))
    if min(numbers, default=1) < 1:
        raise ValueError(f"a step has an unknown source {min(numbers)}")
    # a newer version may have drafters that this one does not: their tokens still count
    named = iter([_SOURCE_OF.get(number, OTHER) for number in numbers])
    sources = [tuple(islice(named, count)) for count in num_sources]
    depths, drafted = columns.take(num_steps), columns.take(num_steps)
    words = accumulate(columns.take(min(num_steps, 1)) + columns.take(max(num_steps - 1, 0)))
    times = [[ticks / _TICKS_PER_MS for ticks in columns.take(num_steps)] for _ in range(3)]
    lengths = _unpacked_lengths(columns, tokens) if packed[:1] == _STEPS else [()] * num_steps
    columns.finish()
    rows = zip(tokens, words, depths, drafted, accepted, *times, margins, sources, lengths, strict=True)
    return tuple(StepRecord(*row) for row in rows)


def _unpacked_lengths(columns: _ColumnReader, tokens: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the token lengths of each step; none for steps without them."""
    counts = list(map(int.__add__, tokens, columns.take(len(tokens))))
    if min(counts, default=0) < 0:
        raise ValueError("a step has fewer tokens than none")
    chars = iter(columns.take(sum(counts)))
    return [tuple(length - 1 for length in islice(chars, count)) for count in counts]


def _ticks(time_ms: float) -> int:
    ticks = time_ms * _TICKS_PER_MS
    return round(min(max(ticks, 0), _MOST_TICKS)) if ticks == ticks else 0


def _half(margin: float) -> float:
    return margin if math.isinf(margin) else max(min(margin, _LARGEST_HALF), -_LARGEST_HALF)


_RANGES: dict[str, range] = {
    "b": range(-(2**7), 2**7),
    "B": range(2**8),
    "h": range(-(2**15), 2**15),
    "H": range(2**16),
    "i": range(-(2**31), 2**31),
    "I": range(2**32),
}
"""What a column of each kind can hold, by the letter that stands before it; the narrow ones first."""
_ZEROS = "0"
"""A column of zeros is stored as this letter alone."""


class _ColumnWriter:
    """Writes columns of integers one after another, each as narrow as its numbers allow."""

    def __init__(self) -> None:
        self.data = b""

    def put(self, values: Sequence[int]) -> None:
        """Add a column; its length must follow from the columns before it."""
        if not any(values):
            self.data += _ZEROS.encode()
            return
        low, high = min(values), max(values)
        code = next((code for code, fits in _RANGES.items() if low in fits and high in fits), "")
        if not code:
            raise ValueError(f"numbers from {low} to {high} are too large for the project file")
        plain = struct.pack(f"<{len(values)}{code}", *values)
        size = struct.calcsize(code)
        # high bytes are nearly all the same: side by side they compress to almost nothing
        self.data += code.encode() + b"".join(plain[plane::size] for plane in range(size))

    def halves(self, values: Sequence[float]) -> None:
        """Add a column of 16-bit floats."""
        self.data += struct.pack(f"<{len(values)}e", *values)


class _ColumnReader:
    """Reads columns one after another; ValueError when there is less than was promised."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, length: int) -> tuple[int, ...]:
        """Return the next column of whole numbers."""
        code = self._next(1).decode("latin-1")
        if code == _ZEROS:
            if length > len(self._data):  # no column is all zeros without another one of its length
                raise ValueError(f"{length} zeros in {len(self._data)} bytes")
            return (0,) * length
        if code not in _RANGES:
            raise ValueError(f"numbers are packed in an unknown way {code!r}")
        size = struct.calcsize(code)
        planes = self._next(length * size)
        plain = bytearray(len(planes))
        for plane in range(size):
            plain[plane::size] = planes[plane * length : (plane + 1) * length]
        return struct.unpack(f"<{length}{code}", plain)

    def halves(self, length: int) -> tuple[float, ...]:
        """Return the next column of 16-bit floats."""
        return struct.unpack(f"<{length}e", self._next(2 * length))

    def finish(self) -> None:
        """Raise ValueError if something is left."""
        if self._at != len(self._data):
            raise ValueError(f"{len(self._data) - self._at} bytes are left over")

    def _next(self, num_bytes: int) -> bytes:
        start, self._at = self._at, self._at + num_bytes
        if not 0 <= num_bytes <= len(self._data) - start:
            raise ValueError("columns are cut off")
        return self._data[start : self._at]
