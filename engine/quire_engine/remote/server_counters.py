"""vLLM's counters of draft tokens, for as long as nobody but this draft uses the server.

`/metrics` has sums over all of a server's users, in Prometheus' text format (names as vLLM documents them).
What they grow by between two looks is this draft's own where it was the only request at both, and none ended
in between: a request that came and went would have been counted as ended, one that came and stayed runs.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

import httpx2

from quire_engine.remote.connection import Connection
from quire_engine.remote.server_problem import ServerProblem

PATH = "/metrics"
EVERY_S = 0.5
_DRAFTED = "vllm:spec_decode_num_draft_tokens_total"
_ACCEPTED = "vllm:spec_decode_num_accepted_tokens_total"
_RUNNING = "vllm:num_requests_running"
_WAITING = "vllm:num_requests_waiting"
_ENDED = "vllm:request_success_total"
_NAMES = (_DRAFTED, _ACCEPTED, _RUNNING, _WAITING, _ENDED)
_SAMPLE = re.compile(r"(vllm:\w+)(?:\{[^\n]*\})? +([0-9.eE+]+)(?: +-?\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Figures:
    """Draft tokens of the server's own acceleration: verified and accepted since the last figures.

    is_sum: over passes of which nobody knows how many they were.
    """

    num_drafted: int
    num_accepted: int
    is_sum: bool = False


@dataclass(frozen=True, slots=True)
class ServerCounters:
    """Sums since the server was started, and how many requests it has now."""

    num_drafted: int
    num_accepted: int
    num_running: int
    num_waiting: int
    num_ended: int

    def figures_since(self, before: ServerCounters) -> Figures | None:
        """Return what the only request there drafted since; None where it was not the only one."""
        is_alone = all(each.num_running == 1 and not each.num_waiting for each in (before, self))
        if not is_alone or self.num_ended != before.num_ended:
            return None
        new = Figures(self.num_drafted - before.num_drafted, self.num_accepted - before.num_accepted)
        return new if 0 <= new.num_accepted <= new.num_drafted and new.num_drafted else None


def parsed(text: str) -> ServerCounters | None:
    """Return the counters in a page of metrics, summed over its engines; None where it has none of them."""
    sums: dict[str, float] = {}
    for line in text.splitlines():
        if (found := _SAMPLE.fullmatch(line)) is not None and found[1] in _NAMES:
            try:
                sums[found[1]] = sums.get(found[1], 0.0) + float(found[2])
            except ValueError:
                return None
    if not sums.keys() >= {_DRAFTED, _ACCEPTED, _RUNNING}:
        return None
    values = [sums.get(name, 0.0) for name in _NAMES]
    return ServerCounters(*map(int, values)) if max(values) < 2**53 else None


async def read_counters(connection: Connection) -> ServerCounters | None:
    """Return the counters now; None where the server has none."""
    try:
        reply = await connection.http.get(connection.beside(PATH))
    except (httpx2.HTTPError, ServerProblem, ValueError):
        return None
    return parsed(reply.text) if reply.status_code == 200 else None


class CounterWatch:
    """Looks at the counters while a request is answered."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._news: Figures | None = None

    async def follow(self) -> None:
        """Look now and then, until there is nothing to look at or the task is cancelled."""
        before: ServerCounters | None = None
        while (now := await read_counters(self._connection)) is not None:
            if before is not None and (new := now.figures_since(before)) is not None:
                had = self._news or Figures(0, 0)
                self._news = Figures(
                    had.num_drafted + new.num_drafted, had.num_accepted + new.num_accepted, is_sum=True
                )
            before = now
            await asyncio.sleep(EVERY_S)

    def taken(self) -> Figures | None:
        """Return what came since it was taken last."""
        news, self._news = self._news, None
        return news
