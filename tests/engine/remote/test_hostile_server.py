"""Whatever a server does: a sentence, nothing lost, nothing twice, and the key goes nowhere else."""

from __future__ import annotations

import json
import queue
from collections.abc import Iterator

import pytest

from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import (
    Event,
    FinishReason,
    GenerationFinished,
    GenerationPaused,
    LoadModel,
    PauseGeneration,
    PauseReason,
    ResumeGeneration,
    StepCompleted,
)
from quire_engine.api.server_address import ServerAddress, ServerKey
from quire_engine.engine import Engine
from quire_engine.runtime.engine_thread import EngineWorker
from tests.engine.remote.hostile_server import (
    DONE,
    MODEL,
    Handler,
    HostileServer,
    Script,
    chunk,
    hostile_server,
    reply,
    stall,
    status,
    stream,
)
from tests.engine.remote.remote_runs import OPENING, PATIENT, SHORT, connected, drafted, start
from tests.engine.remote.tls_server import self_signed_server

KEY = ServerKey("sk-very-secret")
WORDS = Goal(words=9, sentence_slack=0)
FIRST = (chunk(" put the lamp"), chunk(" on the ta"))
REST = (chunk("ble and sat"), chunk(" down. The"), chunk(" wind", "length"), DONE)
WHOLE = " put the lamp on the table and sat down"


@pytest.fixture
def server() -> Iterator[HostileServer]:
    """A server that does as it is told."""
    with hostile_server() as server:
        yield server


def sent_texts(server: HostileServer) -> list[str]:
    """Return the texts that the server was asked to continue."""
    return [seen.body["prompt"] for seen in server.requests("/v1/completions") if seen.body.get("stream")]


def test_a_text_that_comes_in_pieces_is_whole_and_ends_at_the_goal(server: HostileServer) -> None:
    server.drafts = [stream(*FIRST, *REST)]
    backend = connected(server.address, KEY)
    run = drafted(backend, start(WORDS))
    assert run.text.startswith(WHOLE)
    assert isinstance(run.ending, GenerationFinished)
    assert (run.ending.reason, run.ending.num_tokens) == (FinishReason.GOAL, len(run.text))
    assert run.started is not None
    assert "".join(map(chr, run.started.prompt_ids)) == OPENING


def cut(*parts: bytes) -> Script:
    """Stream these bytes in chunks and vanish within one."""

    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for part in parts:
            handler.send(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        handler.send(b"ffff\r\ndata: {")
        handler.close_connection = True

    return answer


BREAKS = {
    "closed in the middle": stream(*FIRST),
    "closed within a chunk": cut(*FIRST),
    "silent": None,
    "busy": status(429, {"error": {"message": "slow down"}}, Retry_After="0.01"),
    "broken": status(500, {"error": {"message": "CUDA error"}}),
    "gateway": status(502, "<html>Bad Gateway</html>", "text/html"),
    "reported in the stream": stream(*FIRST, b'data: {"error": {"message": "out of memory"}}\n\n'),
}


@pytest.mark.parametrize("name", BREAKS)
def test_after_a_break_the_same_run_goes_on_from_the_words_that_came(
    server: HostileServer, name: str
) -> None:
    # in one piece: nothing but the silence may last longer than its timeout
    broken = BREAKS[name] or stall(server, b"".join(FIRST))
    before = "" if name in ("busy", "broken", "gateway") else " put the lamp on the ta"
    server.drafts = [broken, stream(b"".join(REST if before else FIRST + REST))]
    backend = connected(server.address, KEY, SHORT if name == "silent" else PATIENT)
    run = drafted(backend, start(WORDS))
    if isinstance(run.ending, GenerationPaused):  # it refused in words: Continue tries again
        assert run.ending.reason is PauseReason.SERVER_GONE
        assert "out of memory" in run.sentence
        more = drafted(backend, run.resumed(WORDS))
        run.text += more.text
    else:
        assert run.troubles
    assert run.text.startswith(WHOLE)
    assert sent_texts(server) == [OPENING, OPENING + before]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (stream(*FIRST, b"data: {nonsense\n\n"), "doesn't answer as a language model's server"),
        (stream(*FIRST, b"data: \xff\xfe\xfa\n\n"), "doesn't answer as a language model's server"),
        (stream(*FIRST, b"x" * 2**23), "data without end"),
        (status(401, {"error": "expired"}), "doesn't accept the key"),
        (status(404, {"error": {"message": f"The model `{MODEL}` does not exist."}}), "does not exist"),
        (status(400, {"error": {"message": "unknown field min_p"}}), "unknown field min_p"),
        (status(429, {"error": {"message": "quota"}}, Retry_After="86400"), "busy"),
        (status(307, "", Location="http://elsewhere.invalid/v1/completions"), "elsewhere.invalid"),
    ],
)
def test_what_does_not_pass_pauses_with_a_sentence_and_keeps_what_came(
    server: HostileServer, script: Script, words: str
) -> None:
    server.drafts = [script, stream(*FIRST, *REST)]
    backend = connected(server.address, KEY)
    run = drafted(backend, start(WORDS))
    assert isinstance(run.ending, GenerationPaused)
    assert run.ending.reason is PauseReason.SERVER_GONE
    assert words in run.sentence
    assert "Your text is saved" in run.sentence
    assert KEY.reveal() not in run.sentence
    assert run.text in ("", " put the lamp on the ta")
    assert backend.is_lost
    more = drafted(backend, run.resumed(WORDS))
    assert sent_texts(server)[1] == OPENING + run.text
    assert isinstance(more.ending, GenerationFinished)


