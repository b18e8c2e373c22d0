"""The thread that owns the model."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import (
    EnvironmentProblem,
    OutOfMemory,
    is_device_lost,
    is_out_of_memory,
    tokenizer_problem,
)
from quire_engine.api.known_texts import TextsCounted
from quire_engine.api.load_progress import LoadReport, LoadStage, LoadStopped
from quire_engine.api.messages import (
    CacheKept,
    CacheNotKept,
    CancelLoad,
    Command,
    DraftingTroubled,
    Event,
    GenerationFailed,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    KeepCache,
    LoadModel,
    LoadProgressed,
    ModelLoaded,
    ModelLoadFailed,
    ModelUnloaded,
    PauseGeneration,
    PauseReason,
    ReadingProgressed,
    ResumeChecked,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
    StepWithheld,
    UnloadModel,
)
from quire_engine.api.queries import (
    AT_ONCE,
    DropQuery,
    EngineQuery,
    QueryDropped,
    QueryFailed,
    QueryProgressed,
    QueryReply,
)
from quire_engine.api.user_message import UserMessage

_log = logging.getLogger(__name__)

StartCommand = StartGeneration | ResumeGeneration
RunEvent = (
    GenerationStarted
    | TextsCounted
    | ReadingProgressed
    | ResumeChecked
    | DraftingTroubled
    | StepCompleted
    | StepWithheld
    | GenerationPaused
    | GenerationFinished
)
ReplyEvent = QueryProgressed | QueryReply

_LOAD_STOPPED = UserMessage("Loading the model was stopped.")
_REPORT_STEP = 0.02
_NO_MEMORY = UserMessage(
    "There isn't enough memory for this. Your text is safe. Close other programs, or choose a smaller model."
)
_LOST = UserMessage(
    "The GPU or its driver has stopped, so drafting isn't possible now. Your text is saved. Restart "
    "Quire, then press Continue."
)


def _files_gone(error: OSError) -> UserMessage:
    return UserMessage(
        "The model's files can't be read any more ({reason}), so the draft was paused. Your text is "
        "saved. Connect their disk and load the model again, or choose another one.",
        reason=error.strerror or error,
    )


class Backend(Protocol):
    """What the thread runs: quire_engine.engine.Engine, or a fake without a model."""

    def load(self, config: ModelConfig) -> ModelLoaded:
        """Load a model and describe it; EnvironmentProblem if that is impossible."""
        ...

    def unload(self) -> None:
        """Release the model's memory."""
        ...

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        """Yield one event per chunk or step; GenerationFinished or GenerationPaused is the last one.

        A run pauses by itself when its time is over.
        """
        ...


@runtime_checkable
class FollowedLoader(Protocol):
    """A backend that tells how far a load is, and can be stopped meanwhile; others load in one piece."""

    def follow_loads(self, report: LoadReport) -> None:
        """Call `report` during every later load; what it raises ends that load."""
        ...


@runtime_checkable
class CacheSaver(Protocol):
    """A backend that can write its KV cache to a file; for others KeepCache gets CacheNotKept."""

    def keep_cache(self, command: KeepCache) -> CacheKept | CacheNotKept:
        """Write the last run's KV cache to a file, if it is the run in question."""
        ...


@runtime_checkable
class QueryBackend(Protocol):
    """A backend that answers queries; with others every query fails with a message."""

    def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        """Yield one event per piece of work; the reply is the last one."""
        ...


