"""What drafts count in other texts is kept in the project; no word depends on it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from quire.client.engine_client import EngineClient
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import RunState
from quire.domain.manuscript.chapter_splitting import TextSection
from quire.domain.manuscript.manuscript import digest_of
from quire.domain.manuscript.tree import NodeKind
from quire.errors import WriterProblem
from quire.services.drafting.drafting import Drafting
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import known_phrases
from quire.services.transactions.project_creation import create_cut
from quire.storage.phrase_repository import PhraseRepository
from quire_engine.api.config import ModelConfig
from quire_engine.engine import Engine
from tests.app.services.table import RunAsync
from tests.engine import worded
from tests.fakes import Watcher

GOAL = 100
CHAPTERS = [worded.text_of(worded.words(80, seed) * 2) for seed in range(3)]
LATER = digest_of("\n\n".join(CHAPTERS[1:]))


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    path = tmp_path / "novel.quire"
    chapters = [TextSection(NodeKind.CHAPTER, f"{n}", "", text) for n, text in enumerate(CHAPTERS, 1)]
    create_cut(path, "Ferry", chapters)
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return worded.save("llama", tmp_path_factory.mktemp("worded") / "model")


@asynccontextmanager
async def opened(path: Path, model: Path) -> AsyncIterator[tuple[ProjectSession, Drafting]]:
    session = await ProjectSession.open(path)
    try:
        async with EngineClient(Engine(), max_events=16) as client:
            config = ModelConfig(str(model), "float32", 8, threads=1)
            yield session, Drafting(client, session, Watcher(), config)
    finally:
        await session.close()


async def drafted(path: Path, model: Path, words: int = GOAL, seed: int | None = None) -> str:
    """Draft until so many words are there; return the open text."""
    async with opened(path, model) as (session, drafting):
        run = await drafting.draft(RunRequest(words, seed=seed))
        assert run.state is RunState.FINISHED
        return session.text


def sources(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {source for (source,) in connection.execute("SELECT source FROM phrase_table")}


def changed(path: Path, statement: str) -> Path:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)
    return path


def test_a_draft_is_the_same_with_them_without_them_and_with_damaged_ones(
    run_async: RunAsync, novel: Path, model: Path
) -> None:
    paused = shutil.copyfile(novel, novel.with_name("paused.quire"))
    whole = run_async(drafted(novel, model, seed=5))
    assert sources(novel) == {LATER}
    half = run_async(drafted(paused, model, GOAL // 10, seed=5))
    texts = set[str]()
    for name, statement in {
        "with": "PRAGMA user_version",
        "without": "DELETE FROM phrase_table",
        "damaged": "UPDATE phrase_table SET data = x'0011'",
    }.items():
        copy = changed(Path(shutil.copyfile(paused, novel.with_name(f"{name}.quire"))), statement)
        texts.add(run_async(drafted(copy, model, GOAL)))
        assert sources(copy) == {LATER}
    (resumed,) = texts
    assert len(half) < len(resumed)
    assert whole.startswith(resumed) or resumed.startswith(whole)  # a draft ends with a sentence if it can


def test_they_come_back_with_their_text_until_it_changes(
    run_async: RunAsync, novel: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def known(edited: str = "") -> list[tuple[str, bool]]:
        async with opened(novel, model) as (session, drafting):
            if edited:
                await session.save_other(session.tree.reading_order()[1].node_id, edited)
            found = await session.known_texts(
                (await drafting.loaded(lambda _progress: None)).identity.tokenizer
            )
            return [(one.text, bool(one.phrases)) for one in found]

    monkeypatch.setattr(known_phrases, "BLOCK_CHARS", 10)
    run_async(drafted(novel, model, 5, seed=5))
    assert run_async(known()) == [(text, True) for text in CHAPTERS[1:]]
    assert run_async(known("Another text.")) == [("Another text.", False), (CHAPTERS[2], True)]
    monkeypatch.setattr(known_phrases, "MAX_NEW_CHARS", 10)  # what is stored does not count
    assert run_async(known()) == [(CHAPTERS[2], True)]


def test_tables_of_texts_that_are_gone_make_room(run_async: RunAsync, novel: Path, model: Path) -> None:
    async def again() -> str:
        async with opened(novel, model) as (session, drafting):
            await session.save_other(session.tree.reading_order()[1].node_id, "Another text.")
            await session.save_text("A new beginning.")
            await drafting.draft(RunRequest(5, seed=5))
            return session.text

    run_async(drafted(novel, model, 5, seed=5))
    assert sources(novel) == {LATER}
    run_async(again())
    assert sources(novel) == {digest_of("\n\n".join(("Another text.", CHAPTERS[2])))}


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ((), ()),
        ((3,), (3,)),
        ((3, 3, 3), (3, 8)),
        ((3, 3, 3, 3), (8, 8)),
        ((20, 1, 1), (20, 4)),
        ((1, 20), (1, 20)),
    ],
)
def test_chapters_are_counted_in_blocks_from_the_end(
    lengths: tuple[int, ...], expected: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_phrases, "BLOCK_CHARS", 7)
    texts = [chr(ord("a") + place) * length for place, length in enumerate(lengths)]
    blocks = known_phrases.blocks_of(texts)
    assert tuple(map(len, blocks)) == expected
    assert "\n\n".join(blocks) == "\n\n".join(texts)


def test_a_full_disk_costs_only_the_time(
    run_async: RunAsync, novel: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise WriterProblem("The disk is full.")

    monkeypatch.setattr(PhraseRepository, "save", full)
    assert CHAPTERS[0] in run_async(drafted(novel, model, 5, seed=5))
    assert sources(novel) == set()