def test_no_word_goes_to_a_server_whose_certificate_is_its_own(server: HostileServer) -> None:
    backend = connected(server.address, KEY)
    with self_signed_server() as impostor:  # where the server was is another one now
        backend._address = ServerAddress(f"https://localhost:{impostor.port}/v1", MODEL)
        run = drafted(backend, start(WORDS))
    assert isinstance(run.ending, GenerationPaused)
    assert run.ending.reason is PauseReason.SERVER_GONE
    assert "doesn't trust the certificate of localhost" in run.sentence
    assert not run.troubles  # it isn't tried again
    assert impostor.raw
    assert not impostor.said
    assert OPENING.encode() not in impostor.raw
    assert KEY.reveal().encode() not in impostor.raw


def test_a_server_that_stays_away_pauses_the_run_after_every_attempt(server: HostileServer) -> None:
    server.drafts = [stream()]
    backend = connected(server.address)
    run = drafted(backend, start(WORDS))
    assert (len(sent_texts(server)), len(run.troubles)) == (3, 2)
    assert "ended the connection" in run.sentence


def test_ten_thousand_tokens_at_once_are_steps_between_which_a_pause_can_come(server: HostileServer) -> None:
    text = " and the sea rose" * 2500
    server.drafts = [stream(chunk(text, "length"), DONE)]
    backend = connected(server.address)
    part = drafted(backend, start(Goal(words=10**6)), most_steps=7)
    assert text.startswith(part.text)
    assert 0 < len(part.text) < len(text)
    server.drafts = [stream(chunk(text[len(part.text) :], "length"), DONE)]
    more = drafted(backend, part.resumed(Goal(words=9990)))
    assert (part.text + more.text)[: len(text)] == text[: len(part.text + more.text)]
    assert sent_texts(server)[1].endswith(part.text[-500:])


def test_characters_cut_between_chunks_come_whole_and_halves_never(server: HostileServer) -> None:
    data = chunk(" na\u00efve \U0001f30a caf\u00e9") + b'data: {"choices": [{"text": " \\ud83d"}]}\n\n'
    data += (
        b'data: {"choices": [{"text": "\\ude00 \\ud83d lost"}]}\n\n'
        + chunk("\r")
        + chunk("\nEnd\x00\u2028.", "stop")
    )
    server.drafts = [stream(*(data[place : place + 1] for place in range(len(data))), DONE)]
    backend = connected(server.address)
    run = drafted(backend, start(Goal(words=50, stop_at_end=True)))
    assert run.text == " na\u00efve \U0001f30a caf\u00e9 \U0001f600 \ufffd lost\nEnd\n."
    assert isinstance(run.ending, GenerationFinished)
    assert run.ending.reason is FinishReason.END_OF_TEXT


def test_a_model_that_only_ends_the_text_is_asked_three_times(server: HostileServer) -> None:
    server.drafts = [stream(chunk("", "stop"), DONE)]
    backend = connected(server.address)
    run = drafted(backend, start(WORDS))
    assert isinstance(run.ending, GenerationFinished)
    assert run.ending.reason is FinishReason.END_OF_TEXT
    assert len(sent_texts(server)) == 3


def test_a_heading_ends_the_run_before_it_and_is_not_shown(server: HostileServer) -> None:
    server.drafts = [stream(chunk(" slept.\n\nChap"), chunk("ter Two\n\nMorn", "length"), DONE)]
    backend = connected(server.address)
    run = drafted(backend, start(Goal(words=50, stop_at_heading=True)))
    assert run.text == " slept.\n\n"
    assert isinstance(run.ending, GenerationFinished)
    assert run.ending.reason is FinishReason.HEADING


