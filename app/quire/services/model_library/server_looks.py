"""Asks servers what they can do, without the window waiting for them, and finds those on this computer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from quire.errors import WriterProblem
from quire_engine.api.errors import EngineError
from quire_engine.remote.server import NO_KEY, ServerAbilities, ServerKey, look

USUAL_PORTS = (11434, 1234, 5001, 8080)
"""Of Ollama, LM Studio, KoboldCpp and llama.cpp's server, as they are delivered."""
_CONNECT_S = 1.0
"""On this computer a program answers at once; a port that drops packets should not hold up the others."""


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server on this computer."""

    url: str
    abilities: ServerAbilities


async def looked_at(url: str, key: ServerKey = NO_KEY, model: str = "") -> ServerAbilities:
    """Return what a server can do; WriterProblem says why that is not known. Cancelling stops the request."""
    try:
        return await _beside(look(url, key, model))
    except EngineError as problem:
        raise WriterProblem(problem.message) from problem


async def find_here(ports: Sequence[int] = USUAL_PORTS) -> tuple[FoundServer, ...]:
    """Return the servers that answer on this computer, in the order of the ports; only ports are tried."""
    found = await asyncio.gather(*(_at(port) for port in ports))
    return tuple(each for each in found if each is not None)


async def _at(port: int) -> FoundServer | None:
    url = f"http://127.0.0.1:{port}"
    try:
        async with asyncio.timeout(_CONNECT_S):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
    except (OSError, TimeoutError):
        return None
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    try:
        return FoundServer(url, await looked_at(url))
    except WriterProblem:  # it is something else that happens to use the port
        return None


async def _beside(work: Coroutine[Any, Any, ServerAbilities]) -> ServerAbilities:
    """Run a coroutine on a thread with a loop of its own: importing the client alone takes half a second."""
    loop = asyncio.new_event_loop()
    task = loop.create_task(work)

    def run() -> ServerAbilities:
        try:
            return loop.run_until_complete(task)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    try:
        return await asyncio.to_thread(run)
    except asyncio.CancelledError:
        with contextlib.suppress(RuntimeError):  # it has ended meanwhile
            loop.call_soon_threadsafe(task.cancel)
        raise
