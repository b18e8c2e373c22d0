from __future__ import annotations

import pytest

from quire.domain.takes import TakeSummary
from quire.models.take_list import groups_of, neighbour

TEXT = "It rained all night, and nobody sang. The ferry crossed."
TAKES = (
    TakeSummary(1, 0, True, 10, "It rained"),
    TakeSummary(3, 37, False, 7, "A lamp", (5,)),
    TakeSummary(4, 37, True, 3, "The ferry"),
    TakeSummary(9, 37, False, 2, "No."),
)


def test_takes_that_begin_at_one_place_are_a_group() -> None:
    first, second = groups_of(TAKES, TEXT)
    assert (first.start, first.after, [line.take_id for line in first.lines]) == (0, "", [1])
    assert (second.start, second.after) == (37, "all night, and nobody sang.")
    assert [(line.take_id, line.number, line.stands) for line in second.lines] == [
        (3, 1, False), (4, 2, True), (9, 3, False)
    ]  # fmt: skip
    assert groups_of((), TEXT) == ()


@pytest.mark.parametrize(("steps", "expected"), [(1, 9), (2, 3), (-1, 3), (-2, 9)])
def test_the_next_take_is_one_of_the_last_place(steps: int, expected: int) -> None:
    assert neighbour(groups_of(TAKES, TEXT), steps) == expected


def test_a_take_without_others_has_no_neighbour() -> None:
    assert neighbour(groups_of(TAKES[:1], TEXT), 1) is None
    assert neighbour((), 1) is None
