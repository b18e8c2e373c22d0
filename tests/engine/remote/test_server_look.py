"""What a server can do, and what is said about one that does not answer as it should."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from quire_engine.api.config import SamplingConfig
from quire_engine.remote.server import ServerAbilities, ServerKey, ServerProblem, ServerTrouble, look
from tests.engine.remote.hostile_server import MODEL, HostileServer, Script, hostile_server, reply, status
from tests.engine.remote.tls_server import self_signed_server

KEY = ServerKey("sk-very-secret")


@pytest.fixture
def server() -> Iterator[HostileServer]:
    """A server that does as it is told."""
    with hostile_server() as server:
        yield server


def seen_at(server: HostileServer, model: str = "", key: ServerKey = KEY) -> ServerAbilities:
    """Return what a look finds out."""
    return asyncio.run(look(f"127.0.0.1:{server.port}", key, model))


def test_a_server_that_nobody_knows_promises_what_it_showed_and_nothing_else(server: HostileServer) -> None:
    seen = seen_at(server)
    assert seen == ServerAbilities(
        (MODEL,), MODEL, completions=True, tokenize=False, logprobs=False, logit_bias=None, seed=None
    )
    assert not seen.chat_only


def test_of_several_models_the_names_are_listed_and_nothing_is_drafted(server: HostileServer) -> None:
    server.answers["/v1/models"] = reply({"data": [{"id": "a"}, {"id": "b"}, {"id": 7}, "c"]})
    seen = seen_at(server)
    assert (seen.models, seen.model) == (("a", "b"), "")
    assert not server.requests("/v1/completions")


def test_vllm_is_known_with_its_context_and_tokens(server: HostileServer) -> None:
    about = {"id": MODEL, "owned_by": "vllm", "max_model_len": 32768}
    server.answers |= {
        "/v1/models": reply({"data": [about]}),
        "/version": reply({"version": "0.32.0"}),
        "/tokenize": reply({"count": 2, "tokens": [5, 6]}),
    }
    seen = seen_at(server)
    assert (seen.kind, seen.version, seen.context_length) == ("vLLM", "0.32.0", 32768)
    assert (seen.tokenize, seen.figures, seen.logit_bias, seen.seed) == (True, False, True, True)


def test_a_server_with_chats_alone_is_said_to_be_one(server: HostileServer) -> None:
    server.answers["/v1/completions"] = status(404, {"error": {"message": "Not Found"}})
    server.answers["/v1/chat/completions"] = reply({"choices": [{"message": {"content": "Yes"}}]})
    seen = seen_at(server)
    assert (seen.chat_only, seen.completions, seen.chat) == (True, False, True)


@pytest.mark.parametrize(
    ("can", "unused"),
    [
        (ServerAbilities((MODEL,), kind="llama.cpp", logit_bias=True, tokenize=True), []),
        (ServerAbilities((MODEL,), kind="LM Studio", logit_bias=True), ["min-p", "words to avoid"]),
        (
            ServerAbilities((MODEL,), kind="Ollama", logit_bias=False),
            ["top-k", "min-p", "repetition penalty", "words to avoid"],
        ),
    ],
)
def test_what_a_writer_set_and_a_server_does_not_use_is_named(
    can: ServerAbilities, unused: list[str]
) -> None:
    sampling = SamplingConfig(top_k=5, min_p=0.02, repetition_penalty=1.2, banned=("lamp",))
    assert list(map(str, can.unused(sampling))) == unused
    growing = replace(sampling, penalty_growth=10.0)  # which only Quire's own engine has
    assert {*map(str, can.unused(growing))} == {*unused, "stronger against repetition"}


HTML = "<html><body>Router login</body></html>"


@pytest.mark.parametrize(
    ("script", "trouble", "words"),
    [
        (status(401, {"error": "no"}), ServerTrouble.KEY, "doesn't accept the key"),
        (status(403, HTML, "text/html"), ServerTrouble.KEY, "doesn't accept the key"),
        (status(404, HTML, "text/html"), ServerTrouble.NOT_A_SERVER, "Check the address"),
        (reply(HTML, "text/html"), ServerTrouble.NOT_A_SERVER, "Check the address"),
        (reply([1, 2]), ServerTrouble.NOT_A_SERVER, "Check the address"),
        (reply({"data": "x"}), ServerTrouble.NOT_A_SERVER, "Check the address"),
        (status(500, {"error": {"message": "GPU fell off"}}), ServerTrouble.BUSY, "GPU fell off"),
        (status(503, {"error": {"message": "Loading model"}}), ServerTrouble.BUSY, "Loading model"),
        (
            status(302, "", Location="http://elsewhere.invalid/v1"),
            ServerTrouble.REDIRECTED,
            "elsewhere.invalid",
        ),
        (reply("x" * 2**23, "application/json"), ServerTrouble.NOT_A_SERVER, "data without end"),
    ],
)
def test_each_wrong_answer_has_a_sentence(
    server: HostileServer, script: Script, trouble: ServerTrouble, words: str
) -> None:
    server.answers["/v1/models"] = script
    with pytest.raises(ServerProblem, match=words) as problem:
        seen_at(server)
    assert problem.value.trouble is trouble
    assert KEY.reveal() not in str(problem.value)


def test_a_server_says_when_to_ask_again(server: HostileServer) -> None:
    server.answers["/v1/models"] = status(429, {"error": {"message": "slow down"}}, Retry_After="7")
    with pytest.raises(ServerProblem) as problem:
        seen_at(server)
    assert (problem.value.trouble, problem.value.retry_after_s) == (ServerTrouble.BUSY, 7.0)


def test_a_model_that_is_not_there_is_named_with_those_that_are(server: HostileServer) -> None:
    with pytest.raises(ServerProblem, match=rf"no model called other\. It has: {MODEL}\.") as problem:
        seen_at(server, "other")
    assert problem.value.trouble is ServerTrouble.MODEL


def test_nothing_there_and_no_encryption_are_told_apart(server: HostileServer) -> None:
    with pytest.raises(ServerProblem, match="begin the address with http://") as plain:
        asyncio.run(look(f"https://127.0.0.1:{server.port}", KEY))
    with hostile_server() as other:
        port = other.port
    with pytest.raises(ServerProblem, match="Nothing answers") as gone:
        asyncio.run(look(f"127.0.0.1:{port}", KEY))
    assert (plain.value.trouble, gone.value.trouble) == (ServerTrouble.CERTIFICATE, ServerTrouble.UNREACHABLE)


def test_a_certificate_that_a_server_signed_itself_is_refused_before_anything_is_sent() -> None:
    with self_signed_server() as server:
        with pytest.raises(ServerProblem, match="doesn't trust the certificate") as problem:
            asyncio.run(look(f"https://127.0.0.1:{server.port}", KEY))
        assert problem.value.trouble is ServerTrouble.CERTIFICATE
        assert "self-signed certificate" in str(problem.value)
        assert "so nothing was sent" in str(problem.value)
        assert KEY.reveal() not in str(problem.value)
    assert server.num_connections
    assert server.raw  # it did say hello
    assert not server.said
    for secret in (KEY.reveal(), "Authorization", "/v1", "models"):
        assert secret.encode() not in server.raw


def test_the_key_goes_to_the_server_and_never_where_it_points(server: HostileServer) -> None:
    with hostile_server() as elsewhere:
        for name in ("/v1/models", "/v1/completions"):
            server.answers[name] = status(307, "", Location=f"http://127.0.0.1:{elsewhere.port}{name}")
        with pytest.raises(ServerProblem, match="neither your text nor the key went there"):
            seen_at(server)
        assert not elsewhere.seen
    assert server.seen[0].headers["Authorization"] == f"Bearer {KEY.reveal()}"


def test_no_request_names_this_computer_or_what_is_in_its_environment(
    server: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "of another service")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.invalid/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://elsewhere.invalid:1")
    seen_at(server, key=ServerKey())
    allowed = {
        "host",
        "accept",
        "content-type",
        "content-length",
        "connection",
        "accept-encoding",
        "user-agent",
    }
    assert server.seen
    for request in server.seen:
        assert {name.lower() for name in request.headers} <= allowed
        assert "another service" not in str(request)


def test_importing_what_the_window_needs_imports_no_network() -> None:
    code = "import sys, quire_engine.remote.server; print({'openai', 'httpx2'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
