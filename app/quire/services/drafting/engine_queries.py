"""What the app asks the engine between two drafts; the model is loaded when it must be."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

from quire.client.engine_client import (
    EngineClient,
    EngineClosed,
    EngineDied,
    Progressed,
    QuestionGivenUp,
    Wrote,
)
from quire.errors import WriterProblem
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import LoadProgressed, ModelLoaded
from quire_engine.api.queries import (
    MAX_SCORED,
    AgreementChecked,
    CheckAgreement,
    CountTokens,
    MeasureMemory,
    MemoryMeasured,
    ScoreText,
    TextWritten,
    TokenScore,
    WriteText,
)
from quire_engine.api.user_message import UserMessage

ALTERNATIVES = 10
"""What else could have stood there is told for so many tokens, the likeliest."""
_PROMPT_CHARS = 8_000
"""So much of what stands before a text is looked at: more would be read for minutes and change little."""

_GIVEN_UP = UserMessage("This was stopped because a draft started. Ask again when it is paused.")
_CLOSED = UserMessage("Quire is closing, so the model can't answer any more.")
_DIED = UserMessage("The engine stopped because of a bug. Ask again to restart it.")

Loading = Callable[[LoadProgressed], None]
"""Called with the progress of a load."""
Loaded = Callable[[Loading], Awaitable[ModelLoaded]]
"""Loads the model that drafts, unless it is loaded; WriterProblem where that fails or a draft is written."""


def _ignore(_fraction: float) -> None:
    """Ignore the progress of a query."""


def _ignore_load(_progress: LoadProgressed) -> None:
    """Ignore the progress of a load."""


def _ignore_text(_piece: str) -> None:
    """Ignore the pieces of an answer."""


class EngineQuestions:
    """Runs one query at a time, and never while a draft is written, except for memory. loaded: see Loaded.

    Every failure is a WriterProblem; cancelling drops the query.
    """

    def __init__(self, client: EngineClient, loaded: Loaded) -> None:
        self._client, self._loaded = client, loaded
        self._turn = asyncio.Lock()
        self._model: ModelLoaded | None = None

    @property
    def model(self) -> ModelLoaded | None:
        """The model of the last reply; None before the first query."""
        return self._model

    @property
    def is_asking(self) -> bool:
        """Whether a query is running."""
        return self._turn.locked()

    async def ready(self, loading: Loading = _ignore_load) -> ModelLoaded:
        """Load the model and return its facts."""
        async with self._asking():
            return await self._ready(loading)

    async def count_tokens(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Return the number of tokens of each text by itself."""
        async with self._asking():
            await self._ready()
            return (await self._client.ask(CountTokens(tuple(texts)))).counts

    async def score(
        self, prompt_text: str, text: str, progressed: Progressed = _ignore
    ) -> Sequence[TokenScore]:
        """Return the model's scores for each token of a text that follows another one.

        A long text is scored in pieces, each with the text before it.
        """
        async with self._asking():
            await self._ready()
            scores: list[TokenScore] = []
            # a token has one character at least, or is one byte of a character of up to four
            size = MAX_SCORED if text.isascii() else MAX_SCORED // 4
            for start in range(0, len(text), size):
                before = (prompt_text + text[:start])[-_PROMPT_CHARS:]
                piece = text[start : start + size]
                answer = await self._client.ask(ScoreText(before, piece, ALTERNATIVES), progressed)
                scores += [
                    replace(one, start=one.start + start, end=one.end + start) for one in answer.tokens
                ]
            return scores

    async def check_agreement(
        self, prompt_text: str, sampling: SamplingConfig, progressed: Progressed = _ignore
    ) -> AgreementChecked:
        """Draft 256 tokens plainly and accelerated after a text, and compare them."""
        async with self._asking():
            await self._ready()
            return await self._client.ask(CheckAgreement(prompt_text, sampling), progressed)

    async def write(
        self,
        query_for: Callable[[ModelLoaded], WriteText],
        wrote: Wrote = _ignore_text,
        loading: Loading = _ignore_load,
    ) -> TextWritten:
        """Write an answer, told piece by piece to `wrote`. query_for: makes the query for the model."""
        async with self._asking():
            return await self._client.ask(query_for(await self._ready(loading)), wrote=wrote)

    async def memory(self) -> MemoryMeasured:
        """Measure how much memory is in use now; also while a draft is written, and without a model."""
        with _told():
            return await self._client.ask(MeasureMemory())

    async def _ready(self, loading: Loading = _ignore_load) -> ModelLoaded:
        self._model = await self._loaded(loading)
        return self._model

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        async with self._turn:
            with _told():
                yield


@contextmanager
def _told() -> Iterator[None]:
    """Turn the failures of a query into messages for the writer."""
    try:
        yield
    except QuestionGivenUp as error:
        raise WriterProblem(_GIVEN_UP) from error
    except EngineDied as error:
        raise WriterProblem(_DIED) from error
    except EngineClosed as error:
        raise WriterProblem(_CLOSED) from error
