"""A connection for one piece of work of the engine's thread, closed with it, whatever became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from types import TracebackType
from typing import Any, Self, TypeVar

from quire_engine.api.server_address import ServerAddress, ServerKey
from quire_engine.remote.connection import Connection, Timeouts
from quire_engine.remote.failures import problem_of
from quire_engine.remote.server_problem import ServerProblem
from quire_engine.remote.turns import Turns

_Result = TypeVar("_Result")


class OpenServer:
    """Connection and event loop for the length of a `with`; nothing is open in between."""

    def __init__(self, address: ServerAddress, key: ServerKey, timeouts: Timeouts) -> None:
        self.turns = Turns()
        self.connection = Connection(address, key, timeouts)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.turns.cancel()
        self.turns.finish(self.connection.close())
        self.turns.close()

    def awaited(self, work: Coroutine[Any, Any, _Result]) -> Generator[None, None, _Result]:
        """Yield now and then until some work is done; return its result. ServerProblem where it fails."""
        task = self.turns.start(work)
        try:
            while not self.turns.turn(task):
                yield
            return self._result(task)
        finally:
            self.turns.end(task)

    def _result(self, task: asyncio.Task[_Result]) -> _Result:
        try:
            return task.result()
        except ServerProblem:
            raise
        except Exception as error:
            if (problem := problem_of(error, self.connection.address)) is not None:
                raise problem from error
            raise
