from __future__ import annotations

import pytest

from quire.domain.manuscript.headings import all_headings
from quire.domain.manuscript.title_headings import (
    heading_like,
    next_title,
    number_and_name,
    renamed,
    title_in,
)
from quire.domain.manuscript.tree import NodeKind


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("Chapter 1\n\nIt rained.", "Chapter 1", "Chapter 2", "Chapter 2\n\nIt rained."),
        ("Chapter 1\n\nIt rained.", "Chapter 1", "Rain", "## Rain\n\nIt rained."),
        ("# Rain\n\nIt rained.", "Rain", "Snow", "# Snow\n\nIt rained."),
        ("\n\n## Rain\nIt rained.", "Rain", "Snow", "\n\n## Snow\nIt rained."),
        ("CHAPTER I\n\nThe Rain\n\nIt rained.", "CHAPTER I: The Rain", "Snow", "## Snow\n\nIt rained."),
        ("### Later\n\nIt rained.", "Later", "Then", "### Then\n\nIt rained."),
    ],
)
def test_the_heading_follows_the_title(text: str, old: str, new: str, after: str) -> None:
    change = renamed(text, old, new)
    assert change is not None
    assert change.applied(text) == after
    (heading,) = all_headings(after)
    assert heading.title == new == title_in(after)
    assert heading.kind is all_headings(text)[0].kind


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("It rained.\n\nChapter 1\n\nIt snowed.", "Chapter 1"),
        ("Chapter 2\n\nIt rained.", "Chapter 1"),
        ("* * *\n\nIt rained.", ""),
        ("", "Chapter 1"),
    ],
)
def test_prose_and_other_headings_stay(text: str, old: str) -> None:
    assert renamed(text, old, "Rain") is None


@pytest.mark.parametrize(
    ("title", "after"),
    [
        ("CHAPTER XII: Fog", "CHAPTER XIII"),
        ("Chapter 9", "Chapter 10"),
        ("Chapter Twenty-Nine. Rain", "Chapter Thirty"),
        ("CHAPTER ONE", "CHAPTER TWO"),
        ("Kapitel 3", "Kapitel 4"),
        ("IX.", "X."),
        ("The Harbour", ""),
        ("Part Two", ""),
        ("Chapter the Last", ""),
    ],
)
def test_chapters_are_numbered_on_as_the_last_one_is(title: str, after: str) -> None:
    assert next_title(["Chapter 1", title] if after else [title]) == after


def test_what_has_no_number_is_passed_over() -> None:
    assert next_title(["Chapter 1", "Chapter 2", "Interlude"]) == "Chapter 3"
    assert next_title([]) == ""


def test_a_new_chapter_begins_as_the_one_before_it_does() -> None:
    chapter = NodeKind.CHAPTER
    assert heading_like("CHAPTER I\n\nIt rained.", "CHAPTER II", chapter) == "CHAPTER II\n\n"
    assert heading_like("# One\n\nIt rained.", "New Chapter", chapter) == "# New Chapter\n\n"
    assert heading_like("CHAPTER I\n\nIt rained.", "New Chapter", chapter) == "## New Chapter\n\n"
    assert heading_like("It rained.", "Chapter 2", chapter) == ""


@pytest.mark.parametrize(
    ("title", "number", "name"),
    [
        ("CHAPTER II: The River Sallow", "II", "The River Sallow"),
        ("Kapitel 3 – Nebel", "3", "Nebel"),
        ("3. The River", "3", "The River"),
        ("Chapter Three", "", "Chapter Three"),  # the number is all there is
        ("12 Angry Men", "", "12 Angry Men"),
        ("Prologue", "", "Prologue"),
    ],
)
def test_the_number_of_a_chapter_is_told_from_its_name(title: str, number: str, name: str) -> None:
    assert number_and_name(title) == (number, name)