class EngineWorker:
    """Runs one command at a time on its own thread and publishes the events.

    Once the GPU has stopped, every later command fails with a message: nothing in this process can use it
    again.

    Args:
        backend: what runs the commands.
        publish: called on the worker thread; the caller hands the event to its own thread. It may block: no
            step is ever dropped, so a slow reader slows the engine down.
        ended: called last on the worker thread, however it ends.
    """

    def __init__(
        self, backend: Backend, publish: Callable[[Event], None], ended: Callable[[], None] = lambda: None
    ) -> None:
        self._backend = backend
        self._publish = publish
        self._ended = ended
        self._commands: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._num_tokens = 0  # of the run that continues
        self._is_lost = False  # the GPU stopped
        self._waiting: list[Command | None] = []  # taken from the queue while something else was done
        self._loading: ModelConfig | None = None
        self._reported: tuple[LoadStage, float] | None = None
        if isinstance(backend, FollowedLoader):
            backend.follow_loads(self._report_load)
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        """Start the thread; it waits for commands."""
        self._thread.start()

    def send(self, command: Command) -> None:
        """Queue a command; never blocks."""
        self._commands.put(command)

    def close(self, timeout_s: float | None = None) -> bool:
        """Ask the thread to end at the next step boundary and wait for it; False if it did not end in
        time."""
        self._commands.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._obey()
        except BaseException:  # noqa: BLE001  who waits for events is told by ended()
            _log.exception("the engine thread ended by itself")
        finally:
            self._ended()

    def _obey(self) -> None:
        # A pause that arrives when nothing runs lost a race with the end of the run: drop it.
        while (command := self._next_command()) is not None:
            match command:
                case LoadModel(config):
                    self._load(config)
                case UnloadModel():
                    self._unload()
                case StartGeneration() | ResumeGeneration():
                    if not self._generate(command):
                        return
                case KeepCache():
                    self._publish(self._keep_cache(command))
                case PauseGeneration() | DropQuery() | CancelLoad():
                    pass
                case _:
                    self._answer(command)

    def _next_command(self) -> Command | None:
        return self._waiting.pop(0) if self._waiting else self._commands.get()

    @property
    def _has_command(self) -> bool:
        return bool(self._waiting) or not self._commands.empty()

    def _load(self, config: ModelConfig) -> None:
        if self._is_lost and config.device != "cpu":
            self._publish(ModelLoadFailed(_LOST, is_bug=False, needs_restart=True))
            return
        self._loading, self._reported = config, None
        try:
            self._publish(self._backend.load(config))
        except LoadStopped as stopped:
            self._publish(ModelLoadFailed(stopped.message, is_bug=False, was_cancelled=True))
        except EnvironmentProblem as problem:
            self._publish(ModelLoadFailed(problem.message, is_bug=False))
        except BaseException as error:  # noqa: BLE001  the thread must outlive a model that fails in a new way
            if self._has_lost(error):
                self._publish(ModelLoadFailed(_LOST, is_bug=False, needs_restart=True))
            elif (panic := tokenizer_problem(error)) is not None:
                self._publish(ModelLoadFailed(panic.message, is_bug=False))
            else:
                self._publish(ModelLoadFailed(repr(error), is_bug=True))

    def _report_load(self, stage: LoadStage, fraction: float) -> None:
        """Publish how far a load is, every few per cent; LoadStopped when it is no longer wanted."""
        if self._must_stop_loading():
            raise LoadStopped(_LOAD_STOPPED)
        before = self._reported
        if before is None or before[0] is not stage or fraction >= before[1] + _REPORT_STEP:
            self._reported = stage, fraction
            self._publish(LoadProgressed(stage, fraction))

    def _must_stop_loading(self) -> bool:
        """Look at newly sent commands; they stay in order for later."""
        while not self._commands.empty():
            command = self._commands.get()
            if isinstance(command, CancelLoad):
                return True
            self._waiting.append(command)
        return any(
            command is None
            or isinstance(command, UnloadModel)
            or (isinstance(command, LoadModel) and command.config != self._loading)
            for command in self._waiting
        )

    def _unload(self) -> None:
        try:
            self._backend.unload()
        except Exception as error:  # noqa: BLE001  as above; a model that does not go is a fault to report
            if not self._is_lost and not self._has_lost(error):
                self._publish(ModelLoadFailed(repr(error), is_bug=True))
                return
        self._publish(ModelUnloaded())

    def _has_lost(self, error: BaseException) -> bool:
        """Note and say whether an error means that the GPU has stopped."""
        if is_device_lost(error):
            _log.error("the GPU has stopped: %r", error)
            self._is_lost = True
            return True
        return False

    def _keep_cache(self, command: KeepCache) -> CacheKept | CacheNotKept:
        if self._is_lost:
            return CacheNotKept(command.run_id, _LOST)
        if not isinstance(self._backend, CacheSaver):
            return CacheNotKept(
                command.run_id, UserMessage("The model is no longer loaded, so there is nothing to save.")
            )
        try:
            return self._backend.keep_cache(command)
        except Exception as error:  # noqa: BLE001  a file that is never needed may not end the thread
            if self._has_lost(error):
                return CacheNotKept(command.run_id, _LOST)
            return CacheNotKept(
                command.run_id,
                UserMessage("The model's memory could not be saved ({error}).", error=repr(error)),
            )

    def _answer(self, query: EngineQuery) -> None:
        """Answer a query piece by piece, until it is dropped or another command arrives."""
        number = query.query_id
        try:
            if self._is_lost:
                raise EnvironmentProblem(_LOST)
            if not isinstance(self._backend, QueryBackend):
                raise EnvironmentProblem("No model is loaded to answer this.")
            for event in self._backend.answer(query):
                is_progress = isinstance(event, QueryProgressed)
                self._publish(event)
                if is_progress and self._must_drop(number):
                    self._publish(QueryDropped(number))
                    return
        except EnvironmentProblem as problem:
            self._publish(QueryFailed(number, problem.message, is_bug=False))
        except BaseException as error:  # noqa: BLE001  the thread must outlive a question that fails
            sentence = _LOST if self._has_lost(error) else _NO_MEMORY if is_out_of_memory(error) else ""
            if (panic := tokenizer_problem(error)) is not None:
                sentence = panic.message
            self._publish(QueryFailed(number, sentence or repr(error), is_bug=not sentence))

    def _must_drop(self, number: int) -> bool:
        """Look at newly sent commands; True when the current query must be dropped."""
        later: list[Command | None] = []
        try:
            return self._is_more_urgent(number, later)
        finally:
            self._waiting[:0] = later

    def _is_more_urgent(self, number: int, later: list[Command | None]) -> bool:
        """Say whether one of the newly sent commands ends the current query; fill in what comes after it."""
        while self._has_command:
            command = self._next_command()
            if isinstance(command, KeepCache):  # it has time, and what it keeps stays as it is
                later.append(command)
                continue
            if isinstance(command, DropQuery):
                if command.query_id == number:
                    return True
            elif isinstance(command, AT_ONCE):
                self._answer(command)
            elif not isinstance(command, PauseGeneration | CancelLoad):
                later.append(command)
                return True
        return False

    def _generate(self, command: StartCommand) -> bool:
        """Publish the events of a run until it ends or is paused; False when the thread must end."""
        self._num_tokens = len(command.generated_ids) if isinstance(command, ResumeGeneration) else 0
        try:
            if self._is_lost:
                self._publish(self._paused(command, PauseReason.DEVICE_LOST, _LOST))
                return True
            return self._follow(command)
        except OutOfMemory as problem:
            self._publish(self._paused(command, PauseReason.OUT_OF_MEMORY, problem.message))
        except EnvironmentProblem as problem:
            self._publish(GenerationFailed(command.run_id, problem.message, is_bug=False))
        except BaseException as error:  # noqa: BLE001  and any one run; a panic in the tokenizer is no Exception
            self._publish(self._ended_by(command, error))
        return True

    def _ended_by(self, command: StartCommand, error: BaseException) -> GenerationPaused | GenerationFailed:
        """Return the event for an unexpected error in a run."""
        if self._has_lost(error):
            return self._paused(command, PauseReason.DEVICE_LOST, _LOST)
        if is_out_of_memory(error):
            return self._paused(command, PauseReason.OUT_OF_MEMORY, _NO_MEMORY)
        if (problem := tokenizer_problem(error)) is not None:
            return GenerationFailed(command.run_id, problem.message, is_bug=False)
        if (
            isinstance(error, OSError) and error.errno is not None
        ):  # of the system, not a timeout of a program
            with contextlib.suppress(Exception):  # so that the next load reads the files again
                self._backend.unload()
            return self._paused(command, PauseReason.MODEL_GONE, _files_gone(error))
        return GenerationFailed(command.run_id, repr(error), is_bug=True)

    def _paused(self, command: StartCommand, reason: PauseReason, message: str) -> GenerationPaused:
        return GenerationPaused(command.run_id, self._num_tokens, reason, message)

    def _follow(self, run: StartCommand) -> bool:
        for event in self._backend.run(run):
            if isinstance(event, StepCompleted):
                self._num_tokens += len(event.token_ids)
            self._publish(event)
            if isinstance(event, GenerationFinished | GenerationPaused):
                continue
            while self._has_command:
                command = self._next_command()
                if command is None or command == PauseGeneration(run.run_id):
                    self._publish(GenerationPaused(run.run_id, self._num_tokens))
                    return command is not None
                self._obey_in_run(command, run.run_id)
        return True

    def _obey_in_run(self, command: Command, run_id: int) -> None:
        """Handle a command between two steps of a run."""
        match command:
            case KeepCache():
                self._publish(
                    CacheNotKept(command.run_id, UserMessage("A draft is running. Pause it first."))
                )
            case _ if isinstance(command, AT_ONCE):
                self._answer(command)
            case PauseGeneration() | DropQuery() | CancelLoad():
                pass
            case LoadModel() | UnloadModel() | StartGeneration() | ResumeGeneration():
                raise RuntimeError(f"{type(command).__name__} sent while run {run_id} is going on")
            case _:
                message = UserMessage("A draft is running. Pause it first.")
                self._publish(QueryFailed(command.query_id, message, is_bug=False))
