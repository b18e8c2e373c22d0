"""New projects on a real disk: blank, of an opening, of an outline."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quire.domain.drafting.steering import NewCard
from quire.domain.manuscript.chapter_splitting import MAX_CHARS, MAX_TEXTS
from quire.domain.manuscript.manuscript import Project
from quire.domain.manuscript.outline_import import Outline
from quire.domain.manuscript.tree import NodeKind, Tree
from quire.errors import WriterProblem
from quire.projects.new_project import templates
from quire.services.transactions import project_text
from quire.services.transactions.project_creation import create, create_cut
from quire.storage.project_file import open_project_file, open_project_reader


@dataclass(frozen=True)
class Found:
    """What a project file holds."""

    project: Project
    text: str
    tree: Tree


def read_project(path: Path) -> Found:
    file = open_project_reader(path)
    try:
        opened = project_text.read(file)
        return Found(opened.project, project_text.story(file), opened.tree)
    finally:
        file.close()


PROJECT = Project("The Salt Road", datetime(2026, 1, 2, tzinfo=UTC), language="fr", author="Ann Orrin")


def test_a_blank_project_has_one_empty_chapter_and_knows_its_author(tmp_path: Path) -> None:
    path = tmp_path / "a.quire"
    create(path, PROJECT)
    found = read_project(path)
    assert found.project == PROJECT
    assert (found.text, len(found.tree.reading_order())) == ("", 1)


def test_an_opening_is_kept_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.quire"
    create(path, PROJECT, "Il pleut\u00a0!\r\n\r\nEncore.")
    assert read_project(path).text == "Il pleut\u00a0!\n\nEncore."


def test_an_opening_with_more_chapters_than_any_book_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.quire"
    with pytest.raises(WriterProblem, match="The opening has more than 20,000 chapters"):
        create(path, PROJECT, "# a\n\nb\n\n" * (MAX_TEXTS + 1))
    assert not path.exists()


def test_an_opening_longer_than_a_document_is_cut_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.quire"
    opening = "".join(f"Chapter {number}\n\n{'It rained. ' * 2000}\n\n" for number in range(1, 6))
    assert len(opening) > MAX_CHARS
    create(path, PROJECT, opening)
    found = read_project(path)
    assert "".join(found.text.split()) == "".join(opening.split())
    assert len(found.tree.reading_order()) == 5
    assert found.project == PROJECT


@pytest.mark.parametrize("outline", templates(), ids=lambda outline: outline.name)
def test_an_outline_becomes_empty_chapters_with_a_synopsis(tmp_path: Path, outline: Outline) -> None:
    path = tmp_path / "a.quire"
    create(path, PROJECT, outline=outline)
    found = read_project(path)
    order = found.tree.reading_order()
    assert [(node.kind, node.title, node.synopsis) for node in order] == [
        (entry.kind, entry.title, entry.synopsis) for entry in outline.entries
    ]
    assert found.text.strip() == ""
    part = None
    for node in order:
        part = node.node_id if node.kind is NodeKind.PART else part
        expected = found.tree.book.node_id if node.kind is NodeKind.PART or part is None else part
        assert node.parent_id == expected
    file = open_project_file(path)
    try:
        opened = project_text.open_and_recover(file)
    finally:
        file.close()
    first = next(node for node in order if node.kind is NodeKind.CHAPTER)
    assert opened.document.document_id == first.node_id


def test_an_opening_goes_into_the_first_chapter_of_an_outline(tmp_path: Path) -> None:
    path = tmp_path / "a.quire"
    create(path, PROJECT, "It began.", templates()[0])
    file = open_project_file(path)
    try:
        document = project_text.open_and_recover(file).document
    finally:
        file.close()
    assert (document.title, document.text) == (templates()[0].entries[1].title, "It began.")


def test_a_note_comes_along_with_a_manuscript(tmp_path: Path) -> None:
    path = tmp_path / "a.quire"
    create_cut(path, "The Ferry", "It rained.", note=NewCard(NodeKind.NOTE, "Left out", "As it often did."))
    (note,) = (node for node in read_project(path).tree.nodes if node.kind is NodeKind.NOTE)
    file = open_project_file(path)
    try:
        with file.unit() as unit:
            assert (note.title, unit.manuscript.document(note.node_id).text) == (
                "Left out",
                "As it often did.",
            )
        assert project_text.story(file) == "It rained."
    finally:
        file.close()
