"""What the writer tells the model, as data."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.steering import (
    EMPTY,
    MAX_VERSIONS,
    QUIET,
    AuthorsNote,
    Beat,
    LoreEntry,
    Memory,
    RestartReason,
    Start,
    Steering,
    UsedDirection,
    restart_reason,
)
from quire.domain.drafting.story_so_far import BookSynopsis, ChapterSynopsis, synopses_decided
from quire_engine.api.config import SamplingConfig

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MARA = LoreEntry(1, "Mara", "A ferrywoman.")


def begun(steering: Steering, run_id: int = 5, document_id: int = 1) -> Steering:
    return steering.begun(Start(run_id, "note", "front"), document_id, NOON)


# ------------------------------------------------------------ memory
def test_typing_on_keeps_no_version_of_every_key() -> None:
    memory = Memory()
    for number, text in enumerate(("M", "Ma", "Mar", "Mara")):
        memory = memory.edited(text, NOON + timedelta(seconds=number))
    assert (memory.text, memory.earlier) == ("Mara", ())


@pytest.mark.parametrize(
    ("key", "story"),
    [
        ("Zoë", "Then Zoe\u0308 left."),
        ("Zoe\u0308", "Then ZOË left."),
        ("O'Neill", "Then O’Neill left."),
        ("Mary-Ann", "Then Mary\u2011Ann left."),
        ("the old mill", "At the\u00a0old mill."),
        ("Lighthouse", "The light\u00adhouse."),
        ("小明", "昨天小明走了。"),
        ("さくら", "それからさくらは言った。"),
        ("สมชาย", "แล้วสมชายก็ไป"),
        ("Mara", "然后Mara走了。"),
    ],
)
def test_a_key_is_found_as_a_reader_finds_it(key: str, story: str) -> None:
    assert LoreEntry(1, keys=(key,), text="x").place_in(story) >= 0


@pytest.mark.parametrize(("key", "story"), [("Ann", "Then Anna left."), ("cafe", "A cafe\u0301."), ("", "x")])
def test_a_key_is_not_found_within_another_word(key: str, story: str) -> None:
    assert LoreEntry(1, keys=(key,), text="x").place_in(story) == -1


def test_what_stood_for_a_while_becomes_a_version() -> None:
    memory = Memory().edited("Mara lives.", NOON).edited("Mara dies.", NOON + QUIET)
    assert [version.text for version in memory.earlier] == ["Mara lives."]
    assert memory.earlier[0].when == NOON + QUIET


def test_what_a_run_began_with_becomes_a_version_at_once() -> None:
    steering = begun(Steering(memory=Memory().edited("Mara lives.", NOON)))
    memory = steering.memory.edited("Mara dies.", NOON + timedelta(seconds=1))
    assert [version.text for version in memory.earlier] == ["Mara lives."]
    assert not memory.was_read


def test_an_empty_text_is_no_version_and_the_same_text_no_change() -> None:
    memory = Memory().edited("Mara", NOON)
    assert memory.edited("Mara", NOON + QUIET) is memory
    emptied = memory.edited("", NOON + QUIET)
    assert emptied.edited("New", NOON + 2 * QUIET).earlier == emptied.earlier


def test_versions_are_bounded_and_the_newest_come_first() -> None:
    memory = Memory()
    for number in range(MAX_VERSIONS + 10):
        memory = memory.edited(f"text {number}", NOON + number * QUIET)
    assert len(memory.earlier) == MAX_VERSIONS
    assert memory.earlier[0].text == f"text {MAX_VERSIONS + 8}"


# ------------------------------------------------------------ the author's note
def test_a_note_stays_and_is_listed_with_each_run_that_began_with_it() -> None:
    note = AuthorsNote(" Keep the storm outside ", depth=2).taken_by(7, NOON).taken_by(8, NOON)
    assert note.text == " Keep the storm outside "
    assert [(one.text, one.run_id, one.depth) for one in note.used] == [
        ("Keep the storm outside", 8, 2),
        ("Keep the storm outside", 7, 2),
    ]


def test_a_run_that_never_began_used_none() -> None:
    note = AuthorsNote("Storm").taken_by(7, NOON)
    assert note.given_back(7) == AuthorsNote("Storm")
    assert note.given_back(8) == note


def test_no_note_is_never_used() -> None:
    assert AuthorsNote("  ").taken_by(7, NOON).used == ()


@pytest.mark.parametrize(
    ("change", "has_changed"),
    [
        ({}, False),
        ({"text": "Storm "}, False),
        ({"text": "Calm"}, True),
        ({"text": ""}, True),
        ({"depth": 3}, True),
    ],
)
def test_a_note_with_other_words_or_elsewhere_has_changed(change: dict[str, Any], has_changed: bool) -> None:
    note = AuthorsNote("Storm", depth=1).taken_by(7, NOON)
    assert replace(note, **change).has_changed_since(7) is has_changed
    assert note.has_changed_since(6)  # which began without
    assert not AuthorsNote().has_changed_since(6)


def test_a_note_of_an_older_version_was_for_one_run() -> None:
    used_up = AuthorsNote("", (UsedDirection("Storm", 7, NOON),))
    assert not used_up.has_changed_since(7)
    assert replace(used_up, text="Calm").has_changed_since(7)


# ------------------------------------------------------------ the lorebook
@pytest.mark.parametrize(
    ("key", "text", "place"),
    [
        ("Mara", "Then mara came.", 5),
        ("Mara", "Marathon", -1),
        ("Mara", "Mara, and Mara", 10),
        ("the bell", "THE BELL rang", 0),
        ("d'Arc", "Jeanne d'Arc.", 7),
        ("C++", "in C++ only", 3),
        ("  ", "any text", -1),
    ],
)
def test_a_key_is_found_as_a_whole_word_in_any_case(key: str, text: str, place: int) -> None:
    assert LoreEntry(1, "x", "y", (key,)).place_in(text) == place


def test_a_name_calls_an_entry_without_keys() -> None:
    assert MARA.place_in("And Mara came.") == 4
    assert replace(MARA, keys=("ferry",)).place_in("And Mara came.") == -1


def test_entries_are_added_changed_and_removed_by_number() -> None:
    steering = EMPTY.with_entry(MARA).with_entry(LoreEntry(2, "Bell"))
    assert steering.next_entry_id == 3
    steering = steering.with_entry(replace(MARA, pinned=True))
    assert [entry.pinned for entry in steering.lorebook] == [True, False]
    assert [entry.entry_id for entry in steering.without_entry(1).lorebook] == [2]


# ------------------------------------------------------------ beats
def test_each_run_is_told_the_next_beat_of_its_chapter() -> None:
    steering = EMPTY.with_beat_lines(1, ["She waits", "He comes"]).with_beat_lines(2, ["Rain"])
    steering = begun(steering, 5)
    assert steering.beats_of(1) == (Beat("She waits", 5), Beat("He comes"))
    assert steering.beats_of(2) == (Beat("Rain"),)
    assert steering.next_beat(1) == Beat("He comes")
    steering = begun(steering, 6)
    assert steering.next_beat(1) is None
    assert steering.given_back(6).next_beat(1) == Beat("He comes")


def test_beats_that_were_told_stay_told_when_the_list_is_edited() -> None:
    steering = begun(EMPTY.with_beat_lines(1, ["She waits", "He comes"]))
    steering = steering.with_beat_lines(1, ["Fog", "She waits", " He comes ", ""])
    assert steering.beats_of(1) == (Beat("Fog"), Beat("She waits", 5), Beat("He comes"))


def test_a_chapter_without_beats_is_not_kept() -> None:
    assert EMPTY.with_beat_lines(1, ["Rain"]).with_beat_lines(1, []) == EMPTY


# ------------------------------------------------------------ going on, or not
def told(**changes: object) -> Steering:
    return replace(Steering(memory=Memory("Mara"), lorebook=(MARA,)), **changes)  # type: ignore[arg-type]


def test_nothing_told_has_no_digest() -> None:
    assert EMPTY.digest == ""
    assert Steering(direction=AuthorsNote("Storm"), memory=Memory("  \n")).digest == ""


def test_what_does_not_change_the_front_does_not_change_its_digest() -> None:
    same = (
        told(memory=Memory(" Mara ", NOON)),
        told(direction=AuthorsNote("Storm")),
        begun(told()),
        told(lorebook=(MARA, LoreEntry(9, "Off", "text", on=False))),
    )
    assert {steering.digest for steering in same} == {told().digest}


def test_what_changes_the_front_changes_its_digest() -> None:
    others = (
        told(memory=Memory("Mara!")),
        told(opening="It rained."),
        told(lorebook=()),
        told(lorebook=(replace(MARA, text="A ferryman."),)),
        told(lorebook=(replace(MARA, keys=("ferry",)),)),
        told(lorebook=(replace(MARA, pinned=True),)),
        told(lorebook=(replace(MARA, on=False),)),
        told(chat=True),
    )
    digests = {steering.digest for steering in others}
    assert told().digest not in digests
    assert len(digests) == len(others) - 1  # without Mara or with Mara switched off is the same to the model


def test_a_run_goes_on_only_with_what_it_began_with() -> None:
    steering = told()
    assert restart_reason(steering, steering.digest, 7, 1, has_finished=True) is RestartReason.NOTHING
    assert restart_reason(steering, "", 7, 1, has_finished=False) is RestartReason.FRONT
    assert restart_reason(EMPTY, "", 7, 1, has_finished=True) is RestartReason.NOTHING
    directed = told(direction=AuthorsNote("Storm"))
    assert restart_reason(directed, steering.digest, 7, 1, has_finished=False) is RestartReason.DIRECTION
    begun_with = begun(directed, 7)
    assert restart_reason(begun_with, steering.digest, 7, 1, has_finished=False) is RestartReason.NOTHING


def test_a_changed_synopsis_ends_a_run_that_was_told_of_it() -> None:
    told_of = (
        ChapterSynopsis(3, "I", "She waits.", 900),
        ChapterSynopsis(4, "II", "", 800),
        ChapterSynopsis(5, "III", "He comes.", 10),
        ChapterSynopsis(6, "IV", "", None, is_drafted=True),
        ChapterSynopsis(7, "V", "They meet.", None),
    )
    began: tuple[tuple[int, str], ...] | None = synopses_decided(told_of, 100, 1000)

    def why(**changed: BookSynopsis) -> RestartReason:
        now = {one.node_id: BookSynopsis(one.synopsis) for one in told_of}
        now.update({int(name[1:]): synopsis for name, synopsis in changed.items()})
        steering = replace(EMPTY, starts=(Start(7, synopses=began),))
        return restart_reason(steering, "", 7, 1, now, has_finished=False)

    same, other = RestartReason.NOTHING, RestartReason.SYNOPSIS
    assert why() is same
    assert why(n3=BookSynopsis("He waits.")) is other
    assert why(n3=BookSynopsis("She  waits.\n")) is same
    assert why(n4=BookSynopsis("Summed up.", is_models=True)) is other  # out of view, and told from now on
    assert why(n5=BookSynopsis("He goes.")) is same  # still in view
    assert why(n6=BookSynopsis("The ferry sinks.")) is other  # a plan for what is being written
    assert why(n6=BookSynopsis("Summed up.", is_models=True)) is same  # no plan
    assert why(n7=BookSynopsis("")) is other
    assert why(n8=BookSynopsis("A new chapter.")) is same
    began = None
    assert why(n3=BookSynopsis("He waits.")) is same  # a run of a version that told none


def test_a_beat_waits_for_the_end_of_the_run_before_it() -> None:
    steering = EMPTY.with_beat_lines(1, ["She waits"])
    assert restart_reason(steering, "", 7, 1, has_finished=False) is RestartReason.NOTHING
    assert restart_reason(steering, "", 7, 1, has_finished=True) is RestartReason.BEAT
    assert restart_reason(steering, "", 7, 2, has_finished=True) is RestartReason.NOTHING


def test_every_reason_is_a_sentence() -> None:
    assert all(why.sentence.endswith(".") for why in RestartReason if why is not RestartReason.NOTHING)


def test_a_run_that_takes_the_place_of_one_replaces_what_that_began_with() -> None:
    steering = begun(begun(EMPTY), 5).begun(Start(6), 1, NOON)
    assert [start.run_id for start in steering.starts] == [6, 5]
    assert steering.given_back(6).starts == steering.starts[1:]
    assert steering.starts[1] == Start(5, "note", "front")


@given(st.lists(st.text(min_size=1).filter(str.strip), max_size=6), st.integers(0, 6))
def test_beginning_and_giving_back_leaves_every_beat_as_it_was(lines: list[str], num_begun: int) -> None:
    steering = EMPTY.with_beat_lines(1, lines)
    for run_id in range(1, num_begun + 1):
        steering = begun(steering, run_id)
    assert begun(steering, 50).given_back(50).chapters == steering.chapters


# ---------------------------------------------------------------- words to avoid
def test_what_is_banned_is_what_the_lines_say_in_an_order_of_its_own() -> None:
    typed = replace(EMPTY, avoided="suddenly\n\n  a  testament to \r\nsuddenly\n \n")
    assert typed.banned == ("a testament to", "suddenly")
    assert replace(EMPTY, avoided="a testament to\nsuddenly").banned == typed.banned
    assert EMPTY.banned == ()
    assert typed.digest == ""  # nothing of it stands in front of the story


@given(st.text(max_size=300), st.integers(0, 300))
def test_whatever_is_typed_can_be_banned(text: str, number: int) -> None:
    lines = "\n".join([text, "x" * 101, *(f"word {count}" for count in range(number))])
    banned = replace(EMPTY, avoided=lines).banned
    assert SamplingConfig(banned=banned).banned == banned
    assert len(banned) >= min(number, 200)
