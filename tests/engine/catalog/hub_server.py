"""A server on this computer that speaks like the hub, and fails like a network where a test wants it to."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

REVISION = "a" * 40
NAME = "maker/tiny-model"


@dataclass(slots=True)
class Behaviour:
    """files: content by name. cuts: bytes after which the next answers break off. wrong: answers in which a
    byte is changed. ignores_range: every answer is the whole file. gate: the only token that opens files.
    asked: what was asked for, with the byte it was asked from and the token that came along. gguf: what the
    hub says about GGUF files.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    card: dict[str, Any] = field(default_factory=dict)
    large: int = 1000
    cuts: list[int] = field(default_factory=list)
    wrong: dict[str, int] = field(default_factory=dict)
    ignores_range: bool = False
    gate: str = ""
    is_known: bool = True
    status: int = 0
    content_host: str = ""
    asked: list[tuple[str, int, str]] = field(default_factory=list)
    gguf: dict[str, Any] = field(default_factory=dict)


class HubServer:
    """Runs it in a thread; close() ends it."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        handler = type("Handler", (_Handler,), {"behaviour": behaviour})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    behaviour: Behaviour

    def do_GET(self) -> None:
        does, path = self.behaviour, self.path.split("?")[0]
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if does.status:
            self._answer(does.status, b"{}")
        elif path == f"/api/models/{NAME}" and does.is_known:
            self._answer(200, json.dumps(self._description()).encode())
        elif path.startswith(("/api/", "/other/")) or not does.is_known:
            self._answer(404, b"{}", {"X-Error-Code": "RepoNotFound"})
        elif path.startswith(f"/{NAME}/resolve/{REVISION}/"):
            self._resolve(path.removeprefix(f"/{NAME}/resolve/{REVISION}/"), token)
        elif path.startswith("/content/"):
            self._send(path.removeprefix("/content/"), token)
        else:
            self._answer(404, b"{}", {"X-Error-Code": "EntryNotFound"})

    def _resolve(self, name: str, token: str) -> None:
        does = self.behaviour
        if does.gate and token != does.gate:
            self._answer(401 if not token else 403, b"{}", {"X-Error-Code": "GatedRepo"})
        elif does.content_host:
            self._answer(302, b"", {"Location": f"{does.content_host}/content/{name}"})
        else:
            self._send(name, token)

    def _send(self, name: str, token: str) -> None:
        does = self.behaviour
        content = does.files[name]
        asked = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").rstrip("-")
        start = 0 if does.ignores_range else int(asked)
        does.asked.append((name, int(asked), token))
        if does.wrong.get(name, 0) > 0:
            does.wrong[name] -= 1
            content = bytes([content[0] ^ 1]) + content[1:]
        body = content[start:]
        if start and not body:
            self._answer(416, b"")
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if does.cuts and len(body) > does.cuts[0]:
            self.wfile.write(body[: does.cuts.pop(0)])
            self.wfile.flush()
            self.close_connection = True
            self.connection.close()
            return
        self.wfile.write(body)

    def _description(self) -> dict[str, Any]:
        does = self.behaviour
        siblings: list[dict[str, Any]] = []
        for name, content in does.files.items():
            entry: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": git_id(content)}
            if len(content) >= does.large:
                digest = hashlib.sha256(content).hexdigest()
                entry["lfs"] = {"sha256": digest, "size": len(content), "pointerSize": 130}
            siblings.append(entry)
        gated = "manual" if does.gate else False
        return {
            "id": NAME,
            "sha": REVISION,
            "private": False,
            "gated": gated,
            "cardData": does.card,
            "siblings": siblings,
            "tags": [],
            "downloads": 0,
            "likes": 0,
        } | ({"gguf": does.gguf} if does.gguf else {})

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""

    def handle(self) -> None:
        try:
            super().handle()
        except (ConnectionError, ValueError):  # closed by a cut, or by whoever paused
            self.close_connection = True

    def finish(self) -> None:
        try:
            super().finish()
        except (ConnectionError, ValueError):
            return


def git_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
