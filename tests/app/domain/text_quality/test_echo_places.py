"""Echoes in characters: spans with twins, the report of the worst ones."""

from __future__ import annotations

import csv
import itertools
from io import StringIO

from hypothesis import given
from hypothesis import strategies as st

from quire.domain.text_quality.echo_places import EchoedText, echo_report
from quire.domain.text_quality.echo_report import EchoLine, EchoReport, Place, echo_csv
from quire.domain.text_quality.overlays import SpanKind

REFRAIN = "The lamp went out on the far bank."
TEXT = f"{REFRAIN} Nobody sang; {REFRAIN} It rained all night! {REFRAIN}"
WORDS = st.lists(
    st.sampled_from(["the", "ferry", "crossed", "a", "black", "river", "while", "nobody", "sang", "."]),
    max_size=150,
)


def test_an_echo_has_the_words_that_it_repeats_as_its_twin() -> None:
    spans = EchoedText(TEXT).spans()
    echoes = [span for span in spans if span.kind is SpanKind.ECHO]
    assert [TEXT[span.start : span.end] for span in echoes] == [REFRAIN, REFRAIN]
    second, third = (TEXT.find(REFRAIN, 1), TEXT.rfind(REFRAIN))
    assert [span.start for span in echoes] == [second, third]
    assert [span.twin for span in echoes] == [(0, len(REFRAIN)), (second, second + len(REFRAIN))]


def test_what_comes_again_is_marked_too_and_knows_where() -> None:
    (first,) = [span for span in EchoedText(TEXT).spans() if span.kind is SpanKind.ECHOED]
    assert (first.start, first.end) == (0, len(REFRAIN))
    assert first.twin is not None
    assert TEXT[slice(*first.twin)] == REFRAIN
    assert first.twin[0] == TEXT.find(REFRAIN, 1)


@given(WORDS)
def test_spans_are_in_order_and_never_overlap(words: list[str]) -> None:
    text = " ".join(words)
    echoed = EchoedText(text)
    spans = echoed.spans()
    assert all(one.end <= other.start for one, other in itertools.pairwise(spans))
    for span in spans:
        assert 0 <= span.start < span.end <= len(text)
        assert span.twin is not None
        before = span.kind is SpanKind.ECHO
        assert (span.twin[0] < span.start) == before or span.start < span.twin[1]
    marked = {n for span in spans if span.kind is SpanKind.ECHO for n in range(span.start, span.end)}
    assert bool(marked) == bool(echoed.share)


def test_a_text_without_words_has_no_share_of_echoes() -> None:
    assert EchoedText("").share is None


def test_the_worst_echoes_are_reported_with_all_their_places() -> None:
    report = echo_report([(7, TEXT)])
    (line,) = report.lines
    assert line.text == REFRAIN
    assert line.count == 3
    assert line.num_units == 18  # nine words and marks, twice more
    assert [TEXT[place.start : place.end] for place in line.places] == [REFRAIN] * 3
    assert {place.document_id for place in line.places} == {7}
    assert report.share is not None
    assert 0 < report.share < 1


def test_echoes_across_texts_know_their_text() -> None:
    texts = [(3, f"{REFRAIN} One."), (4, ""), (9, f"Two. {REFRAIN}")]
    (line,) = echo_report(texts).lines
    assert line.places == (Place(3, 0, len(REFRAIN)), Place(9, 5, 5 + len(REFRAIN)))
    assert echo_report([]) == EchoReport(num_units=0)


def test_the_list_can_be_read_by_other_programs() -> None:
    line = EchoLine("=the, lamp", 6, (Place(3, 0, 9), Place(4, 12, 21)))
    rows = list(csv.reader(StringIO(echo_csv(EchoReport((line,), 0.1, 60), {3: "One", 4: "Two"}))))
    assert rows == [
        ["passage", "times", "repeated_units", "places"],
        ["'=the, lamp", "2", "6", "One: 0; Two: 12"],
    ]
