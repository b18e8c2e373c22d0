"""A text as long as the paper's, and its keys and values, computed once for everybody.

A long file is such a text. A short one is continued by the model, with a window on its newest tokens, as
Quire does with any text that outgrows the context: writing 100K tokens with a context of 100K takes a
processor the better part of an hour. Only then the whole of it is read at once, and whoever drafts behind it
attends to all of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from quire_engine.api.config import PREFILL_CHUNK, DraftingConfig, SamplingConfig
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.runtime.loaded_model import LoadedModel
from tests.benchmarks.engine.methods import write_tokens

NUM_DECODED = 64
"""Newest tokens of the text that a system reads with its own passes: the feature drafter looks back over
their states, and a partial cache is selected with the query of the last one."""


def continued(
    loaded: LoadedModel, ids: Sequence[int], count: int, window: int, sampling: SamplingConfig, file: Path
) -> list[int]:
    """Return these tokens and what the model writes behind them, `count` in all; kept in a file.

    window: tokens of context while it writes; whole blocks.
    """
    if not file.is_file():
        target = loaded.target
        assert isinstance(target, PassRunner), "checked by whoever asks for it"
        # forgets what is too old and reads the rest anew, like any run
        small = PassRunner(target.network, target.width, window, padded=target.padded, fast=target.fast)
        own = dataclasses.replace(loaded, target=small)
        drafting = DraftingConfig("tokenswift", ("ngrams",))
        written = write_tokens(own, ids[-window // 2 :], count - len(ids), sampling, drafting)
        np.save(file, np.array([*ids, *written.token_ids][:count], dtype=np.int64))
    known: list[int] = np.load(file).tolist()
    return known


class LongText:
    """The text, and a cache that is filled as far as somebody asked.

    Args:
        runner: reads it.
        ids: the text.
        num_written: tokens at its end that the model wrote.
    """

    def __init__(self, runner: PassRunner, ids: Sequence[int], num_written: int) -> None:
        self._runner = runner
        self.ids = tuple(ids)
        self.num_written = num_written

    def cached(self, length: int, loaded: LoadedModel) -> LoadedModel:
        """Return a model with a cache of its own that holds the first `length` tokens."""
        target = loaded.target
        assert isinstance(target, PassRunner), "checked by whoever asks for it"
        while (start := self._runner.length) < length:
            self._runner.prefill(self.ids[start : min(start + PREFILL_CHUNK, length)])
        other = target.with_own_cache()
        other.store.copy_from(self._runner.store, length)
        return dataclasses.replace(loaded, target=other)
