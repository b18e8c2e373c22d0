"""The rule of what stays in the context window: it never overfills a model, and it looks at counts alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quire_engine.decoding.context_window import ContextRule, View
from tests.engine.tiny import few

BLOCK = 64


@st.composite
def situations(draw: st.DrawFn) -> tuple[ContextRule, int, int]:
    """Return a policy, the length of a prompt and how much of the stream was read."""
    capacity = BLOCK * draw(st.integers(4, 40))
    num_prompt = draw(st.integers(1, capacity))
    num_front = draw(st.integers(0, min(num_prompt, capacity // 2)))
    policy = ContextRule(capacity, BLOCK, num_front)
    return policy, num_prompt, num_prompt - 1 + draw(st.integers(0, 5 * policy.capacity))


def seen(view: View, num_read: int) -> list[int]:
    """Return the stream indexes in the context window, in the order in which the model reads them."""
    return [*range(view.pinned), *range(view.start, num_read)]


def test_a_text_that_fits_is_seen_whole() -> None:
    policy = ContextRule(256, BLOCK)
    assert policy.view(10, 255) == View(pinned=0, start=0, reread=9)


def test_a_full_view_keeps_half_of_it() -> None:
    policy = ContextRule(1024, BLOCK)
    view = policy.view(300, 1024)
    assert (view.pinned, view.length(1024)) == (128, 512)
    assert seen(view, 1024) == [*range(128), *range(1024 - 384, 1024)]


def test_a_short_prompt_is_not_pinned_beyond_its_end() -> None:
    assert ContextRule(1024, BLOCK).view(70, 1024).pinned == 64
    assert ContextRule(1024, BLOCK).view(63, 1024).pinned == 0


@few
@given(situations())
def test_a_view_has_room_for_the_next_token(situation: tuple[ContextRule, int, int]) -> None:
    policy, num_prompt, num_read = situation
    view = policy.view(num_prompt, num_read)
    assert 0 <= view.length(num_read) < policy.capacity
    assert not policy.is_due(view.length(num_read))
    assert view.length(num_read) == len(seen(view, num_read))


@few
@given(situations())
def test_a_view_is_made_of_stream_tokens_each_once_and_ends_with_the_newest(
    situation: tuple[ContextRule, int, int],
) -> None:
    policy, num_prompt, num_read = situation
    view = policy.view(num_prompt, num_read)
    indexes = seen(view, num_read)
    assert indexes == sorted(set(indexes))
    assert 0 <= view.pinned <= view.start
    assert view.pinned <= num_prompt or policy.num_front > num_prompt - BLOCK
    if num_read >= policy.capacity:
        assert view.pinned >= min(policy.num_front, policy.capacity // 2 // BLOCK * BLOCK)
    assert view.pinned % BLOCK == 0
    assert view.start <= view.reread <= num_read
    if num_read >= policy.capacity:
        assert len(indexes) >= policy.capacity // 3


@few
@given(situations())
def test_a_resume_sees_what_an_uninterrupted_run_sees(situation: tuple[ContextRule, int, int]) -> None:
    """Read token by token, rolling over when due: the context window is the one that the rule names at
    once."""
    policy, num_prompt, num_read = situation
    view = policy.view(num_prompt, num_prompt - 1)
    for position in range(num_prompt - 1, num_read + 1):
        if policy.is_due(view.length(position)):
            rolled = policy.view(num_prompt, position)
            assert rolled.start > view.start  # it only ever moves on
            assert rolled.reread == position  # everything is read again at once, as at every such start
            view = rolled
        assert policy.view(num_prompt, position) == view
