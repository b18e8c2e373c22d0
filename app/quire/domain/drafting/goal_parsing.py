"""Where to stop, as the writer types or chooses it: words, the end of the chapter, a time."""

from __future__ import annotations

import re

from quire.domain.drafting.draft_goal import MOST_WORDS, DraftGoal

MIN_GOAL_WORDS = 10
MAX_GOAL_WORDS = MOST_WORDS
MIN_GOAL_MINUTES = 1
MAX_GOAL_MINUTES = 24 * 60
SUGGESTED_GOALS = (500, 2_000, 20_000)
SUGGESTED_MINUTES = (30,)

_MAX_TYPED = 40
_GOAL = re.compile(r"(?P<number>\d[\d\s.,'’_]*?)\s*(?P<thousand>k)?\s*(words?|w|wörter|wort)?", re.IGNORECASE)
_GROUPING = re.compile(r"[\s.,'’_](?=\d{3}(?!\d))")
_FRACTION = re.compile(r"\d+[.,]\d")
_TIME = re.compile(
    r"(?P<number>\d{1,4}([.,]\d)?)\s*(?P<unit>m(in(ute[sn]?)?)?|h(ours?|rs?)?|stunden?)\.?", re.IGNORECASE
)
_CHAPTER = re.compile(r"(to the )?(end of )?(the |this )?chapter|(bis )?kapitelende", re.IGNORECASE)


def parse_goal(text: str) -> int | None:
    """Return the words meant by "2,000 words", "2 000", "2k" or "1.5k"; None when it is no goal in range."""
    found = _GOAL.fullmatch(text.strip()) if len(text) <= _MAX_TYPED else None
    if found is None:
        return None
    number = found["number"].strip()
    if found["thousand"] is not None:
        words = _thousands(number)
    else:
        digits = _GROUPING.sub("", number)
        words = int(digits) if digits.isdecimal() else None
    return words if words is not None and MIN_GOAL_WORDS <= words <= MAX_GOAL_WORDS else None


def parse_minutes(text: str) -> int | None:
    """Return the minutes meant by "30 min", "1.5 h" or "2 hours"; None when it is no time in range."""
    found = _TIME.fullmatch(text.strip()) if len(text) <= _MAX_TYPED else None
    if found is None:
        return None
    number = float(found["number"].replace(",", "."))
    minutes = round(number if found["unit"].lower().startswith("m") else number * 60)
    return minutes if MIN_GOAL_MINUTES <= minutes <= MAX_GOAL_MINUTES else None


def parse_draft_goal(text: str) -> DraftGoal | None:
    """Return the goal that was typed; None when it is none."""
    if (words := parse_goal(text)) is not None:
        return DraftGoal(words=words)
    if (minutes := parse_minutes(text)) is not None:
        return DraftGoal(minutes=minutes)
    if len(text) <= _MAX_TYPED and _CHAPTER.fullmatch(text.strip()):
        return DraftGoal(at_heading=True)
    return None


def _thousands(number: str) -> int | None:
    if number.isdecimal():
        return int(number) * 1_000
    if _FRACTION.fullmatch(number):
        return round(float(number.replace(",", ".")) * 1_000)
    return None
