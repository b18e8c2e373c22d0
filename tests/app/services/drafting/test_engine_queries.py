from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from quire.client.engine_client import EngineClient
from quire.errors import WriterProblem
from quire.services.drafting.engine_queries import EngineQuestions
from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import LoadModel, LoadProgressed, ModelLoaded, StartGeneration
from quire_engine.api.queries import (
    AgreementChecked,
    CheckAgreement,
    CountTokens,
    EngineQuery,
    MeasureMemory,
    MemoryMeasured,
    QueryProgressed,
    ScoreText,
    TextScored,
    TokenScore,
    TokensCounted,
)
from quire_engine.runtime.engine_thread import ReplyEvent
from tests.fakes import ScriptedBackend


class Answering(ScriptedBackend):
    """Has one token per word, and checks in three pieces, each as soon as the test lets it."""

    def __init__(self, problem: Exception | None = None) -> None:
        super().__init__(gated=True)
        self.problem = problem
        self.asked_for: list[EngineQuery] = []
        self.working, self.pieces = threading.Semaphore(0), threading.Semaphore(0)

    def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        self.asked_for.append(query)
        number = query.query_id
        if self.problem is not None:
            raise self.problem
        match query:
            case CountTokens(texts=texts):
                yield TokensCounted(number, tuple(len(text.split()) for text in texts))
            case ScoreText(text=text):
                yield TextScored(number, (TokenScore(text[:2], 0, 2, 0.5, 1, ()),), 7)
            case CheckAgreement():
                for piece in range(3):
                    self.working.release()
                    assert self.pieces.acquire(timeout=60)
                    yield QueryProgressed(number, piece / 2)
                yield AgreementChecked(number, 256, 256, None, 2.0, 1.0)
            case MeasureMemory():
                yield MemoryMeasured(number, 1, 2, 3, 0, 0, 0, is_on_gpu=False)
            case _:
                raise EnvironmentProblem("Load a model first.")


Scenario = Callable[[EngineQuestions, EngineClient], Awaitable[None]]


def play(run_async: Callable[..., Any], backend: ScriptedBackend, scenario: Scenario) -> None:
    async def run() -> None:
        async with EngineClient(backend) as client:

            async def loaded(_show: Callable[[LoadProgressed], None]) -> ModelLoaded:
                client.send(LoadModel(ModelConfig("model")))
                event = await client.next_event()
                assert isinstance(event, ModelLoaded)
                return event

            await scenario(EngineQuestions(client, loaded), client)

    run_async(run())


def test_every_question_loads_the_model_and_is_answered(run_async: Any) -> None:
    backend = Answering()
    backend.pieces.release(3)

    async def scenario(questions: EngineQuestions, _client: EngineClient) -> None:
        assert questions.model is None
        assert await questions.count_tokens(["a b c", ""]) == (3, 0)
        assert questions.model is not None
        assert (await questions.check_agreement("a", SamplingConfig())).num_equal == 256
        assert [(one.start, one.end) for one in await questions.score("Before.", "Here.")] == [(0, 2)]
        assert (await questions.memory()).device_total_bytes == 3
        assert not questions.is_asking

    play(run_async, backend, scenario)
    assert backend.configs


@pytest.mark.parametrize(("letter", "num_pieces"), [("a", 3), ("ä", 9)])
def test_a_long_text_is_looked_at_in_pieces_that_the_engine_takes(
    run_async: Any, letter: str, num_pieces: int
) -> None:
    backend = Answering()

    async def scenario(questions: EngineQuestions, _client: EngineClient) -> None:
        scores = await questions.score("Before. ", letter * 9_000)
        starts = [one.start for one in scores]
        assert len(starts) == num_pieces
        assert starts == sorted(set(starts))

    play(run_async, backend, scenario)
    asked = [one for one in backend.asked_for if isinstance(one, ScoreText)]
    assert "".join(one.text for one in asked) == letter * 9_000
    assert asked[0].prompt_text == "Before. "
    assert asked[1].prompt_text == "Before. " + asked[0].text


def test_progress_is_told_and_the_answer_comes_last(run_async: Any) -> None:
    backend, fractions = Answering(), list[float]()
    backend.pieces.release(3)

    async def scenario(questions: EngineQuestions, _client: EngineClient) -> None:
        found = await questions.check_agreement("text", SamplingConfig(), fractions.append)
        assert found.num_equal == 256

    play(run_async, backend, scenario)
    assert fractions == [0.0, 0.5, 1.0]


def test_a_question_that_is_cancelled_leaves_room_for_the_next(run_async: Any) -> None:
    backend = Answering()

    async def scenario(questions: EngineQuestions, _client: EngineClient) -> None:
        asking = asyncio.ensure_future(questions.check_agreement("text", SamplingConfig()))
        await asyncio.to_thread(backend.working.acquire, timeout=60)
        assert questions.is_asking
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        backend.pieces.release(3)
        assert await questions.count_tokens(["a"]) == (1,)

    play(run_async, backend, scenario)


def test_a_draft_that_begins_meanwhile_ends_the_question_with_a_sentence(run_async: Any) -> None:
    backend = Answering()

    async def scenario(questions: EngineQuestions, client: EngineClient) -> None:
        asking = asyncio.ensure_future(questions.check_agreement("text", SamplingConfig()))
        await asyncio.to_thread(backend.working.acquire, timeout=60)
        client.send(StartGeneration(1, "Once", SamplingConfig(), Goal(words=1)))
        backend.pieces.release(3)
        with pytest.raises(WriterProblem, match="This was stopped because a draft started"):
            await asking
        backend.gate.release(100)

    play(run_async, backend, scenario)


def test_what_the_engine_cannot_answer_is_said_in_its_words(run_async: Any) -> None:
    async def scenario(questions: EngineQuestions, _client: EngineClient) -> None:
        with pytest.raises(WriterProblem, match=r"^There is no room\.$"):
            await questions.count_tokens(["a"])

    play(run_async, Answering(EnvironmentProblem("There is no room.")), scenario)


def test_a_fault_is_called_one(run_async: Any) -> None:
    async def scenario(questions: EngineQuestions, _client: EngineClient) -> None:
        with pytest.raises(WriterProblem, match="bug in Quire"):
            await questions.memory()

    play(run_async, Answering(KeyError("x")), scenario)


def test_after_the_engine_was_closed_nothing_can_be_asked(run_async: Any) -> None:
    async def scenario(questions: EngineQuestions, client: EngineClient) -> None:
        await client.close()
        with pytest.raises(WriterProblem, match="Quire is closing, so the model can't"):
            await questions.memory()

    play(run_async, Answering(), scenario)


def test_a_model_that_cannot_be_loaded_is_the_writers_problem(run_async: Any) -> None:
    async def run() -> None:
        async def loaded(_show: Callable[[LoadProgressed], None]) -> ModelLoaded:
            raise WriterProblem("There is no model.")

        async with EngineClient(Answering()) as client:
            questions = EngineQuestions(client, loaded)
            with pytest.raises(WriterProblem, match="no model"):
                await questions.ready()
            assert questions.model is None

    run_async(run())
