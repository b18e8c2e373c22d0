"""Echoes and loops of a text, by their definitions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quire_engine.metrics.repeats import echo_share, longest_loop
from tests.engine.tiny import few


@few
@given(st.lists(st.integers(0, 2), max_size=60), st.integers(1, 4), st.integers(1, 30))
def test_echoes_are_ngrams_that_began_a_little_before(units: list[int], order: int, reach: int) -> None:
    starts = [tuple(units[at : at + order]) for at in range(len(units) - order + 1)]
    wanted = sum(starts[at] in starts[max(at - reach, 0) : at] for at in range(len(starts)))
    assert echo_share(units, order, reach) == (wanted / len(units) if units else None)


def test_a_loop_has_three_rounds_and_64_units() -> None:
    lead = list(range(1000, 1100))
    for period in (1, 3, 30, 100, 512):
        passage = list(range(period))
        rounds = -(-max(3 * period, 64) // period)
        assert longest_loop([*lead, *passage * rounds, *lead]) >= max(3 * period, 64)
        assert longest_loop([*lead, *passage * 2, *lead]) == 0
    assert longest_loop([]) == longest_loop(lead) == 0
    assert longest_loop([7] * 63) == 0
    assert longest_loop([7] * 64) == 64
