"""The engine: a loaded model and its runs. Importing this module imports no torch; `load` does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EngineBug, EnvironmentProblem
from quire_engine.api.load_progress import LoadReport, unreported
from quire_engine.api.messages import (
    CacheKept,
    CacheNotKept,
    KeepCache,
    ModelLoaded,
)
from quire_engine.api.queries import (
    CheckAgreement,
    CountTokens,
    EngineQuery,
    MeasureMemory,
    ScoreText,
    ViewPrompt,
    WriteText,
)
from quire_engine.api.user_message import UserMessage
from quire_engine.runtime.engine_thread import ReplyEvent, RunEvent, StartCommand
from quire_engine.runtime.loaded_model import LoadedModel, load_model, own_cache

if TYPE_CHECKING:
    from quire_engine.remote.server_backend import ServerBackend
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
            self._loaded = load_model(config, self._report)
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
        return self._runs.run(command)

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
        # imported here: all of it needs torch
        from quire_engine.answers.replies import (
            check_agreement,
            count_tokens,
            measure_memory,
            score_text,
            view_prompt,
        )
        from quire_engine.runtime.run_manager import Runs
        from quire_engine.runtime.written_text import write_text

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
            case WriteText():
                return write_text(Runs(own_cache(loaded)).run, query, can_ask=loaded.chat is not None)
