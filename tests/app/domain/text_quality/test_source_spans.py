"""Who wrote each stretch of a text, and who guessed what was drafted of it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin, Provenance, Span
from quire.domain.text_quality.overlays import KINDS, Overlay, OverlaySpan, SpanKind, joined_spans
from quire.domain.text_quality.source_spans import (
    Pass,
    RunPasses,
    guess_spans,
    own_stretches,
    pass_stretches,
    passes_of,
    runs_in,
    source_spans,
)
from quire_engine.api.config import SOURCES

MODEL, GUESSER, PHRASES = SpanKind.MODEL, SpanKind.GUESSER, SpanKind.PHRASES
WORDS = ("the", "ferry", "crossed", "a", "black", "river", "while", "nobody", "sang")
STEPS = (
    Pass(3, 1, ("heads", "ngrams"), (4, 6, 3)),  # "The| ferry| ca"
    Pass(1, 2, (), (2,)),  # "me"
    Pass(2, 3, ("ngrams",), (5, 1)),  # " home|."
)
RUN = RunPasses("The ferry came home.", STEPS)


def shown(text: str, spans: Sequence[OverlaySpan]) -> list[tuple[str, SpanKind]]:
    return [(text[span.start : span.end], span.kind) for span in spans]


@st.composite
def written_runs(draw: st.DrawFn) -> RunPasses:
    """A run of word pieces, with the sources of what was kept."""
    text, passes, words = "", list[Pass](), 0
    for _ in range(draw(st.integers(1, 40))):
        pieces = [
            draw(st.sampled_from(["", " ", "\n"])) + draw(st.sampled_from(WORDS))
            for _ in range(draw(st.integers(1, 5)))
        ]
        text += "".join(pieces)
        words = max(len(text.split()) - 1, words)
        sources = tuple(draw(st.lists(st.sampled_from(SOURCES), max_size=len(pieces) - 1)))
        passes.append(Pass(len(pieces), words, sources, tuple(map(len, pieces))))
    return RunPasses(text, tuple(passes))


def test_the_overlays_follow_one_another_in_a_circle() -> None:
    seen, overlay = list[Overlay](), Overlay.NONE
    for _ in Overlay:
        overlay = overlay.following
        seen.append(overlay)
    assert seen == [*list(Overlay)[1:], Overlay.NONE]
    assert sorted(kind.value for kinds in KINDS.values() for kind in kinds) == sorted(
        k.value for k in SpanKind
    )


def test_neighbours_of_one_kind_are_one_span_unless_they_have_twins() -> None:
    one = [OverlaySpan(0, 2, MODEL), OverlaySpan(2, 2, PHRASES), OverlaySpan(2, 5, MODEL)]
    assert joined_spans(one) == [OverlaySpan(0, 5, MODEL)]
    echoes = [OverlaySpan(3, 5, SpanKind.ECHO, (0, 2)), OverlaySpan(5, 7, SpanKind.ECHO, (0, 2))]
    assert joined_spans(echoes) == echoes


def test_a_text_is_shown_by_its_origins() -> None:
    document = Document(1, "", "It rained.").drafted(" The ferry came.", 4)
    document = document.edited("It rained. The old ferry came.").edited(
        "It rained. The old ferry came. Pasted.", Origin.PASTED
    )
    assert shown(document.text, source_spans(document.provenance)) == [
        ("It rained.", SpanKind.WRITTEN),
        (" The ", SpanKind.DRAFTED),
        ("old ", SpanKind.WRITTEN),
        ("ferry came.", SpanKind.DRAFTED),
        (" Pasted.", SpanKind.PASTED),
    ]


def test_drafts_of_several_runs_are_one_stretch_of_source() -> None:
    provenance = Provenance((Span(5, Origin.DRAFTED, 1), Span(5, Origin.DRAFTED, 2)))
    assert source_spans(provenance) == (OverlaySpan(0, 10, SpanKind.DRAFTED),)
    assert runs_in(provenance) == (1, 2)


def test_each_token_has_the_drafter_that_proposed_it() -> None:
    passes = (*STEPS[:1], Pass(1, 2, (), (1,)), *STEPS[2:])
    found = pass_stretches(RunPasses("The ferry came home.", passes))
    stretches, is_exact = found.stretches, found.is_exact
    assert is_exact
    assert shown("The ferry came home.", stretches) == [
        ("The ", GUESSER),
        ("ferry ", PHRASES),
        ("came", MODEL),
        (" home", PHRASES),
        (".", MODEL),
    ]


def test_steps_without_lengths_are_shown_as_wholes_up_to_the_word_they_began() -> None:
    passes = (Pass(2, 1, ("heads",)), Pass(1, 1), Pass(3, 3, ("ngrams", "ngrams")))
    found = pass_stretches(RunPasses("The ferry came home.", passes))
    stretches, is_exact = found.stretches, found.is_exact
    assert not is_exact
    assert shown("The ferry came home.", stretches) == [("The ferry", GUESSER), (" came home.", PHRASES)]


def test_what_an_older_version_began_is_exact_from_where_a_newer_one_went_on() -> None:
    old = (Pass(2, 1, ("heads",)), Pass(2, 2))
    new = (Pass(2, 3, ("ngrams",), (5, 1)),)
    found = pass_stretches(RunPasses("The ferry came home.", (*old, *new)))
    stretches, is_exact = found.stretches, found.is_exact
    assert not is_exact
    assert shown("The ferry came home.", stretches) == [
        ("The ferry", GUESSER),
        (" came", MODEL),
        (" home", PHRASES),
        (".", MODEL),
    ]


def test_lengths_that_do_not_add_up_are_not_believed() -> None:
    wrong = RunPasses(RUN.text, (replace(STEPS[0], token_chars=(4, 6, 9)), *STEPS[1:]))
    found = pass_stretches(wrong)
    stretches, is_exact = found.stretches, found.is_exact
    assert not is_exact
    assert stretches[-1].end <= len(RUN.text)
    with pytest.raises(ValueError, match="2 lengths of 3 tokens"):
        Pass(3, 1, (), (1, 2))


def test_records_of_steps_become_passes() -> None:
    record = StepRecord(3, 2, 4, 9, 2, 30.5, 4.25, 20.0, 0.5, ("heads", "ngrams"), (4, 0, 2))
    found, damaged = passes_of([record, replace(record, token_chars=(4, 2))])
    assert (found.token_chars, damaged.token_chars) == ((4, 0, 2), ())
    assert (found.num_tokens, found.num_words, found.sources) == (3, 2, ("heads", "ngrams"))
    assert [found.kind_of(token) for token in range(3)] == [GUESSER, PHRASES, MODEL]
    assert found.kind is PHRASES


@given(written_runs())
def test_every_character_of_a_run_has_one_drafter(run: RunPasses) -> None:
    for passes in (run.passes, tuple(replace(one, token_chars=()) for one in run.passes)):
        found = pass_stretches(RunPasses(run.text, passes))
        stretches, is_exact = found.stretches, found.is_exact
        assert is_exact == bool(passes[0].token_chars)
        at = 0
        for span in stretches:
            assert span.start == at
            assert span.end > span.start
            at = span.end
        assert at == len(run.text)


@given(written_runs())
def test_the_lengths_of_all_kinds_are_those_of_their_tokens(run: RunPasses) -> None:
    stretches = pass_stretches(run).stretches
    for kind in (MODEL, GUESSER, PHRASES):
        expected = sum(
            length
            for one in run.passes
            for token, length in enumerate(one.token_chars)
            if one.kind_of(token) is kind
        )
        assert sum(span.end - span.start for span in stretches if span.kind is kind) == expected


@given(written_runs(), st.data())
def test_marks_stand_only_on_words_of_the_run_itself(run: RunPasses, data: st.DataObject) -> None:
    document = Document(1, "", "It rained. ").drafted(run.text, 3)
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(document.text)))
        end = data.draw(st.integers(start, min(start + 30, len(document.text))))
        typed = data.draw(st.sampled_from(["", "X", " Yes ", "\n\n"]))
        document = document.edited(document.text[:start] + typed + document.text[end:])
    found = own_stretches(document.text, document.provenance, 3, run.text)
    for own in found:
        here = document.text[own.start : own.start + own.length]
        assert here == run.text[own.run_start : own.run_start + own.length]
        for place in (own.start, own.start + own.length - 1):
            assert document.provenance.kind_at(place) == (Origin.DRAFTED, 3)
    spans = guess_spans(document.text, document.provenance, {3: pass_stretches(run)}).spans
    assert all(one.end <= other.start for one, other in itertools.pairwise(spans))
    assert sum(span.end - span.start for span in spans) == sum(own.length for own in found)


@given(written_runs())
def test_an_untouched_draft_is_marked_whole(run: RunPasses) -> None:
    document = Document(1, "", "Before. ").drafted(run.text, 3)
    stretches = pass_stretches(run).stretches
    spans = guess_spans(document.text, document.provenance, {3: pass_stretches(run)})
    assert not spans.by_pass
    assert spans.spans == tuple(OverlaySpan(s.start + 8, s.end + 8, s.kind) for s in stretches)


def test_what_closes_up_over_a_deletion_is_found_again_on_both_sides() -> None:
    text = " ".join(f"{word}{number}" for number in range(60) for word in WORDS)
    passes = tuple(Pass(1, 0, (), (1,)) for _ in text)
    document = Document(1, "", "").drafted(text, 2)
    gone = text[:900] + text[1000:1900] + text[2100:]
    document = document.edited(text[:900] + text[1000:]).edited(gone)
    assert len(document.provenance.spans) == 1  # nothing there tells of the deletions
    found = own_stretches(document.text, document.provenance, 2, text)
    assert [(own.run_start, own.length) for own in found] == [
        (0, 900),
        (1000, 900),
        (2100, len(text) - 2100),
    ]
    run = pass_stretches(RunPasses(text, passes))
    spans = guess_spans(document.text, document.provenance, {2: run}).spans
    assert spans == (OverlaySpan(0, len(gone), MODEL),)


def test_a_chapter_that_was_cut_off_a_draft_is_found_in_its_run() -> None:
    text = " ".join(f"{word}{number}" for number in range(30) for word in WORDS)
    document = Document(1, "", "").drafted(text, 2).part(700, 1200)
    (own,) = own_stretches(document.text, document.provenance, 2, text)
    assert (own.start, own.run_start, own.length) == (0, 700, 500)


def test_a_run_that_is_gone_or_kept_no_steps_marks_nothing() -> None:
    document = Document(1, "", "").drafted("The ferry came home.", 2)
    assert guess_spans(document.text, document.provenance, {}).spans == ()
    bare = pass_stretches(RunPasses(document.text, ()))
    assert guess_spans(document.text, document.provenance, {2: bare}).spans == ()
