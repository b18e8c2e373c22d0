"""The queue of drafts, as data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.draft_queue import CUT_OFF, MAX_WISHES, Queue, QueuedDraft, WishState
from quire.domain.drafting.run import Run, RunState
from quire.errors import WriterProblem
from quire_engine.api.config import SamplingConfig


def queue_of(*states: WishState) -> Queue:
    wishes = (QueuedDraft(number, 1, 100, state=state) for number, state in enumerate(states, start=1))
    return Queue(tuple(wishes))


def run(state: RunState, error: str = "") -> Run:
    return Run(9, 1, SamplingConfig(), 100, "", "", state=state, error=error)


WAITING, WORKING, DONE, STOPPED = WishState


def test_wishes_get_numbers_of_their_own() -> None:
    queue = Queue().added(QueuedDraft(0, 1, 100)).added(QueuedDraft(0, 2, 100))
    assert [wish.wish_id for wish in queue.wishes] == [1, 2]
    assert [wish.wish_id for wish in queue.without(1).added(QueuedDraft(1, 3, 5)).wishes] == [2, 3]


def test_the_next_one_is_the_first_that_is_not_done() -> None:
    queue = queue_of(DONE, STOPPED, WAITING)
    assert queue.next_due is not None
    assert queue.next_due.wish_id == 2
    assert queue.num_due == 2
    assert queue_of(DONE).next_due is None


def test_what_is_being_drafted_cannot_be_removed() -> None:
    queue = queue_of(WORKING, WAITING)
    assert queue.without(1) == queue
    assert [wish.wish_id for wish in queue.without(2).wishes] == [1]
    assert [wish.wish_id for wish in queue_of(DONE, WAITING).without_done().wishes] == [2]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(-9, 9))
def test_moving_keeps_every_wish_and_their_order(number: int, wish_id: int, steps: int) -> None:
    queue = queue_of(*[WAITING] * number)
    ids = [wish.wish_id for wish in queue.moved(wish_id, steps).wishes]
    assert sorted(ids) == list(range(1, number + 1))
    assert [one for one in ids if one != wish_id] == [n for n in range(1, number + 1) if n != wish_id]
    if wish_id <= number:
        assert ids.index(wish_id) == min(max(wish_id - 1 + steps, 0), number - 1)


def test_how_a_run_ended_says_how_a_wish_ended() -> None:
    wish = QueuedDraft(1, 1, 100)
    done = wish.ended(run(RunState.FINISHED))
    assert (done.state, done.run_id, done.sentence) == (DONE, 9, "")
    failed = wish.ended(run(RunState.FAILED, "The model ran out of memory."))
    assert (failed.state, failed.sentence) == (STOPPED, "The model ran out of memory.")
    assert wish.ended(run(RunState.PAUSED)).sentence == "The draft was paused."
    looping = wish.ended(run(RunState.PAUSED), "The last 3 passages are the same.")
    assert looping.sentence == "The last 3 passages are the same."


def test_what_was_being_drafted_when_quire_ended_waits_for_the_writer() -> None:
    queue = queue_of(DONE, WORKING, WAITING).recovered()
    assert [wish.state for wish in queue.wishes] == [DONE, STOPPED, WAITING]
    assert queue.wishes[1].sentence == CUT_OFF


def test_a_wish_that_was_removed_meanwhile_stays_away() -> None:
    queue = queue_of(WAITING)
    assert queue.with_wish(QueuedDraft(8, 1, 100)) == queue
    assert queue.wish(8) is None


def test_impossible_wishes_are_refused() -> None:
    with pytest.raises(WriterProblem, match="at least 1 word"):
        QueuedDraft(1, 1, 0)
    with pytest.raises(WriterProblem, match="at most"):
        queue_of(*[WAITING] * MAX_WISHES).added(QueuedDraft(0, 1, 100))
