"""The engine: a loaded model and its runs. Importing this module imports no torch; `load` does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EngineBug, EnvironmentProblem
from quire_engine.api.load_progress import LoadReport, unreported
from quire_engine.api.messages import (
    CacheKept,
    CacheNotKept,
    DraftingTroubled,
    GenerationStarted,
    KeepCache,
    ModelLoaded,
)
from quire_engine.api.queries import (
    Calibrate,
    CheckAgreement,
    CountTokens,
    EngineQuery,
    MeasureMemory,
    ScoreText,
    ViewPrompt,
)
from quire_engine.api.user_message import UserMessage
from quire_engine.runtime.engine_thread import ReplyEvent, RunEvent, StartCommand
from quire_engine.runtime.loaded_model import LoadedModel, learning, load_model

if TYPE_CHECKING:
    from quire_engine.remote.server_backend import ServerBackend
    from quire_engine.runtime.online_learning import OnlineLearner
    from quire_engine.runtime.run_manager import Runs

__all__ = ["Engine", "LoadedModel", "load_model"]


class Engine:
    """Backend of the engine thread; not thread-safe."""

    def __init__(self) -> None:
        self._loaded: LoadedModel | None = None
        self._config: ModelConfig | None = None
        self._runs: Runs | None = None
        self._server: ServerBackend | None = None
        self._report: LoadReport = unreported

    def follow_loads(self, report: LoadReport) -> None:
        """Call `report` during every later load; what it raises ends that load."""
        self._report = report

    def load(self, config: ModelConfig) -> ModelLoaded:
        """Load a model and describe it; keeps it if it is the loaded one already."""
        if config.server is not None:
            return self._connect(config)
        if self._loaded is None or self._config != config:
            self.unload()
            self._loaded = learning(load_model(config, self._report), config)
            self._config = config
        return self._loaded.description

    def _connect(self, config: ModelConfig) -> ModelLoaded:
        """As load, for a model on a server."""
        if self._server is None or self._server.is_lost or self._config != config:
            self.unload()
            from quire_engine.remote.server_backend import ServerBackend  # it needs the network's libraries

            self._server = ServerBackend(config, self._report)
            self._config = config
        return self._server.description

    def unload(self) -> None:
        """Release the model's memory."""
        self._server = None
        if self._loaded is not None and self._loaded.learner is not None:
            self._loaded.learner.close()
        self._runs = None
        self._loaded = None
        self._config = None

    def forget(self) -> None:
        """Make the next run prefill its text from the start, whatever is cached; the text stays the same."""
        self._runs = None

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        """Yield the events of a run, one per prefill chunk or step."""
        if self._server is not None:
            return self._server.run(command)
        if self._loaded is None:
            raise EngineBug("a run was started before a model was loaded")
        if self._runs is None:
            from quire_engine.runtime.run_manager import Runs  # it needs torch

            self._runs = Runs(self._loaded)
        learner = self._loaded.learner
        if learner is None:
            return self._runs.run(command)
        return self._run_and_learn(self._runs, learner, command)

    def _run_and_learn(self, runs: Runs, learner: OnlineLearner, command: StartCommand) -> Iterator[RunEvent]:
        """Yield a run's events, with the drafters that were learnt meanwhile; nothing is learnt beside it."""
        with learner.waiting():
            fresh = learner.pop_fresh()
            if fresh is not None and self._loaded is not None:
                self._loaded = replace(self._loaded, trained=fresh)
                runs.use(self._loaded)
            for event in runs.run(command):
                yield event
                if isinstance(event, GenerationStarted):
                    for said in learner.pop_warnings():
                        yield DraftingTroubled(command.run_id, said)

    def keep_cache(self, command: KeepCache) -> CacheKept | CacheNotKept:
        """Write the last run's KV cache to a resume file, if it is the run in question."""
        if self._runs is None:
            return CacheNotKept(
                command.run_id, UserMessage("The model is no longer loaded, so there is nothing to save.")
            )
        return self._runs.keep_cache(command)

    def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        """Yield one event per piece of work on a query, the reply last; no query changes a run."""
        if self._server is not None:
            return self._server.answer(query)
        events = self._answer(query)
        learner = None if self._loaded is None else self._loaded.learner
        return events if learner is None else _while_it_waits(learner, events)

    def _answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        # imported here: all of it needs torch
        from quire_engine.answers.agreement import check_agreement
        from quire_engine.answers.memory_use import measure_memory
        from quire_engine.answers.speed_calibration import calibrate
        from quire_engine.answers.token_counts import count_tokens, view_prompt
        from quire_engine.answers.token_scores import score_text

        loaded = self._loaded
        if isinstance(query, MeasureMemory):
            return measure_memory(loaded, query)
        if loaded is None:
            raise EnvironmentProblem("No model is loaded. Load one first.")
        match query:
            case CountTokens():
                return count_tokens(loaded, query)
            case ViewPrompt():
                return view_prompt(loaded, query)
            case ScoreText():
                return score_text(loaded, query, None if self._runs is None else self._runs.last_text)
            case CheckAgreement():
                return check_agreement(loaded, query)
            case Calibrate():
                return calibrate(loaded, query)


def _while_it_waits(learner: OnlineLearner, events: Iterator[ReplyEvent]) -> Iterator[ReplyEvent]:
    """Yield the events of an answer; nothing is learnt beside it."""
    with learner.waiting():
        yield from events
