"""Collects what can be learnt from while a run goes, at a bounded share of the time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.drafting.drafter import Observed
from quire_engine.training.draft_samples import MAX_KEPT, DraftSample, likeliest

PIECE = 128
"""Places of a sample."""
SHARE = 0.01
"""Most of a run's time that collecting may take; beyond it pieces of text are passed by."""


class TextCollector:
    """Makes samples of what a run observes; belongs to the engine's thread.

    Args:
        take: called with each sample.
        clock: seconds.
    """

    def __init__(
        self,
        take: Callable[[DraftSample], None],
        sampling: SamplingConfig,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._take, self._clock = take, clock
        self._recent: deque[int] = deque(maxlen=max(1, sampling.penalty_window))
        self._began_s, self._spent_s = clock(), 0.0
        self._is_collecting = False
        self._start_piece()

    @property
    def is_collecting(self) -> bool:
        """Say whether hidden states are wanted; where they are not, none need be computed."""
        return self._is_collecting

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time of the block as spent on collecting."""
        began_s = self._clock()
        try:
            yield
        finally:
            self._spent_s += self._clock() - began_s

    def observe(self, observed: Observed) -> None:
        """Take a step's tokens; of a text that is only read, what the penalty sees."""
        if observed.is_reread:
            return
        if not self._is_collecting or observed.hidden is None or not observed.kept_tokens:
            self._recent.extend(observed.token_ids)
            self._num_passed_by += len(observed.token_ids)
            if self._is_collecting or self._num_passed_by >= PIECE:
                self._start_piece()
            return
        # copied: the rows are views of the pass buffers
        self._hidden.append(observed.hidden.detach().to("cpu", torch.bfloat16, copy=True))
        self._kept += [likeliest(kept, scores) for kept, scores in observed.kept_tokens]
        self._successors += observed.token_ids
        self._recent.extend(observed.token_ids)
        if len(self._successors) >= PIECE:
            self._take(self._sample())
            self._start_piece()

    def _start_piece(self) -> None:
        """Begin a piece, or pass one by where collecting has had its share of the time."""
        self._is_collecting = self._spent_s <= SHARE * (self._clock() - self._began_s)
        self._num_passed_by = 0
        self._hidden: list[Tensor] = []
        self._kept: list[tuple[Tensor, Tensor]] = []
        self._successors: list[int] = []
        if self._is_collecting:
            self._before = np.unique(np.array(self._recent, dtype=np.int64))

    def _sample(self) -> DraftSample:
        kept, shares = (torch.stack(each)[:PIECE] for each in zip(*self._kept, strict=True))
        return DraftSample(
            self._before,
            torch.tensor(self._successors[:PIECE]),
            torch.cat(self._hidden)[:PIECE],
            kept.view(PIECE, MAX_KEPT),
            shares.view(PIECE, MAX_KEPT),
        )
