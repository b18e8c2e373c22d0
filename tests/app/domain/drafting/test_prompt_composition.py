"""What is put around the story."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.prompt_composition import (
    ABOUT,
    BREAK,
    NAMES,
    Budget,
    Omission,
    OmittedPart,
    PartOrigin,
    chars_per_token,
    compose,
    estimated_tokens,
    shortened,
)
from quire.domain.drafting.steering import EMPTY, AuthorsNote, LoreEntry, Memory, Steering
from quire.domain.drafting.story_so_far import ChapterSynopsis, synopsis_digest

MARA = LoreEntry(1, "Mara", "A ferrywoman.")
BELL = LoreEntry(2, "The bell", "It rings under water.", ("bell", "ringing"))
ORRIN = LoreEntry(3, "Orrin", "Orrin is sixty.", pinned=True)
STORY = "The bell was heard. Then Mara came."
STEERING = Steering(
    memory=Memory("October 1871."),
    direction=AuthorsNote("Keep the storm\noutside"),
    lorebook=(MARA, BELL, ORRIN),
    opening="It had rained since noon.",
).with_beat_lines(1, ["She misses the ferry"])

FRONT = f"""{ABOUT}

October 1871.

{NAMES}

Mara. A ferrywoman.

The bell. It rings under water.

Orrin is sixty.

{BREAK}It had rained since noon.

