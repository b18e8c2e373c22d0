"""Runs on a tiny model of whole words, and what they tell; models whose memory nobody has used."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from torch import Tensor, equal

from quire_engine.api.config import PLAIN, DraftingConfig, Dtype, Goal, ModelConfig, SamplingConfig
from quire_engine.api.messages import (
    GenerationStarted,
    ReadingProgressed,
    ResumeChecked,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
)
from quire_engine.engine import LoadedModel, load_model
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from quire_engine.runtime.run_manager import Runs
from tests.engine.worded import text_of

SAMPLING = SamplingConfig(seed=11)
FAR = Goal(tokens=10_000)
FAST = DraftingConfig(method="tokenswift", drafters=("ngrams",), tree=(2, 1, 1))
FLOATS: list[Dtype] = ["float32", "bfloat16"]
FORMATS: list[Dtype] = [*FLOATS, "int8"]


class Models:
    """Models of the folder, each loaded once; `fresh` gives one whose memory nobody has used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.loaded = cache(self._load)

    def _load(self, dtype: Dtype, context: int = 0, reproducible: bool = True) -> LoadedModel:
        return load_model(
            ModelConfig(str(self.folder), dtype, 8, threads=1, context=context, reproducible=reproducible)
        )

    def fresh(self, dtype: Dtype, context: int = 0, reproducible: bool = True) -> LoadedModel:
        loaded = self.loaded(dtype, context, reproducible)
        target = loaded.target.with_own_cache()
        target.prefill([1])  # a pass tells the store its shapes, as loading does
        target.reset()
        return replace(loaded, target=target)


def passes_of(loaded: LoadedModel) -> PassRunner:
    """Return what runs the passes of a model that is computed in floating point."""
    assert isinstance(loaded.target, PassRunner)
    return loaded.target


class Desk:
    """Runs on one model, and what they told."""

    def __init__(self, loaded: LoadedModel) -> None:
        self.loaded = loaded
        self.runs = Runs(loaded)
        self.events: list[RunEvent] = []

    def run(self, command: StartCommand, num_tokens: int | None = None) -> tuple[int, ...]:
        """Run until so many tokens were told, or to the end; return them."""
        self.events = []
        written: tuple[int, ...] = ()
        events = self.runs.run(command)
        for event in events:
            self.events.append(event)
            if isinstance(event, StepCompleted):
                written += event.token_ids
            if num_tokens is not None and len(written) >= num_tokens:
                break
        return written

    @property
    def started(self) -> GenerationStarted:
        event = self.events[0]
        assert isinstance(event, GenerationStarted)
        return event

    @property
    def num_read(self) -> int:
        """Tokens that were read before the first step."""
        first_step = next(i for i, event in enumerate(self.events) if isinstance(event, StepCompleted))
        progress = [event for event in self.events[:first_step] if isinstance(event, ReadingProgressed)]
        return progress[-1].num_total - self.started.num_reused if progress else 0

    @property
    def checked(self) -> list[ResumeChecked]:
        return [event for event in self.events if isinstance(event, ResumeChecked)]

    def snapshot(self, length: int | None = None) -> tuple[Tensor, ...]:
        return tuple(tensor[:, :length] for tensor in self.loaded.target.store.snapshot())


def start(prompt: tuple[int, ...], drafting: DraftingConfig = PLAIN, goal: Goal = FAR) -> StartGeneration:
    return StartGeneration(1, text_of(prompt), SAMPLING, goal, drafting=drafting)


def resume(
    prompt: tuple[int, ...],
    generated: tuple[int, ...],
    prefill_plan: tuple[int, ...] = (),
    drafting: DraftingConfig = PLAIN,
) -> ResumeGeneration:
    return ResumeGeneration(1, prompt, generated, SAMPLING, FAR, drafting, prefill_plan=prefill_plan)


def assert_same_bits(a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> None:
    length = min(a[0].shape[1], b[0].shape[1])
    assert length > 0
    assert all(equal(x[:, :length], y[:, :length]) for x, y in zip(a, b, strict=True))