def test_a_phrase_and_the_time_end_a_run(server: HostileServer) -> None:
    server.drafts = [stream(*FIRST, *REST)]
    backend = connected(server.address)
    run = drafted(backend, start(Goal(words=50, stop_phrase="lamp")))
    server.drafts = [stall(server, *FIRST)]
    late = drafted(backend, start(Goal(words=50, minutes=0.003)))
    assert run.text == " put the lamp"
    assert isinstance(late.ending, GenerationPaused)
    assert late.ending.reason is PauseReason.TIME


def test_a_text_that_is_too_long_is_sent_from_its_newest_part(server: HostileServer) -> None:
    def answer(handler: Handler) -> None:
        hostile: HostileServer = handler.server.hostile
        text = hostile.seen[-1].body["prompt"]
        message = "This model's maximum context length is 512 tokens"
        fits = len(text) <= 2000
        (stream(*FIRST, *REST) if fits else status(400, {"error": {"message": message}}))(handler)

    server.drafts = [answer]
    story = "".join(f"The wave number {number} broke on the rocks.\n\n" for number in range(150)) + "She"
    backend = connected(server.address)
    run = drafted(backend, start(WORDS, story, front_text="About the island."))
    assert run.text.startswith(WHOLE)
    sent = sent_texts(server)[-1]
    assert sent.startswith("About the island.\n\nThe wave number ")
    assert sent.endswith(story[-1000:])
    assert not run.troubles


def test_a_text_beyond_the_known_context_has_to_be_allowed_to_be_cut(server: HostileServer) -> None:
    server.answers["/v1/models"] = reply({"data": [{"id": MODEL, "owned_by": "vllm", "max_model_len": 512}]})
    server.drafts = [stream(*FIRST, *REST)]
    story = "She walked on along the shore. " * 200 + "She"
    backend = connected(server.address)
    with pytest.raises(EnvironmentProblem, match="read only the latest part"):
        drafted(backend, start(WORDS, story))
    run = drafted(backend, start(WORDS, story, read_tail=True))
    assert run.started is not None
    assert run.started.num_left_out > 0
    assert story.endswith(sent_texts(server)[0])


def test_words_to_avoid_are_forbidden_as_single_tokens_and_the_others_named(server: HostileServer) -> None:
    def cut_into_tokens(handler: Handler) -> None:
        text = handler.server.hostile.seen[-1].body["prompt"]
        ids = [ord(text.strip()[0]) + len(text)] if "lamp" in text.lower() else [1, 2]
        reply({"tokens": ids, "count": len(ids)})(handler)

    server.answers |= {
        "/v1/models": reply({"data": [{"id": MODEL, "owned_by": "vllm"}]}),
        "/tokenize": cut_into_tokens,
    }
    server.drafts = [stream(*FIRST, *REST)]
    backend = connected(server.address)
    run = drafted(backend, start(WORDS, sampling=SamplingConfig(banned=("lamp", "suddenly so"))))
    bias = server.requests("/v1/completions")[-1].body["logit_bias"]
    assert set(bias) == {str(ord(first) + length) for first in "lL" for length in (4, 5)}
    assert set(bias.values()) == {-100}
    assert run.started is not None
    assert run.started.notice == "This server can't avoid: suddenly so."


def test_without_tokens_nothing_can_be_forbidden_and_that_is_said(server: HostileServer) -> None:
    server.drafts = [stream(*FIRST, *REST)]
    backend = connected(server.address)
    run = drafted(backend, start(WORDS, sampling=SamplingConfig(banned=("lamp",))))
    assert run.started is not None
    assert "can't avoid: lamp." in run.started.notice
    assert "doesn't take these settings: min-p, repetition penalty." in run.started.notice
    assert "logit_bias" not in server.requests("/v1/completions")[-1].body


def test_a_server_with_chats_alone_is_asked_to_continue(server: HostileServer) -> None:
    said = [{"choices": [{"delta": {"content": text}}]} for text in ("Put the", " lamp down. ")]
    end = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    lines = [f"data: {json.dumps(one)}\n\n".encode() for one in (*said, end)]

    def chat(handler: Handler) -> None:
        is_draft = handler.server.hostile.seen[-1].body.get("stream")
        (stream(*lines, DONE) if is_draft else reply({"choices": [{"message": {}}]}))(handler)

    server.answers |= {"/v1/completions": status(404, {}), "/v1/chat/completions": chat}
    backend = connected(server.address)
    run = drafted(backend, start(Goal(words=4), front_text="About Anna."))
    assert "only answers chats" in backend.description.notice
    assert run.text.startswith(" Put the lamp down. Put the")
    body = server.requests("/v1/chat/completions")[1].body
    assert "About Anna." in body["messages"][0]["content"]
    assert body["messages"][1]["content"].endswith(OPENING)


