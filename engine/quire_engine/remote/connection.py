"""A connection to one server: the official client over a transport that lets nothing out to another host."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpx2
from openai import AsyncOpenAI

from quire_engine.api.server_address import ServerAddress, ServerKey
from quire_engine.remote.server_problem import ServerProblem, ServerTrouble

MAX_LINE = 2**20
"""Bytes without a newline; no piece of a text is as long."""
MAX_BODY = 2**26
"""Bytes of an answer that is not streamed."""
_SENT_HEADERS = {"host", "accept", "content-type", "content-length", "connection", "transfer-encoding"}
"""The client also sends names of the system and the software, which are nobody's business."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds until a silent server counts as gone.

    Attributes:
        connect_s: to be reached.
        answer_s: to a question about itself.
        first_s: to the first words: it reads the whole text before.
        between_s: between two pieces of a text.
    """

    connect_s: float = 10.0
    answer_s: float = 20.0
    first_s: float = 900.0
    between_s: float = 120.0


class Connection:
    """An open connection; `async with` closes it.

    Attributes:
        api: the client of the interface at the address.
        http: for what servers offer beside it, by whole addresses (`beside`).
    """

    def __init__(self, address: ServerAddress, key: ServerKey, timeouts: Timeouts) -> None:
        self.address, self.timeouts = address, timeouts
        self.http = httpx2.AsyncClient(
            transport=GuardedTransport(address, key),
            timeout=httpx2.Timeout(timeouts.answer_s, connect=timeouts.connect_s),
            follow_redirects=False,
            trust_env=False,
        )
        # what the client would otherwise read from the environment would be sent to this server
        self.api = AsyncOpenAI(
            api_key="none",
            organization="",
            project="",
            base_url=address.url,
            max_retries=0,
            http_client=self.http,
            timeout=self.http.timeout,
        )

    def beside(self, path: str) -> str:
        """Return the address of something that is not part of the interface: "/metrics"."""
        return f"{self.address.url.removesuffix('/v1')}{path}"

    async def close(self) -> None:
        """Close it, whatever is being read."""
        await self.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self.close()


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends requests to one origin and nowhere else, with no more headers than needed, and bounds replies."""

    def __init__(self, address: ServerAddress, key: ServerKey) -> None:
        self._origin, self._key = _origin(httpx2.URL(address.url)), key
        self._host = address.host
        self._inner = httpx2.AsyncHTTPTransport(trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; ServerProblem where it would leave the origin, or the server points elsewhere."""
        if _origin(request.url) != self._origin:
            raise self._redirected(request.url.host)
        for name in [name for name in request.headers if name.lower() not in _SENT_HEADERS]:
            del request.headers[name]
        request.headers["Accept-Encoding"] = "identity"
        request.headers["User-Agent"] = "Quire"
        if self._key:
            request.headers["Authorization"] = f"Bearer {self._key.reveal()}"
        response = await self._inner.handle_async_request(request)
        if 300 <= response.status_code < 400:
            await response.aclose()
            raise self._redirected(_target(request.url, response.headers.get("location", "")))
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedBody(response.stream, self._host, is_stream=is_stream)
        return response

    async def aclose(self) -> None:
        """Close every connection."""
        await self._inner.aclose()

    def _redirected(self, target: str) -> ServerProblem:
        return ServerProblem(
            ServerTrouble.REDIRECTED,
            "{host} sends Quire on to {target}. Quire doesn't follow, so neither your text nor the key went "
            "there. Enter the address of the server itself.",
            host=self._host,
            target=target or "another place",
        )


class _BoundedBody(httpx2.AsyncByteStream):
    """A reply that ends with a problem where a line, or all of it, is longer than any sensible one."""

    def __init__(self, inner: httpx2.AsyncByteStream, host: str, *, is_stream: bool) -> None:
        self._inner, self._host, self._is_stream = inner, host, is_stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        in_line = in_all = 0
        async for part in self._inner:
            in_all += len(part)
            ended = part.rfind(b"\n")
            in_line = in_line + len(part) if ended < 0 else len(part) - ended - 1
            if in_line > MAX_LINE or (in_all > MAX_BODY and not self._is_stream):
                raise ServerProblem(
                    ServerTrouble.NOT_A_SERVER,
                    "{host} sends data without end that is no text. Check that the address is that of a "
                    "language model's server.",
                    host=self._host,
                )
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    port = url.port or {"http": 80, "https": 443}.get(url.scheme)
    return url.scheme, url.host.lower(), port


def _target(url: httpx2.URL, location: str) -> str:
    """Return where a redirect points to, without what could be secret in it."""
    try:
        return url.join(location).host
    except (httpx2.InvalidURL, ValueError):
        return ""
