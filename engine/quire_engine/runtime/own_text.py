"""Lets a loaded model write text of its own, accelerated by what it has, for its draft model to learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from quire_engine.api.config import DraftingConfig, SamplingConfig
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_engine.runtime.session import DraftingSession
from quire_engine.training.hidden_states import Tokens

_ACCELERATED = DraftingConfig("tokenswift", drafters=("ngrams",), tree=(1,))


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
