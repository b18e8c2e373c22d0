"""What a server answers beside a draft: previews, probabilities, and sums of draft tokens."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from quire_engine.api.config import Goal, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.queries import (
    CheckAgreement,
    CountTokens,
    PromptViewed,
    QueryProgressed,
    ScoreText,
    TextScored,
    TextWritten,
    ViewPrompt,
    WriteText,
)
from quire_engine.remote import server_counters
from tests.engine.remote.hostile_server import (
    DONE,
    MODEL,
    Handler,
    HostileServer,
    Script,
    chunk,
    hostile_server,
    reply,
    status,
    stream,
)
from tests.engine.remote.remote_runs import OPENING, connected, drafted, start

WORDS = Goal(words=9, sentence_slack=0)
FIRST = (chunk(" put the lamp"), chunk(" on the ta"))
REST = (chunk("ble and sat"), chunk(" down. The"), chunk(" wind", "length"), DONE)


@pytest.fixture
def server() -> Iterator[HostileServer]:
    """A server that does as it is told."""
    with hostile_server() as server:
        yield server


def test_what_only_a_model_at_home_can_answer_is_said(server: HostileServer) -> None:
    backend = connected(server.address)
    for query in (ScoreText("a", "b"), CountTokens(("a",)), CheckAgreement("a")):
        with pytest.raises(EnvironmentProblem, match="server"):
            list(backend.answer(query))


def test_the_preview_is_what_a_run_sends(server: HostileServer) -> None:
    server.answers["/v1/models"] = reply({"data": [{"id": MODEL, "owned_by": "vllm", "max_model_len": 512}]})
    server.drafts = [stream(*FIRST, *REST)]
    story = "She walked on along the shore.\n\n" * 100 + "She"
    backend = connected(server.address)
    (viewed,) = backend.answer(ViewPrompt(story, True, "About Anna.", "She is afraid."))
    run = drafted(
        backend, start(WORDS, story, front_text="About Anna.", note_text="She is afraid.", read_tail=True)
    )
    (sent,) = [one.body["prompt"] for one in server.requests("/v1/completions") if one.body.get("stream")]
    assert isinstance(viewed, PromptViewed)
    assert "".join(segment.text for segment in viewed.segments) == sent
    assert run.started is not None
    assert viewed.num_left_out == run.started.num_left_out > 0
    assert viewed.capacity == 512


def test_a_server_with_chats_shows_what_it_is_told(server: HostileServer) -> None:
    server.answers |= {
        "/v1/completions": status(404, {}),
        "/v1/chat/completions": reply({"choices": [{"message": {}}]}),
    }
    (viewed,) = connected(server.address).answer(ViewPrompt(OPENING, True, "About Anna."))
    assert isinstance(viewed, PromptViewed)
    front, story = viewed.segments
    assert front.text.startswith("You continue a novel")
    assert front.text.endswith("About Anna.")
    assert story.text.endswith(OPENING)


def echoed(handler: Handler) -> None:
    """Repeat the prompt word by word with log-probabilities, as vLLM does; draft one token."""
    body = handler.server.hostile.seen[-1].body
    if not body.get("echo"):
        reply({"choices": [{"text": " stood", "logprobs": {"tokens": [" stood"]}}]})(handler)
        return
    words = re.findall(r"\s*\S+", body["prompt"])
    tops = [None, *({word: -3.0, " other": -0.5, " third": -1.0} for word in words[1:]), None]
    logprobs = {
        "tokens": [*words, " more"],
        "token_logprobs": [None, *(-3.0 for _ in words[1:]), -0.1],
        "top_logprobs": tops,
    }
    reply({"choices": [{"text": body["prompt"] + " more", "logprobs": logprobs}]})(handler)


def test_a_server_that_repeats_the_prompt_scores_its_words(server: HostileServer) -> None:
    server.answers["/v1/completions"] = echoed
    (*_, scored) = connected(server.address).answer(ScoreText("She took the", " old lamp"))
    assert isinstance(scored, TextScored)
    assert [(one.piece, one.start, one.end, one.rank) for one in scored.tokens] == [
        (" old", 0, 4, 3),
        (" lamp", 4, 9, 3),
    ]
    assert scored.tokens[0].probability == pytest.approx(0.0498, abs=1e-4)
    assert [other.piece for other in scored.tokens[0].alternatives] == [" other", " third", " old"]
    assert scored.num_context == 3


def test_a_server_that_does_not_repeat_the_prompt_says_so(server: HostileServer) -> None:
    logprobs = {"tokens": [" more"], "token_logprobs": [-0.1], "top_logprobs": [{" more": -0.1}]}
    server.answers["/v1/completions"] = reply({"choices": [{"text": " more", "logprobs": logprobs}]})
    with pytest.raises(EnvironmentProblem, match="doesn't say how likely words are"):
        list(connected(server.address).answer(ScoreText("She took the", " old lamp")))


def metrics(drafted_tokens: int, accepted: int, running: int = 1, ended: int = 5) -> str:
    """Return a page of vLLM's metrics, of two engines."""
    return (
        "# HELP vllm:num_requests_running Number of requests in model execution batches.\n"
        f'vllm:num_requests_running{{engine="0",model_name="{MODEL}"}} {running}.0\n'
        f'vllm:num_requests_waiting{{engine="0",model_name="{MODEL}"}} 0.0\n'
        f'vllm:request_success_total{{engine="0",finished_reason="stop"}} {ended}.0\n'
        f'vllm:request_success_total{{engine="0",finished_reason="abort"}} 1.0\n'
        f'vllm:spec_decode_num_draft_tokens_total{{engine="0"}} {drafted_tokens - 10}.0\n'
        'vllm:spec_decode_num_draft_tokens_total{engine="1"} 1e+01\n'
        f'vllm:spec_decode_num_accepted_tokens_total{{engine="0"}} {accepted}.0\n'
        f'vllm:spec_decode_num_accepted_tokens_per_pos_total{{engine="0",position="0"}} 7.0\n'
    )


