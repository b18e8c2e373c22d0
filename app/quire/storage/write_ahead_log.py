"""Reads the log that SQLite keeps beside a database, without SQLite: it would replay it into any file.

The format is SQLite's own (sqlite.org/fileformat2.html, section 4): a header, and frames of one page each.
Every frame carries a checksum over everything before it; a transaction ends at a frame that names the size
of the database.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from operator import mul
from pathlib import Path

from quire.storage.commit_link import CommitLink, links_in

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_LITTLE_ENDIAN, _BIG_ENDIAN = 0x377F0682, 0x377F0683
_CHECKED_BYTES = 8
"""Of a frame's header: the number of its page, and the size of the database."""
_WORD = 0xFFFFFFFF
_USER_VERSION = slice(60, 64)

Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Transaction:
    """A committed transaction. end: how many frames there are up to its end; link: None in older formats."""

    end: int
    link: CommitLink | None


@dataclass(frozen=True, slots=True)
class WriteAheadLog:
    """A log as SQLite would replay it.

    Attributes:
        page_size: 0 when the header is not that of a log, or is damaged.
        transactions: those that SQLite would replay.
        num_frames: how many the file has room for, whole or not.
        named: every project that is named anywhere in the file, also where SQLite would not look.
    """

    content: bytes
    page_size: int
    transactions: tuple[Transaction, ...]
    num_frames: int
    named: frozenset[bytes]

    @property
    def num_valid(self) -> int:
        """Return how many frames SQLite would replay."""
        return self.transactions[-1].end if self.transactions else 0

    @property
    def links(self) -> tuple[CommitLink, ...]:
        """Return the links of its transactions, in order."""
        return tuple(one.link for one in self.transactions if one.link is not None)

    @property
    def last(self) -> CommitLink | None:
        """Return the link that a project has when the log is replayed."""
        return self.links[-1] if self.links else None

    def page(self, number: int) -> bytes | None:
        """Return a page as the log leaves it; None when it is not in the log."""
        found = None
        for index in range(self.num_valid):
            header, page = _frame(self.content, self.page_size, index)
            found = page if header[0] == number else found
        return found

    @property
    def format(self) -> int:
        """Return the format of a project that the log leaves, as the header of its first page says; or 0."""
        first = self.page(1)
        return 0 if first is None else int.from_bytes(first[_USER_VERSION], "big")


def read_log(path: Path) -> WriteAheadLog | None:
    """Return the log of a file, None when it has none or an empty one; for a log of any size in memory."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    return parsed(content) if content else None


def parsed(content: bytes) -> WriteAheadLog:
    """Return a log as SQLite would replay it: up to the last whole transaction before the first fault."""
    named = frozenset(link.project_id for link in links_in(content))
    start = _start(content)
    if start is None:
        return WriteAheadLog(content, 0, (), 0, named)
    page_size, sums = start
    num_frames = (len(content) - _HEADER.size) // (_FRAME.size + page_size)
    transactions = tuple(_transactions(content, page_size, num_frames, sums))
    return WriteAheadLog(content, page_size, transactions, num_frames, named)


# ---------------------------------------------------------------- frames
def _start(content: bytes) -> tuple[int, Sums] | None:
    if len(content) < _HEADER.size:
        return None
    magic, _version, page_size, _sequence, _salt, _other, first, second = _HEADER.unpack_from(content)
    if magic not in (_LITTLE_ENDIAN, _BIG_ENDIAN) or page_size < 512 or page_size & (page_size - 1):
        return None
    sums = _summed(content[: _HEADER.size - _CHECKED_BYTES], _order(content), (0, 0))
    return (page_size, sums) if sums == (first, second) else None


def _transactions(content: bytes, page_size: int, num_frames: int, sums: Sums) -> Iterator[Transaction]:
    link: CommitLink | None = None
    for index, (header, page) in enumerate(_valid(content, page_size, num_frames, sums)):
        found = max(links_in(page), key=lambda one: one.sequence, default=None)
        link = found or link
        if header[1]:
            yield Transaction(index + 1, link)
            link = None


def _valid(
    content: bytes, page_size: int, num_frames: int, sums: Sums
) -> Iterator[tuple[tuple[int, ...], bytes]]:
    """Yield the frames up to the first that does not match its checksum or the log's salt."""
    order, salts = _order(content), _HEADER.unpack_from(content)[4:6]
    for index in range(num_frames):
        header, page = _frame(content, page_size, index)
        sums = _summed(_checked(content, page_size, index) + page, order, sums)
        if not header[0] or header[2:4] != salts or header[4:6] != sums:
            return
        yield header, page


def _frame(content: bytes, page_size: int, index: int) -> tuple[tuple[int, ...], bytes]:
    at = _place(page_size, index)
    return _FRAME.unpack_from(content, at), content[at + _FRAME.size : at + _FRAME.size + page_size]


def _checked(content: bytes, page_size: int, index: int) -> bytes:
    at = _place(page_size, index)
    return content[at : at + _CHECKED_BYTES]


def _place(page_size: int, index: int) -> int:
    return _HEADER.size + index * (_FRAME.size + page_size)


# ---------------------------------------------------------------- checksums
def _order(content: bytes) -> str:
    return "<" if _HEADER.unpack_from(content)[0] == _LITTLE_ENDIAN else ">"


def _summed(data: bytes, order: str, before: Sums) -> Sums:
    """Return SQLite's checksum: two sums that go on like Fibonacci numbers, as one product of vectors."""
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    number = len(words)
    weights = _weights(number)  # of the second sum; the first has those of one word less
    first = sum(map(mul, words, weights[1:])) + weights[0] * before[1] + weights[1] * before[0]
    second = sum(map(mul, words, weights))
    second += (weights[0] + weights[1]) * before[1] + weights[0] * before[0]
    return first & _WORD, second & _WORD


@cache
def _weights(number: int) -> tuple[int, ...]:
    """Return the Fibonacci numbers from the one of this number down to that of 0, modulo 2**32."""
    numbers = [0, 1]
    while len(numbers) <= number:
        numbers.append((numbers[-1] + numbers[-2]) & _WORD)
    return tuple(reversed(numbers[: number + 1]))
