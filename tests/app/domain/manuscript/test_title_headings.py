from __future__ import annotations

import pytest

from quire.domain.manuscript.headings import all_headings
from quire.domain.manuscript.title_headings import renamed, title_in


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