@pytest.mark.parametrize(
    ("later", "figures"),
    [
        (metrics(140, 70), [(40, 20)]),
        (metrics(140, 70, running=2), []),  # somebody else came
        (metrics(140, 70, ended=6), []),  # and went
        (metrics(40, 20), []),  # it was started again
    ],
)
def test_sums_of_a_server_count_only_while_nobody_else_uses_it(
    server: HostileServer, monkeypatch: pytest.MonkeyPatch, later: str, figures: list[tuple[int, int]]
) -> None:
    monkeypatch.setattr(server_counters, "EVERY_S", 0.0)
    looked = threading.Semaphore(0)
    pages = [*[metrics(100, 50)] * 2, later]  # the first to whoever asks what the server can do

    def page(handler: Handler) -> None:
        reply(pages.pop(0) if len(pages) > 1 else later, "text/plain")(handler)
        looked.release()

    def answer(handler: Handler) -> None:
        handler.begin()
        handler.send(FIRST[0])
        for _ in range(4):  # one to the load, and a third of the draft when the second was read
            looked.acquire(timeout=100)
        for part in (FIRST[1], *REST):
            handler.send(part)

    server.answers |= {"/v1/models": reply({"data": [{"id": MODEL, "owned_by": "vllm"}]}), "/metrics": page}
    server.drafts = [answer]
    run = drafted(connected(server.address), start(WORDS))
    told = [(step.num_drafted, step.num_accepted) for step in run.steps if step.num_drafted]
    assert told == figures
    assert not any(step.draft_depth for step in run.steps)


