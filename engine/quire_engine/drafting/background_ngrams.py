"""The model's own n-gram distribution: what it usually says after one, two or three tokens.

The file is next to a model and was distilled from it (`tests/training/background_distillation.py`): for the
most useful contexts, the model's warped probabilities, averaged over many positions. It belongs to a
tokenizer; a model that was trained further with the same tokenizer can use it too, because drafts are only
proposals.
"""

from __future__ import annotations

import bisect
import hashlib
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from quire_engine.api.atomic_file import replacing
from quire_engine.api.errors import EnvironmentProblem

FILE_NAME = "ngrams.npz"
FORMAT = 1
"""Version of the layout; later ones are rejected."""
MAX_ORDER = 3
"""Tokens of the longest context."""
MAX_OCCURRENCES = 255
"""Occurrences of a context are stored in a byte; more would not change its weight."""

_STEPS_PER_BIT = 16  # probabilities are stored as -log2(p) in sixteenths: within 2%, down to 2^-16
_TRUST = 2.0  # occurrences after which a context counts as much as the shorter one (measured)
_MAX_REMEMBERED = 4096  # contexts whose mixture is cached; about 3 KB each
_CHANCES = [2 ** (-step / _STEPS_PER_BIT) for step in range(256)]

# what reading a damaged archive can raise; an encryption flag or an unknown version is a RuntimeError
_DAMAGE = (
    MemoryError,
    SyntaxError,  # the header of an array is Python text
    tokenize.TokenError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    EOFError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)

Ids = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Level:
    """The contexts of one length, children of those one token shorter, in their order.

    Attributes:
        tokens: the oldest token of each context, ascending below one parent.
        parents: index of the parent in the level above.
        occurrences: how often each was seen.
        starts: (contexts + 1,) where its followers start in `followers` and `steps`.
        followers: token ids.
        steps: their quantised probabilities.
    """

    tokens: Ids
    parents: Ids
    occurrences: Bytes
    starts: Ids
    followers: Ids
    steps: Bytes


class BackgroundTable:
    """Probabilities after short contexts, interpolated from the longest known one."""

    def __init__(self, levels: Sequence[Level]) -> None:
        self._levels = levels
        # children of a parent are adjacent: two bounds and a binary search find a context
        self._searched = [
            _Searched(
                bounds=np.searchsorted(level.parents, np.arange(_num_parents(levels, order) + 1)).data,
                tokens=level.tokens.data,
                starts=level.starts.data,
            )
            for order, level in enumerate(levels)
        ]
        self._at_hand: dict[tuple[int, ...], dict[int, float]] = {}

    @property
    def levels(self) -> Sequence[Level]:
        """Contexts by length."""
        return self._levels

    def probabilities(self, context: Sequence[int]) -> dict[int, float]:
        """Return likely next tokens after a context; empty if it is unknown."""
        key = tuple(context[-len(self._levels) :])
        if key not in self._at_hand:
            if len(self._at_hand) >= _MAX_REMEMBERED:
                self._at_hand.clear()
            self._at_hand[key] = self._interpolated(key)
        return self._at_hand[key]

    def _interpolated(self, context: tuple[int, ...]) -> dict[int, float]:
        places: list[int] = []
        for searched, token in zip(self._searched, reversed(context), strict=False):
            place = searched.find(places[-1] if places else 0, token)
            if place is None:
                break
            places.append(place)
        mixed: dict[int, float] = {}
        rest = 1.0
        for order in range(len(places) - 1, -1, -1):
            level, place = self._levels[order], places[order]
            start, end = self._searched[order].starts[place], self._searched[order].starts[place + 1]
            if start == end:
                continue
            times = float(level.occurrences[place])
            share = rest * times / (times + _TRUST) if order else rest
            followers, steps = level.followers[start:end].tolist(), level.steps[start:end].tolist()
            for follower, step in zip(followers, steps, strict=True):
                mixed[follower] = mixed.get(follower, 0.0) + share * _CHANCES[step]
            rest -= share
        return mixed


@dataclass(frozen=True, slots=True)
class _Searched:
    """The arrays that a context search reads one number at a time: memoryviews index faster than numpy
    arrays."""

    bounds: memoryview
    tokens: memoryview
    starts: memoryview

    def find(self, parent: int, token: int) -> int | None:
        """Return the index of the context that extends a parent by an older token."""
        start, end = self.bounds[parent], self.bounds[parent + 1]
        place = bisect.bisect_left(self.tokens, token, start, end)
        return place if place < end and self.tokens[place] == token else None


def steps_of(probabilities: npt.NDArray[np.floating]) -> Bytes:
    """Return probabilities in (0, 1], quantised to bytes."""
    steps = np.round(-np.log2(np.maximum(probabilities, 1e-9)) * _STEPS_PER_BIT)
    clipped: Bytes = np.clip(steps, 0, 255).astype(np.uint8)
    return clipped


