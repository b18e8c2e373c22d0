from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.text_quality.alarms import Alarm, AlarmKind, Severity, rewind_place
from quire.domain.text_quality.loops import WORDLESS_TOKENS
from quire.domain.text_quality.text_monitor import TextWatch
from quire.domain.text_quality.text_units import units_in
from quire_engine.metrics.distinct_n import HUMAN_DISTINCT_2
from quire_resources import SAMPLE_OPENING

HUMAN = ("Pride and Prejudice", "Bleak House", "The War of the Worlds")
CHAPTER = SAMPLE_OPENING.read_text(encoding="utf-8")


def corpus() -> Path:
    """Return the folder of human novels; it is no part of the repository."""
    root = Path(__file__).resolve().parents[3]
    places = [Path(os.environ.get("QUIRE_CORPUS", "no such folder"))]
    places += [folder / "shared" / "corpus" for folder in (root, root.parent)]
    found = next((place for place in places if (place / "MANIFEST.tsv").is_file()), None)
    if found is None:
        pytest.skip("the corpus of published novels is not here; QUIRE_CORPUS may name its folder")
    return found


def watched(pieces: Sequence[str], before: str = "") -> tuple[TextWatch, list[Alarm]]:
    watch = TextWatch(before)
    alarms = [alarm for piece in pieces for alarm in watch.add(piece)]
    return watch, [*alarms, *watch.finish()]


def kinds(text: str, before: str = "") -> list[AlarmKind]:
    return [alarm.kind for alarm in watched([text], before)[1]]


def prose(seed: int, num_words: int) -> str:
    """Words as uneven as those of a language, in sentences."""
    random = Random(seed)
    words = [f"w{int(random.paretovariate(0.25)) % 9_000}" for _ in range(num_words)]
    return "".join(word + (". " if number % 13 == 12 else " ") for number, word in enumerate(words))


def paragraph(num_words: int = 100) -> str:
    """A paragraph of so many words of the chapter."""
    words = CHAPTER[CHAPTER.index("In the last week") :].split()
    return " ".join(words[:num_words]) + ".\n\n"