def test_a_page_without_counters_of_draft_tokens_is_none() -> None:
    whole = metrics(100, 50)
    assert server_counters.parsed(whole) == server_counters.ServerCounters(100, 50, 1, 0, 6)
    lines = whole.splitlines()
    for missing in ("draft_tokens", "accepted_tokens_total", "running"):
        assert server_counters.parsed("\n".join(line for line in lines if missing not in line)) is None
    assert server_counters.parsed("<html>vllm:spec</html>") is None


# ---------------------------------------------------------------- requests
def chat(*words: str, finish: str | None) -> Script:
    """Stream a reply to a chat."""
    deltas = [{"choices": [{"delta": {"content": word}}]} for word in words]
    ends = [{"choices": [{"delta": {}, "finish_reason": finish}]}] if finish else []
    lines = [f"data: {json.dumps(one)}\n\n".encode() for one in (*deltas, *ends)]
    return stream(*lines, *([DONE] if finish else []))


SHORTEN = WriteText(
    "Shorten this.",
    Goal(words=90, stop_at_end=True),
    "A passage",
    Goal(words=9, sentence_slack=0),
    SamplingConfig(seed=3),
    query_id=4,
)


def chats(script: Script) -> Script:
    """Answer the question whether there are chats, and draft by a script."""

    def answer(handler: Handler) -> None:
        is_draft = handler.server.hostile.seen[-1].body.get("stream")
        (script if is_draft else reply({"choices": [{"message": {}}]}))(handler)

    return answer


def test_a_request_is_answered_and_not_continued(server: HostileServer) -> None:
    server.answers["/v1/chat/completions"] = chats(chat("Short", "er.", finish="stop"))
    *before, last = connected(server.address).answer(SHORTEN)
    assert last == TextWritten(4, "Shorter.", was_asked=True, num_tokens=8)
    assert "".join(event.text for event in before if isinstance(event, QueryProgressed)) == "Shorter."
    _, sent = server.requests("/v1/chat/completions")
    assert [message["role"] for message in sent.body["messages"]] == ["system", "user"]
    assert sent.body["messages"][1]["content"] == "Shorten this."
    assert "ignore_eos" not in sent.body


def test_an_answer_that_breaks_off_is_not_asked_for_again(server: HostileServer) -> None:
    server.answers["/v1/chat/completions"] = chats(chat("Short", "er", finish=None))
    with pytest.raises(EnvironmentProblem, match="ended the connection"):
        list(connected(server.address).answer(SHORTEN))
    assert len(server.requests("/v1/chat/completions")) == 2


def test_an_answer_that_reaches_the_servers_limit_is_known_to_be_cut(server: HostileServer) -> None:
    server.answers["/v1/chat/completions"] = chats(chat("She ran to the", " ri", finish="length"))
    *_, last = connected(server.address).answer(SHORTEN)
    assert isinstance(last, TextWritten)
    assert last.is_cut


def test_a_server_without_chats_continues_examples(server: HostileServer) -> None:
    server.drafts = [stream(*FIRST, *REST)]
    backend = connected(server.address)
    *_, last = backend.answer(SHORTEN)
    assert isinstance(last, TextWritten)
    assert not last.was_asked
    assert last.text.startswith(" put the lamp")
    assert not backend.is_lost
    (sent,) = [one for one in server.requests("/v1/completions") if one.body.get("stream")]
    assert sent.body["prompt"] == "A passage"


def test_a_request_says_nothing_of_how_drafts_begin(server: HostileServer) -> None:
    server.answers["/v1/models"] = reply({"data": [{"id": "qwq-32b", "owned_by": "somebody"}]})
    server.answers["/v1/chat/completions"] = chats(chat("<think>Hm.</think>", "Shorter.", finish="stop"))
    server.drafts = [stream(*FIRST, *REST)]
    backend = connected(replace(server.address, model="qwq-32b"))
    *_, last = backend.answer(SHORTEN)
    assert isinstance(last, TextWritten)
    assert last.text.strip() == "Shorter."
    assert drafted(backend, start(WORDS)).text.startswith(" put the lamp")
