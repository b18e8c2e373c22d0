"""Who hears of an event when: the order is declared, and does not depend on who was built first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from quire.events import AwaitedEvent, Event, Events


def test_subscribers_are_told_in_the_declared_order() -> None:
    event: Event[[str]] = Event("first", "second", "third")
    told: list[str] = []
    event.subscribe("third", lambda text: told.append(f"third {text}"))
    event.subscribe("first", lambda text: told.append(f"first {text}"))
    event("now")
    assert told == ["first now", "third now"]


def test_an_awaited_event_waits_for_each_before_the_next(run_async: Callable[..., Any]) -> None:
    event: AwaitedEvent[[]] = AwaitedEvent("first", "second")
    told: list[str] = []

    async def second() -> None:
        told.append("second")

    async def first() -> None:
        event.handlers["second"]  # it is there, and has not been told
        told.append("first")

    event.subscribe("second", second)
    event.subscribe("first", first)
    run_async(event())
    assert told == ["first", "second"]


@pytest.mark.parametrize("name", ["first", "nobody"])
def test_a_name_has_one_turn(name: str) -> None:
    event: Event[[]] = Event("first")
    event.subscribe("first", print)
    with pytest.raises(ValueError, match=name):
        event.subscribe(name, print)


def test_what_depends_on_an_order_has_it() -> None:
    events = Events()
    follow, ended = events.text_followed.order, events.draft.ended.order
    assert follow[:2] == ("problems", "statistics")  # a notice of damage offers a backup from the first
    at_start = ("takes", "manuscript", "project_model", "result", "target")
    assert ended[: len(at_start) + 1] == (*at_start, "statistics")  # which counts what they have settled
    assert follow.index("comments") < follow.index("steering")
    assert ended.index("steering") < ended.index("comments")
    assert all(
        event.order[0] == "display"  # the window shows what the others hear of
        for event in (
            events.draft.status_changed,
            events.draft.text_drafted,
            events.draft.progressed,
            events.draft.saved,
        )
    )
