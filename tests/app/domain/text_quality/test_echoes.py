from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.text_quality.echoes import COPIED_UNITS, ECHO_REACH, Echoes, EchoSpan, Passage
from quire.domain.text_quality.ngrams import NgramIndex


def new_units(count: int, name: str = "w") -> list[str]:
    return [f"{name}{number}" for number in range(count)]


@st.composite
def texts(draw: st.DrawFn) -> list[str]:
    """A text that copies parts of itself, now and then from further away than counts."""
    units = new_units(draw(st.integers(0, 30)))
    for number in range(draw(st.integers(0, 6))):
        units += new_units(draw(st.sampled_from([0, 1, 3, 1990])), f"n{number}-")
        if units:
            start = draw(st.integers(0, len(units) - 1))
            units += units[start : start + draw(st.integers(1, 120))]
        units += draw(st.lists(st.sampled_from("ab"), max_size=30))
    return units


def twins_by_hand(units: list[str]) -> dict[int, int]:
    """Return for each position that echoes where the last such 6-gram begins."""
    seen, twins = dict[tuple[str, ...], int](), dict[int, int]()
    for start in range(len(units) - 5):
        ngram = tuple(units[start : start + 6])
        if ngram in seen and start - seen[ngram] <= ECHO_REACH:
            twins[start] = seen[ngram]
        seen[ngram] = start
    return twins


def runs_by_hand(twins: dict[int, int]) -> list[tuple[int, int]]:
    """Return the first and last of positions that echo one after another."""
    runs = list[tuple[int, int]]()
    for position in sorted(twins):
        if runs and runs[-1][1] == position - 1:
            runs[-1] = (runs[-1][0], position)
        else:
            runs.append((position, position))
    return runs


def read(units: list[str], sizes: list[int] | None = None) -> Echoes:
    index = NgramIndex()
    echoes, start = Echoes(index), 0
    for size in [*(sizes or []), len(units)]:
        index.add_all(units[start : start + size])
        start += size
        echoes.update()
    return echoes


def state(echoes: Echoes) -> object:
    return echoes.spans(), echoes.passages, echoes.worst(), echoes.longest_copied(), echoes.whole_share()


@settings(deadline=None)
@given(texts())
def test_spans_hold_every_echo_and_nothing_else(units: list[str]) -> None:
    twins, spans = twins_by_hand(units), read(units).spans()
    found = {
        position: span.twin + position - span.start
        for span in spans
        for position in range(span.start, span.end - 5)
    }
    assert found == twins
    assert all(units[s.start : s.end] == units[s.twin : s.twin_end] for s in spans)
    # as long as can be: what follows at once repeats another place
    for one, other in pairwise(spans):
        assert one.end - 5 < other.start or one.start - one.twin != other.start - other.twin
        assert one.end - 5 <= other.start


@settings(deadline=None)
@given(texts(), st.lists(st.integers(0, 300), max_size=5))
def test_copied_passages_are_the_longest_runs(units: list[str], sizes: list[int]) -> None:
    runs = runs_by_hand(twins_by_hand(units))
    echoes = read(units, sizes)
    assert echoes.longest_copied() == max((last - first + 6 for first, last in runs), default=0)
    assert echoes.passages == [
        Passage(first, last + 6, first + COPIED_UNITS)
        for first, last in runs
        if last - first + 6 >= COPIED_UNITS
    ]


@settings(deadline=None)
@given(texts(), st.integers(1, 100))
def test_the_share_of_a_window_counts_its_positions(units: list[str], window: int) -> None:
    echoes, twins = read(units), twins_by_hand(units)
    for num_units in {window - 1, window, len(units)}:
        if num_units > len(units) or num_units < window:
            continue
        inside = [at for at in twins if num_units - window <= at <= num_units - 6]
        assert echoes.share(num_units, window) == len(inside) / window
    assert echoes.share(window - 1, window) is None
    assert echoes.whole_share() == (len(twins) / len(units) if units else None)


@settings(deadline=None)
@given(texts(), st.lists(st.integers(0, 300), max_size=5))
def test_pieces_give_the_same_as_the_whole(units: list[str], sizes: list[int]) -> None:
    assert state(read(units, sizes)) == state(read(units))


@settings(deadline=None)
@given(texts(), st.floats(0, 1), st.sampled_from([0, 1, 90]), texts())
def test_an_edit_gives_the_same_as_the_edited_text(
    units: list[str], at: float, again: int, more: list[str]
) -> None:
    kept = int(at * len(units))
    more = units[kept : kept + again] + more
    index = NgramIndex()
    echoes = Echoes(index)
    index.add_all(units)
    echoes.update()
    index.cut(kept)
    echoes.cut(kept)
    assert state(echoes) == state(read(units[:kept]))
    index.add_all(more)
    echoes.update()
    assert state(echoes) == state(read(units[:kept] + more))


@settings(deadline=None)
@given(texts(), st.integers(0, 400), st.integers(0, 400))
def test_spans_of_a_part_are_those_that_show_in_it(units: list[str], start: int, end: int) -> None:
    echoes = read(units)
    shown = echoes.spans(start, max(start, end))
    assert shown == [s for s in echoes.spans() if s.end > start and s.start < max(start, end)]


def test_a_twin_counts_up_to_two_thousand_units_back() -> None:
    phrase = new_units(6, "p")
    near, far = new_units(ECHO_REACH - 6, "x"), new_units(ECHO_REACH - 5, "x")
    assert read(phrase + near + phrase).spans() == [EchoSpan(2000, 2006, 0)]
    assert read(phrase + far + phrase).spans() == []


def test_the_worst_echoes_stand_first_and_repeats_of_repeats_are_counted_together() -> None:
    short, long = new_units(6, "s"), new_units(30, "l")
    units = [*short, "1", *long, "2", *short, "3", *short, "4", *long, "5", *short]
    first, second = read(units).worst()
    assert (first.first, first.count, first.num_units) == ((7, 37), 2, 30)
    assert (second.first, second.count, second.num_units) == ((0, 6), 4, 18)
    assert [units[span.start : span.end] for span in second.spans] == [short] * 3
    assert read(units).worst(most=1) == [first]


@settings(deadline=None)
@given(texts(), st.data())
def test_the_share_of_a_part_counts_echoes_that_begin_in_it(units: list[str], data: st.DataObject) -> None:
    start, end = sorted((data.draw(st.integers(0, len(units))), data.draw(st.integers(0, len(units)))))
    inside = sum(start <= position < end for position in twins_by_hand(units))
    assert read(units).share_between(start, end) == (inside / (end - start) if end > start else 0.0)


def test_what_a_random_draft_says_does_not_depend_on_its_length_before() -> None:
    random = Random(7)
    units = [str(random.randrange(50)) for _ in range(5000)]
    assert read(units).share(3000) == read(units[:3000]).share(3000)