def test_figures_of_the_servers_own_acceleration_are_kept_and_absent_otherwise(server: HostileServer) -> None:
    pieces = [(" put", 4, 2), (" the", 4, 2), (" lamp", 8, 3), (" down.\n", 8, 3)]
    server.drafts = [
        stream(
            *(
                chunk(text, timings={"draft_n": drawn, "draft_n_accepted": kept})
                for text, drawn, kept in pieces
            )
        ),
        stream(*FIRST, *REST),
    ]
    backend = connected(server.address)
    run = drafted(backend, start(Goal(words=4, sentence_slack=0)))
    plain = drafted(backend, start(WORDS))
    assert [(step.num_drafted, step.num_accepted) for step in run.steps] == [(4, 2), (0, 0), (4, 1), (0, 0)]
    assert not any(step.num_drafted for step in plain.steps)


def test_the_time_until_the_first_word_is_reading_and_no_drafting(server: HostileServer) -> None:
    server.drafts = [stream(*FIRST, *REST)]
    run = drafted(connected(server.address), start(WORDS))
    assert run.steps[0].step_ms == 0
    assert sum(step.step_ms for step in run.steps) > 0
    server.drafts = [stream(chunk(WHOLE + ". The end, and nobody came again", "length"), DONE)]
    at_once = drafted(connected(server.address), start(WORDS))  # what comes in one piece took its time
    assert at_once.steps[0].step_ms > 0


def test_a_pause_comes_at_once_while_the_server_is_silent(server: HostileServer) -> None:
    server.drafts = [stall(server, *FIRST)]
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    worker = EngineWorker(Engine(), events.put)  # with its real timeouts: nothing else would end the wait
    worker.start()
    worker.send(LoadModel(ModelConfig("", server=server.address)))
    worker.send(start(WORDS))
    text = ""
    while not isinstance(event := events.get(timeout=100), GenerationPaused):
        if isinstance(event, StepCompleted):
            text += event.text
            if text.endswith("ta"):
                worker.send(PauseGeneration(1))
    assert worker.close(100)
    assert (text, event.num_tokens) == (" put the lamp on the ta", len(text))
    assert event.reason is PauseReason.ASKED


def test_a_run_from_home_is_not_continued_with_its_tokens(server: HostileServer) -> None:
    resumed = ResumeGeneration(1, (5, 2**21), (7,), SamplingConfig(), WORDS)
    backend = connected(server.address)
    with pytest.raises(EnvironmentProblem, match="Start a new draft"):
        drafted(backend, resumed)
    assert not sent_texts(server)


@pytest.mark.parametrize(
    ("owner", "settings", "refused"),
    [
        ("llamacpp", {"repeat_penalty": 1.2, "repeat_last_n": 64, "min_p": 0.02, "top_k": 5}, ""),
        ("vllm", {"repetition_penalty": 1.2, "min_p": 0.02, "top_k": 5}, ""),
        ("sglang", {"repetition_penalty": 1.2, "min_p": 0.02, "top_k": 5}, ""),
        ("koboldcpp", {"rep_pen": 1.2, "rep_pen_range": 64, "min_p": 0.02, "top_k": 5}, ""),
        ("somebody", {}, "This server doesn't take these settings: top-k, min-p, repetition penalty."),
    ],
)
def test_each_kind_gets_the_settings_that_it_knows_and_the_others_are_named(
    server: HostileServer, owner: str, settings: dict[str, float], refused: str
) -> None:
    server.answers["/v1/models"] = reply({"data": [{"id": MODEL, "owned_by": owner}]})
    server.drafts = [stream(*FIRST, *REST)]
    sampling = SamplingConfig(
        top_k=5, min_p=0.02, repetition_penalty=1.2, penalty_window=64, penalty_growth=10.0, seed=4
    )
    run = drafted(connected(server.address), start(WORDS, sampling=sampling))
    body = server.requests("/v1/completions")[-1].body
    asked = {"model", "prompt", "stream", "max_tokens", "temperature", "top_p", "seed", "logit_bias"}
    technical = {"timings_per_token", "cache_prompt", "ignore_eos"}
    assert {name: body[name] for name in body.keys() - asked - technical} == settings
    assert run.started is not None
    assert run.started.notice == refused
