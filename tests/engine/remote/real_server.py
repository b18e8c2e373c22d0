"""llama.cpp's own server in a process of its own, with the real model; it can be killed and started again."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from quire_engine.api.server_address import ServerAddress

_SERVE = """
import sys, time
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.hostnames, params.port = sys.argv[1], ["127.0.0.1"], int(sys.argv[2])
params.n_ctx, params.n_parallel, params.warmup = int(sys.argv[3]), 1, False
params.cpuparams.n_threads = 1
if sys.argv[4] == "drafts":
    params.speculative.types = [xllamacpp.common_speculative_type.COMMON_SPECULATIVE_TYPE_DRAFT_SIMPLE]
    params.speculative.draft.mparams.path = sys.argv[1]
params.api_keys = sys.argv[5:]
server = xllamacpp.Server(params)
sys.stdin.read()
"""
_WITHIN_S = 300.0


class RealServer:
    """A server at one port of this computer, which stays the same when it is started again.

    drafts: let the model verify draft tokens, which are its own.
    """

    def __init__(self, model: Path, context: int, key: str, *, drafts: bool = False) -> None:
        self._model, self._context, self._key, self._drafts = model, context, key, drafts
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> ServerAddress:
        """Where it is; it has one model."""
        return ServerAddress(f"http://127.0.0.1:{self.port}/v1")

    def start(self) -> None:
        """Start it and wait until its model is loaded."""
        settings = [str(self._model), str(self.port), str(self._context), "drafts" if self._drafts else ""]
        command = [sys.executable, "-c", _SERVE, *settings, self._key]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until_s = time.monotonic() + _WITHIN_S
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > until_s:
                raise RuntimeError("llama.cpp's server did not start")

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5) as reply:
                return bool(reply.status == 200)
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)  # it is another process: nothing here tells when it is ready
            return False
