"""Which ids the repetition penalty looks at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


class PenaltyWindow:
    """The distinct ids among the last `width` tokens of a stream, prompt included; O(1) per new token."""

    def __init__(self, stream: npt.NDArray[np.int64], width: int) -> None:
        self._width = width
        self._counts: dict[int, int] = {}
        self._places: dict[int, int] = {}
        self._distinct = np.zeros(64, dtype=np.int64)
        for token in (stream[-width:] if width else stream[:0]).tolist():
            self._add(token)

    def slide(self, newest: npt.NDArray[np.int64]) -> None:
        """Add the stream's newest token. newest: its last width + 1 tokens, or all."""
        if self._width == 0:
            return
        self._add(int(newest[-1]))
        if len(newest) > self._width:
            self._remove(int(newest[0]))

    def distinct_ids(self) -> npt.NDArray[np.int64]:
        """Return the ids, in no order; a view that the next token changes."""
        return self._distinct[: len(self._places)]

    def _add(self, token: int) -> None:
        count = self._counts.get(token, 0)
        self._counts[token] = count + 1
        if count:
            return
        place = len(self._places)
        if place == len(self._distinct):
            self._distinct = np.concatenate((self._distinct, np.zeros_like(self._distinct)))
        self._distinct[place] = token
        self._places[token] = place

    def _remove(self, token: int) -> None:
        self._counts[token] -= 1
        if self._counts[token]:
            return
        del self._counts[token]
        place = self._places.pop(token)
        last = len(self._places)
        if place != last:  # the last one takes the free place
            moved = int(self._distinct[last])
            self._distinct[place] = moved
            self._places[moved] = place
