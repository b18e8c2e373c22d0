"""A draft of many windows of context by the engine itself, measured stretch by stretch of its words."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from quire_engine.api.config import DraftingConfig, Goal, SamplingConfig
from quire_engine.api.messages import (
    DraftingTroubled,
    GenerationFinished,
    GenerationStarted,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
)
from quire_engine.cli.run_report import facts_of
from quire_engine.engine import Engine
from quire_engine.metrics.acceptance import RunMetrics

_DIGEST_EVERY = 1000  # tokens


@dataclass(slots=True)
class Stretch:
    """Some words of a draft.

    Attributes:
        name: what the report calls it.
        words: of the draft when it ended.
        writing_s, reading_s: processor time of steps, and of everything else: above all of what is read when
            the draft begins and when the context rolls over.
        plain_s, num_plain: processor time of the steps without a guess among them, and how many they were.
    """

    name: str
    words: int = 0
    figures: RunMetrics = field(default_factory=RunMetrics)
    writing_s: float = 0.0
    reading_s: float = 0.0
    plain_s: float = 0.0
    num_plain: int = 0

    def add(self, event: object, processor_s: float) -> None:
        """Add an event of the run and the processor time since the one before it."""
        if isinstance(event, StepCompleted):
            self.words = event.num_words
            self.writing_s += processor_s
            if not event.num_drafted:
                self.plain_s += processor_s
                self.num_plain += 1
            self.figures.add(facts_of(event, event.step_ms - event.draft_ms - event.verify_ms))
        else:
            self.reading_s += processor_s

    @property
    def led(self) -> str:
        """The source of most kept guesses; "plain" where most passes had none to check."""
        figures = self.figures.report()
        by_source: dict[str, int] = figures["accepted_by_source"]
        if 2 * figures["drafting_steps"] < figures["steps"] or not by_source:
            return "plain"
        return max(by_source, key=lambda source: by_source[source])

    def report(self) -> dict[str, Any]:
        """Return it for a JSON report."""
        return {
            "name": self.name,
            "words": self.words,
            "writing_s": self.writing_s,
            "reading_s": self.reading_s,
            "plain_s": self.plain_s,
            "num_plain": self.num_plain,
            "led": self.led,
            **self.figures.report(),
        }


class BookDraft:
    """A draft that pauses after each stretch and resumes as the window's drafts do.

    Args:
        engine: with the model loaded.
        words: where it ends.
    """

    def __init__(
        self, engine: Engine, opening: str, sampling: SamplingConfig, drafting: DraftingConfig, words: int
    ) -> None:
        self._engine = engine
        self._command: StartGeneration | ResumeGeneration = StartGeneration(
            0, opening, sampling, Goal(words=words, sentence_slack=0), read_tail=True, drafting=drafting
        )
        self._started: GenerationStarted | None = None
        self._token_ids: list[int] = []
        self.is_over = False
        self.said: list[str] = []

    def write(self, words: int, stretches: Sequence[Stretch]) -> None:
        """Go on until the draft has so many words, and add all of it to these stretches."""
        before = time.process_time()
        for event in self._engine.run(self._next()):
            now = time.process_time()
            for stretch in stretches:
                stretch.add(event, now - before)
            before = now
            if isinstance(event, GenerationStarted):
                self._started = event
            elif isinstance(event, DraftingTroubled):
                self.said.append(event.message)
            elif isinstance(event, GenerationFinished):
                self.is_over = True
            elif isinstance(event, StepCompleted):
                self._token_ids += event.token_ids
                if event.num_words >= words:
                    return

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of the first 1,000, 2,000 ... token ids, and of all of them where there are fewer."""
        ids = np.array(self._token_ids, dtype="<i8")
        ends = range(_DIGEST_EVERY, len(ids) + 1, _DIGEST_EVERY) or [len(ids)]
        return {str(end): hashlib.sha256(ids[:end].tobytes()).hexdigest() for end in ends}

    def _next(self) -> StartGeneration | ResumeGeneration:
        started, begun = self._started, self._command
        if started is None:
            return begun
        return ResumeGeneration(
            0,
            started.prompt_ids,
            tuple(self._token_ids),
            begun.sampling,
            begun.goal,
            drafting=begun.drafting,
            prefill_plan=started.prefill_plan,
            rollover=started.rollover,
        )
