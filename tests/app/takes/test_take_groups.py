from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from quire.domain.manuscript.takes import TakeSummary
from quire.takes.take_groups import TakeGroup, TakeLine, groups_of, lines_in, neighbour, trashed_lines

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
TAKES = (
    TakeSummary(1, 0, True, 10, "It rained"),
    TakeSummary(3, 37, False, 7, "A lamp", (5,), after="and nobody sang.", run_ids=(2,)),
    TakeSummary(6, 50, False, 2, "Then", parent_id=3, depth=1, after="A lamp burned."),
    TakeSummary(7, 50, True, 2, "Now", parent_id=3, depth=1, after="A lamp burned."),
    TakeSummary(4, 37, True, 3, "The ferry", after="and nobody sang."),
    TakeSummary(9, 37, False, 2, "No.", after="and nobody sang."),
)


def numbers(group: TakeGroup) -> list[object]:
    return [line.take_id if isinstance(line, TakeLine) else numbers(line) for line in group.lines]


def test_takes_that_begin_at_one_place_are_a_group_and_those_in_a_take_stand_behind_it() -> None:
    first, *others = groups_of(TAKES)
    assert (first.start, first.after, numbers(first)) == (0, "", [1])
    second = groups_of([TAKES[0], *TAKES[1:4]])[1]
    assert (second.after, numbers(second)) == ("and nobody sang.", [3, [6, 7]])
    inner = second.lines[1]
    assert isinstance(inner, TakeGroup)
    assert (inner.depth, inner.after) == (1, "A lamp burned.")
    assert others
    assert groups_of(()) == ()


def test_takes_of_one_place_are_one_group_whatever_lies_between_them() -> None:
    _, second = groups_of(TAKES)
    assert numbers(second) == [3, [6, 7], 4, 9]
    assert [line.number for line in lines_in([second])] == [1, 1, 2, 2, 3]
    assert [line.has_run for line in lines_in([second])] == [True, False, False, False, False]


def test_what_lies_in_the_trash_is_listed_apart_with_the_days_that_it_has() -> None:
    put_away = NOW - timedelta(days=12, hours=3)
    takes = [replace(take, trashed=put_away) if take.take_id in (3, 6, 7) else take for take in TAKES]
    takes[-1] = replace(takes[-1], trashed=NOW - timedelta(days=40))
    assert numbers(groups_of(takes)[1]) == [4]
    trashed = trashed_lines(takes, NOW)
    assert [(line.take_id, line.number, line.days_left) for line in trashed] == [(3, 1, 18), (9, 3, 0)]
    assert trashed_lines(TAKES, NOW) == ()


@pytest.mark.parametrize(("steps", "expected"), [(1, 9), (2, 3), (-1, 3), (-2, 9)])
def test_the_next_take_is_one_of_the_last_place(steps: int, expected: int) -> None:
    standing = [replace(take, stands=False) if take.depth else take for take in TAKES]
    assert neighbour(standing, steps) == expected


def test_what_lies_in_the_trash_is_nobodys_neighbour() -> None:
    takes = [replace(take, trashed=NOW) if take.take_id == 9 else take for take in TAKES if not take.depth]
    assert neighbour(takes, 1) == 3
    assert neighbour(takes, 2) == 4


def test_a_take_without_others_has_no_neighbour() -> None:
    assert neighbour(TAKES[:1], 1) is None
    assert neighbour((), 1) is None
