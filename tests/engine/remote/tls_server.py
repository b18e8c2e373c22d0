"""A TLS server with a certificate that nobody trusts, which keeps every byte that reaches it."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_CERTIFICATE = Path(__file__).with_name("self_signed.pem")
"""For 127.0.0.1 and localhost, until 2126: that it signed itself is all that is wrong with it."""
_REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@dataclass
class TlsServer:
    """What reached it.

    Attributes:
        raw: bytes as they came, handshakes included.
        said: what was in them, as far as a client ever got beyond a handshake.
        num_connections: clients that came.
    """

    port: int
    raw: bytearray = field(default_factory=bytearray)
    said: bytearray = field(default_factory=bytearray)
    num_connections: int = 0

    def talk(self, connection: socket.socket) -> None:
        """Talk with one client until it leaves."""
        self.num_connections += 1
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(_CERTIFICATE)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = context.wrap_bio(incoming, outgoing, server_side=True)
        is_secure = False
        while True:
            with contextlib.suppress(ssl.SSLWantReadError):
                if not is_secure:
                    tls.do_handshake()
                    is_secure = True
                while data := tls.read(65536):
                    self.said += data
                    tls.write(_REPLY)
            connection.sendall(outgoing.read())
            data = connection.recv(65536)
            if not data:
                return
            self.raw += data
            incoming.write(data)


class _Handler(socketserver.BaseRequestHandler):
    server: Any

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # SSLError is one: the client does not want to talk
            self.server.seen.talk(self.request)


class _Listening(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen = TlsServer(self.socket.getsockname()[1])


@contextlib.contextmanager
def self_signed_server() -> Iterator[TlsServer]:
    """Run a server at a port of this computer."""
    with _Listening() as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield listening.seen
        finally:
            listening.shutdown()
            thread.join()
