from __future__ import annotations

from pathlib import Path

import pytest

from quire.domain.manuscript.project_file_names import file_name_of
from quire.domain.manuscript.tree import NodeKind
from quire.projects.new_project import NewProject, OpeningLength, sample_project, templates


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("The Ferry", "The Ferry.quire"),
        ("  Who goes there?  ", "Who goes there.quire"),
        ("a/b\\c:d", "a b c d.quire"),
        ("Était-ce l'été…", "Était-ce l'été….quire"),
        ("CON", "CON project.quire"),
        ("dots...", "dots.quire"),
        ("x" * 200, "x" * 80 + ".quire"),
        ("", ""),
        ("???", ""),
        ("..", ""),
    ],
)
def test_a_title_becomes_a_name_every_system_takes(title: str, name: str) -> None:
    assert file_name_of(title) == name


def test_the_sample_takes_its_title_from_the_first_line() -> None:
    folder = Path("books")
    assert sample_project(folder, "# Low Water\n\nIt rained.\n") == NewProject(
        folder / "Low Water.quire", "Low Water", "It rained."
    )


def test_a_sample_without_a_title_still_has_a_name() -> None:
    assert sample_project(Path("books"), "").path == Path("books/Sample.quire")


def test_the_outlines_that_come_with_quire_can_all_be_read() -> None:
    names = [outline.name for outline in templates()]
    assert len(set(names)) == len(names) >= 3
    for outline in templates():
        assert outline.about.endswith(".")
        assert all(entry.title for entry in outline.entries)
        assert all(
            entry.synopsis.endswith(".") for entry in outline.entries if entry.kind is NodeKind.CHAPTER
        )
    assert templates()[-1].num_chapters == 10


@pytest.mark.parametrize(("num_words", "is_short"), [(0, False), (1, True), (249, True), (250, False)])
def test_a_short_opening_gets_a_suggestion(num_words: int, is_short: bool) -> None:
    length = OpeningLength.of("word " * num_words)
    assert (length.num_words, length.is_short) == (num_words, is_short)
