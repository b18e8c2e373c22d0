from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from quire.system.throttle import Throttle

HOUR_S = 3600.0


def test_requests_that_come_together_share_a_call(
    run_async: Callable[..., Any],
) -> None:
    async def scenario() -> list[int]:
        requests, seen = 0, []
        called = asyncio.Event()

        def action() -> None:
            seen.append(requests)
            called.set()

        throttle = Throttle(0.001, action)
        for _ in range(3):
            requests += 1
            throttle.request()
        await called.wait()
        called.clear()
        requests += 1
        throttle.request()
        await called.wait()
        return seen

    assert run_async(scenario()) == [3, 4]


def test_the_first_call_does_not_wait_and_the_next_one_does(run_async: Callable[..., Any]) -> None:
    async def scenario() -> int:
        calls = 0
        called = asyncio.Event()

        def action() -> None:
            nonlocal calls
            calls += 1
            called.set()

        throttle = Throttle(HOUR_S, action)
        throttle.request()
        await called.wait()
        throttle.request()
        await asyncio.sleep(0)
        assert calls == 1
        throttle.flush()
        throttle.flush()
        return calls

    assert run_async(scenario()) == 2


def test_a_cancelled_request_is_forgotten(run_async: Callable[..., Any]) -> None:
    async def scenario() -> None:
        throttle = Throttle(HOUR_S, lambda: pytest.fail("called"))
        throttle.request()
        throttle.cancel()
        throttle.cancel()
        throttle.flush()

    run_async(scenario())
