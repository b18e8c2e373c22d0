"""How many words the writer asks for, as they type it."""

from __future__ import annotations

import re

MIN_GOAL_WORDS = 10
MAX_GOAL_WORDS = 200_000
SUGGESTED_GOALS = (500, 2_000, 20_000)

_MAX_TYPED = 40
_GOAL = re.compile(r"(?P<number>\d[\d\s.,'’_]*?)\s*(?P<thousand>k)?\s*(words?|w|wörter|wort)?", re.IGNORECASE)
_GROUPING = re.compile(r"[\s.,'’_](?=\d{3}(?!\d))")
_FRACTION = re.compile(r"\d+[.,]\d")


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


def _thousands(number: str) -> int | None:
    if number.isdecimal():
        return int(number) * 1_000
    if _FRACTION.fullmatch(number):
        return round(float(number.replace(",", ".")) * 1_000)
    return None
