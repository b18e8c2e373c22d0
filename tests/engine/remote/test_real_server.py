"""llama.cpp's server drafts, is killed in the middle and started again: the text goes on where it was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from quire_engine.api.config import Goal, SamplingConfig
from quire_engine.api.messages import FinishReason, GenerationFinished, GenerationPaused, PauseReason
from quire_engine.api.queries import CountTokens, TokensCounted
from quire_engine.api.server_address import ServerKey
from quire_engine.remote.server import ServerProblem, ServerTrouble, look
from tests.engine.remote.real_server import RealServer
from tests.engine.remote.remote_runs import OPENING, connected, drafted, start
from tests.engine.smollm2 import FILE

KEY = ServerKey("sk-of-the-test")


def started(*, drafts: bool = False) -> Iterator[RealServer]:
    """Run a server with SmolLM2 and a key."""
    if not FILE.is_file():
        pytest.skip("SmolLM2 is not there: python packaging/bootstrap.py test fetches it")
    server = RealServer(FILE, 256, KEY.reveal(), drafts=drafts)
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
