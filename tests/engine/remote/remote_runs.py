"""Runs on a server, driven as the engine's thread drives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.messages import (
    DraftingTroubled,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
)
from quire_engine.api.server_address import NO_KEY, ServerAddress, ServerKey
from quire_engine.remote.connection import Timeouts
from quire_engine.remote.server_backend import ServerBackend
from quire_engine.remote.server_run import Patience
from quire_engine.runtime.engine_thread import RunEvent

OPENING = "The lighthouse had stood empty for thirty years when Anna came back to the island.\n\nShe"
QUICK = Patience(waits_s=(0.01, 0.01))
PATIENT = Timeouts(connect_s=100.0, answer_s=100.0)
SHORT = Timeouts(connect_s=100.0, answer_s=100.0, between_s=0.3)


@dataclass
class Drafted:
    """What came of a run."""

    text: str = ""
    ids: tuple[int, ...] = ()
    steps: list[StepCompleted] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    started: GenerationStarted | None = None
    ending: GenerationFinished | GenerationPaused | None = None

    @property
    def sentence(self) -> str:
        """Why it paused."""
        return self.ending.message if isinstance(self.ending, GenerationPaused) else ""

    def resumed(self, goal: Goal, before: Drafted | None = None) -> ResumeGeneration:
        """Return the command that goes on with what is stored of it."""
        assert self.started is not None
        ids = self.ids if before is None else before.ids + self.ids
        return ResumeGeneration(
            1, self.started.prompt_ids, ids, SamplingConfig(), goal, rollover=self.started.rollover
        )


def connected(
    address: ServerAddress,
    key: ServerKey = NO_KEY,
    timeouts: Timeouts = PATIENT,
    patience: Patience = QUICK,
    **settings: Any,
) -> ServerBackend:
    """Return the engine's side of a server."""
    config = ModelConfig("", server=address, server_key=key, **settings)
    return ServerBackend(config, timeouts=timeouts, patience=patience)


def start(goal: Goal, prompt: str = OPENING, **more: Any) -> StartGeneration:
    """Return the command for a new run."""
    return StartGeneration(1, prompt, more.pop("sampling", SamplingConfig()), goal, **more)


def drafted(
    backend: ServerBackend,
    command: StartGeneration | ResumeGeneration,
    most_steps: int = 10**9,
    at: Callable[[RunEvent, Drafted], None] = lambda event, found: None,
) -> Drafted:
    """Run a command, at most so many steps. at: called after each event, with what came until then."""
    found = Drafted()
    events = iter(backend.run(command))
    for event in events:
        match event:
            case GenerationStarted():
                found.started = event
            case StepCompleted():
                found.steps.append(event)
                found.text += event.text
                found.ids += event.token_ids
            case DraftingTroubled(message=message):
                found.troubles.append(message)
            case GenerationFinished() | GenerationPaused():
                found.ending = event
            case _:
                pass
        at(event, found)
        if len(found.steps) >= most_steps:
            break
    events.close()  # type: ignore[attr-defined]
    assert found.text == "".join(map(chr, found.ids))
    return found