def state(watch: TextWatch) -> object:
    echoes = watch.echoes
    return watch.readings, echoes.spans(), echoes.passages, echoes.worst(), watch.loops.loops


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A text of usual, repeated, looping and scattered parts."""
    text = ""
    for number in range(draw(st.integers(1, 4))):
        kind, seed, size = draw(st.integers(0, 3)), draw(st.integers(0, 99)), draw(st.integers(0, 900))
        if kind == 0:
            text += prose(seed, size)
        elif kind == 1:
            text += text[: 6 * size] + " "
        elif kind == 2:
            text += prose(seed, 1 + size % 20) * (size // 10)
        else:
            text += " ".join(f"s{number}x{place}" for place in range(3 * size)) + " "
    return text


@pytest.mark.slow
def test_human_books_raise_no_alarm() -> None:
    from tests.training.corpus import read_books

    books = {book.title: book.text for book in read_books(corpus()) if book.title in HUMAN}
    assert sorted(books) == sorted(HUMAN)
    for title, text in books.items():
        watch, alarms = watched([text])
        assert (title, alarms) == (title, [])
        values = [reading.window.of(2) or 0.0 for reading in watch.readings if reading.window]
        assert len(values) > 200
        assert HUMAN_DISTINCT_2[0] <= min(values) <= max(values) <= HUMAN_DISTINCT_2[1]


def test_a_chapter_raises_no_alarm() -> None:
    assert kinds(CHAPTER) == []


def test_a_looping_text_pauses_the_run_and_is_told_once() -> None:
    line = "“I do not know,” he said, and he looked at the river. "
    watch, alarms = watched([CHAPTER, *([line] * 400)])
    (alarm,) = alarms
    assert (alarm.kind, alarm.severity) == (AlarmKind.LOOP, Severity.PAUSE)
    assert alarm.sentence == "The last 3 passages are the same."
    text = watch.text.text
    assert text[alarm.start :].startswith("“I do not know")
    place = rewind_place(text, alarm.start)
    assert CHAPTER.rstrip().startswith(text[:place])
    assert len(CHAPTER) - place < 10


def test_a_scattered_text_is_told_once() -> None:
    scattered = " ".join(f"word{number}" for number in range(6_000))
    assert kinds(prose(1, 2_500)) == []
    watch, alarms = watched([prose(1, 2_500), scattered])
    assert [(alarm.kind, alarm.severity) for alarm in alarms] == [(AlarmKind.SCATTERED, Severity.AMBER)]
    assert alarms[0].end <= watch.text.num_chars


def test_a_text_of_few_words_is_of_low_variety() -> None:
    random = Random(3)
    text = " ".join(random.choice("abcdefghijklmnopqrstuv") for _ in range(6_000))
    assert kinds(text) == [AlarmKind.LOW_VARIETY]


@pytest.mark.parametrize("between", ["", "He went on.\n\n"])
def test_a_paragraph_pasted_three_times_is_found_and_pauses(between: str) -> None:
    text = CHAPTER + (paragraph() + between) * 3 + prose(2, 3_000)
    alarms = watched([text])[1]
    assert [alarm.kind for alarm in alarms] == [AlarmKind.COPIED_PASSAGE, AlarmKind.LOOP]
    assert [alarm.sentence for alarm in alarms][1] == "The last 3 passages are the same."


def test_a_paragraph_pasted_three_times_apart_is_found() -> None:
    scenes = CHAPTER.split("\n\n")
    third = len(scenes) // 3
    parts = ["\n\n".join(part) + "\n\n" for part in (scenes[:third], scenes[third:])]
    new = " ".join(f"n{number}" for number in range(100)) + ".\n\n"
    text = parts[0] + new + parts[1] + new + prose(4, 300) + new
    assert kinds(text) == [AlarmKind.COPIED_PASSAGE, AlarmKind.COPIED_PASSAGE]


def test_many_short_echoes_are_told_once() -> None:
    random = Random(5)
    phrases = [" ".join(f"p{number}q{place}" for place in range(15)) for number in range(12)]
    parts = [phrases[random.randrange(12)] + ", " + prose(number, 50) for number in range(120)]
    assert kinds("".join(parts)) == [AlarmKind.ECHOES]


@settings(deadline=None, max_examples=40)
@given(texts(), st.lists(st.integers(0, 20_000), max_size=8))
def test_pieces_say_the_same_as_the_whole_text(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    whole, said = watched([text])
    cut, said_of_pieces = watched([text[start:end] for start, end in pairwise(places)])
    assert state(cut) == state(whole)
    assert said_of_pieces == said


@settings(deadline=None, max_examples=40)
@given(texts(), st.floats(0, 1), st.floats(0, 1), texts())
def test_an_edit_gives_the_measures_of_the_edited_text(text: str, at: float, to: float, more: str) -> None:
    start, end = sorted((int(at * len(text)), int(to * len(text))))
    more = text[start : start + 300] + more
    watch, _ = watched([text])
    watch.replace(start, end, more)
    assert state(watch) == state(watched([text[:start] + more + text[end:]])[0])


@settings(deadline=None, max_examples=40)
@given(texts(), st.floats(0, 1), texts())
def test_what_follows_a_rewind_is_told_as_if_nothing_else_had_been_there(
    text: str, at: float, more: str
) -> None:
    kept = text[: int(at * len(text))]
    more = text[len(kept) : len(kept) + 600] + more
    watch = TextWatch()
    watch.add(text)
    watch.cut(len(kept))
    fresh = TextWatch()
    fresh.add(kept)
    assert watch.add(more) + watch.finish() == fresh.add(more) + fresh.finish()


def test_what_was_wrong_before_the_run_is_not_told() -> None:
    looping = CHAPTER + paragraph(30) * 5
    assert kinds(looping) == [AlarmKind.LOOP]
    assert kinds(paragraph(30) * 3, before=looping) == []
    assert kinds(prose(6, 3_000) + paragraph(30) * 5, before=looping) == [AlarmKind.LOOP]


def test_an_edit_by_the_writer_raises_no_alarm_and_the_draft_after_it_can() -> None:
    watch = TextWatch(CHAPTER)
    watch.replace(len(CHAPTER), len(CHAPTER), "Woe! " * 60)
    assert watch.add("Woe! " * 60) == ()
    assert [alarm.kind for alarm in watch.add(prose(7, 400) + paragraph(20) * 6)] == [AlarmKind.LOOP]


def test_a_run_without_words_pauses_once() -> None:
    watch = TextWatch(CHAPTER)
    num_words = 10
    assert watch.tokens(4, num_words) == ()
    said = [alarm for _ in range(2 * WORDLESS_TOKENS) for alarm in (*watch.add("*"), *watch.tokens(1, 10))]
    (alarm,) = said
    assert (alarm.kind, alarm.severity) == (AlarmKind.NO_WORDS, Severity.PAUSE)
    assert (alarm.start, alarm.end) == (len(CHAPTER), len(CHAPTER) + WORDLESS_TOKENS)
    watch.replace(len(CHAPTER), watch.text.num_chars, "")
    assert watch.tokens(WORDLESS_TOKENS, 10) == ()
    assert len(watch.tokens(WORDLESS_TOKENS, 10)) == 1


def test_the_units_are_those_of_the_text() -> None:
    watch, _ = watched([CHAPTER])
    assert list(watch.text.units) == [unit.text for unit in units_in(CHAPTER)]
