from __future__ import annotations

import pytest

from quire.domain.drafting.run import Chunk, Run, RunState, joined
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import FinishReason

NEW = Run(1, 1, SamplingConfig(seed=7), goal_words=500, base_digest="a", end_digest="a")


def run(state: RunState, num_words: int, goal_words: int = 500, goal_start: int = 0) -> Run:
    return Run(
        1,
        1,
        SamplingConfig(),
        goal_words,
        "a",
        "b",
        state=state,
        goal_start=goal_start,
        num_words=num_words,
        num_prompt=1,
    )


def test_a_run_cannot_be_paused_before_it_ran() -> None:
    with pytest.raises(ValueError, match="from new to paused"):
        NEW.moved_to(RunState.PAUSED)


@pytest.mark.parametrize("end", [RunState.PAUSED, RunState.FINISHED, RunState.FAILED])
def test_every_end_can_be_gone_on_from_and_forgets_why_it_ended(end: RunState) -> None:
    ended = NEW.moved_to(RunState.RUNNING).moved_to(end, reason=FinishReason.GOAL, error="Out of memory.")
    again = ended.moved_to(RunState.RUNNING)
    assert (again.state, again.finish_reason, again.error) == (RunState.RUNNING, None, "")


@pytest.mark.parametrize("state", [RunState.PAUSED, RunState.FINISHED, RunState.FAILED])
def test_a_plain_goal_counts_from_the_beginning(state: RunState) -> None:
    assert run(state, 523).aiming_at(800, more=False).goal_words == 800


def test_a_finished_run_grows_from_where_it_ended() -> None:
    assert run(RunState.FINISHED, 523).aiming_at(500, more=True).goal_words == 1023


def test_a_text_that_ended_early_grows_from_its_goal() -> None:
    assert run(RunState.FINISHED, 300).aiming_at(500, more=True).goal_words == 1000


def test_asking_for_the_same_again_after_a_pause_keeps_the_goal() -> None:
    grown = run(RunState.FINISHED, 523).aiming_at(500, more=True)
    paused = run(RunState.PAUSED, 700, grown.goal_words, grown.goal_start)
    assert paused.aiming_at(500, more=True).goal_words == 1023
    assert paused.aiming_at(2000, more=True).goal_words == 2523


def test_a_goal_that_was_passed_grows_from_here() -> None:
    assert run(RunState.PAUSED, 700).aiming_at(500, more=True).goal_words == 1200


@pytest.mark.parametrize(
    ("state", "num_words", "asked", "has_them"),
    [
        (RunState.FINISHED, 523, 500, True),
        (RunState.FINISHED, 523, 524, False),
        (RunState.PAUSED, 505, 500, False),  # cut off before the end of its sentence
        (RunState.PAUSED, 505, 400, True),
        (RunState.FAILED, 300, 400, False),
    ],
)
def test_has_words(state: RunState, num_words: int, asked: int, has_them: bool) -> None:
    assert run(state, num_words).has_words(asked) is has_them


def test_a_run_needs_a_goal() -> None:
    with pytest.raises(ValueError, match="goal_words must be 1 or more, got 0"):
        run(RunState.PAUSED, 3, goal_words=0)


def test_chunks_that_follow_one_another_are_one_chunk() -> None:
    chunks = [Chunk((1, 2), "a b", 2, 1, 3.0), Chunk((), "", 2, 0, 0.0), Chunk((3,), " c", 3, 2, 4.0)]
    assert joined(chunks) == Chunk((1, 2, 3), "a b c", 3, 3, 7.0)
    assert NEW.grown_by(joined(chunks)).num_tokens == 3
