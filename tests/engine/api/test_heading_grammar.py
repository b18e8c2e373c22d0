"""Lines that read as headings: their parts, and that a growing line is never given up too early."""

from __future__ import annotations

import pytest

from quire_engine.api.heading_grammar import (
    MAX_HEADING,
    HeadingForm,
    HeadingLine,
    heading_of,
    may_become_heading,
)

HEADINGS = {
    "## The Ferry ##": HeadingLine(HeadingForm.MARKDOWN, "The Ferry", level=2),
    "CHAPTER XII.": HeadingLine(HeadingForm.CHAPTER, "", "CHAPTER", "XII"),
    "Chapter the Fifteenth: Fog": HeadingLine(HeadingForm.CHAPTER, "Fog", "Chapter", "the Fifteenth"),
    "Kapitel 3 Der Hafen": HeadingLine(HeadingForm.CHAPTER, "Der Hafen", "Kapitel", "3"),
    "Part Twenty-one — Home": HeadingLine(HeadingForm.PART, "Home", "Part", "Twenty-one"),
    "Prologue: Rain": HeadingLine(HeadingForm.ALONE, "Rain"),
}


@pytest.mark.parametrize("line", HEADINGS)
def test_a_heading_is_taken_apart_and_may_become_one_from_its_first_letter_on(line: str) -> None:
    assert heading_of(line) == HEADINGS[line]
    assert all(may_become_heading(line[:end]) for end in range(1, len(line) + 1))


@pytest.mark.parametrize(
    "line",
    [
        "Conclusion. He had lost.",
        "Introduction. He came in!",
        "Second letter.",
        "First book.",
        "Part one, however, was not what any of them had hoped for when they sat down. He rose and left.",
        "Chapter 4 was long.",
        "prologue",
        "#### Four",
        "Chapter 4 " + "X" * MAX_HEADING,
        "",
    ],
)
def test_prose_is_no_heading(line: str) -> None:
    assert heading_of(line) is None
