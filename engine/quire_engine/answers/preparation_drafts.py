"""Drafts that a preparation makes: text of the model's own to learn from, and what its drafters are worth."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from quire_engine.api.config import DraftingConfig, SamplingConfig
from quire_engine.decoding.token_stream import Step
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_engine.runtime.session import DraftingSession
from quire_engine.training.hidden_states import Tokens

if TYPE_CHECKING:
    from quire_engine.drafting.drafter_file import TrainedDrafters

_ACCELERATED = DraftingConfig("tokenswift", drafters=("ngrams",), tree=(1,))
_MOST_TOKENS = 384
_TRIED = 0.4  # share of the draft that is not counted, because Quire tries its drafters there
_MOST_DRAFTS = 3
_ALIKE = 0.3  # share of the time that a draft may take for another one to follow


class OwnText:
    """Writes with a cache of its own.

    Args:
        loaded: the model.
        sampling: as drafts will mostly be asked with; each piece has a seed of its own.
    """

    def __init__(self, loaded: LoadedModel, sampling: SamplingConfig) -> None:
        self._loaded, self._sampling = own_cache(loaded), sampling

    def write(self, opening: Tokens, seed: int, go_on: Callable[[int], bool]) -> Tokens:
        """Return what follows an opening, until `go_on`, told the number of tokens after every pass, says
        False."""
        ids = [int(token) for token in opening]
        sampling = replace(self._sampling, seed=seed)
        session = DraftingSession(self._loaded, ids, (), sampling, _ACCELERATED, forgiving=True)
        for _ in session.read():
            pass
        written: list[int] = []
        while go_on(len(written)):
            written.extend(session.step().token_ids)
        return np.array(written, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class DraftPace:
    """Tokens per pass and per second of a draft."""

    tokens_per_pass: float
    tokens_per_s: float


@dataclass(slots=True)
class _Counted:
    tokens: int = 0
    steps: int = 0
    milliseconds: float = 0.0

    def add(self, step: Step) -> None:
        self.tokens += len(step.token_ids)
        self.steps += 1
        self.milliseconds += step.draft_ms + step.verify_ms + step.rest_ms


def pace_with(
    loaded: LoadedModel,
    trained: TrainedDrafters | None,
    ids: Sequence[int],
    sampling: SamplingConfig,
    seconds: float,
    clock: Callable[[], float] = time.perf_counter,
) -> DraftPace:
    """Draft after some tokens for a while; the words are the same whatever the drafters are.

    A feature drafter competes with plain decoding alone: among all drafters, a draft as short as this would
    be over before Quire knows which one is the fastest. Without one, everything else that there is competes.
    A busy moment can make the first trial of a good drafter look bad, after which a short draft never uses
    it: so up to three drafts are made, where the time allows it, each with noise and a planner of its own.
    """
    started = clock()
    model = own_cache(replace(loaded, trained=trained))
    has_feature = trained is not None and trained.feature is not None
    drafting = DraftingConfig(method="tokenswift", drafters=("feature",) if has_feature else ())
    counted = _Counted()
    for number in range(_MOST_DRAFTS):
        begun = clock()
        if number and begun - started > number * _ALIKE * seconds:
            break
        asked = replace(sampling, seed=sampling.seed ^ number)
        session = DraftingSession(model, ids, (), asked, drafting, forgiving=True)
        _draft(session, counted, started + seconds, clock)
    return DraftPace(counted.tokens / counted.steps, 1000 * counted.tokens / max(counted.milliseconds, 1e-3))


def _draft(session: DraftingSession, counted: _Counted, end: float, clock: Callable[[], float]) -> None:
    """Draft until it is long enough or the time is over, and count the part after the first trials."""
    list(session.read())
    began, tokens, has_counted = clock(), 0, False
    while not has_counted or (tokens < _MOST_TOKENS and clock() < end):
        if session.must_read:  # a short context is full before the draft is long enough
            list(session.read())
        step = session.step()
        share = max(tokens / _MOST_TOKENS, (clock() - began) / max(1e-3, end - began))
        tokens += len(step.token_ids)
        if has_counted or share >= _TRIED:
            counted.add(step)
            has_counted = True
