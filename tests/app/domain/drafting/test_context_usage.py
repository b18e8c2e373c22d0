"""What takes how much of what the model can hold, and what it sees."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.context_usage import space_of
from quire.domain.drafting.prompt_composition import (
    ComposedPrompt,
    NextPrompt,
    Omission,
    OmittedPart,
    PartOrigin,
    compose,
)
from quire.domain.drafting.prompt_preview import view_of, view_read
from quire.domain.drafting.reread_cost import cost_sentence, duration_text
from quire.domain.drafting.steering import EMPTY, AuthorsNote, LoreEntry, Memory, RestartReason, Steering
from quire_engine.api.queries import PromptSegment, PromptSource, PromptViewed

STORY = "".join(f"Paragraph {number} of the story, with a few words more.\n\n" for number in range(60))
STEERING = Steering(
    memory=Memory("October 1871."),
    direction=AuthorsNote("Keep the storm outside"),
    lorebook=(LoreEntry(1, "Mara", "A ferrywoman.", pinned=True), LoreEntry(2, "Orrin", "Sixty.")),
).with_beat_lines(1, ["She waits"])


def composed() -> ComposedPrompt:
    return compose(STEERING, STORY, 1)


def prompt(told: ComposedPrompt, story: str, context: int) -> NextPrompt:
    return NextPrompt(1, story, told, context)


def viewed(*stretches: tuple[PromptSource, str], num_left_out: int = 0) -> PromptViewed:
    segments = tuple(PromptSegment(origin, text, len(text) // 4) for origin, text in stretches)
    return PromptViewed(1, segments, num_left_out, 400)


# ------------------------------------------------------------ space
def test_shares_come_in_the_order_of_reading_and_leave_the_room() -> None:
    use = space_of(composed(), STORY, 10_000)
    assert [share.origin for share in use.shares] == [
        PartOrigin.MEMORY,
        PartOrigin.LOREBOOK,
        PartOrigin.MANUSCRIPT,
        PartOrigin.BEAT,
        PartOrigin.DIRECTION,
    ]
    assert use.used + use.room == 10_000
    assert use.left_out_chars == 0
    assert not use.is_counted
    assert use.percent(2_500) == 25


def test_of_a_story_that_is_too_long_the_newest_part_is_seen() -> None:
    use = space_of(composed(), STORY, 400)
    assert use.left_out_chars > 0
    assert use.used <= 400
    assert use.room > 0
    share = next(share for share in use.shares if share.origin is PartOrigin.MANUSCRIPT)
    assert share.chars + use.left_out_chars == len(STORY)


def test_nothing_told_and_no_story_takes_no_room() -> None:
    use = space_of(compose(EMPTY, ""), "", 400)
    assert (use.shares, use.used, use.room, use.words) == ((), 0, 400, 0)


@given(st.text("Mab .\n", max_size=3_000), st.integers(1, 2_000))
def test_no_more_is_taken_than_there_is(story: str, context: int) -> None:
    use = space_of(compose(EMPTY, story), story, context)
    assert 0 <= use.used <= context + 1
    assert use.room >= 0


# ------------------------------------------------------------ the view
def test_the_view_is_the_front_the_story_and_the_note_near_its_end() -> None:
    told = composed()
    view = view_of(prompt(told, STORY, 10_000))
    text = "".join(part.text for part in view.parts)
    assert text.startswith(told.front_text + STORY[:40])
    before, note, after = text.partition(told.note_text + "\n\n")
    assert note
    assert before.removeprefix(told.front_text) + after == STORY
    assert 500 <= len(after) < 700
    assert after.startswith("Paragraph")
    assert not view.is_exact


def test_without_a_note_the_story_is_one_part() -> None:
    told = compose(EMPTY, STORY)
    view = view_of(prompt(told, STORY, 10_000))
    assert [part.text for part in view.parts] == [STORY]
    assert view.chars == len(STORY)


def test_what_is_left_out_is_listed_with_its_reason() -> None:
    told = composed()
    view = view_of(prompt(told, STORY, 400))
    first, second = view.left_out
    assert (first.origin, first.why) == (PartOrigin.MANUSCRIPT, Omission.TOO_OLD)
    assert second == OmittedPart(PartOrigin.LOREBOOK, "Orrin", 6, Omission.NOT_CALLED)
    assert sum(p.chars for p in view.parts if p.origin is PartOrigin.MANUSCRIPT) + first.chars == len(STORY)


def test_what_the_engine_read_is_told_apart_by_origin() -> None:
    told = composed()
    stretches = (
        (PromptSource.FRONT, "<user>" + told.front_text.strip("\n") + "\n\n<answer>"),
        (PromptSource.STORY, STORY[500:-600]),
        (PromptSource.NOTE, told.note_text + "\n\n"),
        (PromptSource.STORY, STORY[-600:]),
    )
    view = view_read(prompt(told, STORY, 400), viewed(*stretches, num_left_out=120))
    assert "".join(part.text for part in view.parts) == "".join(text for _, text in stretches)
    assert [part.origin for part in view.parts] == [
        PartOrigin.MEMORY,
        PartOrigin.LOREBOOK,
        PartOrigin.MANUSCRIPT,
        PartOrigin.BEAT,
        PartOrigin.DIRECTION,
        PartOrigin.MANUSCRIPT,
    ]
    assert view.parts[0].text.startswith("<user>")
    assert view.left_out[0] == OmittedPart(PartOrigin.MANUSCRIPT, "", 500, Omission.TOO_OLD)
    assert view.is_exact
    assert (view.use.is_counted, view.use.context, view.use.left_out_chars) == (True, 400, 500)
    shares = {share.origin: share for share in view.use.shares}
    assert shares[PartOrigin.MANUSCRIPT].tokens == len(STORY[500:-600]) // 4 + 150
    assert sum(share.chars for share in view.use.shares) == view.chars


def test_what_was_not_composed_is_shown_all_the_same() -> None:
    nothing = compose(EMPTY, "")
    view = view_read(prompt(nothing, "", 9), viewed((PromptSource.FRONT, "A request.")))
    assert [(part.origin, part.text) for part in view.parts] == [(PartOrigin.MEMORY, "A request.")]


# ------------------------------------------------------------ what it costs
def test_the_cost_says_what_is_read_again_and_how_long_that_takes() -> None:
    use = space_of(composed(), STORY, 10_000)
    size = f"{use.words:,} words"
    assert cost_sentence(use, RestartReason.NOTHING, 0, has_run=False) == f"The model will read {size} first."
    changing = cost_sentence(use, RestartReason.NOTHING, use.used / 25, has_run=True)
    assert changing.endswith(f"reread {size} (about 25 s).")
    assert cost_sentence(use, RestartReason.FRONT, 0, has_run=True) == f"The model will reread {size} first."
    assert "author's note" in cost_sentence(use, RestartReason.DIRECTION, 0, has_run=True)
    assert "next beat" in cost_sentence(use, RestartReason.BEAT, 0, has_run=True)


def test_times_are_said_roughly() -> None:
    assert [duration_text(s) for s in (0.4, 25.4, 89, 90, 600)] == [
        "under a second",
        "about 25 s",
        "about 89 s",
        "about 2 min",
        "about 10 min",
    ]
