from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.manuscript.provenance import Origin, Provenance, Span, by_author, change_between
from quire_engine.metrics.word_count import count_words, parts_words

Kind = tuple[Origin, int]

WRITTEN: Kind = (Origin.WRITTEN, 0)
PASTED: Kind = (Origin.PASTED, 0)
DRAFTED: Kind = (Origin.DRAFTED, 1)
EDITED: Kind = (Origin.EDITED, 1)

KINDS = st.sampled_from([WRITTEN, PASTED, DRAFTED, EDITED, (Origin.DRAFTED, 2), (Origin.EDITED, 2)])
TYPED = st.sampled_from([Origin.WRITTEN, Origin.PASTED])
TEXTS = st.text(alphabet="ab “”.—–_\n\u3000é😀", max_size=40)


def kinds_of(provenance: Provenance) -> list[Kind]:
    return [span.kind for span in provenance.spans for _ in range(span.length)]


def provenance_of(kinds: list[Kind]) -> Provenance:
    whole = Provenance()
    for origin, run_id in kinds:
        whole = whole.grown(1, origin, run_id)
    return whole


@dataclass(frozen=True)
class Case:
    text: str
    kinds: list[Kind]

    @property
    def provenance(self) -> Provenance:
        return provenance_of(self.kinds)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A text of a few spans."""
    text, kinds = "", list[Kind]()
    for piece, kind in draw(st.lists(st.tuples(TEXTS, KINDS), max_size=6)):
        text += piece
        kinds += [kind] * len(piece)
    return Case(text, kinds)


def replaced_one_by_one(kinds: list[Kind], start: int, end: int, inserted: int, origin: Origin) -> list[Kind]:
    """The rule, as a list of characters."""
    before = kinds[start - 1][1] if start > 0 else 0
    behind = kinds[end][1] if end < len(kinds) else 0
    gone = {run_id for _, run_id in kinds[start:end]}
    new: Kind = (origin, 0)
    if origin is Origin.WRITTEN:
        for run_id in (1, 2):
            if before == behind == run_id or (gone == {run_id} and run_id in (before, behind)):
                new = (Origin.EDITED, run_id)
    return kinds[:start] + [new] * inserted + kinds[end:]


@given(st.lists(KINDS, max_size=30))
def test_neighbours_differ_and_every_character_keeps_its_kind(kinds: list[Kind]) -> None:
    whole = provenance_of(kinds)
    assert kinds_of(whole) == kinds
    assert whole.num_chars == len(kinds)
    assert all(one.kind != other.kind for one, other in pairwise(whole.spans))
    assert [whole.kind_at(place) for place in range(len(kinds))] == kinds
    for nowhere in (-1, len(kinds)):
        assert whole.kind_at(nowhere) is None
    assert Provenance(tuple(Span(1, *kind) for kind in kinds)) == whole


@given(st.lists(KINDS, max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_parts_add_up_to_the_whole(kinds: list[Kind], one: int, other: int) -> None:
    start, end = sorted((min(one, len(kinds)), min(other, len(kinds))))
    whole = provenance_of(kinds)
    assert kinds_of(whole.part(start, end)) == kinds[start:end]
    assert whole.part(0, start) + whole.part(start, end) + whole.part(end, len(kinds)) == whole


@given(st.lists(KINDS, max_size=20), st.data(), st.integers(0, 5), TYPED)
def test_a_change_equals_the_model_of_single_characters(
    kinds: list[Kind], data: st.DataObject, inserted: int, origin: Origin
) -> None:
    start = data.draw(st.integers(0, len(kinds)))
    end = data.draw(st.integers(start, len(kinds)))
    changed = provenance_of(kinds).replaced(start, end - start, inserted, origin)
    assert kinds_of(changed) == replaced_one_by_one(kinds, start, end, inserted, origin)


@given(cases(), st.data(), TEXTS, TYPED)
def test_an_edit_covers_the_new_text_and_leaves_the_rest_alone(
    case: Case, data: st.DataObject, new: str, origin: Origin
) -> None:
    start = data.draw(st.integers(0, len(case.text)))
    end = data.draw(st.integers(start, len(case.text)))
    after = case.text[:start] + new + case.text[end:]
    changed = case.provenance.edited(case.text, after, origin)
    assert changed.num_chars == len(after)
    place, removed, inserted = change_between(case.text, after)
    assert kinds_of(changed)[:place] == case.kinds[:place]
    assert kinds_of(changed)[place + inserted :] == case.kinds[place + removed :]
    assert inserted <= len(new)


@given(TEXTS, TEXTS)
def test_a_change_makes_one_text_of_the_other_and_is_as_short_as_it_can_be(before: str, after: str) -> None:
    start, removed, inserted = change_between(before, after)
    new = after[start : start + inserted]
    assert before[:start] + new + before[start + removed :] == after
    if removed and inserted:
        assert before[start] != after[start]
        assert before[start + removed - 1] != after[start + inserted - 1]
    assert (start, removed, inserted) == (len(before), 0, 0) or before != after


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("aaaa", "aaaaa", (4, 0, 1)),
        ("aaaa", "aaa", (3, 1, 0)),
        ("abab", "ababab", (4, 0, 2)),
        ("", "ab", (0, 0, 2)),
        ("ab", "", (0, 2, 0)),
        ("the cat sat", "the dog sat", (4, 3, 3)),
    ],
)
def test_where_a_change_lies(before: str, after: str, change: tuple[int, int, int]) -> None:
    assert change_between(before, after) == change


def test_a_word_typed_inside_a_draft_edits_it_and_a_pasted_one_does_not() -> None:
    draft = Provenance.of(10, Origin.DRAFTED, 1)
    assert kinds_of(draft.replaced(5, 0, 2, Origin.WRITTEN)) == [DRAFTED] * 5 + [EDITED] * 2 + [DRAFTED] * 5
    assert kinds_of(draft.replaced(5, 0, 2, Origin.PASTED)) == [DRAFTED] * 5 + [PASTED] * 2 + [DRAFTED] * 5


@pytest.mark.parametrize(
    ("before", "after", "written"),
    [
        ("the grey sea", "the cold grey sea", 1),
        ("the grey sea", "the grey, cold and loud sea", 3),
        ("the grey sea", "the greyer sea", 0),
        ("the grey sea", "the blue sea", 0),
        ("the grey sea", "a word the grey sea", 2),
    ],
)
def test_whole_words_put_into_a_draft_are_the_writers_own(before: str, after: str, written: int) -> None:
    whole = Provenance.of(len(before), Origin.DRAFTED, 1)
    text = before
    place, _, inserted = change_between(before, after)
    steps = [after[: place + n] + before[place:] for n in range(1, inserted)] if written else []
    for step in (*steps, after):  # as it is stored while it is typed, letter by letter
        whole, text = whole.edited(text, step), step
    assert by_author(whole.counts(after))[0] == written


def test_what_is_typed_into_an_edit_belongs_to_it() -> None:
    edited = Provenance.of(4, Origin.EDITED, 1)
    assert edited.replaced(2, 0, 1, Origin.WRITTEN) == Provenance.of(5, Origin.EDITED, 1)


@pytest.mark.parametrize("place", [0, 10])
def test_what_is_typed_before_or_behind_a_draft_is_the_writers(place: int) -> None:
    draft = Provenance.of(10, Origin.DRAFTED, 1)
    assert draft.replaced(place, 0, 2, Origin.WRITTEN).kind_at(place) == WRITTEN


def test_between_two_runs_it_is_the_writers() -> None:
    runs = Provenance.of(3, Origin.DRAFTED, 1).grown(3, Origin.DRAFTED, 2)
    assert runs.replaced(3, 0, 1, Origin.WRITTEN).kind_at(3) == WRITTEN
    assert runs.replaced(2, 2, 1, Origin.WRITTEN).kind_at(2) == WRITTEN


def test_the_last_words_of_a_draft_are_edited_and_a_whole_draft_is_replaced() -> None:
    draft = Provenance.of(5, Origin.WRITTEN).grown(10, Origin.DRAFTED, 1)
    assert draft.replaced(12, 3, 4, Origin.WRITTEN).kind_at(12) == EDITED
    assert draft.replaced(5, 2, 4, Origin.WRITTEN).kind_at(5) == EDITED
    assert draft.replaced(5, 10, 4, Origin.WRITTEN) == Provenance.of(9, Origin.WRITTEN)


@given(cases())
def test_words_are_counted_by_the_origin_that_they_begin_in(case: Case) -> None:
    expected = dict.fromkeys(Origin, 0)
    begun = 0
    for place in range(1, len(case.text) + 1):
        if parts_words(case.text, place):
            if count_words(case.text[begun:place]):
                expected[case.kinds[begun][0]] += 1
            begun = place
    counts = case.provenance.counts(case.text)
    assert counts == expected
    assert sum(counts.values()) == sum(by_author(counts)) == count_words(case.text)


def test_pasted_words_are_the_writers_and_edited_ones_are_drafted() -> None:
    text = "one two three four five"
    whole = Provenance()
    kinds = (WRITTEN, PASTED, DRAFTED, EDITED, (Origin.REWRITTEN, 0))
    for (origin, run_id), length in zip(kinds, (4, 4, 6, 5, 4), strict=True):
        whole = whole.grown(length, origin, run_id)
    assert whole.counts(text) == dict.fromkeys(Origin, 1)
    assert by_author(whole.counts(text)) == (2, 3)


def test_a_word_that_is_half_drafted_counts_once() -> None:
    whole = Provenance.of(2, Origin.WRITTEN).grown(4, Origin.DRAFTED, 1)
    assert by_author(whole.counts("harbou")) == (1, 0)


def test_what_does_not_fit_is_refused() -> None:
    whole = Provenance.of(4, Origin.WRITTEN)
    with pytest.raises(ValueError, match="4 of known origin"):
        whole.counts("abc")
    with pytest.raises(ValueError, match="4 of known origin"):
        whole.edited("abc", "abcd")
    with pytest.raises(ValueError, match="2 characters from 3 of 4"):
        whole.replaced(3, 2, 0, Origin.WRITTEN)
    with pytest.raises(ValueError, match="written text of run 1"):
        Span(1, Origin.WRITTEN, 1)
    with pytest.raises(ValueError, match="drafted text of run 0"):
        Span(1, Origin.DRAFTED)
    with pytest.raises(ValueError, match="0 characters"):
        Span(0, Origin.WRITTEN)
