from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from quire.reading.scroll_layout import Heights, ReadingFlow

SIZES = st.lists(st.tuples(st.integers(1, 90), st.integers(1, 90)), min_size=1, max_size=40)
WAYS = st.lists(st.integers(-120, 120), max_size=30)


@given(st.lists(st.integers(0, 50), max_size=40), st.data())
def test_heights_are_added_up(heights: list[int], data: st.DataObject) -> None:
    sums = Heights(heights)
    for _ in range(3 if heights else 0):
        index = data.draw(st.integers(0, len(heights) - 1))
        heights[index] = sums[index] = data.draw(st.integers(0, 50))
        assert sums[index] == heights[index]
    befores = [0, *accumulate(heights)]
    assert [sums.before(index) for index in range(len(heights) + 1)] == befores
    assert sums.total == sum(heights)
    for y in range(-2, sum(heights) + 3):
        over = [index for index in range(len(heights)) if befores[index] <= y < befores[index + 1]]
        assert sums.index_at(y) == (over[0] if over else 0 if y < 0 else max(len(heights) - 1, 0))


def flow_of(sizes: list[tuple[int, int]], view_px: int) -> ReadingFlow:
    return ReadingFlow([guess for guess, _ in sizes], lambda index: sizes[index][1], view_px)


def true_top(sizes: list[tuple[int, int]], flow: ReadingFlow) -> int:
    return sum(height for _, height in sizes[: flow.index]) + flow.above_px


@given(SIZES, st.integers(1, 200), WAYS)
def test_what_is_seen_moves_by_exactly_as_much_as_was_asked(
    sizes: list[tuple[int, int]], view_px: int, ways: list[int]
) -> None:
    flow = flow_of(sizes, view_px)
    furthest = max(sum(height for _, height in sizes) - view_px, 0)
    top = 0
    for way in ways:
        flow.scroll_by(way)
        top = min(max(top + way, 0), furthest)
        assert true_top(sizes, flow) == top
        assert flow.above_px < sizes[flow.index][1] or flow.index == len(sizes) - 1
        seen = list(flow.visible())
        assert [y for _, y in seen] == [sum(height for _, height in sizes[:index]) - top for index, _ in seen]
        assert seen[0][1] <= 0


@given(SIZES, st.integers(1, 200), st.integers(-50, 9000))
def test_a_long_way_ends_within_the_book(sizes: list[tuple[int, int]], view_px: int, y: int) -> None:
    flow = flow_of(sizes, view_px)
    flow.scroll_to(y)
    furthest = max(sum(height for _, height in sizes) - view_px, 0)
    assert 0 <= true_top(sizes, flow) <= furthest
    flow.scroll_to(10**6)
    assert true_top(sizes, flow) == furthest
    assert flow.top == flow.furthest


@given(SIZES, st.integers(1, 200), st.data())
def test_a_piece_that_is_shown_stands_at_the_top_or_the_end_at_the_bottom(
    sizes: list[tuple[int, int]], view_px: int, data: st.DataObject
) -> None:
    flow = flow_of(sizes, view_px)
    index = data.draw(st.integers(0, len(sizes) - 1))
    flow.show(index)
    wanted = sum(height for _, height in sizes[:index])
    furthest = max(sum(height for _, height in sizes) - view_px, 0)
    assert true_top(sizes, flow) == min(wanted, furthest)


def test_only_what_is_near_is_laid_out() -> None:
    flow = flow_of([(20, 25)] * 10_000, 500)
    flow.scroll_to(100_000)
    flow.scroll_by(-300)
    assert flow.num_measured < 60


def test_a_higher_view_at_the_end_shows_more_above() -> None:
    flow = flow_of([(10, 10)] * 20, 50)
    flow.scroll_to(10_000)
    flow.set_view(80)
    assert (flow.index, flow.above_px) == (12, 0)


def test_nothing_can_be_scrolled() -> None:
    flow = flow_of([], 100)
    flow.scroll_by(50)
    flow.scroll_to(50)
    flow.show(3)
    assert (flow.top, flow.furthest, list(flow.visible())) == (0, 0, [])
