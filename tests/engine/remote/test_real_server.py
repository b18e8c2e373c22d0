"""llama.cpp's server drafts, is killed in the middle and started again: the text goes on where it was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from quire_engine.api.config import Goal, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import (
    DraftingTroubled,
    FinishReason,
    GenerationFinished,
    GenerationPaused,
    PauseReason,
    StepCompleted,
)
from quire_engine.api.queries import CountTokens, ScoreText, TextScored, TokensCounted
from quire_engine.api.server_address import ServerKey
from quire_engine.remote.requests import RequestForm
from quire_engine.remote.server import ServerProblem, ServerTrouble, look
from quire_engine.runtime.engine_thread import RunEvent
from tests.engine.real_models import FILE
from tests.engine.remote.real_server import RealServer
from tests.engine.remote.remote_runs import OPENING, Drafted, connected, drafted, start

KEY = ServerKey("sk-of-the-test")


def started(context: int = 256, *, drafts: bool = False) -> Iterator[RealServer]:
    """Run a server with SmolLM2 and a key."""
    if not FILE.is_file():
        pytest.skip("SmolLM2 is not there: python packaging/bootstrap.py test fetches it")
    server = RealServer(FILE, context, KEY.reveal(), drafts=drafts)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture
def server() -> Iterator[RealServer]:
    """A server that drafts plainly."""
    yield from started()


@pytest.fixture
def long_server() -> Iterator[RealServer]:
    """A server that writes far more at once than a test waits for."""
    yield from started(2048)


@pytest.fixture
def drafting_server() -> Iterator[RealServer]:
    """A server that verifies draft tokens."""
    yield from started(drafts=True)


def test_a_chapter_goes_on_through_a_pause_and_a_killed_server(server: RealServer) -> None:
    seen = asyncio.run(look(server.address.url, KEY))
    assert (seen.kind, seen.completions, seen.tokenize, seen.logprobs) == ("llama.cpp", True, True, True)
    assert (seen.context_length, seen.figures) == (256, False)
    with pytest.raises(ServerProblem) as refused:
        asyncio.run(look(server.address.url, ServerKey("sk-wrong")))
    assert refused.value.trouble is ServerTrouble.KEY

    goal = Goal(words=24, sentence_slack=0)
    avoided = SamplingConfig(banned=("the",))
    backend = connected(server.address, KEY)
    (counted,) = backend.answer(CountTokens((OPENING, "")))
    assert isinstance(counted, TokensCounted)
    assert counted.counts[0] > 10
    first = drafted(backend, start(goal, sampling=avoided), most_steps=5)  # paused while words come
    assert first.text
    second = drafted(backend, first.resumed(goal), most_steps=3)
    server.kill()
    gone = drafted(backend, second.resumed(goal, first))
    assert isinstance(gone.ending, GenerationPaused)
    assert gone.ending.reason is PauseReason.SERVER_GONE
    assert "Your text is saved" in gone.sentence
    assert backend.is_lost
    server.start()
    backend = connected(server.address, KEY)
    shown = first.text + second.text + gone.text
    first.ids += second.ids + gone.ids
    last = drafted(backend, first.resumed(goal))
    assert isinstance(last.ending, GenerationFinished)
    assert last.ending.reason is FinishReason.GOAL
    assert last.ending.num_tokens == len(shown + last.text)
    assert len((shown + last.text).split()) in (24, 25)
    assert " the " not in first.text


def test_alternatives_are_those_of_the_model(server: RealServer) -> None:
    backend = connected(server.address, KEY)
    text = " smiled na\u00efvely \U0001f30a."
    (*_, scored) = backend.answer(ScoreText(OPENING, text))
    assert isinstance(scored, TextScored)
    assert scored.num_context > 10
    assert "".join(one.piece for one in scored.tokens) == text
    first = scored.tokens[0]
    assert (first.piece, first.start, first.end) == (" smiled", 0, 7)
    odds = [other.probability for other in first.alternatives]
    assert len(odds) == 10
    assert odds == sorted(odds, reverse=True)
    assert first.rank is None  # not among the hundred that are listed, and its probability comes all the same
    assert 0 < first.probability < odds[-1]
    (*_, likely) = backend.answer(ScoreText(OPENING, first.alternatives[1].piece))
    assert isinstance(likely, TextScored)
    assert likely.tokens[0].rank == 2
    assert likely.tokens[0].probability == pytest.approx(odds[1], rel=1e-3)
    wave = next(one for one in scored.tokens if "\U0001f30a" in one.piece)
    assert 0 < wave.probability < 1
    with pytest.raises(EnvironmentProblem, match="Select at most 100 words"):
        list(backend.answer(ScoreText(OPENING, " and the sea rose" * 60)))


class Killing:
    """Kills a server while words come, and notes with each request the text that was shown then."""

    def __init__(self, server: RealServer, monkeypatch: pytest.MonkeyPatch) -> None:
        self._server, self._shown = server, OPENING
        self.requests: list[tuple[str, str]] = []
        form = RequestForm.completion

        def noted(known: RequestForm, text: str, num_generated: int, num_tokens: int) -> dict[str, Any]:
            self.requests.append((text, self._shown.rstrip(" ")))
            return form(known, text, num_generated, num_tokens)

        monkeypatch.setattr(RequestForm, "completion", noted)

    def begin(self, kills: int, before: str = "", *, comes_back: bool) -> None:
        """Prepare for a run. before: what it wrote already. comes_back: the server is started again."""
        self._kills_left, self._before, self._comes_back, self._since = kills, before, comes_back, 0

    def at(self, event: RunEvent, found: Drafted) -> None:
        """Follow a run."""
        if isinstance(event, StepCompleted):
            self._shown = OPENING + self._before + found.text
            self._since += 1
            if self._since == 4 and self._kills_left:
                self._kills_left -= 1
                self._server.kill()  # SIGKILL, in the middle of 512 tokens
        elif isinstance(event, DraftingTroubled) and self._comes_back:
            self._server.start()
            self._since = 0


def test_a_server_killed_while_words_come_loses_none_and_repeats_none(
    long_server: RealServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    killing = Killing(long_server, monkeypatch)
    killing.begin(2, comes_back=True)
    goal, longer = Goal(words=20, sentence_slack=0), Goal(words=32, sentence_slack=0)
    backend = connected(long_server.address, KEY)
    first = drafted(backend, start(goal), at=killing.at)  # it comes back, and the same run goes on
    assert isinstance(first.ending, GenerationFinished)
    assert (len(first.troubles), len(killing.requests)) == (2, 3)
    assert all("lost" in said or "ended the connection" in said for said in first.troubles)

    killing.begin(1, first.text, comes_back=False)
    gone = drafted(backend, first.resumed(longer), at=killing.at)  # it stays away, and the run pauses
    assert isinstance(gone.ending, GenerationPaused)
    assert gone.ending.reason is PauseReason.SERVER_GONE
    assert "Your text is saved" in gone.sentence
    assert gone.text

    long_server.start()
    last = drafted(connected(long_server.address, KEY), gone.resumed(longer, first))
    assert isinstance(last.ending, GenerationFinished)
    assert last.ending.num_tokens == len(first.text + gone.text + last.text)
    assert killing.requests[-1] == ((OPENING + first.text + gone.text).rstrip(" "),) * 2
    assert [sent for sent, _ in killing.requests] == [shown for _, shown in killing.requests]


def test_a_text_longer_than_the_context_is_drafted_from_its_newest_part_with_the_servers_figures(
    drafting_server: RealServer,
) -> None:
    assert asyncio.run(look(drafting_server.address.url, KEY)).figures
    story = "She walked on along the shore and thought of him. " * 40 + "She"
    backend = connected(drafting_server.address, KEY)
    goal = Goal(words=8, sentence_slack=0)
    run = drafted(backend, start(goal, story, read_tail=True, sampling=SamplingConfig(temperature=0)))
    assert isinstance(run.ending, GenerationFinished)
    assert run.started is not None
    assert run.started.num_left_out > 0
    assert not run.troubles
    assert 0 < sum(step.num_accepted for step in run.steps) <= sum(step.num_drafted for step in run.steps)
