from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.domain.drafting.run import RunState
from quire.domain.manuscript import tree_requests as wish
from quire.domain.manuscript.manuscript import Document, digest_of
from quire.domain.manuscript.provenance import Origin
from quire.domain.manuscript.tree import Status
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import (
    project_text,
    split_and_merge,
    take_changes,
    take_queries,
    tree_changes,
)
from quire.storage.project_file import ProjectFile, open_project_file
from tests.app.services.books import (
    FERRY,
    HARBOUR,
    HARBOUR_TEXT,
    LETTERS,
    STORM,
    add_run,
    drafted,
    dump,
    make_book,
    texts_of,
)

SECOND = HARBOUR_TEXT.index("Nobody")
THIRD = HARBOUR_TEXT.index("Then")


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ProjectFile]:
    make_book(tmp_path / "novel.quire")
    file = open_project_file(tmp_path / "novel.quire")
    yield file
    file.close()


def read(file: ProjectFile, document_id: int) -> Document:
    return project_text.read_document(file, document_id)


# ---------------------------------------------------------------- split
def test_a_chapter_becomes_two_and_reads_as_before(file: ProjectFile) -> None:
    story = project_text.story(file)
    tree_changes.set_status(file, HARBOUR, Status.DRAFT)
    edited = split_and_merge.split(file, HARBOUR, THIRD)
    assert texts_of(file) == {
        "Harbour": HARBOUR_TEXT[:THIRD],
        "Harbour (2)": HARBOUR_TEXT[THIRD:],
        "Letters": "A letter came.",
        "Storm": "The storm began at night.",
        "Ferry": "They took the ferry.",
    }
    assert (edited.said, project_text.story(file)) == ("", story)
    assert edited.open_id is not None
    assert edited.tree.node(edited.open_id).status is Status.DRAFT
    assert edited.text_ids == (HARBOUR, edited.open_id)


def test_who_wrote_what_stays_with_the_words(file: ProjectFile) -> None:
    add_run(file, 1, FERRY, " The night was cold.")
    new_id = split_and_merge.split(file, FERRY, len("They took the ferry. The")).open_id
    assert new_id is not None
    assert read(file, FERRY).provenance.kind_at(21) == (Origin.DRAFTED, 1)
    assert read(file, new_id).provenance == drafted(" night was cold.", 1)


@pytest.mark.parametrize(
    ("text", "title", "new_title"),
    [
        ("Some words.\n\nChapter 4: The Quay\n\nMore.", "Fog", "Chapter 4: The Quay"),
        ("Some words.\n\nMore.", "Fog", "Fog (2)"),
        ("Some words.\n\nMore.", "Fog (2)", "Fog (3)"),
        ("Some words.\n\nMore.", "Chapter IV: Fog", "Chapter V"),
        ("Some words.\n\nMore.", "Chapter 0", "Chapter 1"),
        ("Some words.\n\nMore.", "", ""),
    ],
)
def test_the_second_half_has_a_title(file: ProjectFile, text: str, title: str, new_title: str) -> None:
    tree_changes.rename(file, FERRY, title)
    project_text.save_text(file, FERRY, text)
    edited = split_and_merge.split(file, FERRY, len("Some words.\n\n"))
    assert edited.open_id is not None
    assert edited.tree.node(edited.open_id).title == new_title
    assert read(file, edited.open_id).title == new_title


@pytest.mark.parametrize("place", [0, len(HARBOUR_TEXT), 999])
def test_nothing_is_split_off_where_nothing_is(file: ProjectFile, place: int) -> None:
    before = dump(file)
    with pytest.raises(WriterProblem, match="Put the cursor where the new text"):
        split_and_merge.split(file, HARBOUR, place)
    assert dump(file) == before


def test_takes_that_begin_behind_the_place_go_along(file: ProjectFile) -> None:
    take_changes.branch(file, HARBOUR, THIRD)
    project_text.save_text(file, HARBOUR, HARBOUR_TEXT[:THIRD] + "Then the sun came out.")
    inner = take_changes.branch(file, HARBOUR, THIRD + len("Then the ")).take
    edited = split_and_merge.split(file, HARBOUR, SECOND)
    assert edited.open_id is not None
    assert edited.said == ""
    assert take_changes.takes_of(file, HARBOUR).all == ()
    moved = take_changes.takes_of(file, edited.open_id)
    assert len(moved.all) == 4
    assert inner.take_id in moved.standing()
    ways = {
        take_queries.source_of_take(file, take.take_id).document.text for take in moved.all if not take.stands
    }
    middle = HARBOUR_TEXT[SECOND:THIRD]
    assert ways == {middle + "Then it rained.", middle + "Then the sun came out."}
    first = next(take for take in moved.all if not take.stands and take.parent_id is None)
    assert take_changes.choose(file, first.take_id).document.text == HARBOUR_TEXT[SECOND:]


