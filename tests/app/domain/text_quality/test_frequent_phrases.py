"""Phrases of a book: all and only those that come often, whole, at their places."""

from __future__ import annotations

import csv
from io import StringIO

from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.text_quality.echo_report import Place
from quire.domain.text_quality.frequent_phrases import (
    LONGEST,
    MIN_TIMES,
    PhraseReport,
    frequent_phrases,
    phrases_csv,
)

ONCE = "Then he sat down. "
NOVELS = {"he sat down": 900.0, "out of the": 24.7}


def listed(*texts: str, novels: dict[str, float] | None = NOVELS) -> dict[str, int]:
    report = frequent_phrases(list(enumerate(texts, 1)), novels)
    return {phrase.text: phrase.count for phrase in report.phrases}


def test_a_phrase_is_counted_over_all_texts_and_shown_as_it_is_written_most_often() -> None:
    texts = ["Out of the blue, she said.", "OUT OF THE\nblue? Out of the blue."]
    report = frequent_phrases(list(enumerate(texts, 1)), NOVELS)
    (phrase,) = report.phrases
    assert (phrase.text, phrase.count) == ("Out of the blue", 3)
    assert phrase.places == (Place(1, 0, 15), Place(2, 0, 15), Place(2, 17, 32))
    assert report.num_words == 14
    assert phrase.rate == 3 / 14 * 100_000
    assert phrase.novels == 0.0


def test_nothing_reaches_over_a_mark_or_into_another_text() -> None:
    assert listed("one two. three " * 3) == {}
    assert listed("one two", "three", "one two", "three", "one two", "three") == {}
    assert listed("one two three. " * 3) == {"one two three": 3}


def test_apostrophes_of_both_kinds_are_one() -> None:
    assert listed("I don't know. I don’t know! I don’t know?") == {"I don’t know": 3}


def test_a_part_of_a_longer_phrase_is_listed_where_it_often_comes_alone() -> None:
    whole = "out of the blue sky. "
    assert listed(whole * 4) == {"out of the blue sky": 4}
    assert listed(whole * 4 + "of the blue. " * 2) == {"out of the blue sky": 4}
    assert listed(whole * 4 + "of the blue. " * 3) == {"out of the blue sky": 4, "of the blue": 7}


def test_what_novels_say_more_often_is_left_out() -> None:
    filler = " ".join(f"word{number}" for number in range(5_000))
    assert listed(f"{ONCE * 3}{filler}") == {"Then he sat down": 3}
    assert listed(f"{'He sat down. ' * 3}{filler}", novels={}) == {"He sat down": 3}
    assert listed(f"{'He sat down. ' * 3}{filler}") == {}
    assert listed(f"{'He sat down. ' * 3}{filler}", novels=None) == {"He sat down": 3}


def test_an_empty_book_has_no_phrases() -> None:
    assert frequent_phrases([], NOVELS) == PhraseReport()
    assert frequent_phrases([(1, " … ")], NOVELS) == PhraseReport()


words = st.lists(st.sampled_from(["a", "b", "c", "d", "."]), max_size=40)


@given(st.lists(words, max_size=3))
@settings(max_examples=60, deadline=None)
def test_every_phrase_is_at_its_places_and_every_frequent_one_is_in_the_list(texts: list[list[str]]) -> None:
    book = [(number, " ".join(text)) for number, text in enumerate(texts)]
    report = frequent_phrases(book, None)
    found = [phrase.text for phrase in report.phrases]
    assert len(set(found)) == len(found)
    for phrase in report.phrases:
        assert phrase.count == len(set(phrase.places)) >= MIN_TIMES
        assert all(dict(book)[p.document_id][p.start : p.end] == phrase.text for p in phrase.places)
    for length in range(3, LONGEST + 1):
        counts: dict[str, int] = {}
        for text in texts:
            for place in range(len(text) - length + 1):
                part = text[place : place + length]
                if "." not in part:
                    counts[" ".join(part)] = counts.get(" ".join(part), 0) + 1
        for name, count in counts.items():
            if count >= MIN_TIMES:
                assert any(name in one for one in found), (name, found)
                assert name not in found or count == report.phrases[found.index(name)].count


def test_the_csv_holds_every_place_and_no_formula() -> None:
    report = frequent_phrases([(1, "Up we go. " * 3)], NOVELS)
    rows = list(csv.reader(StringIO(phrases_csv(report, {1: "One"}))))
    assert rows[1] == ["Up we go", "3", "33333.3", "<0.5", "One: 0; One: 10; One: 20"]
