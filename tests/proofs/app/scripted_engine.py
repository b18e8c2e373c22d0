"""An engine without a model, for proofs about everything around the model."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace

from quire.domain.drafting.draft_status import DraftProgress, DraftStatus
from quire_engine.api.config import ModelConfig
from quire_engine.api.messages import (
    FinishReason,
    GenerationFinished,
    GenerationStarted,
    ModelIdentity,
    ModelLoaded,
    ReadingProgressed,
    StartGeneration,
    StepCompleted,
)
from quire_engine.runtime.engine_thread import Begin, RunEvent

PLACES = ("load", "tokenise", "read", "forward")
"""What a backend asks leave for, in this order."""

_WORDS = ("the", "ferry", "crossed", "a", "black", "river", "while", "nobody", "sang", "and", "every", "lamp")
_IDENTITY = ModelIdentity("scripted", "f" * 64, "float32", 8, "proof")


class ScriptedBackend:
    """A Backend whose every token follows from the seed, the prompt and all tokens before it.

    So a lost, doubled or reordered token changes everything after it. A token is a word.

    before: asked before every piece of work, with its name (PLACES); it may wait, or raise.
    """

    def __init__(self, before: Callable[[str], None] = lambda _place: None) -> None:
        self._before = before

    def load(self, config: ModelConfig) -> ModelLoaded:
        """Describe the model."""
        self._before("load")
        dtype = _IDENTITY.dtype if config.dtype == "auto" else config.dtype
        identity = replace(_IDENTITY, dtype=dtype, width=config.width)
        return ModelLoaded(identity, 100_000, 1, reproducible=True, load_s=0.0)

    def unload(self) -> None:
        """Nothing is held."""

    def run(self, command: Begin) -> Iterator[RunEvent]:
        """Write words up to the goal."""
        if isinstance(command, StartGeneration):
            self._before("tokenise")
            prompt_ids = tuple(command.prompt_text.encode())
            yield GenerationStarted(command.run_id, prompt_ids, 0)
            ids: tuple[int, ...] = ()
        else:
            prompt_ids, ids = command.prompt_ids, command.generated_ids
        self._before("read")
        yield ReadingProgressed(command.run_id, len(prompt_ids), len(prompt_ids))
        while command.goal.words is None or len(ids) < command.goal.words:
            self._before("forward")
            new = zlib.crc32(repr((command.sampling.seed, prompt_ids, ids)).encode())
            ids = (*ids, new)
            word = f" {_WORDS[new % len(_WORDS)]}"
            yield StepCompleted(command.run_id, (new,), word, len(ids), 0, 0, 1.0, 0.5)
        yield GenerationFinished(command.run_id, len(ids), FinishReason.GOAL)


class Silent:
    """A DraftObserver that keeps the last sentence and calls back after each commit."""

    def __init__(self, saved: Callable[[], None] = lambda: None) -> None:
        self._saved = saved
        self.sentence = ""

    def status_changed(self, status: DraftStatus) -> None:
        """Keep what is said."""
        self.sentence = status.sentence or self.sentence

    def text_drafted(self, text: str) -> None:
        """Nothing: what is stored is looked at."""

    def progressed(self, progress: DraftProgress) -> None:
        """Nothing."""

    def saved(self) -> None:
        """Pass it on."""
        self._saved()