def chances_of(steps: Bytes) -> npt.NDArray[np.float64]:
    """Return the probabilities that quantised ones stand for."""
    return np.array(_CHANCES)[steps]


def tokenizer_digest(folder: Path) -> str:
    """Return the SHA-256 of a model folder's tokenizer."""
    try:
        return hashlib.sha256((folder / "tokenizer.json").read_bytes()).hexdigest()
    except OSError as error:
        raise EnvironmentProblem("The tokenizer in {folder} can't be read.", folder=folder) from error


def save(table: BackgroundTable, tokenizer: str, folder: Path) -> Path:
    """Write the file into a folder and return its path. tokenizer: its digest."""
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "format": np.array(FORMAT),
        "tokenizer": np.frombuffer(bytes.fromhex(tokenizer), dtype=np.uint8),
    }
    for order, level in enumerate(table.levels, 1):
        children = np.bincount(level.parents, minlength=_num_parents(table.levels, order - 1))
        arrays |= {
            f"children{order}": children.astype(np.uint32),
            f"occurrences{order}": level.occurrences,
            f"lengths{order}": np.diff(level.starts).astype(np.uint8),
            f"steps{order}": level.steps,
            **_planes(f"tokens{order}", level.tokens),
            **_planes(f"followers{order}", level.followers),
        }
    file = folder / FILE_NAME
    with replacing(file) as out:
        np.savez_compressed(out, allow_pickle=False, **arrays)
    return file


def find(folder: Path, tokenizer: str, vocab_size: int) -> BackgroundTable | None:
    """Read the table next to a model; None if there is none.

    Args:
        folder: the model's folder.
        tokenizer: digest of the model's tokenizer.
        vocab_size: rows of the embedding table.

    Raises:
        EnvironmentProblem: the file is damaged, of a later version, or of another tokenizer.
    """
    file = folder / FILE_NAME
    if not file.is_file():
        return None
    try:
        # opened here: numpy leaves the file open if it is not an archive
        with file.open("rb") as source, np.load(source, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        version, digest = int(arrays["format"]), bytes(arrays["tokenizer"].astype(np.uint8)).hex()
        if version < 1:
            raise ValueError("no such format")
        if version > FORMAT:
            raise EnvironmentProblem(
                "{file} was made by a newer version of Quire and is not used.", file=file
            )
        if digest != tokenizer:
            raise EnvironmentProblem("{file} belongs to another tokenizer and is not used.", file=file)
        return BackgroundTable(_levels_of(arrays, vocab_size))
    except _DAMAGE as error:
        raise EnvironmentProblem("{file} is damaged and is not used.", file=file) from error


def _levels_of(arrays: Mapping[str, npt.NDArray[np.generic]], vocab_size: int) -> list[Level]:
    levels: list[Level] = []
    for order in range(1, MAX_ORDER + 1):
        if f"children{order}" not in arrays:
            break
        children = arrays[f"children{order}"].astype(np.int64)
        lengths = arrays[f"lengths{order}"].astype(np.int64)
        tokens = _joined(arrays, f"tokens{order}")
        if (children < 0).any() or int(children.sum()) != len(tokens):  # check before np.repeat
            raise ValueError("sizes that do not fit")
        level = Level(
            tokens=tokens,
            parents=np.repeat(np.arange(len(children)), children),
            occurrences=arrays[f"occurrences{order}"].astype(np.uint8),
            starts=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)]),
            followers=_joined(arrays, f"followers{order}"),
            steps=arrays[f"steps{order}"].astype(np.uint8),
        )
        levels.append(level)
        sizes = {len(level.tokens), len(level.parents), len(level.occurrences), len(lengths)}
        entries = {len(level.followers), len(level.steps), int(level.starts[-1])}
        above = _num_parents(levels, order - 1)
        ids = np.concatenate([level.tokens, level.followers])
        if len(sizes) > 1 or len(entries) > 1 or len(children) != above or (ids >= vocab_size).any():
            raise ValueError("sizes or ids that do not fit")
    if not levels:
        raise ValueError("no contexts")
    return levels


def _num_parents(levels: Sequence[Level], order: int) -> int:
    """Return how many contexts are one token shorter than those of levels[order]; the empty context is
    one."""
    return len(levels[order - 1].tokens) if order else 1


def _planes(name: str, ids: Ids) -> dict[str, npt.NDArray[np.generic]]:
    """Return ids as one array per byte, lowest first: equal high bytes compress well."""
    return {f"{name}.{shift}": (ids >> (8 * shift) & 255).astype(np.uint8) for shift in range(3)}


def _joined(arrays: Mapping[str, npt.NDArray[np.generic]], name: str) -> Ids:
    planes = [arrays[f"{name}.{shift}"].astype(np.int64) << (8 * shift) for shift in range(3)]
    return planes[0] | planes[1] | planes[2]
