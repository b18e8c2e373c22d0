from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

import pytest

from quire.errors import WriterProblem
from quire.projects import shutdown
from quire.projects.shutdown import Deadline, not_stored


@pytest.fixture
def exits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The exit codes that the process would have ended with."""
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    monkeypatch.setattr(shutdown, "LEAVE_WITHIN_S", 0.001)
    return codes


@pytest.fixture
def finished() -> list[bool]:
    """One entry for each time that the end was noted as a normal one."""
    return []


def test_what_waits_to_be_stored_gets_more_time(
    run_async: Callable[..., Any], exits: list[int], finished: list[bool]
) -> None:
    asked: list[int] = []

    async def leave() -> None:
        done = asyncio.get_running_loop().create_future()

        def is_unstored() -> bool:
            asked.append(len(exits))
            if len(asked) == 4:
                done.set_result(None)
            return len(asked) < 4

        Deadline(is_unstored, lambda: finished.append(True)).start()
        await done

    run_async(leave())
    assert asked == [0, 0, 0, 0]
    assert exits == [0]
    assert finished == [True]  # a model that loads for minutes is no crash to be told of at the next start


def test_in_the_end_quire_leaves_without_it_and_says_so(
    run_async: Callable[..., Any], exits: list[int], finished: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutdown, "STORE_WITHIN_S", 0.0)

    async def leave() -> None:
        done = asyncio.get_running_loop().create_future()

        def is_unstored() -> bool:
            done.set_result(None)
            return True

        Deadline(is_unstored, lambda: finished.append(True)).start()
        await done

    run_async(leave())
    assert exits == [1]
    assert not finished


def test_a_deadline_that_is_cancelled_asks_nobody(run_async: Callable[..., Any], exits: list[int]) -> None:
    async def leave() -> None:
        cancelled = Deadline(lambda: pytest.fail("it was cancelled"), exits.clear)
        kept = Deadline(done_and_stored, lambda: None)
        cancelled.cancel()
        cancelled.start()
        kept.start()
        cancelled.cancel()
        await done.wait()

    done = asyncio.Event()

    def done_and_stored() -> bool:
        done.set()
        return False

    run_async(leave())
    assert exits == [0]


def test_a_fault_is_told_as_what_it_is() -> None:
    assert str(not_stored(WriterProblem("The disk is full."))) == "The disk is full."
    assert "bug in Quire (MemoryError())" in str(not_stored(MemoryError()))
