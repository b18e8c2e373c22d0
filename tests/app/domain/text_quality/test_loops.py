from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.text_quality.loops import MAX_PERIOD, WORDLESS_TOKENS, GibberishTail, Loop, Loops
from quire.domain.text_quality.ngrams import NgramIndex

UNIT = st.sampled_from("abc")


@st.composite
def texts(draw: st.DrawFn) -> list[str]:
    """A text with stretches that repeat themselves, some of them nearly."""
    units = draw(st.lists(UNIT, max_size=20))
    for number in range(draw(st.integers(0, 3))):
        period = draw(st.lists(UNIT, min_size=1, max_size=40)) + [f"n{number}"] * draw(st.integers(0, 1))
        length = draw(st.integers(1, 4 * len(period) + 70))
        units += (period * length)[:length]
        units += draw(st.lists(UNIT, max_size=12))
    return units


def tail_by_hand(units: list[str]) -> tuple[int, int] | None:
    """Return start and period of the loop that a text ends in, by the definition."""
    for period in range(1, MAX_PERIOD + 1):
        equal = 0
        while (at := len(units) - 1 - equal) >= period and units[at] == units[at - period]:
            equal += 1
        if equal and equal + period >= max(3 * period, 64):
            return len(units) - equal - period, period
    return None


def loops_by_hand(units: list[str]) -> list[Loop]:
    loops = list[Loop]()
    for end in range(1, len(units) + 1):
        if (tail := tail_by_hand(units[:end])) is None:
            continue
        if loops and loops[-1].end == end - 1:
            loops[-1] = Loop(loops[-1].start, end, loops[-1].period, loops[-1].place)
        else:
            loops.append(Loop(tail[0], end, tail[1], end))
    return loops


def read(units: list[str], sizes: list[int] | None = None) -> list[Loop]:
    index = NgramIndex()
    loops, start = Loops(index), 0
    for size in [*(sizes or []), len(units)]:
        index.add_all(units[start : start + size])
        start += size
        loops.update()
    return loops.loops


@settings(deadline=None)
@given(texts(), st.lists(st.integers(0, 60), max_size=6))
def test_loops_are_those_of_the_definition_in_whatever_pieces(units: list[str], sizes: list[int]) -> None:
    assert read(units, sizes) == loops_by_hand(units)


@settings(deadline=None)
@given(texts(), st.floats(0, 1), st.sampled_from([0, 1, 90]), texts())
def test_an_edit_gives_the_loops_of_the_edited_text(
    units: list[str], at: float, again: int, more: list[str]
) -> None:
    kept = int(at * len(units))
    more = units[kept : kept + again] + more
    index = NgramIndex()
    loops = Loops(index)
    index.add_all(units)
    loops.update()
    index.cut(kept)
    loops.cut(kept)
    assert loops.loops == read(units[:kept])
    index.add_all(more)
    loops.update()
    assert loops.loops == read(units[:kept] + more)


def test_a_loop_that_was_cut_away_is_no_part_of_one_that_follows() -> None:
    index = NgramIndex()
    loops = Loops(index)
    index.add_all(["a", "b"] * 40)
    loops.update()
    index.cut(0)
    loops.cut(0)
    units = [*(f"w{number}" for number in range(73)), *(["c", "d"] * 6)]
    index.add_all(units)
    assert loops.update() == []


@pytest.mark.parametrize(("period", "at"), [(1, 64), (21, 64), (22, 66), (170, 510), (512, 1536)])
def test_a_loop_is_three_rounds_and_at_least_sixty_four_units(period: int, at: int) -> None:
    passage = [f"w{number}" for number in range(period)]
    assert read(["x", *(passage * at)[: at - 1]]) == []
    (loop,) = read(["x", *(passage * at)[:at]])
    assert loop == Loop(1, at + 1, period, at + 1)
    assert loop.num_repeats_at_first == at // period


def test_a_longer_passage_is_no_loop() -> None:
    passage = [f"w{number}" for number in range(MAX_PERIOD + 1)]
    assert read(passage * 4) == []


def test_update_returns_loops_that_have_begun() -> None:
    index = NgramIndex()
    loops = Loops(index)
    index.add_all(["woe", "!"] * 31)
    assert loops.update() == []
    index.add_all(["woe", "!"])
    assert loops.update() == [Loop(0, 64, 2, 64)]
    index.add_all(["woe", "!"])
    assert loops.update() == []
    assert loops.loops == [Loop(0, 66, 2, 64)]


def test_tokens_without_a_word_add_up_until_one_comes() -> None:
    tail = GibberishTail()
    tail.add(5, 3)
    assert tail.num_tokens == 0
    tail.add(WORDLESS_TOKENS - 1, 3)
    assert not tail.is_too_long
    tail.add(1, 3)
    assert tail.is_too_long
    tail.add(4, 4)
    assert (tail.num_tokens, tail.is_too_long) == (0, False)
    tail.add(50, 4)
    tail.clear()
    tail.add(50, 4)
    assert tail.num_tokens == 0
