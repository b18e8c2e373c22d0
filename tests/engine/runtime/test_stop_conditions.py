"""Runs end at the same token however they were written, paused and cut into tokens."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import PLAIN, DraftingConfig, Dtype, Goal
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.heading_grammar import MAX_HEADING
from quire_engine.api.messages import (
    FinishReason,
    GenerationFinished,
    GenerationPaused,
    PauseReason,
    ResumeGeneration,
    StepCompleted,
    StepWithheld,
)
from quire_engine.runtime.stop_conditions import GoalMonitor
from tests.engine import headed
from tests.engine.desk import FAST, FORMATS, SAMPLING, Desk, Models
from tests.engine.tiny import few
from tests.engine.worded import words

CHAPTER = Goal(stop_at_heading=True)


def kept(pieces: Sequence[str], goal: Goal = CHAPTER) -> str | None:
    """Return the text up to where a run ends; None where it does not."""
    watch = GoalMonitor(goal)
    for number, piece in enumerate(pieces, start=1):
        if watch.add(piece):
            at_heading = watch.reason is FinishReason.HEADING
            return "".join(pieces[: watch.heading.first if at_heading else number])
    return None


# ---------------------------------------------------------------- headings
@pytest.mark.parametrize(
    "line",
    [
        *("Chapter 4", "CHAPTER XXIII: Mrs. March at Home", "chapter the last.", "Chapter Twenty-One — Rain"),
        *("# One", "### The Ferry", "Part II", "BOOK THE FIRST", "Prologue", "Epilogue: After", "Kapitel 3"),
        "  Chapter 4  ",
    ],
)
def test_a_run_ends_before_a_heading(line: str) -> None:
    for cut in (1, 3, 100):
        lead = ["It rained", ".\n\n"]
        text = f"{line}\nAnd"
        pieces = [*lead, *(text[at : at + cut] for at in range(0, len(text), cut))]
        assert kept(pieces) == "It rained.\n\n"


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Chapter and verse, he said.",
            "Chapter 4 was long.",
            "Part of it",
            "Prologues are dull",
            "#4",
            "4",
        ),
        *(
            "#### Four",
            "The Chapter 4",
            "chapter 4 in lower case",
            "“Chapter 4”",
            "",
            "*",
            "Chapter 4 " + "X" * MAX_HEADING,
        ),
    ],
)
def test_prose_is_no_heading(line: str) -> None:
    assert kept(["It rained", ".\n\n", *line, "\n", "And so on.\n"]) is None


def test_a_heading_counts_once_its_line_is_complete_and_something_is_before_it() -> None:
    assert kept(["A", ".\n", "Chapter 4"]) is None
    assert kept(["\n\n", "Chapter 4", "\n", "Rain", ".\n", "Chapter 5", "\n"]) == "\n\nChapter 4\nRain.\n"
    assert kept([" end", ".", "\nCh", "apter 4", "\n"]) == " end."  # no token is cut
    assert kept([" end.\n", "Chapter 4\nRain.\nChapter 5\n"]) == " end.\n"


def test_what_was_passed_does_not_end_a_run_again() -> None:
    pieces = ["A", ".\n", "Chapter 4", "\n", "Rain", ".\n", "Chapter 5", "\n"]
    assert kept(pieces, Goal(stop_at_heading=True, passed=2)) == "A.\nChapter 4\nRain.\n"
    assert kept(pieces, Goal(stop_at_heading=True, passed=1)) == "A.\n" == kept(pieces)


def test_the_writers_pattern_is_tried_from_the_first_character_on() -> None:
    goal = Goal(stop_at_heading=True, heading_pattern=r"day \d+")
    assert kept(["A", ".\n", "DAY 12", " at sea", "\n"], goal) == "A.\n"
    assert kept(["A", ".\n", "The day 12", "\n", "Chapter 4", "\n"], goal) is None
    with pytest.raises(ValueError, match="regular expression"):
        Goal(stop_at_heading=True, heading_pattern="(")


def test_a_pattern_that_takes_forever_is_an_error_message() -> None:
    watch = GoalMonitor(Goal(stop_at_heading=True, heading_pattern=r"(?:a|aa)+b"))
    watch.add("A.\n")
    with pytest.raises(EnvironmentProblem, match="simpler"):
        watch.add("a" * 100)


_LINES = ["Chapter 4", "Chapter 4 was", "Chap", "He", "", "Part II", "## X", "Book"]

_PIECES = ["Chapter 4", "Ch", "\n", "a", "\n\n", ".\nChap", "ter 5\n", ""]


@few
@given(st.lists(st.sampled_from(_LINES), min_size=1, max_size=12), st.lists(st.integers(1, 9), min_size=1))
def test_where_a_run_ends_does_not_depend_on_how_its_text_is_cut(lines: list[str], cuts: list[int]) -> None:
    text = "Rain.\n" + "\n".join(lines) + "\n"
    pieces: list[str] = []
    place = 0
    while place < len(text):
        pieces.append(text[place : place + cuts[len(pieces) % len(cuts)]])
        place += len(pieces[-1])
    wanted = kept(list(text))
    got = kept(pieces)
    assert (got is None) == (wanted is None)
    if got is not None and wanted is not None:
        assert wanted.startswith(got)
        assert len(wanted) - len(got) < max(cuts)  # no more than the token that the heading begins in


@few
@given(
    st.lists(st.sampled_from(["Chapter 4", "Ch", "\n", "a", "\n\n", ".\nChap", "ter 5\n", ""]), max_size=40)
)
def test_only_what_may_be_the_heading_is_held_back(pieces: list[str]) -> None:
    """What is not held is never taken back, and a resume behind it ends at the same token."""
    watch = GoalMonitor(CHAPTER)
    told = 0
    for number, piece in enumerate(pieces, start=1):
        if watch.add(piece):
            assert watch.heading.first >= told
            assert kept_after(pieces, told) == watch.heading.first
            return
        told = number - watch.heading.num_open
        assert watch.heading.num_open * (len(piece) > MAX_HEADING) == 0
    assert kept_after(pieces, told) is None


def kept_after(pieces: Sequence[str], num_told: int) -> int | None:
    """Return where a run ends that continues after so many pieces."""
    watch = GoalMonitor(CHAPTER)
    assert not any(watch.skip(piece) for piece in pieces[:num_told])
    return watch.heading.first if any(watch.add(piece) for piece in pieces[num_told:]) else None


# ---------------------------------------------------------------- phrases
def test_a_run_ends_with_the_token_that_completes_a_phrase() -> None:
    goal = Goal(stop_phrase="THE END")
    assert kept(["A", " TH", "E E", "ND. And", " on"], goal) == "A THE END. And"
    assert kept(["THE", " end"], goal) is None
    assert kept(["THE", " END", " THE E", "ND"], Goal(stop_phrase="THE END", passed=1)) == "THE END THE END"
    assert kept(["a", "b"], Goal(stop_phrase="b")) == "ab"


# ---------------------------------------------------------------- whole runs
@pytest.fixture(scope="module")
def models(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """A model that writes headings."""
    return Models(headed.save(tmp_path_factory.mktemp("headed") / "model"))


GOAL = Goal(stop_at_heading=True, heading_pattern=headed.PATTERN, passed=40)
PROMPT = words(60)


def begin(
    generated: tuple[int, ...] = (), drafting: DraftingConfig = PLAIN, goal: Goal = GOAL
) -> ResumeGeneration:
    return ResumeGeneration(1, PROMPT, generated, SAMPLING, goal, drafting)


@pytest.mark.parametrize("dtype", FORMATS)
def test_plain_accelerated_and_resumed_runs_end_before_the_same_heading(models: Models, dtype: Dtype) -> None:
    loaded = models.fresh(dtype)
    whole = Desk(loaded)
    wanted = whole.run(begin())
    assert whole.events[-1] == GenerationFinished(1, len(wanted), FinishReason.HEADING)
    assert any(isinstance(event, StepWithheld) for event in whole.events)
    fast = Desk(models.fresh(dtype))
    assert fast.run(begin(drafting=FAST)) == wanted
    assert fast.events[-1] == whole.events[-1]
    for num_before in {0, 1, len(wanted) // 2, len(wanted) - 1, len(wanted)}:
        rest = fast.run(begin(wanted[:num_before], FAST))
        assert wanted[:num_before] + rest == wanted
        assert fast.events[-1] == whole.events[-1]
    text = "".join(event.text for event in whole.events if isinstance(event, StepCompleted))
    for event in whole.events:
        if isinstance(event, StepCompleted):
            assert len(event.token_chars) == len(event.token_ids)
            assert sum(event.token_chars) == len(event.text)
    assert text.endswith("\n")


def test_a_run_that_ended_at_a_heading_continues_past_it(models: Models) -> None:
    desk = Desk(models.fresh("float32"))
    first = desk.run(begin())
    assert desk.run(begin(first)) == ()
    further = Goal(stop_at_heading=True, heading_pattern=headed.PATTERN, passed=len(first))
    second = desk.run(begin(first, FAST, further))
    assert len(second) > 2
    assert desk.checked == []
    plain = Desk(models.fresh("float32")).run(begin(goal=Goal(tokens=len(first) + len(second))))
    assert first + second == plain


def test_a_pause_before_a_heading_drops_what_was_not_reported_and_writes_it_again(models: Models) -> None:
    wanted = Desk(models.fresh("float32")).run(begin())
    desk = Desk(models.fresh("float32"))
    num_told = 0
    for event in desk.runs.run(begin(drafting=FAST)):
        if isinstance(event, StepCompleted):
            num_told += len(event.token_ids)
        if isinstance(event, StepWithheld):
            break
    assert 0 < num_told < len(wanted)
    assert wanted[:num_told] + desk.run(begin(wanted[:num_told], FAST)) == wanted


def test_a_time_limit_pauses_after_a_step(models: Models) -> None:
    desk = Desk(models.fresh("float32"))
    goal = Goal(tokens=50, minutes=1e-9)
    written: tuple[int, ...] = ()
    while len(written) < 50:
        more = desk.run(begin(written, goal=goal))
        written += more
        assert len(more) == 1
        if len(written) < 50:
            assert desk.events[-1] == GenerationPaused(1, len(written), PauseReason.TIME)
    assert isinstance(desk.events[-1], GenerationFinished)
    assert written == Desk(models.fresh("float32")).run(begin(goal=Goal(tokens=50)))


def test_a_resume_at_a_phrase_says_that_it_ended_there(models: Models) -> None:
    desk = Desk(models.fresh("float32"))
    written = desk.run(begin(goal=Goal(tokens=20)))
    text = "".join(event.text for event in desk.events if isinstance(event, StepCompleted))
    goal = Goal(stop_phrase=text[-8:], tokens=100)
    assert desk.run(begin(goal=goal)) == written
    assert desk.events[-1] == GenerationFinished(1, 20, FinishReason.PHRASE)
    assert desk.run(begin(written, goal=goal)) == ()
    assert desk.events[-1] == GenerationFinished(1, 20, FinishReason.PHRASE)
