"""Comments in a real project file, whatever is done to their texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quire.domain.drafting.chapter_advance_rules import Turn
from quire.domain.drafting.run import Chunk, RunState
from quire.domain.manuscript.comments import Comment, anchored
from quire.domain.manuscript.project_records import SnapshotReason
from quire.services.transactions import (
    comment_changes,
    last_draft,
    project_text,
    split_and_merge,
    take_changes,
    tree_changes,
)
from quire.storage.project_file import ProjectFile, open_project_file
from tests.app.services.books import FERRY, HARBOUR, HARBOUR_TEXT, LETTERS, add_run, make_book

MADE = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ProjectFile]:
    make_book(tmp_path / "novel.quire")
    file = open_project_file(tmp_path / "novel.quire")
    yield file
    file.close()


def text_of(file: ProjectFile, document_id: int) -> str:
    return project_text.read_document(file, document_id).text


def comment(file: ProjectFile, words: str, document_id: int = HARBOUR, said: str = "Why?") -> Comment:
    """Comment on words of a text."""
    text = text_of(file, document_id)
    start = text.index(words)
    new = anchored(Comment(0, 0, 1, "?", said, "", MADE), text, start, start + len(words))
    return comment_changes.add(file, document_id, new)


def shown(file: ProjectFile) -> dict[int, list[str]]:
    """Return the words that have comments, by text; in brackets those that are not there."""
    return {
        text.document_id: [
            f"({one.words})" if one.is_lost else text_of(file, text.document_id)[one.start : one.end]
            for one in text.comments
        ]
        for text in comment_changes.comments_in_book(file)
    }


def test_a_comment_is_stored_changed_resolved_deleted_and_put_back(file: ProjectFile) -> None:
    first, second = comment(file, "slept"), comment(file, "still", said="Too quiet?")
    assert comment_changes.comments_of(file, HARBOUR) == (second, first)
    comment_changes.change(file, first.comment_id, text="Do gulls sleep?")
    comment_changes.change(file, second.comment_id, resolved=True)
    changed = replace(first, text="Do gulls sleep?")
    assert comment_changes.comments_of(file, HARBOUR) == (replace(second, resolved=True), changed)
    deleted = comment_changes.delete(file, first.comment_id)
    assert deleted == (HARBOUR, changed)
    assert comment_changes.delete(file, first.comment_id) is None
    project_text.save_text(file, HARBOUR, f"Once. {HARBOUR_TEXT}")
    comment_changes.put_back(file, HARBOUR, changed)
    assert shown(file) == {HARBOUR: ["still", "slept"]}


def test_a_comment_that_is_put_back_shares_no_number(file: ProjectFile) -> None:
    comment(file, "still")
    deleted = comment_changes.delete(file, comment(file, "slept").comment_id)
    assert deleted is not None
    later = comment(file, "rained", said="How long?")
    back = comment_changes.put_back(file, *deleted)
    assert len({one.comment_id for one in comment_changes.comments_of(file, HARBOUR)}) == 3
    comment_changes.change(file, back.comment_id, text="Do they?")
    assert shown(file) == {HARBOUR: ["still", "slept", "rained"]}
    assert later in comment_changes.comments_of(file, HARBOUR)


def test_a_new_comment_is_put_to_its_words_in_the_stored_text(file: ProjectFile) -> None:
    start = HARBOUR_TEXT.index("slept")
    new = anchored(Comment(0, 0, 1, "?", "Why?", "", MADE), HARBOUR_TEXT, start, start + 5)
    project_text.save_text(file, HARBOUR, f"Once. {HARBOUR_TEXT}")
    comment_changes.add(file, HARBOUR, new)
    (stored,) = comment_changes.comments_of(file, HARBOUR)
    assert stored.start == start + len("Once. ")


def test_a_date_that_no_clock_had_is_now(file: ProjectFile) -> None:
    kept = comment(file, "slept")
    with file.unit() as unit:
        unit.comments.save(HARBOUR, [replace(kept, created=datetime(1, 1, 1, tzinfo=UTC))])
        unit.commit()
    assert comment_changes.comments_of(file, HARBOUR)[0].created.year > 2000


def test_comments_are_in_the_file_and_in_no_text(file: ProjectFile) -> None:
    story = project_text.story(file)
    kept = comment(file, "slept")
    path = file.path
    file.close()
    again = open_project_file(path)
    assert comment_changes.comments_of(again, HARBOUR) == (kept,)
    assert project_text.story(again) == story
    again.close()


def test_comments_follow_their_words_into_other_texts(file: ProjectFile) -> None:
    comment(file, "still")
    comment(file, "rained")
    comment(file, "letter", LETTERS)
    new_id = split_and_merge.split(file, HARBOUR, HARBOUR_TEXT.index("Then")).new_id
    assert new_id is not None
    assert shown(file) == {HARBOUR: ["still"], new_id: ["rained"], LETTERS: ["letter"]}
    split_and_merge.merge(file, new_id)
    assert shown(file) == {HARBOUR: ["still", "rained"], LETTERS: ["letter"]}


def test_comments_follow_words_that_are_cut_and_pasted(file: ProjectFile) -> None:
    kept = comment(file, "slept")
    passage = "Nobody spoke. The gulls slept on the roofs."
    project_text.save_text(file, HARBOUR, HARBOUR_TEXT.replace(passage, ""))
    assert shown(file) == {HARBOUR: ["(slept)"]}
    project_text.save_text(file, FERRY, f"{text_of(file, FERRY)} {passage}")
    assert shown(file) == {FERRY: ["slept"]}
    assert comment_changes.comments_of(file, FERRY)[0].comment_id == kept.comment_id


def test_comments_are_kept_with_words_that_are_restored(file: ProjectFile) -> None:
    comment(file, "slept")
    snapshot = take_changes.keep_snapshot(file, "Before", SnapshotReason.BY_HAND)
    project_text.save_text(file, HARBOUR, "Nothing of it.")
    assert shown(file) == {HARBOUR: ["(slept)"]}
    take_changes.restore_text(file, snapshot.snapshot_id, HARBOUR)
    assert shown(file) == {HARBOUR: ["slept"]}


def test_comments_on_a_draft_come_back_with_it(file: ProjectFile) -> None:
    run = add_run(file, 1, HARBOUR, " The lamps went out one by one.")
    comment(file, "lamps")
    last_draft.take_back(file, run)
    assert shown(file) == {HARBOUR: ["(lamps)"]}
    last_draft.bring_back(file, HARBOUR)
    assert shown(file) == {HARBOUR: ["lamps"]}


def test_comments_keep_their_place_while_a_draft_grows_and_the_writer_edits(file: ProjectFile) -> None:
    run = replace(add_run(file, 1, HARBOUR), state=RunState.RUNNING)
    project_text.save_run(file, run)
    drafted = Chunk((7, 8), "\n\nChapter Two\n\nThe lamps went out.", 5, 1, 1.0)
    run = run.grown_by(drafted)
    project_text.append(file, run, drafted)
    text = HARBOUR_TEXT + drafted.text
    for words in ("slept", "lamps"):  # the second is not in the stored text yet
        start = text.index(words)
        new = anchored(Comment(0, 0, 1, "?", "Why?", "", MADE), text, start, start + len(words))
        comment_changes.add(file, HARBOUR, new)
    text = text.replace("The harbour", "That evening the harbour")
    project_text.save_while_generating(file, run, text)
    assert shown(file) == {HARBOUR: ["slept", "lamps"]}
    turned = split_and_merge.advance_chapter(file, run, Turn(text.index("Chapter Two"), "Chapter Two"))
    assert shown(file) == {HARBOUR: ["slept"], turned.rest.document_id: ["lamps"]}


def test_a_text_that_is_deleted_for_good_takes_its_comments_with_it(file: ProjectFile) -> None:
    comment(file, "ferry", FERRY)
    tree_changes.trash(file, FERRY)
    assert shown(file) == {}
    tree_changes.restore(file, FERRY)
    assert shown(file) == {FERRY: ["ferry"]}
    tree_changes.trash(file, FERRY)
    tree_changes.empty_trash(file)
    with file.reading() as unit:
        assert unit.comments.of(FERRY) == ()


def test_what_cannot_be_read_is_kept_as_it_is(file: ProjectFile) -> None:
    foreign: dict[str, object] = {"comment_id": 9, "replies": []}  # of a later version
    with file.unit() as unit:
        unit.records.save_setting(f"comments of {HARBOUR}", [foreign])
        unit.commit()
    comment(file, "slept")
    project_text.save_text(file, HARBOUR, f"Once. {HARBOUR_TEXT}")
    assert shown(file) == {HARBOUR: ["slept"]}
    with file.reading() as unit:
        stored = unit.records.setting(f"comments of {HARBOUR}")
    assert isinstance(stored, list)
    assert foreign in stored
