"""Which takes a text has, those inside takes among them, and the trash that they lie in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.provenance import Origin
from quire.errors import WriterProblem
from quire.services.transactions import project_text, take_changes, take_queries
from quire.services.transactions.take_queries import Counted
from quire.storage.project_file import ProjectFile, create_project_file, open_project_file
from quire_engine.api.config import SamplingConfig

TEXT = "It was a dark night."


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ProjectFile]:
    path = tmp_path / "novel.quire"
    create_project_file(path, Project("Night", datetime.now(UTC)), Document(1, "Night", TEXT))
    file = open_project_file(path)
    yield file
    file.close()


def write(file: ProjectFile, new: str) -> None:
    project_text.save_text(file, 1, new)


def with_a_take_inside_one(file: ProjectFile) -> tuple[int, int, int]:
    """Return a take that was put aside, the one in it that stands there, and another one in it."""
    outer = take_changes.branch(file, 1, 7).take.take_id
    write(file, "It was bright. Then it rained.")
    inner = take_changes.branch(file, 1, 14).take.take_id
    write(file, "It was bright. Now it snows.")
    first = next(
        take for take in take_changes.takes_of(file, 1).all if take.parent_id == outer and not take.stands
    )
    original = next(
        take for take in take_changes.takes_of(file, 1).all if take.parent_id is None and not take.stands
    )
    take_changes.choose(file, original.take_id)
    return outer, inner, first.take_id


def test_takes_inside_a_take_that_was_put_aside_are_listed_behind_it(file: ProjectFile) -> None:
    outer, inner, first = with_a_take_inside_one(file)
    found = take_queries.summaries(file, 1)
    by_id = {take.take_id: take for take in found}
    assert [take.take_id for take in found][1:] == [outer, first, inner]
    assert [(take.depth, take.parent_id, take.start) for take in found[1:]] == [
        (0, None, 7), (1, outer, 14), (1, outer, 14)
    ]  # fmt: skip
    assert [take.stands for take in found] == [True, False, False, False]
    assert by_id[inner].after == "It was bright."
    assert (by_id[inner].opening, by_id[inner].num_words) == ("Now it snows.", 3)
    assert by_id[outer].opening == "bright. Now it snows."
    assert take_queries.source_of_take(file, first).document.text == "It was bright. Then it rained."


def opening_of(file: ProjectFile, take_id: int, known: Counted) -> str:
    return {take.take_id: take.opening for take in take_queries.summaries(file, 1, known)}[take_id]


def test_what_was_counted_is_remembered_until_the_take_changes(file: ProjectFile) -> None:
    outer, _, _ = with_a_take_inside_one(file)
    known: Counted = {}
    found = take_queries.summaries(file, 1, known)
    key = next(key for key in known if key[0] == outer)
    known[key] = (99, "Remembered", ())
    assert opening_of(file, outer, known) == "Remembered"
    take_changes.choose(file, outer)
    write(file, "It was bright. Now it snows much.")
    original = next(take for take in found if take.stands).take_id
    take_changes.choose(file, original)
    assert opening_of(file, outer, known) == "bright. Now it snows much."


def test_a_take_is_named(file: ProjectFile) -> None:
    outer, _, _ = with_a_take_inside_one(file)
    take_changes.rename(file, outer, "  The \n bright one ")
    assert {take.take_id: take.title for take in take_queries.summaries(file, 1)}[outer] == "The bright one"


def test_a_take_is_put_away_with_what_lies_in_it_and_taken_back(file: ProjectFile) -> None:
    outer, inner, first = with_a_take_inside_one(file)
    take_changes.put_in_trash(file, outer)
    away = {take.take_id for take in take_queries.summaries(file, 1) if take.trashed is not None}
    assert away == {outer, inner, first}
    take_changes.take_from_trash(file, first)
    assert not [take for take in take_queries.summaries(file, 1) if take.trashed is not None]


def test_what_the_text_reads_is_not_put_away(file: ProjectFile) -> None:
    outer, inner, _ = with_a_take_inside_one(file)
    standing = next(take.take_id for take in take_queries.summaries(file, 1) if take.stands)
    with pytest.raises(WriterProblem, match="Use another one in its place first"):
        take_changes.put_in_trash(file, standing)
    with pytest.raises(WriterProblem, match="This take belongs to a larger take"):
        take_changes.put_in_trash(file, inner)
    take_changes.put_in_trash(file, outer)
    take_changes.choose(file, outer)
    assert not [take for take in take_queries.summaries(file, 1) if take.trashed is not None]


@pytest.mark.parametrize(("days", "is_there"), [(29, True), (31, False)])
def test_the_trash_is_emptied_after_thirty_days(file: ProjectFile, days: int, is_there: bool) -> None:
    outer, inner, first = with_a_take_inside_one(file)
    take_changes.put_in_trash(file, outer)
    with file.unit() as unit:
        take = unit.takes.of(1)[outer]
        unit.takes.save(replace(take, trashed=datetime.now(UTC) - timedelta(days=days)))
        unit.commit()
    take_changes.tidy_trash(file)
    left = {take.take_id for take in take_changes.takes_of(file, 1).all}
    assert (left >= {outer, inner, first}) == is_there
    assert project_text.read_document(file, 1).text == TEXT


@pytest.mark.parametrize("asked", [None, "outer", "other"])
def test_a_take_in_the_trash_is_deleted_for_good(file: ProjectFile, asked: str | None) -> None:
    outer, inner, first = with_a_take_inside_one(file)
    assert take_changes.delete_for_good(file, 1) == ()  # nothing lies there
    assert len(take_changes.takes_of(file, 1).all) == 4
    take_changes.put_in_trash(file, outer)
    wanted = None if asked is None else (outer if asked == "outer" else 99,)
    take_changes.delete_for_good(file, 1, wanted)
    left = {take.take_id for take in take_changes.takes_of(file, 1).all}
    assert left.isdisjoint({outer, inner, first}) == (asked != "other")
    assert project_text.read_document(file, 1).text == TEXT


def test_a_take_that_is_not_in_the_trash_is_not_deleted(file: ProjectFile) -> None:
    outer, inner, first = with_a_take_inside_one(file)
    assert take_changes.delete_for_good(file, 1, (outer, inner, first)) == ()
    assert len(take_changes.takes_of(file, 1).all) == 4


@pytest.mark.parametrize("stands_elsewhere", [False, True])
def test_a_run_goes_with_its_take_unless_another_text_has_words_of_it(
    file: ProjectFile, stands_elsewhere: bool
) -> None:
    take = take_changes.branch(file, 1, len(TEXT)).take
    run = project_text.begin_run(file, Run(1, 1, SamplingConfig(), 5, "", "", state=RunState.RUNNING))
    run = replace(run, num_prompt=1)
    project_text.save_prompt(file, run, (1,))
    run = replace(run, num_tokens=1, num_words=1).moved_to(RunState.PAUSED)
    project_text.merge_drafted_text(file, run, Chunk((5,), " Rain.", 1, 1, 2.0))
    if stands_elsewhere:
        with file.unit() as unit:  # as a chapter that was cut off the one that the take is in
            tree = unit.manuscript.tree()
            new_id = max(node.node_id for node in tree.nodes) + 1
            node = replace(tree.node(1), node_id=new_id, title="Rain", position=1)
            unit.manuscript.add(node, Document(new_id, "Rain", "").drafted(" Rain.", 1))
            unit.commit()
    take_changes.branch(file, 1, len(TEXT))
    write(file, f"{TEXT} Snow.")
    take_changes.put_in_trash(file, take.take_id)
    assert take_changes.delete_for_good(file, 1) == (() if stands_elsewhere else (1,))
    with file.reading() as unit:
        assert [run.run_id for run in unit.runs.all()] == ([1] if stands_elsewhere else [])


def test_a_take_is_listed_by_whole_words(file: ProjectFile) -> None:
    take_changes.branch(file, 1, 0)
    write(file, "extraordinarily " * 9)
    opening = next(take.opening for take in take_queries.summaries(file, 1) if take.stands)
    assert opening == "extraordinarily " * 4 + "extraordinarily…"


def test_a_run_whose_words_are_elsewhere_outlives_its_take(file: ProjectFile) -> None:
    run = Run(1, 1, SamplingConfig(), 5, "", "", state=RunState.RUNNING)
    take = take_changes.branch(file, 1, len(TEXT)).take
    run = project_text.begin_run(file, run)
    assert run.take_id == take.take_id
    run = replace(run, num_prompt=1)
    project_text.save_prompt(file, run, (1,))
    chunk = Chunk((5,), " Rain.", 1, 1, 2.0)
    run = replace(run, num_tokens=1, num_words=1).moved_to(RunState.PAUSED)
    project_text.merge_drafted_text(file, run, chunk)
    take_changes.branch(file, 1, len(TEXT))
    write(file, f"{TEXT} Snow.\n Rain.")
    document = project_text.read_document(file, 1)
    start = document.text.index(" Rain")
    with file.unit() as unit:
        credited = document.provenance.part(0, start).grown(6, Origin.DRAFTED, 1)
        unit.manuscript.save(replace(document, provenance=credited))
        unit.commit()
    take_changes.put_in_trash(file, take.take_id)
    with file.unit() as unit:
        old = unit.takes.of(1)[take.take_id]
        unit.takes.save(replace(old, trashed=datetime.now(UTC) - timedelta(days=40)))
        unit.commit()
    take_changes.tidy_trash(file)
    with file.reading() as unit:
        assert [(kept.run_id, kept.take_id) for kept in unit.runs.all()] == [(1, None)]
        assert unit.runs.text(1) == " Rain."
