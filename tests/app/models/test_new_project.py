from __future__ import annotations

from pathlib import Path

import pytest

from quire.models.new_project import NewProject, file_name_of, sample_project


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
