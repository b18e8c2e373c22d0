"""Ratios and ceilings are what they are said to be; the methods take turns at the same length of text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quire_engine.api.config import Source
from quire_engine.metrics.acceptance import RunMetrics, StepMetrics
from tests.benchmarks.engine.methods import MethodTurn
from tests.benchmarks.engine.prompt_texts import fitting
from tests.benchmarks.engine.speed import GENERATE, PLAIN_UNPADDED, TOKENSWIFT, results_of, table, take_turns


def turn(tokens: int, passes: int, pass_ms: float, draft_ms: float = 0.0, rest_ms: float = 0.0) -> MethodTurn:
    """Return a turn of our own whose steps all cost the same."""
    figures = RunMetrics()
    for number in range(passes):
        here = tokens // passes + (number < tokens % passes)
        sources: list[Source] = ["ngrams" for _ in range(here - 1)]
        figures.add(StepMetrics(here - 1, here - 1, tuple(sources), here, draft_ms, pass_ms, rest_ms, 1.0))
    return MethodTurn(tokens, passes * (pass_ms + draft_ms + rest_ms) / 1000, figures)


def test_speed_ratios_and_the_ceiling() -> None:
    turns = {
        TOKENSWIFT: [turn(20, 10, 3.0, 0.5, 0.5), turn(20, 10, 3.0, 0.5, 0.5), turn(30, 10, 3.0, 0.5, 0.5)],
        PLAIN_UNPADDED: [turn(10, 10, 2.0, 0.0, 0.5)] * 3,
        GENERATE: [MethodTurn(10, 0.1), MethodTurn(10, 0.05), MethodTurn(10, 0.1)],
    }
    swift, plain, generate = results_of(turns)
    assert swift.tokens_per_s == pytest.approx(500)
    assert swift.each_turn == pytest.approx((500, 500, 750))
    assert swift.over == pytest.approx(
        {PLAIN_UNPADDED: 1.25, GENERATE: 5.0}
    )  # medians of 1.25 1.25 1.875; 5 2.5 7.5
    assert swift.tokens_per_pass == pytest.approx(70 / 30)
    assert swift.cost_of_a_pass == pytest.approx(1.5)
    assert swift.ceiling == pytest.approx(70 / 30 / 1.5)
    assert swift.draft_share == pytest.approx(0.5 / 4)
    assert swift.outside_share == pytest.approx(0.5 / 4)
    assert plain.cost_of_a_pass == plain.ceiling == plain.tokens_per_pass == 1
    assert set(plain.over) == {GENERATE}
    assert (generate.ceiling, generate.figures) == (None, None)
    lines = table([swift, plain, generate])
    assert lines[1].split()[:4] == [TOKENSWIFT, "500.0", "1.25x", "5.00x"]


class Recorder:
    """A method that only remembers what it was asked."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self._log = log

    def write(self, context_ids: Sequence[int], count: int) -> MethodTurn:
        """Remember the call."""
        self._log.append(self.name)
        return MethodTurn(count + len(self._log), 1.0)


def test_methods_take_turns_and_the_first_turn_is_dropped() -> None:
    log: list[str] = []
    turns = take_turns([Recorder("a", log), Recorder("b", log)], [1, 2], 10, 2)
    assert log == ["a", "b", "a", "b", "a", "b"]
    assert [done.num_tokens for done in turns["a"]] == [13, 15]
    assert [done.num_tokens for done in turns["b"]] == [14, 16]


@pytest.mark.parametrize(
    ("context_length", "good", "bad"),
    [
        (32768, [2048, 16384], []),
        (16384, [2048], [16384]),
        (2048, [1048], [2048, 16384]),
        (900, [], [2048, 16384]),
    ],
)
def test_lengths_that_leave_no_room_are_left_out(
    context_length: int, good: list[int], bad: list[int]
) -> None:
    assert fitting([2048, 16384], context_length, 1000) == (good, bad)
