"""The queue of drafts, as data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.draft_queue import CUT_OFF, MAX_QUEUED, Queue, QueuedDraft, QueuedDraftState
from quire.domain.drafting.run import Run, RunState
from quire.errors import WriterProblem
from quire_engine.api.config import SamplingConfig


def queue_of(*states: QueuedDraftState) -> Queue:
    drafts = (QueuedDraft(number, 1, 100, state=state) for number, state in enumerate(states, start=1))
    return Queue(tuple(drafts))


def run(state: RunState, error: str = "") -> Run:
    return Run(9, 1, SamplingConfig(), 100, "", "", state=state, error=error)


WAITING, WORKING, DONE, STOPPED = QueuedDraftState


def test_wishes_get_numbers_of_their_own() -> None:
    queue = Queue().added(QueuedDraft(0, 1, 100)).added(QueuedDraft(0, 2, 100))
    assert [queued.draft_id for queued in queue.drafts] == [1, 2]
    assert [queued.draft_id for queued in queue.without(1).added(QueuedDraft(1, 3, 5)).drafts] == [2, 3]


def test_the_next_one_is_the_first_that_is_not_done() -> None:
    queue = queue_of(DONE, STOPPED, WAITING)
    assert queue.next_due is not None
    assert queue.next_due.draft_id == 2
    assert queue.num_due == 2
    assert queue_of(DONE).next_due is None


def test_what_is_being_drafted_cannot_be_removed() -> None:
    queue = queue_of(WORKING, WAITING)
    assert queue.without(1) == queue
    assert [queued.draft_id for queued in queue.without(2).drafts] == [1]
    assert [queued.draft_id for queued in queue_of(DONE, WAITING).without_done().drafts] == [2]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(-9, 9))
def test_moving_keeps_every_wish_and_their_order(number: int, draft_id: int, steps: int) -> None:
    queue = queue_of(*[WAITING] * number)
    ids = [queued.draft_id for queued in queue.moved(draft_id, steps).drafts]
    assert sorted(ids) == list(range(1, number + 1))
    assert [one for one in ids if one != draft_id] == [n for n in range(1, number + 1) if n != draft_id]
    if draft_id <= number:
        assert ids.index(draft_id) == min(max(draft_id - 1 + steps, 0), number - 1)


def test_how_a_run_ended_says_how_a_wish_ended() -> None:
    queued = QueuedDraft(1, 1, 100)
    done = queued.ended(run(RunState.FINISHED))
    assert (done.state, done.run_id, done.sentence) == (DONE, 9, "")
    failed = queued.ended(run(RunState.FAILED, "The model ran out of memory."))
    assert (failed.state, failed.sentence) == (STOPPED, "The model ran out of memory.")
    assert queued.ended(run(RunState.PAUSED)).sentence == "The draft was paused."
    looping = queued.ended(run(RunState.PAUSED), "The last 3 passages are the same.")
    assert looping.sentence == "The last 3 passages are the same."


def test_what_was_being_drafted_when_quire_ended_waits_for_the_writer() -> None:
    queue = queue_of(DONE, WORKING, WAITING).recovered()
    assert [queued.state for queued in queue.drafts] == [DONE, STOPPED, WAITING]
    assert queue.drafts[1].sentence == CUT_OFF


def test_a_wish_that_was_removed_meanwhile_stays_away() -> None:
    queue = queue_of(WAITING)
    assert queue.with_draft(QueuedDraft(8, 1, 100)) == queue
    assert queue.queued(8) is None


def test_impossible_wishes_are_refused() -> None:
    with pytest.raises(WriterProblem, match="at least 1 word"):
        QueuedDraft(1, 1, 0)
    with pytest.raises(WriterProblem, match="at most"):
        queue_of(*[WAITING] * MAX_QUEUED).added(QueuedDraft(0, 1, 100))