def test_takes_that_begin_at_the_place_are_ways_of_the_second_half(file: ProjectFile) -> None:
    take_changes.branch(file, HARBOUR, THIRD)
    project_text.save_text(file, HARBOUR, HARBOUR_TEXT[:THIRD] + "Then it snowed.")
    edited = split_and_merge.split(file, HARBOUR, THIRD)
    assert edited.open_id is not None
    assert edited.said == ""
    aside = next(take for take in take_changes.takes_of(file, edited.open_id).all if not take.stands)
    assert take_changes.choose(file, aside.take_id).document.text == "Then it rained."


def test_a_take_that_reaches_beyond_the_place_stays_and_a_snapshot_is_kept(file: ProjectFile) -> None:
    take_changes.branch(file, HARBOUR, SECOND)
    whole = HARBOUR_TEXT[:SECOND] + "Everybody spoke at once.\n\nThen it snowed."
    project_text.save_text(file, HARBOUR, whole)
    late = take_changes.branch(file, HARBOUR, whole.index("snowed")).take
    project_text.save_text(file, HARBOUR, whole)
    edited = split_and_merge.split(file, HARBOUR, whole.index("Then"))
    assert edited.said == (
        "A take starts before this point. It stays complete, with the first text."
        " The previous version is in the snapshot “Before splitting Harbour”."
    )
    assert edited.open_id is not None
    stays, moved = take_changes.takes_of(file, HARBOUR), take_changes.takes_of(file, edited.open_id)
    old = next(take for take in stays.all if not take.stands)
    assert take_queries.source_of_take(file, old.take_id).document.text == HARBOUR_TEXT
    assert moved[late.take_id].parent_id is None
    with file.reading() as unit:
        (snapshot,) = unit.snapshots.all()
        assert unit.snapshots.documents(snapshot.snapshot_id)[0].text == whole


def test_runs_stay_what_they_were(file: ProjectFile) -> None:
    before = add_run(file, 1, HARBOUR, " It rained on.")
    new = split_and_merge.split(file, HARBOUR, THIRD).new_id
    split_and_merge.merge(file, FERRY)
    assert new is not None
    with file.reading() as unit:
        (run,) = unit.runs.all()
    assert run.texts == (HARBOUR, new)  # where its words are now
    assert replace(run, asked={}, created=None, updated=None) == before


# ---------------------------------------------------------------- merge
def test_merging_what_was_split_gives_the_text_back(file: ProjectFile) -> None:
    story = project_text.story(file)
    new_id = split_and_merge.split(file, HARBOUR, THIRD).open_id
    assert new_id is not None
    edited = split_and_merge.merge(file, new_id)
    assert (edited.open_id, edited.said) == (HARBOUR, "")
    assert read(file, HARBOUR).text == HARBOUR_TEXT
    assert edited.tree.node(new_id).trashed is not None
    assert project_text.story(file) == story


def test_a_chapter_goes_on_the_scene_before_it(file: ProjectFile) -> None:
    story = project_text.story(file)
    split_and_merge.merge(file, FERRY)
    assert texts_of(file)["Storm"] == "The storm began at night.\n\nThey took the ferry."
    assert project_text.story(file) == story


def test_takes_of_both_lie_in_the_merged_text(file: ProjectFile) -> None:
    take_changes.branch(file, LETTERS, 2)
    project_text.save_text(file, LETTERS, "A parcel came.")
    take_changes.branch(file, STORM, 10)
    project_text.save_text(file, STORM, "The storm ended soon.")
    edited = split_and_merge.merge(file, STORM)
    assert edited.said.startswith("The take at the end of the")
    assert take_changes.takes_of(file, STORM).all == ()
    known = take_changes.takes_of(file, LETTERS)
    ways = {
        take_queries.source_of_take(file, take.take_id).document.text for take in known.all if not take.stands
    }
    assert ways == {"A letter came.", "A parcel came.\n\nThe storm began at night."}
    with file.reading() as unit:
        (snapshot,) = unit.snapshots.all()
        kept = {document.document_id: document.text for document in unit.snapshots.documents(1)}
    assert snapshot.document_ids == (LETTERS, STORM)
    assert kept == {LETTERS: "A parcel came.", STORM: "The storm ended soon."}


def test_two_texts_that_are_too_long_together_stay_two(file: ProjectFile) -> None:
    project_text.save_text(file, STORM, "word " * 12_000)
    with pytest.raises(WriterProblem, match=r"60,022 characters.*the limit is 60,000"):
        split_and_merge.merge(file, FERRY)


def test_a_text_that_is_being_written_is_not_cut(file: ProjectFile) -> None:
    run = add_run(file, 1, FERRY)
    with file.unit() as unit:
        unit.runs.save(run.moved_to(RunState.RUNNING))
        unit.commit()
    for edit in (wish.Split(FERRY, 5), wish.Merge(FERRY)):
        with pytest.raises(WriterProblem, match="This text is being drafted"):
            tree_changes.perform(file, edit)


