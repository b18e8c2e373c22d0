"""Tokens that may not come next because they would complete a banned sequence: a function of the stream.

The prompt is part of the stream, so a phrase that starts in the prompt is not completed either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]

NO_IDS: Ids = np.zeros(0, dtype=np.int64)


class BannedSequences:
    """Token sequences that a run may not write, looked up by the end of its stream.

    Attributes:
        lasts: the last token of each, ascending; no other id is ever banned.
        always: sequences of a single token, which are banned everywhere.
    """

    def __init__(self, sequences: Iterable[Sequence[int]] = ()) -> None:
        after: dict[tuple[int, ...], set[int]] = {}
        for sequence in sequences:
            if sequence:
                after.setdefault(tuple(sequence[:-1]), set()).add(sequence[-1])
        self._after = {before: _ids(lasts) for before, lasts in after.items()}
        self._lengths = sorted({len(before) for before in after if before})
        self.always = self._after.get((), NO_IDS)
        self.lasts = _ids({last for lasts in after.values() for last in lasts})

    @property
    def reach(self) -> int:
        """Number of latest tokens that `after` looks at."""
        return self._lengths[-1] if self._lengths else 0

    def after(self, stream: Ids) -> Ids:
        """Return the distinct ids that may not follow a stream, given whole or as its last `reach` tokens."""
        found = [self.always]
        for length in self._lengths:
            if length > len(stream):
                break
            lasts = self._after.get(tuple(stream[len(stream) - length :].tolist()))
            if lasts is not None:
                found.append(lasts)
        return self.always if len(found) == 1 else np.unique(np.concatenate(found))


def _ids(tokens: set[int]) -> Ids:
    return np.array(sorted(tokens), dtype=np.int64)
