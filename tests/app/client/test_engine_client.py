from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from quire.client.engine_client import EngineClient, EngineClosed, EngineDied, QuestionGivenUp
from quire.errors import WriterProblem
from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import (
    Event,
    GenerationFailed,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    LoadModel,
    ModelLoaded,
    ModelLoadFailed,
    PauseGeneration,
    StartGeneration,
    StepCompleted,
)
from quire_engine.api.queries import (
    CheckAgreement,
    CountTokens,
    EngineQuery,
    MeasureMemory,
    QueryProgressed,
    ScoreText,
    TextScored,
    TokensCounted,
)
from quire_engine.runtime.engine_thread import ReplyEvent, RunEvent, StartCommand
from tests.fakes import ScriptedBackend

START = StartGeneration(1, "Once", SamplingConfig(seed=7), Goal(words=1_000, sentence_slack=0))


class Counting(ScriptedBackend):
    """Counts how many events it has handed over, and says when that is `enough`."""

    def __init__(self, enough: int) -> None:
        super().__init__()
        self.num_events = 0
        self.enough, self.reached = enough, threading.Event()

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        for event in super().run(command):
            self.num_events += 1
            if self.num_events == self.enough:
                self.reached.set()
            yield event


def engine_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "engine"]


def test_events_arrive_in_order_on_the_loops_thread(run_async: Callable[..., Any]) -> None:
    async def scenario() -> list[Event]:
        async with EngineClient(ScriptedBackend(end_at=40), max_events=4) as client:
            client.send(START)
            events = [await client.next_event() for _ in range(43)]
            assert threading.current_thread() is threading.main_thread()
        return events

    started, _, *steps, finished = run_async(scenario())
    assert isinstance(started, GenerationStarted)
    assert [step.num_words for step in steps if isinstance(step, StepCompleted)] == list(range(1, 41))
    assert isinstance(finished, GenerationFinished)
    assert not engine_threads()


def test_a_slow_reader_makes_the_engine_wait(run_async: Callable[..., Any]) -> None:
    async def scenario() -> tuple[int, int]:
        backend = Counting(enough=9)
        async with EngineClient(backend, max_events=8) as client:
            client.send(START)
            assert await asyncio.to_thread(backend.reached.wait, 5)  # 8 are queued, one waits for room
            waiting = backend.num_events
            backend.enough = 12
            backend.reached.clear()
            for _ in range(3):
                await client.next_event()
            assert await asyncio.to_thread(backend.reached.wait, 5)
            return waiting, backend.num_events

    assert run_async(scenario()) == (9, 12)


def test_closing_frees_an_engine_that_waits_for_room(run_async: Callable[..., Any]) -> None:
    async def scenario() -> list[Event]:
        backend = Counting(enough=4)
        client = EngineClient(backend, max_events=3)
        async with client:
            client.send(START)
            assert await asyncio.to_thread(backend.reached.wait, 5)
        assert not engine_threads()
        published = [await client.next_event() for _ in range(3)]
        with pytest.raises(EngineClosed):
            await client.next_event()
        return published

    assert len(run_async(scenario())) == 3


def test_closing_wakes_whoever_waits_for_an_event(run_async: Callable[..., Any]) -> None:
    async def scenario() -> None:
        client = EngineClient(ScriptedBackend())
        async with client:
            waiting = asyncio.ensure_future(client.next_event())
            await asyncio.sleep(0)
        with pytest.raises(EngineClosed):
            await waiting

    run_async(scenario())


def test_cancelling_the_wait_loses_no_event(run_async: Callable[..., Any]) -> None:
    async def scenario() -> Event:
        backend = ScriptedBackend(load_gate=threading.Event())
        async with EngineClient(backend) as client:
            client.send(LoadModel(ModelConfig("folder")))
            waiting = asyncio.ensure_future(client.next_event())
            await asyncio.sleep(0)
            waiting.cancel()
            assert backend.load_gate is not None
            backend.load_gate.set()
            return await client.next_event()

    assert isinstance(run_async(scenario()), ModelLoaded)


def test_a_broken_model_folder_is_reported_not_raised(run_async: Callable[..., Any]) -> None:
    async def scenario() -> Event:
        async with EngineClient(ScriptedBackend(load_problem="There is no model there.")) as client:
            client.send(LoadModel(ModelConfig("folder")))
            return await client.next_event()

    assert run_async(scenario()) == ModelLoadFailed("There is no model there.", is_bug=False)


def test_a_second_start_while_running_is_a_bug_and_the_thread_lives_on(run_async: Callable[..., Any]) -> None:
    async def scenario() -> list[Event]:
        backend = ScriptedBackend(gated=True)
        async with EngineClient(backend) as client:
            client.send(START)
            await asyncio.to_thread(backend.asked.acquire)
            client.send(START)
            backend.gate.release()
            events = [await client.next_event() for _ in range(4)]
            client.send(LoadModel(ModelConfig("folder")))
            return [*events, await client.next_event()]

    *_, failed, loaded = run_async(scenario())
    assert isinstance(failed, GenerationFailed)
    assert failed.is_bug
    assert isinstance(loaded, ModelLoaded)


def test_pause_reports_a_step_boundary(run_async: Callable[..., Any]) -> None:
    async def scenario() -> list[Event]:
        backend = ScriptedBackend(gated=True)
        async with EngineClient(backend) as client:
            client.send(START)
            await asyncio.to_thread(backend.asked.acquire)
            backend.gate.release()
            await asyncio.to_thread(backend.asked.acquire)
            client.send(PauseGeneration(1))
            backend.gate.release()
            return [await client.next_event() for _ in range(5)]

    assert run_async(scenario())[-1] == GenerationPaused(1, num_tokens=2)


