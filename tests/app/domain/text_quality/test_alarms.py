from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.text_quality.alarms import (
    SEVERITIES,
    AlarmKind,
    FaultRules,
    Gauges,
    Severity,
    rewind_place,
)
from quire.domain.text_quality.echoes import HUMAN_ECHOES, Passage
from quire.domain.text_quality.loops import Loop
from quire_engine.metrics.distinct_n import HUMAN_DISTINCT_2, WINDOW, WINDOW_STEP

USUAL = (0.79, 0.002)


def told(readings: list[tuple[float, float]], rules: FaultRules | None = None) -> list[AlarmKind | None]:
    """Return what is said after each reading of Distinct-2 and Echoes."""
    rules = rules or FaultRules()
    faults = [
        rules.gauges(Gauges(WINDOW + number * WINDOW_STEP, *reading), None, None)
        for number, reading in enumerate(readings)
    ]
    return [fault.kind if fault else None for fault in faults]


@pytest.mark.parametrize(
    ("reading", "kind"),
    [
        ((0.549, 0.0), AlarmKind.LOW_VARIETY),
        ((0.55, 0.0), None),
        ((0.92, 0.0), None),
        ((0.921, 0.0), AlarmKind.SCATTERED),
        ((0.8, 0.1), None),
        ((0.8, 0.101), AlarmKind.ECHOES),
        ((0.5, 0.2), AlarmKind.ECHOES),
    ],
)
def test_a_reading_is_judged_by_its_thresholds(reading: tuple[float, float], kind: AlarmKind | None) -> None:
    assert told([reading]) == [kind]


def test_no_published_novel_reaches_a_threshold() -> None:
    assert told([(value, HUMAN_ECHOES) for value in HUMAN_DISTINCT_2]) == [None, None]
    assert FaultRules().passage(Passage(0, 100, 80), None, None) is not None


def test_a_fault_is_told_again_only_after_it_was_over() -> None:
    low, better, over = (0.5, 0.0), (0.57, 0.0), (0.6, 0.0)
    assert told([low, low, better, low, over, low]) == [
        AlarmKind.LOW_VARIETY,
        *[None] * 4,
        AlarmKind.LOW_VARIETY,
    ]
    assert told([(0.93, 0), (0.91, 0), (0.93, 0), (0.9, 0), (0.93, 0)]) == [
        AlarmKind.SCATTERED,
        *[None] * 3,
        AlarmKind.SCATTERED,
    ]


def test_one_fault_does_not_speak_with_two_voices() -> None:
    assert told([(0.6, 0.2), (0.5, 0.3), (0.5, 0.09), (0.5, 0.0)]) == [
        AlarmKind.ECHOES,
        None,
        None,
        AlarmKind.LOW_VARIETY,
    ]


def test_a_window_with_a_loop_in_it_says_nothing_more() -> None:
    rules, loop = FaultRules(), Loop(100, 900, 10, 164)
    bad = (0.4, 0.5)
    assert rules.gauges(Gauges(2899, *bad), loop, None) is None
    assert rules.gauges(Gauges(2899, *bad), None, Passage(100, 900, 180)) is None
    fault = rules.gauges(Gauges(2900, *bad), loop, None)
    assert fault is not None
    assert (fault.kind, fault.start, fault.end) == (AlarmKind.ECHOES, 900, 2900)
    assert rules.gauges(Gauges(2900, 0.95, 0.0), loop, None) is not None


def test_stretches_that_follow_one_another_are_one_fault() -> None:
    rules, loop = FaultRules(), Loop(0, 500, 10, 64)
    first = rules.loop(loop, None)
    assert first is not None
    assert (first.start, first.end, first.sentence) == (0, 64, "The last 6 passages are the same.")
    assert rules.loop(Loop(750, 900, 20, 814), loop) is None
    assert rules.loop(Loop(751, 900, 20, 815), loop) is not None
    passage = Passage(400, 600, 480)
    assert rules.passage(passage, None, loop) is None
    assert rules.passage(Passage(751, 900, 831), None, loop) is not None
    assert rules.passage(Passage(850, 960, 930), passage, loop) is None
    assert rules.passage(Passage(851, 960, 931), passage, loop) is not None


def test_loops_and_wordless_runs_pause_and_echoes_notify() -> None:
    assert set(SEVERITIES) == set(AlarmKind)
    assert {kind for kind, severity in SEVERITIES.items() if severity is Severity.PAUSE} == {
        AlarmKind.LOOP,
        AlarmKind.NO_WORDS,
    }


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It rained. He went| home", "It rained."),
        ("It rained. |He went home", "It rained."),
        ("It rained.| He went home", "It rained."),
        ("“Go!” he said. “Now, Mr. Todd, |wait", "“Go!” he said."),
        ("“Go home. It is| late.”", ""),
        ("CHAPTER I\n\nIt rained| and rained", "CHAPTER I"),
        ("It rained.\n\n|It rained.\n\n", "It rained."),
        ("no end here| at all", ""),
        ("|All of it", ""),
    ],
)
def test_a_run_is_rewound_to_the_end_of_a_sentence(text: str, wanted: str) -> None:
    place = rewind_place(text.replace("|", ""), text.index("|"))
    assert text[:place] == wanted


def test_a_run_is_never_rewound_to_before_it_began() -> None:
    assert rewind_place("It rained. He went home and", 20, not_before=13) == 13
    with pytest.raises(ValueError, match="no fault at 5"):
        rewind_place("It rained.", 5, not_before=6)


def test_a_far_sentence_end_gives_way_to_the_end_of_a_word() -> None:
    text = "The end. " + "so it goes " * 1000
    place = rewind_place(text, 9_004)
    assert text[place] == " "
    assert 8_990 < place <= 9_004
    endless = "x" * 10_000
    assert rewind_place(endless, 9_000, not_before=7) == 7


@settings(deadline=None)
@given(st.text(alphabet="aM.r?”“ \n", max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_a_place_to_go_back_to_lies_between_the_run_and_the_fault(text: str, one: int, other: int) -> None:
    begin, fault = sorted((min(one, len(text)), min(other, len(text))))
    assert begin <= rewind_place(text, fault, begin) <= fault
