from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript import tree_requests as wish
from quire.domain.manuscript.manuscript import digest_of
from quire.domain.manuscript.project_records import WritingGoal
from quire.domain.manuscript.tree import NodeKind, Status, text_up_to
from quire.domain.manuscript.tree_edits import Spot
from quire.domain.manuscript.tree_requests import BookEdit
from quire.domain.manuscript.word_counts import Words
from quire.errors import WriterProblem
from quire.services.transactions import project_text, take_changes, tree_changes
from quire.services.transactions.split_and_merge import Edited
from quire.storage.project_file import ProjectFile, open_project_file
from tests.app.services.books import (
    BOOK,
    FERRY,
    HARBOUR,
    LETTERS,
    MARA,
    STORM,
    TEXTS,
    add_run,
    dump,
    make_book,
    texts_of,
)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ProjectFile]:
    make_book(tmp_path / "novel.quire")
    file = open_project_file(tmp_path / "novel.quire")
    yield file
    file.close()


def do(file: ProjectFile, edit: BookEdit) -> Edited:
    """Do it, and look whether what is returned is what is stored."""
    edited = tree_changes.perform(file, edit)
    with file.reading() as unit:
        assert sorted(edited.tree.nodes, key=lambda node: node.node_id) == dump(file)["nodes"]
        assert unit.manuscript.tree().reading_order() == edited.tree.reading_order()
    return edited


def put_away(file: ProjectFile, node_id: int, days: int) -> None:
    """Have a node lie in the trash for so many days."""
    with file.unit() as unit:
        node = unit.manuscript.tree().node(node_id)
        unit.manuscript.save_node(replace(node, trashed=datetime.now(UTC) - timedelta(days=days)))
        unit.commit()


def test_a_new_chapter_is_empty_and_the_story_reads_as_before(file: ProjectFile) -> None:
    story = project_text.story(file)
    edited = do(file, wish.AddText(NodeKind.CHAPTER, "Fog", HARBOUR))
    assert list(texts_of(file)) == ["Harbour", "Fog", "Letters", "Storm", "Ferry"]
    assert edited.new_id == edited.open_id
    assert (edited.text_ids, project_text.story(file)) == ((edited.new_id,), story)


@pytest.mark.parametrize("kind", [kind for kind in NodeKind if kind is not NodeKind.BOOK])
def test_every_kind_can_be_made(file: ProjectFile, kind: NodeKind) -> None:
    edited = do(file, wish.AddText(kind, "New"))
    assert edited.new_id is not None
    assert edited.tree.node(edited.new_id).kind is kind
    assert project_text.read_document(file, edited.new_id).text == ""


def test_title_synopsis_status_and_export_are_kept(file: ProjectFile) -> None:
    do(file, wish.Rename(FERRY, "  The Ferry "))
    do(file, wish.SetStatus(FERRY, Status.REVISED))
    do(file, wish.SetSynopsis(FERRY, "They cross."))
    do(file, wish.SetExported(FERRY, exported=False))
    with file.reading() as unit:
        node = unit.manuscript.tree().node(FERRY)
        revision = unit.manuscript.revision()
    assert (node.title, node.status, node.synopsis) == ("The Ferry", Status.REVISED, "They cross.")
    assert not node.exported
    do(file, wish.Rename(FERRY, "The Ferry"))
    with file.reading() as unit:
        assert unit.manuscript.revision() == revision, "what is the same is not written again"


def test_a_chapter_moves_with_its_scene(file: ProjectFile) -> None:
    do(file, wish.Move(LETTERS, Spot(BOOK, HARBOUR)))
    assert list(texts_of(file)) == ["Letters", "Storm", "Harbour", "Ferry"]
    do(file, wish.Shift(LETTERS, 1))
    assert list(texts_of(file)) == ["Harbour", "Letters", "Storm", "Ferry"]


def test_what_cannot_lie_there_stays(file: ProjectFile) -> None:
    before = dump(file)
    with pytest.raises(WriterProblem, match="“Storm” can't be moved there"):
        tree_changes.move(file, STORM, Spot(BOOK))
    assert dump(file) == before


def test_the_trash_deletes_nothing_and_gives_back(file: ProjectFile) -> None:
    before = dump(file)
    do(file, wish.Trash(LETTERS))
    assert list(texts_of(file)) == ["Harbour", "Ferry"]
    assert dump(file)["documents"] == before["documents"]
    do(file, wish.Restore(LETTERS))
    assert dump(file) == before


