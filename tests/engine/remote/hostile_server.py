"""A server that does what it is told to, however wrong: scripts are functions of the request's handler."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from quire_engine.api.server_address import ServerAddress

MODEL = "novel-70b"
Script = Callable[["Handler"], None]


@dataclass
class Seen:
    """A request as the server got it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class HostileServer:
    """What the server answers, and what it was asked.

    Attributes:
        answers: by path; a path that is not there is not found.
        drafts: the answers to the next requests for a text, in order; the last one stays.
        released: set to let go of what `stall` holds.
    """

    port: int = 0
    answers: dict[str, Script] = field(default_factory=dict)
    drafts: list[Script] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def address(self) -> ServerAddress:
        """Its address with the model that it has."""
        return ServerAddress(f"http://127.0.0.1:{self.port}/v1", MODEL)

    def requests(self, path: str) -> list[Seen]:
        """Return what was asked for at a path."""
        return [request for request in self.seen if request.path == path]

    def script_for(self, path: str, body: dict[str, Any]) -> Script:
        """Return what to answer now."""
        if path == "/v1/completions" and body.get("stream") and self.drafts:
            return self.drafts.pop(0) if len(self.drafts) > 1 else self.drafts[0]
        return self.answers.get(path, status(404, {"error": {"message": "Not Found"}}))


class Handler(BaseHTTPRequestHandler):
    """Answers by script."""

    server: Any
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer a question."""
        self._answer({})

    def do_POST(self) -> None:
        """Answer a request with a body."""
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: dict[str, Any]) -> None:
        hostile: HostileServer = self.server.hostile
        hostile.seen.append(Seen(self.path, dict(self.headers.items()), body))
        try:
            hostile.script_for(self.path, body)(self)
        except (BrokenPipeError, ConnectionResetError):  # the client has gone, as a client may
            self.close_connection = True

    def begin(self, kind: str = "text/event-stream") -> None:
        """Send the head of a stream."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        self.end_headers()

    def send(self, data: bytes) -> None:
        """Send bytes now."""
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def hostile_server() -> Iterator[HostileServer]:
    """Run a server that has one model and answers questions about it well."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hostile = HostileServer(server.server_port)
    server.hostile = hostile  # type: ignore[attr-defined]
    hostile.answers |= {
        "/v1/models": reply({"object": "list", "data": [{"id": MODEL, "owned_by": "somebody"}]}),
        "/v1/completions": reply({"choices": [{"index": 0, "text": " stood", "finish_reason": "length"}]}),
    }
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield hostile
    finally:
        hostile.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def reply(body: object, kind: str = "application/json") -> Script:
    """Answer with this."""
    return status(200, body, kind)


def status(code: int, body: object, kind: str = "application/json", **headers: str) -> Script:
    """Answer with a status; names of headers have _ for -."""

    def answer(handler: Handler) -> None:
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        handler.send_response(code)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.send(data)

    return answer


def chunk(text: str, finish: str | None = None, **more: object) -> bytes:
    """Return a piece of a streamed text."""
    choice = {"index": 0, "text": text, "finish_reason": finish}
    data = json.dumps({"object": "text_completion", "choices": [choice], **more}, ensure_ascii=False)
    return f"data: {data}\n\n".encode()


DONE = b"data: [DONE]\n\n"


def stream(*parts: bytes) -> Script:
    """Stream these bytes and close the connection."""

    def answer(handler: Handler) -> None:
        handler.begin()
        for part in parts:
            handler.send(part)

    return answer


def stall(hostile: HostileServer, *parts: bytes) -> Script:
    """Stream these bytes and then nothing, with an open connection, until the server ends."""

    def answer(handler: Handler) -> None:
        handler.begin()
        for part in parts:
            handler.send(part)
        hostile.released.wait(300)

    return answer
