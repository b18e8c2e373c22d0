"""Real project files from which rows were taken with SQL, as a fault of Quire or of a disk would."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.orphaned_nodes import TITLE
from quire.domain.manuscript.tree import Node, NodeKind
from quire.services.transactions import take_changes, take_queries
from quire.storage.project_file import create_project_file, open_project_file
from quire.storage.repair import RECOVERED, has_strays, mend
from quire_engine.api.config import SamplingConfig

LOST = "She went down to the water and did not come back."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A book of two chapters in a part, and a run that drafted into the second."""
    path = tmp_path / "Book.quire"
    first = Document(1, "One", "It rained.")
    part, two = (
        Node(3, NodeKind.PART, "Part", 2, 3),
        Node(4, NodeKind.CHAPTER, "Two", 3, 4, "Water", exported=True),
    )
    texts = [(part, Document(3, "Part", "Part")), (two, Document(4, "Two", LOST))]
    create_project_file(path, Project("Book", datetime.now(UTC)), first, texts)
    file = open_project_file(path)
    run = Run(1, 4, SamplingConfig(seed=1), 10, "a", "b", RunState.RUNNING)
    with file.unit() as unit:
        unit.runs.save(run)
        for chunk in (Chunk((1, 2), " The boat", 2, 1, 5.0), Chunk((3,), " was gone", 4, 1, 5.0)):
            unit.runs.mark_folded(1)
            run = run.grown_by(chunk)
            unit.runs.append(run, chunk)
        unit.commit()
    file.close()
    return path


def change(path: Path, *statements: str) -> None:
    """Change a project as nothing in Quire would."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def orphans(path: Path) -> bool:
    return has_strays(path, immutable=False)


def test_a_whole_project_is_left_alone(path: Path) -> None:
    before = path.read_bytes()
    assert not orphans(path)
    assert mend(path) == 0
    assert path.read_bytes() == before


def test_a_chapter_whose_part_is_gone_is_recovered(path: Path) -> None:
    change(path, "DELETE FROM document WHERE document_id = 3", "DELETE FROM node WHERE node_id = 3")
    assert orphans(path)
    assert mend(path) == 1
    assert not orphans(path)
    file = open_project_file(path)
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        node = tree.node(4)
        assert node.parent_id is not None
        part = tree.node(node.parent_id)
        assert (part.title, part.exported, part.kind) == (TITLE, False, NodeKind.PART)
        assert (node.title, node.synopsis, node.exported) == ("Two", "Water", False)
        assert unit.manuscript.document(4).text == LOST
        assert unit.manuscript.document(part.node_id).text == ""
        assert unit.records.setting(RECOVERED) == 1
    file.close()


def test_a_text_without_a_node_is_recovered_and_called_by_its_first_words(path: Path) -> None:
    change(path, "DELETE FROM node WHERE node_id = 4")
    assert mend(path) == 1
    file = open_project_file(path)
    with file.unit() as unit:
        assert unit.manuscript.document(4).text == LOST
        assert unit.manuscript.tree().node(4).title == "She went down to the water and did not\u2026"
        assert unit.runs.all()[0].document_id == 4
    file.close()


def test_what_a_run_wrote_is_recovered_where_its_text_is_gone(path: Path) -> None:
    change(path, "DELETE FROM document WHERE document_id = 4", "DELETE FROM node WHERE node_id = 4")
    assert mend(path) == 1
    file = open_project_file(path)
    with file.unit() as unit:
        document = unit.manuscript.document(4)
        assert document.text == " The boat"  # what waits is put into it when the run is recovered
        assert [span.run_id for span in document.provenance.spans] == [1]
        assert "".join(chunk.text for chunk in unit.runs.unfolded(1)) == " was gone"
    file.close()


def test_chapters_that_lie_in_one_another_are_recovered(path: Path) -> None:
    change(path, "UPDATE node SET parent_id = 4 WHERE node_id = 3")
    assert orphans(path)
    assert mend(path) == 1
    file = open_project_file(path)
    with file.unit() as unit:
        assert {node.node_id for node in unit.manuscript.tree().reading_order()} >= {1, 3, 4}
    file.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM document WHERE document_id = 1",  # a text that is nowhere
        "UPDATE node SET kind = 'book' WHERE node_id = 3",
        "UPDATE node SET kind = 'note' WHERE node_id = 2",
    ],
)
def test_what_cannot_be_mended_is_not_touched(path: Path, statement: str) -> None:
    change(path, "UPDATE node SET parent_id = 77 WHERE node_id = 4", statement)
    assert not orphans(path)


def test_takes_of_a_text_that_is_gone_can_still_be_chosen(path: Path) -> None:
    file = open_project_file(path)
    take_changes.branch(file, 4, 8)
    file.close()
    change(path, "DELETE FROM document WHERE document_id = 4", "DELETE FROM node WHERE node_id = 4")
    assert mend(path) == 1
    file = open_project_file(path)
    aside = [take for take in take_queries.summaries(file, 4) if not take.stands]
    assert [take.start for take in aside] == [0]
    assert take_changes.choose(file, aside[0].take_id).document.text == LOST[8:]
    assert [take.stands for take in take_queries.summaries(file, 4)].count(True) == 1
    file.close()