def test_a_run_rests_resumable_while_nothing_before_its_end_changes(file: ProjectFile) -> None:
    def story_up_to(document_id: int) -> str:
        before = project_text.text_before(file, document_id)
        return digest_of(text_up_to((before, project_text.read_document(file, document_id).text)))

    left = story_up_to(LETTERS)
    for edit in (
        wish.Rename(LETTERS, "Post"),
        wish.SetStatus(LETTERS, Status.DONE),
        wish.AddText(NodeKind.CHAPTER, "Before", HARBOUR),
        wish.AddText(NodeKind.NOTE, "Ideas"),
        wish.Trash(FERRY),
        wish.Shift(LETTERS, 1),
    ):
        do(file, edit)
        assert story_up_to(LETTERS) == left
    do(file, wish.Move(LETTERS, Spot(BOOK, HARBOUR)))
    assert story_up_to(LETTERS) != left


def test_the_text_to_show_comes_with_the_edit(file: ProjectFile) -> None:
    def shown(edit: BookEdit, open_id: int) -> str:
        return tree_changes.perform_and_open(file, edit, open_id)[1].title

    assert shown(wish.Rename(FERRY, "The Ferry"), FERRY) == "The Ferry"
    assert shown(wish.AddText(NodeKind.SCENE, "Fog"), FERRY) == "Fog"
    assert shown(wish.Trash(LETTERS), STORM) == "Harbour"
    assert project_text.read(file).document.document_id == HARBOUR, "it is the one that is open next time"


def test_emptying_deletes_what_is_asked_with_its_takes_and_runs(file: ProjectFile) -> None:
    add_run(file, 1, HARBOUR, " And on.")
    outer = take_changes.branch(file, LETTERS, 8).take
    add_run(file, 2, LETTERS, "postman came.", outer.take_id)
    take_changes.branch(file, LETTERS, 12)
    take_changes.branch(file, LETTERS, 2)  # now takes lie in a younger one
    add_run(file, 3, STORM)
    with file.unit() as unit:
        unit.records.save_goal(WritingGoal(1, 500, LETTERS))
        unit.commit()
    before = dump(file)
    do(file, wish.Trash(MARA))
    do(file, wish.Trash(LETTERS))
    edited = do(file, wish.EmptyTrash((LETTERS,)))
    assert sorted(edited.run_ids) == [2, 3]
    assert edited.runs is not None
    assert [run.run_id for run in edited.runs] == [1]
    after = dump(file)
    assert isinstance(before["documents"], dict)
    assert isinstance(after["documents"], dict)
    assert set(before["documents"]) - set(after["documents"]) == {LETTERS, STORM}
    assert [run.run_id for run in runs(file)] == [1]
    assert after["goals"] == ()
    assert do(file, wish.EmptyTrash()).text_ids == (MARA,)


def runs(file: ProjectFile) -> list[Run]:
    with file.reading() as unit:
        return list(unit.runs.all())


def test_a_run_whose_words_stand_elsewhere_goes_with_them(file: ProjectFile) -> None:
    add_run(file, 1, LETTERS, " It was from Tom.")
    tree_changes.perform(file, wish.Split(LETTERS, len("A letter came.")))
    do(file, wish.Trash(LETTERS))
    assert do(file, wish.EmptyTrash()).run_ids == ()
    with file.reading() as unit:
        (run,) = unit.runs.all()
        assert unit.manuscript.tree().node(run.document_id).title == "Letters (2)"
        assert unit.runs.token_ids(1) == (7, 8)
        assert unit.runs.prompt_ids(1) == (1, 2)


def test_only_what_is_old_goes_by_itself(file: ProjectFile) -> None:
    put_away(file, FERRY, 29)
    put_away(file, STORM, 31)
    assert tree_changes.tidy_trash(file).text_ids == (STORM,)
    assert tree_changes.tidy_trash(file).text_ids == ()
    assert FERRY in {node.node_id for node in tree_changes.restore(file, FERRY).tree.reading_order()}


def test_what_is_in_the_book_cannot_be_deleted(file: ProjectFile) -> None:
    with pytest.raises(ValueError, match="not in the trash"):
        tree_changes.empty_trash(file, [FERRY])


def test_a_text_that_is_being_written_is_not_deleted(file: ProjectFile) -> None:
    with file.unit() as unit:
        unit.runs.save(replace(add_run(file, 1, FERRY), state=RunState.RUNNING))
        unit.commit()
    do(file, wish.Trash(FERRY))
    with pytest.raises(WriterProblem, match="to be deleted is being drafted"):
        tree_changes.empty_trash(file)


def test_words_are_counted_by_who_wrote_them(file: ProjectFile) -> None:
    add_run(file, 1, FERRY, " It was late.")
    counts = tree_changes.word_counts(file)
    assert counts[FERRY] == Words(4, 3)
    assert counts[MARA] == Words(3, 0)
    assert set(counts) == set(TEXTS)
    assert tree_changes.word_counts(file, [FERRY]) == {FERRY: counts[FERRY]}
    assert (counts[FERRY] + counts[MARA]).total == 10