{BREAK}"""


def test_the_front_reads_like_the_front_of_a_book() -> None:
    composed = compose(STEERING, STORY, 1)
    assert composed.front_text == FRONT
    assert composed.note_text == "[She misses the ferry] [Keep the storm outside]"
    assert composed.left_out == ()
    assert [part.origin for part in composed.parts] == [
        PartOrigin.MEMORY,
        PartOrigin.LOREBOOK,
        PartOrigin.LOREBOOK,
        PartOrigin.LOREBOOK,
        PartOrigin.OPENING,
        PartOrigin.BEAT,
        PartOrigin.DIRECTION,
    ]


def test_without_anything_told_nothing_is_put_around_the_story() -> None:
    composed = compose(EMPTY, STORY, 1)
    assert (composed.front_text, composed.note_text, composed.parts) == ("", "", ())
    assert composed.steering_digest == ""


def test_what_the_story_does_not_call_is_left_out_and_what_is_pinned_is_not() -> None:
    composed = compose(STEERING, "Nobody came.", 1)
    assert "Orrin is sixty." in composed.front_text
    assert {(one.title, one.why) for one in composed.left_out} == {
        ("Mara", Omission.NOT_CALLED),
        ("The bell", Omission.NOT_CALLED),
    }


def test_keys_are_looked_for_in_the_newest_pages_only() -> None:
    story = STORY + " " + "Nobody came. " * 100
    assert "Mara" in compose(STEERING, story).front_text
    near = compose(STEERING, story, budget=Budget(recent=500))
    assert "Mara" not in near.front_text
    assert "Mara" not in compose(STEERING, STORY, budget=Budget(recent=0)).front_text


def test_what_is_switched_off_or_empty_is_not_told() -> None:
    steering = replace(STEERING, lorebook=(replace(MARA, on=False), replace(BELL, text="  ")))
    composed = compose(steering, STORY)
    assert NAMES not in composed.front_text
    assert [(one.title, one.why) for one in composed.left_out] == [("Mara", Omission.SWITCHED_OFF)]


def test_without_a_chapter_no_beat_is_told() -> None:
    assert compose(STEERING, STORY).note_text == "[Keep the storm outside]"
    assert compose(STEERING, STORY, 2).note_text == "[Keep the storm outside]"


def test_pinned_entries_come_before_called_ones_and_the_last_call_before_the_first() -> None:
    steering = Steering(lorebook=(MARA, BELL, ORRIN))
    whole = len(compose(steering, STORY).front_text)
    for room, left_out in ((whole, []), (whole - 1, ["The bell"]), (whole - 40, ["Mara", "The bell"])):
        composed = compose(steering, STORY, budget=Budget(front=room))
        assert sorted(one.title for one in composed.left_out if one.why is Omission.NO_ROOM) == left_out


def test_a_memory_that_is_too_long_is_cut_at_a_sentence_and_says_so() -> None:
    steering = Steering(memory=Memory("One is here. " * 50))
    composed = compose(steering, STORY, budget=Budget(front=200))
    assert composed.front_text.endswith(f"One is here.\n\n{BREAK}")
    (one,) = composed.left_out
    assert (one.origin, one.why) == (PartOrigin.MEMORY, Omission.SHORTENED)


def test_where_there_is_no_room_at_all_nothing_is_told() -> None:
    composed = compose(STEERING, STORY, 1, Budget(front=0, note=0))
    assert (composed.front_text, composed.note_text) == ("", "")
    assert OmittedPart(PartOrigin.MEMORY, "", 13, Omission.NO_ROOM) in composed.left_out
    assert {one.origin for one in composed.left_out} == {
        PartOrigin.MEMORY,
        PartOrigin.LOREBOOK,
        PartOrigin.OPENING,
        PartOrigin.BEAT,
        PartOrigin.DIRECTION,
    }


def test_the_digest_follows_what_is_told_and_the_steering_digest_what_was_set() -> None:
    here, there = compose(STEERING, STORY, 1), compose(STEERING, "Nobody came.", 1)
    assert here.digest == compose(STEERING, STORY, 1).digest
    assert here.digest != there.digest
    assert here.steering_digest == there.steering_digest == STEERING.digest


@pytest.mark.parametrize(
    ("text", "room", "kept"),
    [
        ("One. Two. Three.", 16, "One. Two. Three."),
        ("One. Two. Three.", 12, "One. Two."),
        ("One\n\nTwo three four", 12, "One\n\nTwo"),
        ("A paragraph here.\n\nTwo", 20, "A paragraph here."),
        ("Nowordends", 4, "Nowo"),
        ("One two", -3, ""),
    ],
)
def test_a_text_is_cut_where_a_reader_would_stop(text: str, room: int, kept: str) -> None:
    assert shortened(text, room) == kept


def test_a_budget_is_never_negative() -> None:
    with pytest.raises(ValueError, match="front must be 0 or more, got -1"):
        Budget(front=-1)
    small = Budget.for_context(256)
    assert small.front == 256
    assert Budget.for_context(0) == Budget(0, 0, 0, 0)


def test_tokens_are_estimated_by_the_script() -> None:
    assert estimated_tokens("word " * 80) == 100
    assert estimated_tokens("潮" * 100) == 90
    assert chars_per_token("short") == 4.0
    assert chars_per_token("潮" * 300) < 1.2


entries = st.builds(
    LoreEntry,
    st.integers(1, 10**6),
    st.text("Mab \n.", max_size=8),
    st.text("xyz Mab.\n", max_size=60),
    st.tuples(st.text("Mab", min_size=1, max_size=3)),
    st.booleans(),
    st.booleans(),
)
steerings = st.builds(
    lambda memory, direction, lorebook, opening, beats: Steering(
        memory=Memory(memory),
        direction=AuthorsNote(direction),
        lorebook=tuple({entry.entry_id: entry for entry in lorebook}.values()),
        opening=opening,
    ).with_beat_lines(1, beats),
    st.text(max_size=200),
    st.text(max_size=80),
    st.lists(entries, max_size=6),
    st.text(max_size=200),
    st.lists(st.text(max_size=30), max_size=3),
)


@given(
    steerings,
    st.text("Mab .\n", max_size=200),
    st.integers(0, 500),
    st.integers(0, 120),
    st.lists(st.builds(ChapterSynopsis, st.integers(1, 9), st.text(max_size=9), st.text(max_size=90),
                       st.none() | st.integers(0, 200), st.booleans(), st.booleans()), max_size=5),
)  # fmt: skip
def test_what_is_told_never_outgrows_its_budget(
    steering: Steering, story: str, front: int, note: int, chapters: list[ChapterSynopsis]
) -> None:
    budget = Budget(front, note, 50, 40)
    composed = compose(steering, story, 1, budget, chapters)
    assert len(composed.front_text) <= front
    assert len(composed.note_text) <= note
    assert "".join(part.text for part in composed.front_parts) == composed.front_text
    assert "".join(part.text for part in composed.note_parts) == composed.note_text
    assert composed == compose(steering, story, 1, budget, chapters)
    told = {part.title for part in composed.parts if part.origin is PartOrigin.LOREBOOK}
    given_up = [one for one in composed.left_out if one.origin is PartOrigin.LOREBOOK]
    with_text = [entry for entry in steering.lorebook if entry.text.strip()]
    assert len(given_up) + sum(p.origin is PartOrigin.LOREBOOK for p in composed.parts) == len(with_text)
    assert told <= {entry.name.strip() for entry in with_text}
    assert not composed.front_text or composed.front_text.endswith(BREAK)
    assert "\n" not in composed.note_text


# ---------------------------------------------------------------- the story so far
CHAPTERS = (
    ChapterSynopsis(11, "I", "Leo finds the ring in the mill. He tells nobody.", 900),
    ChapterSynopsis(12, "II", "He sells it to the miller’s wife. She knows whose it was.", 700),
    ChapterSynopsis(13, "III", "The miller drowns. Nobody is sorry.", 500),
    ChapterSynopsis(14, "IV", "Leo goes back. The ring is gone.", 300),
    ChapterSynopsis(15, "V", "He asks the wife.", 100),
    ChapterSynopsis(16, "VI", "She laughs at him.", None, is_drafted=True),
    ChapterSynopsis(17, "VII", "They marry.", None),
)
LONG = "x" * 1000


def test_chapters_out_of_view_are_told_the_newest_in_full_and_those_to_come_as_a_plan() -> None:
    composed = compose(EMPTY, LONG, 16, Budget(view=250), CHAPTERS)
    assert composed.front_text == (
        "The story so far\n\n"
        "I. Leo finds the ring in the mill.\n\n"
        "II. He sells it to the miller’s wife. She knows whose it was.\n\n"
        "III. The miller drowns. Nobody is sorry.\n\n"
        "IV. Leo goes back. The ring is gone.\n\n"
        "What is to come\n\n"
        "VI. She laughs at him.\n\n"
        "VII. They marry.\n\n"
        "* * *\n\n"
    )
    assert [node for node, _ in composed.synopses] == [11, 12, 13, 14, 16, 17]  # 15 is in view
    assert composed.synopses[0][1] == synopsis_digest("Leo finds the ring in the mill.  He tells nobody.")


def test_a_story_that_is_read_whole_is_not_told_again() -> None:
    assert "so far" not in compose(EMPTY, LONG, 16, Budget(view=334), CHAPTERS).front_text


def test_what_a_model_summed_up_of_the_drafted_chapter_is_no_plan() -> None:
    here = ChapterSynopsis(16, "VI", "She laughs at him.", None, is_drafted=True, is_models=True)
    assert compose(EMPTY, LONG, 16, Budget(), (here,)).front_text == ""


def test_the_newest_chapters_and_the_next_ones_have_priority_for_space() -> None:
    composed = compose(EMPTY, LONG, 16, Budget(front=150, view=250), CHAPTERS)
    told = [part.title for part in composed.front_parts]
    assert told == ["IV", "VI", "VII"]
    omitted = [(one.title, one.why) for one in composed.left_out]
    assert omitted == [(title, Omission.NO_ROOM) for title in ("I", "II", "III")]
    assert len(composed.front_text) <= 150
