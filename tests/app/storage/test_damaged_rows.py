"""One damaged row does not make the rest unreadable where going on is safe, and is never vouched for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quire.domain.drafting.run import RunState
from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.domain.manuscript.takes import Take
from quire.domain.manuscript.tree import Status
from quire.errors import WriterProblem
from quire.services.transactions import project_text, take_changes, take_queries
from quire.storage import problems
from quire.storage.phrase_repository import PhraseTable
from quire.storage.project_file import (
    create_project_file,
    last_good_backup,
    open_project_file,
    restore_project,
)
from quire.storage.rows import DamagedRow
from tests.app.storage.stored import CHUNKS, PROJECT, RUN, TEXT, changed, made_wrong, store_run

WHEN = datetime(2026, 1, 5, tzinfo=UTC)


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    """A project with a run, a take, a snapshot and a synopsis."""
    path = tmp_path / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    file = open_project_file(path)
    run = store_run(file)
    with file.unit() as unit:
        unit.runs.mark_folded(run.run_id)
        unit.manuscript.save_node(
            replace(unit.manuscript.tree().node(1), synopsis="Rain.", status=Status.DRAFT)
        )
        unit.takes.put_aside(Take(1, 1, None, 3, False, "Other"), Document(1, "", "Another end."))
        snapshot = Snapshot(1, "First", SnapshotReason.BY_HAND, WHEN)
        unit.phrases.save([PhraseTable("a" * 64, "b" * 64, 5, 9, b"entries")])
        unit.snapshots.take(snapshot, [Document(1, "The Ferry", TEXT), Document(2, "Two", "Two.")])
        unit.commit()
    file.close()
    return path


@pytest.mark.parametrize(
    ("statement", "row"),
    [
        ("UPDATE project SET title = 'The Fesry'", DamagedRow("project", (1,))),
        ("UPDATE project SET created = 'x'", DamagedRow("project", (1,))),
        ("UPDATE node SET synopsis = 'Raim.' WHERE node_id = 1", DamagedRow("node", (1,))),
        ("UPDATE node SET title = CAST(x'ff41' AS TEXT) WHERE node_id = 1", DamagedRow("node", (1,))),
        ("UPDATE node SET status = 'drafv' WHERE node_id = 1", DamagedRow("node", (1,))),
        ("UPDATE node SET kind = 'ciapter' WHERE node_id = 1", DamagedRow("node", (1,))),
        ("UPDATE document SET updated = 'x'", DamagedRow("document", (1,))),
        ("UPDATE run SET seed = seed + 1", DamagedRow("run", (1,))),
        ("UPDATE run SET sampling = '['", DamagedRow("run", (1,))),
        ("UPDATE run SET prompt = x'00'", DamagedRow("run", (1,))),
        ("UPDATE run_chunk SET token_ids = x'01000000' WHERE seq = 1", DamagedRow("run_chunk", (1, 1))),
        ("UPDATE run_chunk SET step_ms = 1.25 WHERE seq = 1", DamagedRow("run_chunk", (1, 1))),
        ("UPDATE take SET place = 2", DamagedRow("take", (1,))),
        ("UPDATE take SET parent_id = 77", DamagedRow("take", (1,))),
        ("UPDATE snapshot SET reason = 'by hane'", DamagedRow("snapshot", (1,))),
        ("UPDATE snapshot_text SET title = 'Twp' WHERE document_id = 2", DamagedRow("snapshot_text", (1, 2))),
        (
            "UPDATE phrase_table SET data = x'00'",
            DamagedRow("phrase_table", ("a" * 64, "b" * 64)),
        ),
        ("UPDATE commit_chain SET link = x'00'", DamagedRow("commit_chain", (1,))),
    ],
)
def test_the_text_opens_all_the_same_and_the_damage_is_named(
    novel: Path, statement: str, row: DamagedRow
) -> None:
    changed(novel, "PRAGMA foreign_keys = OFF", statement)
    file = open_project_file(novel)
    opened = project_text.open_and_recover(file)
    assert opened.document.text == TEXT
    assert opened.tree.node(1).status is Status.DRAFT
    take_changes.takes_of(file, 1)
    project_text.save_text(file, 1, "Written on.")
    assert file.damage == (row,)
    file.close()
    again = open_project_file(novel)
    again.close()
    expected = () if row.table in ("document", "commit_chain") else (row,)
    assert again.damage == expected  # saving the text vouches for nothing else


@pytest.mark.parametrize(
    "statement",
    ["UPDATE run SET seed = seed + 1", "UPDATE run_chunk SET token_ids = x'01000000' WHERE seq = 1",
     "UPDATE content SET data = x'0001' WHERE digest NOT IN (SELECT text_digest FROM snapshot_text)"],
)  # fmt: skip
def test_a_run_with_damage_is_shown_and_marked(novel: Path, statement: str) -> None:
    changed(novel, statement)
    file = open_project_file(novel)
    with file.reading() as unit:
        (run,) = unit.runs.all()
    with file.unit() as unit:
        assert not unit.runs.compact(1)
    file.close()
    assert run.damaged
    assert run.num_words == CHUNKS[-1].num_words


def test_what_is_not_in_the_text_yet_is_not_guessed(tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    file = open_project_file(path)
    store_run(file, replace(RUN, state=RunState.RUNNING))
    file.close()
    changed(path, "UPDATE run SET num_folded = 1")
    with pytest.raises(problems.ProjectDamaged, match="the record of run 1"):
        open_project_file(path)


def test_a_damaged_take_is_not_put_into_the_text(novel: Path) -> None:
    changed(novel, "UPDATE take SET place = 2")
    file = open_project_file(novel)
    with pytest.raises(WriterProblem, match="record of this take is damaged"):
        take_changes.choose(file, 1)
    file.close()


def test_one_damaged_text_of_a_snapshot_leaves_the_others(novel: Path) -> None:
    changed(novel, "UPDATE snapshot_text SET document_id = 3 WHERE document_id = 2")
    file = open_project_file(novel)
    assert take_queries.source_of_snapshot(file, 1, 1).document.text == TEXT
    with pytest.raises(problems.ProjectDamaged):
        take_queries.source_of_snapshot(file, 1, 3)
    file.close()


def test_a_damaged_snapshot_does_not_stop_a_draft(novel: Path) -> None:
    changed(
        novel, "UPDATE content SET data = x'0001' WHERE digest IN (SELECT text_digest FROM snapshot_text)"
    )
    file = open_project_file(novel)
    project_text.begin_run(file, replace(RUN, run_id=2, num_prompt=0, state=RunState.RUNNING))
    newest = take_changes.snapshots(file)[0]
    assert newest.reason is SnapshotReason.BEFORE_DRAFT
    assert take_queries.source_of_snapshot(file, newest.snapshot_id, 1).document.text == TEXT
    file.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE node SET synopsis = synopsis || '!' WHERE node_id = 1",
        "UPDATE setting SET value = '[9]'",
        "UPDATE snapshot_text SET title = 'Twp' WHERE document_id = 2",
        "UPDATE content SET row_digest = zeroblob(16)",
        "UPDATE run SET seed = seed + 1",
        "UPDATE take SET title = 'Othes'",
    ],
)
def test_a_backup_with_one_changed_row_is_not_good(novel: Path, statement: str) -> None:
    made: list[Path] = []
    file = open_project_file(novel)
    for number in (1, 2):
        with file.unit() as unit:
            unit.records.save_setting("colours", [number])
            unit.commit()
        backup = file.back_up(Reason.ASKED)
        assert backup is not None
        made.append(backup)
    file.close()
    good = last_good_backup(novel)
    assert good is not None
    assert good.path == made[1]
    made[1].chmod(0o600)
    changed(made[1], statement)
    good = last_good_backup(novel)
    assert good is not None
    assert good.path == made[0]
    assert restore_project(novel)[1] == made[0]


def test_a_backup_is_good_whatever_is_damaged_that_only_makes_drafts_faster(novel: Path) -> None:
    changed(novel, "UPDATE phrase_table SET data = x'00'")
    file = open_project_file(novel)
    backup = file.back_up(Reason.ASKED)
    file.close()
    assert [row.table for row in file.damage] == ["phrase_table"]
    good = last_good_backup(novel)
    assert good is not None
    assert good.path == backup


def test_a_foreign_value_with_the_right_digest_is_damage_as_ever(novel: Path) -> None:
    made_wrong(novel, "UPDATE snapshot SET reason = 'because'")
    file = open_project_file(novel)
    with pytest.raises(problems.ProjectDamaged):
        take_changes.snapshots(file)
    file.close()
