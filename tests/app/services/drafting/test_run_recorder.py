from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, cast

from hypothesis import example, given, settings
from hypothesis import strategies as st

from quire.domain.drafting.run import Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.errors import WriterProblem
from quire.services.drafting.run_recorder import STORE_EVERY_S, RunRecorder
from quire.services.project.project_session import ProjectSession
from quire.storage.storage_thread import StorageThread
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import FinishReason
from tests.fakes import GatedStore

RUN = Run(1, 1, SamplingConfig(), 50, "", "", state=RunState.RUNNING, num_prompt=1)
FULL = "full"
FAULT = "fault"
ERRORS: dict[str, Exception] = {FULL: WriterProblem("The disk is full."), FAULT: RuntimeError("a fault")}

EVENTS = st.lists(st.sampled_from(["step", "turn", "time", "commit", FULL, FAULT]), max_size=40)
"""What can happen, in any order: a step, a turn of the loop, a timer that comes due, a commit that ends."""
SMOOTH = st.lists(st.sampled_from(["step", "turn", "time", "commit"]), max_size=40)


class ClockLoop(asyncio.SelectorEventLoop):
    """An event loop on whose clock time passes only when the test says so."""

    now_s = 0.0

    def time(self) -> float:
        return self.now_s


def on_clock(coroutine: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=ClockLoop) as runner:
        runner.run(coroutine)


@dataclass
class Bench:
    """A recorder between a test and a store."""

    store: GatedStore = field(default_factory=lambda: GatedStore(RUN))
    steps: list[int] = field(default_factory=list)
    problems: list[WriterProblem] = field(default_factory=list)
    num_saved: int = 0

    def __post_init__(self) -> None:
        self.recorder = RunRecorder(
            cast("ProjectSession", self.store), RUN.run_id, self.saved, self.problems.append
        )

    def saved(self) -> None:
        self.num_saved += 1
        assert self.num_saved <= self.store.num_commits, "saved() came before its commit"

    async def happen(self, event: str) -> None:
        match event:
            case "step":
                self.steps.append(len(self.steps))
                count = len(self.steps)
                step = StepRecord(1, count, 0, 0, 0, 1.0, 0.0, 1.0, 0.5)
                self.recorder.add(step, (self.steps[-1],), " a")
            case "turn":
                await asyncio.sleep(0)
            case "time":
                loop = asyncio.get_running_loop()
                assert isinstance(loop, ClockLoop)
                loop.now_s += STORE_EVERY_S
            case _:
                self.store.let_through(ERRORS.get(event))

    async def end(self, meanwhile: list[str]) -> Run:
        """End the run while other things happen."""
        ending = asyncio.ensure_future(self.recorder.end(RunState.FINISHED, FinishReason.GOAL, ""))
        for event in meanwhile:
            if event != "step":
                await self.happen(event)
        while not ending.done():
            self.store.let_through()
            await asyncio.sleep(0)
        return await ending


@settings(derandomize=True, max_examples=150, deadline=None, database=None)
@given(EVENTS, EVENTS)
@example(["step", "turn", "commit", "time", FAULT, "step", "turn", "turn", FAULT], ["turn"])
@example(["step", "turn", "step", "turn", "turn", FULL, "turn", "time", "turn", "turn"], [])
def test_every_step_is_stored_once_and_in_order_whatever_happens(
    events: list[str], meanwhile: list[str]
) -> None:
    async def scenario() -> None:
        bench = Bench()
        for event in events:
            await bench.happen(event)
        run = await bench.end(meanwhile)
        assert bench.store.stored == bench.steps
        assert (run.state, run.num_tokens) == (RunState.FINISHED, len(bench.steps))
        assert bench.num_saved == bench.store.num_commits
        assert len(bench.problems) <= 1

    on_clock(scenario())


@settings(derandomize=True, max_examples=150, deadline=None, database=None)
@given(SMOOTH)
# the clock fires, a step comes before the commit has its first turn, and then none for a while
@example(
    [
        "step",
        "turn",
        "turn",
        "step",
        "turn",
        "turn",
        "commit",
        "turn",
        "turn",
        "time",
        "turn",
        "turn",
        "turn",
        "step",
    ]
)
def test_while_the_disk_takes_it_everything_is_stored_without_an_end(events: list[str]) -> None:
    async def scenario() -> None:
        bench = Bench()
        for event in events:
            await bench.happen(event)
        for event in ("time", "turn", "turn", "commit", "turn", "turn") * 3:
            await bench.happen(event)
        assert bench.store.stored == bench.steps
        await bench.end([])
        assert bench.store.stored == bench.steps

    on_clock(scenario())


def test_work_whose_outcome_must_be_known_is_waited_for_even_when_cancelled() -> None:
    async def scenario() -> None:
        writer, loop = StorageThread(), asyncio.get_running_loop()
        reached = asyncio.Event()

        def work() -> str:
            loop.call_soon_threadsafe(reached.set)
            asyncio.run_coroutine_threadsafe(cancelled.wait(), loop).result(100)
            return "done"

        cancelled = asyncio.Event()
        finishing = asyncio.ensure_future(writer.finish(work))
        await reached.wait()
        finishing.cancel()
        await asyncio.sleep(0)
        cancelled.set()
        assert await finishing == "done"
        writer.close()

    asyncio.run(scenario())
