from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript.find_replace import Change, Query
from quire.domain.manuscript.manuscript import Document, Project, digest_of
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.domain.manuscript.tree import Node, NodeKind
from quire.errors import WriterProblem
from quire.services.project import book_search
from quire.services.project.book_search import (
    BookHits,
    BookReplacement,
    BookSearch,
    ChosenMatches,
    StaleSearch,
    find_in_book,
    replace_in_book,
    replace_in_text,
)
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_text, take_changes
from quire.storage.problems import DiskFull, ProjectReadOnly
from quire.storage.project_file import (
    ProjectFile,
    create_project_file,
    open_project_file,
    open_project_reader,
)
from quire_engine.api.config import SamplingConfig
from tests.fakes import Disk

DRAFTED = Document(3, "Two", "", Provenance()).drafted("Mara went. Nobody saw Mara’s coat.", 1)
RunAsync = Callable[[Coroutine[Any, Any, Any]], Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "novel.quire"
    more = [
        (Node(3, NodeKind.CHAPTER, "Two", 2, position=3), DRAFTED),
        (Node(4, NodeKind.SCENE, "Ferry", 3, position=1), Document(4, "Ferry", "No name here.")),
        (Node(5, NodeKind.CHARACTER, "Mara", None, position=5), Document(5, "Mara", "Mara is 30.")),
        (
            Node(6, NodeKind.CHAPTER, "Old", 2, position=9, trashed=datetime.now(UTC)),
            Document(6, "Old", "Mara in the trash."),
        ),
    ]
    first = Document(1, "One", "Mara came.\n“MARA!” they called.")
    create_project_file(path, Project("Night", datetime.now(UTC)), first, more)
    return path


@pytest.fixture
def file(path: Path) -> Iterator[ProjectFile]:
    file = open_project_file(path)
    yield file
    file.close()


def search(file: ProjectFile, query: Query) -> BookHits:
    found = find_in_book(file, query, lambda done, total: None, lambda: False)
    assert found is not None
    return found


def all_of(found: BookHits, replacement: str) -> BookReplacement:
    texts = (
        ChosenMatches(text.document_id, text.title, text.digest, tuple(hit.match for hit in text.hits))
        for text in found.texts
    )
    return BookReplacement(found.query, replacement, tuple(texts))


def text(file: ProjectFile, document_id: int) -> str:
    return project_text.read_document(file, document_id).text


def texts(file: ProjectFile) -> list[str]:
    return [text(file, number) for number in (1, 3, 4, 5, 6)]


def run(state: RunState) -> Run:
    return Run(1, 3, SamplingConfig(), 100, "base", "end", state)


def test_everything_is_found_in_reading_order_with_its_line(file: ProjectFile) -> None:
    found = search(file, Query("mara"))
    assert [(each.title, len(each.hits)) for each in found.texts] == [("One", 2), ("Two", 2), ("Mara", 1)]
    assert (found.num_hits, found.more) == (5, False)
    second = found.texts[0].hits[1]
    assert (second.match.start, second.match.end) == (12, 16)
    assert (second.context.before, second.context.found, second.context.after) == (
        "“", "MARA", "!” they called."
    )  # fmt: skip
    assert found.texts[0].digest == digest_of(text(file, 1))
    assert search(file, Query("nobody at all")).texts == ()


def test_the_search_says_how_far_it_is_and_can_be_stopped(file: ProjectFile) -> None:
    told: list[tuple[int, int]] = []
    find_in_book(file, Query("mara"), lambda done, total: told.append((done, total)), lambda: False)
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    told.clear()
    stopped = find_in_book(
        file, Query("mara"), lambda done, total: told.append((done, total)), lambda: len(told) == 2
    )
    assert (stopped, told) == (None, [(0, 4), (1, 4)])


@pytest.mark.parametrize(("most", "lengths"), [(5, [2, 2, 1]), (4, [2, 2]), (3, [2, 1]), (2, [2])])
def test_a_search_ends_where_nobody_would_read_on(
    file: ProjectFile, monkeypatch: pytest.MonkeyPatch, most: int, lengths: list[int]
) -> None:
    monkeypatch.setattr(book_search, "MAX_HITS", most)
    found = search(file, Query("mara"))
    assert ([len(each.hits) for each in found.texts], found.more) == (lengths, most < 5)


def test_a_bad_pattern_is_said_before_anything_is_read(file: ProjectFile) -> None:
    told: list[tuple[int, int]] = []
    with pytest.raises(WriterProblem, match="not a valid regular expression"):
        find_in_book(file, Query("(", is_regex=True), lambda *how_far: told.append(how_far), lambda: False)
    assert told == []


def test_replacing_changes_what_was_chosen_and_keeps_the_book_before(file: ProjectFile) -> None:
    before = texts(file)
    order = all_of(search(file, Query("mara", whole_words=True)), "Ida")
    first = replace(order.texts[0], matches=order.texts[0].matches[1:])  # without the first of chapter one
    done = replace_in_book(file, replace(order, texts=(first, *order.texts[1:])))
    assert texts(file) == [
        "Mara came.\n“Ida!” they called.",
        "Ida went. Nobody saw Ida’s coat.",
        "No name here.",
        "Ida is 30.",
        "Mara in the trash.",
    ]
    assert (done.num_replaced, [document.document_id for document in done.documents]) == (4, [1, 3, 5])
    assert done.documents[1] == project_text.read_document(file, 3)
    with file.reading() as unit:
        (snapshot,) = unit.snapshots.all()
        kept = {document.document_id: document.text for document in unit.snapshots.documents(1)}
    assert snapshot == done.snapshot
    assert snapshot.title == "Before replacing “mara”"
    assert kept == {1: before[0], 3: before[1], 4: before[2], 5: before[3]}
    assert take_changes.restore_text(file, snapshot.snapshot_id, 3).text == before[1]


def test_what_lies_between_replacements_stays_drafted(file: ProjectFile) -> None:
    replace_in_book(file, all_of(search(file, Query("mara")), "Ida"))
    origins = [span.origin for span in project_text.read_document(file, 3).provenance.spans]
    assert origins == [Origin.EDITED, Origin.DRAFTED, Origin.EDITED, Origin.DRAFTED]


def test_groups_and_patterns_work_across_the_book(file: ProjectFile) -> None:
    query = Query(r"(mara) (\w+)", is_regex=True)
    replace_in_book(file, all_of(search(file, query), r"\2 \1"))
    assert texts(file)[:2] == ["came Mara.\n“MARA!” they called.", "went Mara. Nobody saw Mara’s coat."]
    with pytest.raises(WriterProblem, match="no such group"):
        replace_in_book(file, all_of(search(file, query), r"\3"))


def test_takes_begin_where_their_words_went(file: ProjectFile) -> None:
    branched = take_changes.branch(file, 3, len("Mara went. Nobody saw Mara"))
    project_text.save_text(file, 3, branched.document.text + "h.")
    replace_in_book(file, all_of(search(file, Query("mara", match_case=False)), "Wilhelmina"))
    assert text(file, 3) == "Wilhelmina went. Nobody saw Wilhelminah."
    aside, new = take_changes.takes_of(file, 3).all
    assert aside.place == new.place == len("Wilhelmina went. Nobody saw Wilhelmina")
    assert (
        take_changes.choose(file, aside.take_id).document.text
        == "Wilhelmina went. Nobody saw Wilhelmina’s coat."
    )


def test_a_text_that_changed_meanwhile_stops_everything(file: ProjectFile) -> None:
    order = all_of(search(file, Query("mara")), "Ida")
    project_text.save_text(file, 3, "Mara stayed.")
    before = texts(file)
    with pytest.raises(StaleSearch, match=r"“Two” has changed .*Search again"):
        replace_in_book(file, order)
    with file.reading() as unit:
        assert unit.snapshots.all() == ()
    assert texts(file) == before
    replace_in_book(file, all_of(search(file, Query("mara")), "Ida"))
    assert text(file, 3) == "Ida stayed."


def test_a_text_that_went_into_the_trash_stops_everything(file: ProjectFile) -> None:
    order = all_of(search(file, Query("mara")), "Ida")
    with file.unit() as unit:
        node = unit.manuscript.tree().node(3)
        unit.manuscript.save_node(replace(node, trashed=datetime.now(UTC)))
        unit.commit()
    before = texts(file)
    with pytest.raises(StaleSearch, match="“Two” is no longer in the project"):
        replace_in_book(file, order)
    assert texts(file) == before


def test_nothing_is_replaced_while_a_draft_is_written(file: ProjectFile) -> None:
    order = all_of(search(file, Query("mara")), "Ida")
    before = texts(file)
    project_text.save_run(file, run(RunState.RUNNING))
    with pytest.raises(WriterProblem, match="Pause the draft before replacing"):
        replace_in_book(file, order)
    with pytest.raises(WriterProblem, match="Pause the draft before replacing"):
        replace_in_text(file, 1, digest_of(before[0]), [Change(0, 4, "Ida")])
    assert texts(file) == before
    project_text.save_run(file, run(RunState.PAUSED))
    assert replace_in_book(file, order).num_replaced == 5


def test_replacing_words_by_themselves_changes_nothing(file: ProjectFile) -> None:
    with file.reading() as unit:
        revision = unit.manuscript.revision()
    done = replace_in_book(file, all_of(search(file, Query("Mara", match_case=True)), "Mara"))
    assert (done.num_replaced, done.documents, done.snapshot) == (4, (), None)
    with file.reading() as unit:
        assert unit.manuscript.revision() == revision
    assert replace_in_book(file, BookReplacement(Query("x"), "y", ())).num_replaced == 0


def test_a_full_disk_replaces_nothing(path: Path, disk: Disk) -> None:
    file = open_project_file(path)
    order = all_of(search(file, Query("mara")), "I" * 100_000)
    before = texts(file)
    disk.fill()
    with pytest.raises(DiskFull):
        replace_in_book(file, order)
    disk.make_room()
    assert texts(file) == before
    with file.reading() as unit:
        assert unit.snapshots.all() == ()
    file.close()


def test_a_project_that_is_only_read_is_searched_and_not_changed(path: Path) -> None:
    file = open_project_reader(path)
    try:
        order = all_of(search(file, Query("mara")), "Ida")
        with pytest.raises(ProjectReadOnly):
            replace_in_book(file, order)
    finally:
        file.close()


def test_replacing_in_the_open_text_leaves_the_rest_drafted(file: ProjectFile) -> None:
    changes = [Change(0, 4, "Ida"), Change(22, 26, "Ida")]
    done = replace_in_text(file, 3, digest_of(DRAFTED.text), changes)
    assert done == project_text.read_document(file, 3)
    assert done.text == "Ida went. Nobody saw Ida’s coat."
    assert [span.origin for span in done.provenance.spans][1::2] == [Origin.DRAFTED, Origin.DRAFTED]
    with pytest.raises(StaleSearch):
        replace_in_text(file, 3, digest_of(DRAFTED.text), changes)


@asynccontextmanager
async def busy_session(path: Path) -> AsyncIterator[tuple[ProjectSession, threading.Event]]:
    """An open project whose reading thread is busy until the event is set."""
    session, gate = await ProjectSession.open(path), threading.Event()
    busy = asyncio.ensure_future(session.read(lambda file: gate.wait()))
    try:
        yield session, gate
    finally:
        gate.set()
        await busy
        await session.close()


def test_a_new_search_ends_the_one_before(path: Path, run_async: RunAsync) -> None:
    told: list[tuple[int, int]] = []

    async def ask_twice() -> list[BookHits | None]:
        async with busy_session(path) as (session, gate):
            finder = BookSearch(session)
            first = asyncio.ensure_future(finder.find(Query("mara"), lambda *how_far: None))
            await asyncio.sleep(0)  # it begins to wait
            second = asyncio.ensure_future(finder.find(Query("coat"), lambda *how_far: told.append(how_far)))
            await asyncio.sleep(0)
            gate.set()
            return [await first, await second]

    first, second = run_async(ask_twice())
    assert (first, second.num_hits, told[-1]) == (None, 1, (4, 4))


@pytest.mark.parametrize("how", ["stop", "cancel"])
def test_a_search_that_is_stopped_finds_nothing_and_says_no_more(
    path: Path, run_async: RunAsync, how: str
) -> None:
    told: list[tuple[int, int]] = []

    async def stop_at_once() -> object:
        async with busy_session(path) as (session, gate):
            finder = BookSearch(session)
            search = asyncio.ensure_future(finder.find(Query("mara"), lambda *how_far: told.append(how_far)))
            await asyncio.sleep(0)
            finder.stop() if how == "stop" else search.cancel()
            await asyncio.sleep(0)
            gate.set()
            (found,) = await asyncio.gather(search, return_exceptions=True)
            await session.read(lambda file: None)
            return found

    found = run_async(stop_at_once())
    assert told == []
    assert found is None if how == "stop" else isinstance(found, asyncio.CancelledError)


def test_a_search_passes_a_problem_on(path: Path, run_async: RunAsync) -> None:
    async def ask() -> None:
        async with busy_session(path) as (session, gate):
            gate.set()
            await BookSearch(session).find(Query("(", is_regex=True), lambda *how_far: None)

    with pytest.raises(WriterProblem, match="not a valid regular expression"):
        run_async(ask())


def test_the_open_text_is_the_new_one_when_the_book_was_changed(path: Path, run_async: RunAsync) -> None:
    async def replace_everywhere() -> tuple[str, Document, Document]:
        async with busy_session(path) as (session, gate):
            gate.set()
            found = BookSearch(session)
            hits = await found.find(Query("mara"), lambda *how_far: None)
            assert hits is not None
            await session.open_document(3)
            await found.replace(all_of(hits, "Ida"))
            changed = session.document
            await session.open_document(4)  # nothing was found there
            await found.replace(all_of(replace(hits, texts=()), "Ida"))
            return changed.text, changed, await session.read(project_text.read_document, 3)

    text, changed, stored = run_async(replace_everywhere())
    assert text == "Ida went. Nobody saw Ida’s coat."
    assert changed == stored


def test_replacing_in_the_open_text_is_stored_at_once(path: Path, run_async: RunAsync) -> None:
    async def replace_one() -> Document:
        async with busy_session(path) as (session, gate):
            gate.set()
            await session.open_document(3)
            await BookSearch(session).replace_here(digest_of(DRAFTED.text), [Change(0, 4, "Ida")])
            with pytest.raises(StaleSearch):
                await BookSearch(session).replace_here(digest_of(DRAFTED.text), [Change(0, 4, "Ida")])
            return session.document

    assert run_async(replace_one()).text.startswith("Ida went.")