def test_an_engine_whose_thread_died_is_noticed_and_comes_back_with_the_next_model(
    run_async: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the window would wait at "Loading the model" for ever."""
    publish = EngineClient._publish
    num_left = [1]

    def fails_once(client: EngineClient, event: Event) -> None:
        if isinstance(event, ModelLoaded | ModelLoadFailed) and num_left[0] > -1:
            num_left[0] -= 1
            raise MemoryError("no room for an event")
        publish(client, event)

    async def scenario() -> Event:
        monkeypatch.setattr(EngineClient, "_publish", fails_once)
        async with EngineClient(ScriptedBackend()) as client:
            client.send(LoadModel(ModelConfig("x")))
            with pytest.raises(EngineDied):
                await client.next_event()
            client.send(PauseGeneration(1))  # to nobody
            with pytest.raises(EngineDied):
                await client.next_event()
            client.send(LoadModel(ModelConfig("x")))
            event = await client.next_event()
            assert client.num_loads_due == 0
            return event

    assert isinstance(run_async(scenario()), ModelLoaded)


# ---------------------------------------------------------------- questions
class Answering(ScriptedBackend):
    """Counts characters, and works on the odds of a text for as long as it is asked to."""

    def __init__(self, **details: Any) -> None:
        super().__init__(**details)
        self.working = threading.Semaphore(0)
        self.pieces = threading.Semaphore(0)

    def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        if isinstance(query, CountTokens):
            yield TokensCounted(query.query_id, tuple(len(text) for text in query.texts))
        elif isinstance(query, ScoreText):
            for number in range(3):
                self.working.release()
                assert self.pieces.acquire(timeout=60)
                yield QueryProgressed(query.query_id, number / 2)
            yield TextScored(query.query_id, (), 7)
        elif isinstance(query, MeasureMemory):
            raise KeyError("a fault")
        else:
            raise EnvironmentProblem("Load a model first.")


def test_answers_come_to_who_asked_and_events_to_who_waits(run_async: Callable[..., Any]) -> None:
    async def scenario() -> None:
        backend = Answering(end_at=3)
        async with EngineClient(backend, max_events=2) as client:
            fractions: list[float] = []
            backend.pieces.release(3)
            counted, scored = await asyncio.gather(
                client.ask(CountTokens(("ab", ""))), client.ask(ScoreText("a", "b"), fractions.append)
            )
            assert (counted.counts, scored.num_context, fractions) == ((2, 0), 7, [0, 0.5, 1])
            client.send(START)
            assert (await client.ask(CountTokens(("abc",)))).counts == (3,)
            events = [await client.next_event() for _ in range(6)]
            assert isinstance(events[-1], GenerationFinished)

    run_async(scenario())


def test_a_question_that_cannot_be_answered_is_a_problem_in_a_sentence(run_async: Callable[..., Any]) -> None:
    async def scenario() -> None:
        async with EngineClient(Answering(gated=True)) as client:
            with pytest.raises(WriterProblem, match="Load a model first"):
                await client.ask(CheckAgreement("a"))
            with pytest.raises(WriterProblem, match=r"bug in Quire \(KeyError"):
                await client.ask(MeasureMemory())
        async with EngineClient(ScriptedBackend()) as client:
            with pytest.raises(WriterProblem, match="No model is loaded"):
                await client.ask(CountTokens(("a",)))

    run_async(scenario())


def test_a_question_that_is_cancelled_is_dropped_and_one_in_the_way_given_up(
    run_async: Callable[..., Any],
) -> None:
    async def scenario() -> None:
        backend = Answering(end_at=1)
        async with EngineClient(backend) as client:
            for is_cancelled in (True, False):
                asking = asyncio.ensure_future(client.ask(ScoreText("a", "b")))
                assert await asyncio.to_thread(backend.working.acquire, timeout=60)
                if is_cancelled:
                    asking.cancel()
                    with pytest.raises(asyncio.CancelledError):
                        await asking
                else:
                    client.send(LoadModel(ModelConfig("folder")))
                backend.pieces.release()
                if not is_cancelled:
                    with pytest.raises(QuestionGivenUp):
                        await asking
                    assert isinstance(await client.next_event(), ModelLoaded)
            assert (await client.ask(CountTokens(("abc",)))).counts == (3,)

    run_async(scenario())


def test_closing_ends_the_waiting_for_answers(run_async: Callable[..., Any]) -> None:
    async def scenario() -> None:
        backend = Answering()
        client = EngineClient(backend)
        async with client:
            asking = asyncio.ensure_future(client.ask(ScoreText("a", "b")))
            assert await asyncio.to_thread(backend.working.acquire, timeout=60)
            backend.pieces.release(3)
        with pytest.raises(EngineClosed):
            await asking
        with pytest.raises(EngineClosed):
            await client.ask(CountTokens(()))

    run_async(scenario())


def test_an_engine_that_dies_answers_nobody(
    run_async: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(client: EngineClient, event: Event) -> None:
        raise MemoryError("no room for an event")

    async def scenario() -> None:
        monkeypatch.setattr(EngineClient, "_publish", fails)
        async with EngineClient(Answering()) as client:
            with pytest.raises(EngineDied):
                await client.ask(CountTokens(("a",)))
            with pytest.raises(EngineDied):
                await client.ask(CountTokens(("a",)))

    run_async(scenario())
