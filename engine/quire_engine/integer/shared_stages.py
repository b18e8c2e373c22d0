"""How threads share a pass: stage by stage, and within a stage chunk by chunk, whoever comes first.

One word says which stage of which pass is open and which chunk comes next. A thread that isn't within a
chunk can be as late as it likes: it finds another word, and nobody waits for it. Chunks are the same however
many threads there are, and none reads what another one of its stage writes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quire_engine.integer.atomic_code import (
    add_to_word,
    read_word,
    relax,
    replace_word,
    write_word,
    yield_processor,
)
from quire_engine.integer.kernel_kinds import kernel, kernel_part

Int64s = npt.NDArray[np.int64]

_CHUNK_BITS, _STAGE_BITS = 20, 20
_CHUNKS, _STAGES = (1 << _CHUNK_BITS) - 1, (1 << _STAGE_BITS) - 1
CLOSED = _STAGES
"""The stage of a pass that has not begun or is over."""
_DONE = 64
"""Bytes from the word to the number of chunks that are done, which has a line of the cache of its own."""
_SPINS = 400


def new_word() -> Int64s:
    """Return the word of a team of threads, and the number of chunks that are done."""
    return np.zeros(_DONE // 8 + 8, np.int64)


@kernel
def open_stage(word: Int64s, number: int, stage: int) -> None:
    """Open a stage of a pass. number: of the pass, below 2^23."""
    write_word(word.ctypes.data + _DONE, 0)
    write_word(word.ctypes.data, (number << (_STAGE_BITS + _CHUNK_BITS)) | (stage << _CHUNK_BITS))


@kernel_part
def stage_of(word: Int64s, number: int) -> int:
    """Return the stage that is open; CLOSED also if another pass is."""
    found: int = read_word(word.ctypes.data)
    if found >> (_STAGE_BITS + _CHUNK_BITS) != number:
        return CLOSED
    return (found >> _CHUNK_BITS) & _STAGES


@kernel_part
def claim(word: Int64s, number: int, stage: int, chunks: int) -> int:
    """Return a chunk of this stage that nobody else works on; -1 where there is none."""
    at = word.ctypes.data
    wanted = (number << _STAGE_BITS) | stage
    while True:
        found: int = read_word(at)
        chunk = found & _CHUNKS
        if found >> _CHUNK_BITS != wanted or chunk >= chunks:
            return -1
        if replace_word(at, found, found + 1):
            return chunk


@kernel_part
def finish(word: Int64s) -> None:
    """Say that a claimed chunk is done."""
    add_to_word(word.ctypes.data + _DONE, 1)


@kernel_part
def wait_for_chunks(word: Int64s, chunks: int) -> None:
    """Wait until so many chunks of the open stage are done."""
    turns = 0
    while read_word(word.ctypes.data + _DONE) < chunks:
        turns = wait(turns)


@kernel_part
def wait(turns: int) -> int:
    """Wait a moment: shortly at first, then by letting others run. Returns the turns so far."""
    if turns < _SPINS:
        relax()
    else:
        yield_processor()
    return turns + 1