# ---------------------------------------------------------------- too long
LONG = "Prologue words here.\n\n" + "\n\n".join(
    f"Chapter {number}\n\n" + f"Sentence {number}. " * 20 for number in range(1, 5)
)


def test_a_long_text_is_cut_at_its_headings(file: ProjectFile) -> None:
    project_text.save_text(file, HARBOUR, LONG)
    edited = split_and_merge.cut_long(file, HARBOUR, max_chars=400)
    titles = ["Harbour", "Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4"]
    assert list(texts_of(file))[:5] == titles
    assert "".join(list(texts_of(file).values())[:5]) == LONG
    assert edited.said == "“Harbour” was too long for one text, so it was split into 5."
    assert len(edited.text_ids) == 5


def test_a_long_text_without_headings_is_cut_between_paragraphs(file: ProjectFile) -> None:
    text = "\n\n".join(f"Paragraph {number} has a few words." for number in range(40))
    project_text.save_text(file, FERRY, text)
    split_and_merge.cut_long(file, FERRY, max_chars=500)
    found = texts_of(file)
    assert list(found)[3:] == ["Ferry", "Ferry (2)", "Ferry (3)"]
    assert "".join(list(found.values())[3:]) == text
    assert all(len(one) <= 500 and one.startswith("Paragraph") for one in list(found.values())[3:])


def test_a_paragraph_stays_whole_however_long_it_is(file: ProjectFile) -> None:
    project_text.save_text(file, FERRY, "It rained. " * 100)
    edited = split_and_merge.cut_long(file, FERRY, max_chars=500)
    assert (edited.text_ids, edited.said) == ((), "A paragraph is never divided, and “Ferry” has only one.")


def test_a_text_that_is_short_enough_stays_whole(file: ProjectFile) -> None:
    before = dump(file)
    assert split_and_merge.cut_long(file, HARBOUR).text_ids == ()
    assert dump(file) == before


def test_the_heading_of_a_part_stays_with_the_chapter_below_it(file: ProjectFile) -> None:
    text = "Chapter 1\n\n" + "One. " * 30 + "\n\nPart Two\n\nChapter 2\n\n" + "Two. " * 30
    project_text.save_text(file, FERRY, text)
    split_and_merge.cut_long(file, FERRY, max_chars=250)
    found = texts_of(file)
    assert list(found)[3:] == ["Ferry", "Chapter 2"]
    assert found["Chapter 2"].startswith("Part Two\n\nChapter 2")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_cutting_and_merging_lose_no_word_and_no_take(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("cuts") / "novel.quire"
    make_book(path)
    file = open_project_file(path)
    words = project_text.story(file).split()
    for _ in range(data.draw(st.integers(1, 6))):
        with file.reading() as unit:
            order = [node.node_id for node in unit.manuscript.tree().reading_order()]
        number = data.draw(st.sampled_from(order))
        text = read(file, number).text
        ways = _ways(file, order)
        match data.draw(st.sampled_from(["split", "merge", "branch"])):
            case "split":
                places = [at for at in range(1, len(text)) if text[at - 1].isspace()]
                ends = [at for at in places if text[:at].strip() and text[at:].strip()]
                if ends:
                    split_and_merge.split(file, number, data.draw(st.sampled_from(ends)))
            case "merge" if number != order[0]:
                split_and_merge.merge(file, number)
            case "branch":
                place = data.draw(st.integers(0, len(text)))
                take_changes.branch(file, number, place)
                project_text.save_text(file, number, text)  # the same words, in another take
                ways += 1 if place < len(text) else 0
        with file.reading() as unit:
            order = [node.node_id for node in unit.manuscript.tree().reading_order()]
        assert project_text.story(file).split() == words
        assert _ways(file, order) == ways
        dump(file)
    file.close()


def _ways(file: ProjectFile, order: list[int]) -> int:
    """Count the takes put aside; each can be read, and what it says begins as the text before it does."""
    count = 0
    for number in order:
        for take in take_changes.takes_of(file, number).all:
            if not take.stands:
                assert take_queries.source_of_take(file, take.take_id).document.text
                count += 1
    return count


# ---------------------------------------------------------------- what is shown
def test_a_run_whose_text_was_split_rests_for_good(run_async: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"
    make_book(path)
    file = open_project_file(path)
    run = add_run(file, 1, HARBOUR, " It rained on.")
    with file.unit() as unit:
        text = unit.manuscript.document(HARBOUR).text
        unit.runs.save(replace(run, end_digest=digest_of(text)))
        unit.commit()
    file.close()

    async def resting() -> list[int | None]:
        session, found = await ProjectSession.open(path), list[int | None]()
        for node in session.tree.reading_order():
            if node.title.startswith("Harbour"):
                await session.open_document(node.node_id)
                found.append(getattr(await session.resting_run(), "run_id", None))
        await session.close()
        return found

    assert run_async(resting()) == [1]
    file = open_project_file(path)
    split_and_merge.split(file, HARBOUR, THIRD)
    file.close()
    assert run_async(resting()) == [None, None]
