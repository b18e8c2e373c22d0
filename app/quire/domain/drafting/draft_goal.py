"""Where a draft ends by itself: words, the end of the chapter, a time, a phrase; stored with the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from quire.domain.drafting.run import Run
from quire_engine.api.config import Goal
from quire_engine.api.messages import FinishReason

CHAPTER_WORDS = 20_000
"""A chapter is not longer than this: a model that writes no heading would never end one."""
MOST_WORDS = 200_000
MAX_MINUTES = 7 * 24 * 60
MAX_PHRASE = 200
_NAMES = ("goal.heading", "goal.minutes", "goal.phrase", "goal.end", "goal.passed", "goal.open")
_HEADING, _MINUTES, _PHRASE, _END, _PASSED, _OPEN = _NAMES
_YES = "yes"


@dataclass(frozen=True, slots=True)
class DraftGoal:
    """Where a draft ends by itself; whatever comes first ends it.

    Attributes:
        words: None for no limit.
        at_heading: before the heading of the next chapter.
        minutes: of this session, reading included.
        phrase: with exactly these characters; empty for none.
        at_end: where the model ends the text, if it does.
        passed: tokens at the run's start among which a heading or a phrase ends nothing.
    """

    words: int | None = None
    at_heading: bool = False
    minutes: int | None = None
    phrase: str = ""
    at_end: bool = False
    passed: int = 0

    def __post_init__(self) -> None:
        _check(self.words, MOST_WORDS, "words")
        _check(self.minutes, MAX_MINUTES, "minutes")
        if self.passed < 0:
            raise ValueError(f"passed must be 0 or more, got {self.passed}")
        if len(self.phrase) > MAX_PHRASE:
            raise ValueError(f"phrase must be {MAX_PHRASE} characters at most, got {len(self.phrase)}")
        if self.words is None and self.minutes is None and not self.at_heading and not self.phrase:
            raise ValueError("a goal needs words, the end of the chapter, a time or a phrase")

    @property
    def words_at_most(self) -> int:
        """The word count at which the draft ends in any case."""
        if self.words is not None:
            return self.words
        return CHAPTER_WORDS if self.at_heading else MOST_WORDS


def with_goal(asked: Mapping[str, str], goal: DraftGoal) -> dict[str, str]:
    """Return the request (Run.asked) with another goal in it; its words are Run.goal_words."""
    kept = {name: value for name, value in asked.items() if name not in _NAMES}
    said = {
        _HEADING: _YES if goal.at_heading else "",
        _MINUTES: "" if goal.minutes is None else str(goal.minutes),
        _PHRASE: goal.phrase,
        _END: _YES if goal.at_end else "",
        _PASSED: str(goal.passed) if goal.passed else "",
        _OPEN: _YES if goal.words is None else "",
    }
    return kept | {name: value for name, value in said.items() if value}


def goal_of(asked: Mapping[str, str], goal_words: int) -> DraftGoal:
    """Return the goal that a run was given; values that are no longer valid are left out, its words never
    are.
    """
    minutes = _number(asked.get(_MINUTES, ""), MAX_MINUTES)
    phrase = asked.get(_PHRASE, "")
    phrase = phrase if len(phrase) <= MAX_PHRASE else ""
    at_heading = asked.get(_HEADING) == _YES
    is_open = asked.get(_OPEN) == _YES and (at_heading or bool(minutes) or bool(phrase))
    return DraftGoal(
        words=None if is_open else min(max(goal_words, 1), MOST_WORDS),
        at_heading=at_heading,
        minutes=minutes or None,
        phrase=phrase,
        at_end=asked.get(_END) == _YES,
        passed=_number(asked.get(_PASSED, ""), 2**31),
    )


def going_on(run: Run | None, goal: DraftGoal) -> DraftGoal:
    """Return a goal for resuming a run, which must not end again at once where it ended before."""
    if run is None:
        return replace(goal, passed=0)
    if run.finish_reason in (FinishReason.HEADING, FinishReason.PHRASE):
        return replace(goal, passed=run.num_tokens)
    return replace(goal, passed=goal_of(run.asked, run.goal_words).passed)


def engine_goal(run: Run) -> Goal:
    """Return the engine's form of the goal that is stored with a run."""
    goal = goal_of(run.asked, run.goal_words)
    return Goal(
        words=run.goal_words,
        stop_at_end=goal.at_end,
        stop_at_heading=goal.at_heading,
        stop_phrase=goal.phrase,
        passed=goal.passed,
        minutes=goal.minutes,
    )


def _check(number: int | None, most: int, name: str) -> None:
    if number is not None and not 1 <= number <= most:
        raise ValueError(f"{name} must be from 1 to {most:,}, got {number}")


def _number(text: str, most: int) -> int:
    """Return a number from a file; 0 where it holds none that is valid."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 10):
        return 0
    number = int(text)
    return number if number <= most else 0
