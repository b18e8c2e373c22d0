"""`quire draft --server`: the words go where it is said, and go on where they stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from quire.cli import main
from tests.app.commands import OPENING, Say, refused
from tests.engine.remote.hostile_server import (
    DONE,
    MODEL,
    HostileServer,
    chunk,
    hostile_server,
    status,
    stream,
)

KEY = "sk-very-secret"
FIRST = " The wind put out the la"
REST = "mp on the stairs, and nobody came to light it again. "


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[HostileServer]:
    """A server that wants a key, which is in the environment."""
    monkeypatch.setenv("QUIRE_SERVER_KEY", KEY)
    with hostile_server() as server:
        yield server


def drafted(project: Path, server: HostileServer, *more: str) -> int:
    """Run the command with the real engine."""
    named = ["--server", f"127.0.0.1:{server.port}", "--server-model", MODEL]
    return main.main(["draft", str(project), "--words", "12", *named, *more])


def test_a_draft_stops_with_a_sentence_and_goes_on_from_the_stored_text(
    project: Path, server: HostileServer, say: Say, capfd: pytest.CaptureFixture[str]
) -> None:
    server.drafts = [
        stream(chunk(FIRST, "length"), DONE),
        status(401, {"error": "expired"}),
        stream(chunk(REST, "length"), DONE),
    ]
    assert drafted(project, server) == 1
    said = capfd.readouterr().err
    assert f"Words go to 127.0.0.1:{server.port}." in said
    assert "doesn't accept the key" in said
    assert say("text", project).out == f"{OPENING}{FIRST}"

    assert drafted(project, server) == 0
    assert say("text", project).out.startswith(f"{OPENING}{FIRST}{REST}".rstrip())
    sent = [seen.body["prompt"] for seen in server.requests("/v1/completions") if seen.body.get("stream")]
    assert sent == [OPENING, OPENING + FIRST, OPENING + FIRST]
    assert all(seen.headers["Authorization"] == f"Bearer {KEY}" for seen in server.seen)

    (run,) = map(json.loads, say("runs", project, "--json").out.splitlines())
    assert run["model"]["dtype"] == "server"
    assert run["model"]["software"] == f"server at 127.0.0.1:{server.port}; not reproducible"
    assert (run["words"], run["tokens"], run["prompt_tokens"]) == (15, None, None)
    assert {(step["num_tokens"], step["depth"], step["verify_ms"]) for step in run["steps"]} == {(None,) * 3}
    assert f"15 of 12 words, seed {run['seed']}, {MODEL} in server" in say("info", project).out
    for file in project.parent.rglob("*"):
        assert file.is_dir() or KEY.encode() not in file.read_bytes()


def test_a_project_of_a_server_says_so_when_it_is_drafted_here(
    project: Path, server: HostileServer, say: Say
) -> None:
    server.drafts = [stream(chunk(FIRST + REST, "length"), DONE)]
    assert drafted(project, server) == 0
    assert (
        f"drafted with {MODEL} on a server (--server gives its address)"
        in say("draft", project, "--words", 3).err
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--server", "ftp://host"), "Enter an address like http://192.168.1.20:8080."),
        (("--server", f"http://me:{KEY}@host"), "without a name, a password or a key"),
        (("--server-model", "m"), "--server-model needs --server"),
        (("--server", "host", "--model", "x.gguf"), "Choose one of them."),
        (("--server", "host", "--draft-model", "x.gguf"), "--draft-model drafts ahead for a model on this"),
    ],
)
def test_options_that_name_no_server_are_refused(
    project: Path, say: Say, options: tuple[str, ...], sentence: str
) -> None:
    said = refused(say("draft", project, "--words", 3, *options))
    assert sentence in said
    assert KEY not in said
