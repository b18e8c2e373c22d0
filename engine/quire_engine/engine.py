"""The engine: a loaded model and its runs. Importing this module imports no torch; `load` does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
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
    AT_ONCE,
    Calibrate,
    ChangeLearned,
    CheckAgreement,
    CollectLearned,
    CountTokens,
    EngineQuery,
    LearnedCollected,
    MeasureMemory,
    ScoreText,
    ViewLearned,
    ViewPrompt,
)
from quire_engine.api.user_message import UserMessage
from quire_engine.runtime.engine_thread import ReplyEvent, RunEvent, StartCommand
from quire_engine.runtime.loaded_model import LoadedModel, load_model

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
        known = self._config
        if self._loaded is None or known is None or replace(known, learns=config.learns) != config:
            self.unload()
            loaded = load_model(config, self._report)
            from quire_engine.runtime.learned_drafters import with_learned  # it needs torch

            self._loaded = with_learned(loaded, config)
            self._config = config
        elif known != config:
            self._loaded = self._let_learn(self._loaded, config)
        return self._loaded.description

    def _let_learn(self, loaded: LoadedModel, config: ModelConfig) -> LoadedModel:
        """Return the loaded model, learning or not; it is not loaded again for that."""
        from quire_engine.runtime.learned_drafters import with_learning

        loaded = self._loaded = with_learning(loaded, config)
        self._config = config
        if self._runs is not None:
            self._runs.use(loaded)
        return loaded

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
        if self._loaded.versions is None:
            return self._runs.run(command)
        return self._run_with_learned(self._runs, self._loaded, command)

    def _run_with_learned(self, runs: Runs, loaded: LoadedModel, command: StartCommand) -> Iterator[RunEvent]:
        """Yield a run's events, with the drafters that were learnt meanwhile; nothing is learnt beside it."""
        from quire_engine.runtime.learned_drafters import with_book

        learner = loaded.learner
        with nullcontext() if learner is None else learner.waiting():
            loaded, notice = with_book(loaded, command.learned)
            fresh = None if learner is None else learner.pop_fresh()
            loaded = loaded if fresh is None else replace(loaded, trained=fresh)
            self._loaded = loaded
            runs.use(loaded)
            for event in runs.run(command):
                yield event
                if isinstance(event, GenerationStarted):
                    said = [notice, *([] if learner is None else learner.pop_warnings())]
                    for sentence in filter(None, said):
                        yield DraftingTroubled(command.run_id, sentence)

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
        # what is answered at once need not interrupt a step of learning: memory is asked for every second
        if learner is None or isinstance(query, AT_ONCE):
            return events
        return _while_it_waits(learner, events)

    def _answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        # imported here: all of it needs torch
        from quire_engine.answers.agreement import check_agreement
        from quire_engine.answers.memory_use import measure_memory
        from quire_engine.answers.speed_calibration import calibrate
        from quire_engine.answers.token_counts import count_tokens, view_prompt
        from quire_engine.answers.token_scores import score_text
        from quire_engine.runtime.learned_drafters import view_learned

        loaded = self._loaded
        if isinstance(query, MeasureMemory):
            return measure_memory(loaded, query)
        if isinstance(query, ViewLearned):
            return view_learned(loaded, query)
        if isinstance(query, CollectLearned):
            return self._collect_learned(loaded, query)
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
            case ChangeLearned():
                return self._change_learned(loaded, query)

    def _collect_learned(self, loaded: LoadedModel | None, query: CollectLearned) -> Iterator[ReplyEvent]:
        from quire_engine.runtime.learned_drafters import collect_learned

        found = None if loaded is None else collect_learned(loaded)
        if found is None:
            yield LearnedCollected(query.query_id)
            return
        self._loaded = found
        if self._runs is not None:
            self._runs.use(found)
        yield LearnedCollected(query.query_id, found.book)

    def _change_learned(self, loaded: LoadedModel, query: ChangeLearned) -> Iterator[ReplyEvent]:
        from quire_engine.runtime.learned_drafters import change_learned, view_learned

        match query.change:
            case "undo" | "remove" as change:
                loaded = self._loaded = change_learned(loaded, change)
                if self._runs is not None:
                    self._runs.use(loaded)
            case "start" | "stop":
                assert self._config is not None, "it has loaded the model"
                loaded = self._let_learn(loaded, replace(self._config, learns=query.change == "start"))
        yield from view_learned(loaded, query)


def _while_it_waits(learner: OnlineLearner, events: Iterator[ReplyEvent]) -> Iterator[ReplyEvent]:
    """Yield the events of an answer; nothing is learnt beside it."""
    with learner.waiting():
        yield from events
