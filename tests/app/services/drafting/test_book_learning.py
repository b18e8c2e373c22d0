"""What is learned from a book is kept with it, used by its next draft, and changes no word."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import torch

from quire.client.engine_client import EngineClient
from quire.domain.drafting.learned_drafter import LearnedDrafter
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.manuscript.chapter_splitting import TextSection
from quire.domain.manuscript.tree import NodeKind
from quire.errors import WriterProblem
from quire.services.drafting import book_learning
from quire.services.drafting.book_learning import BookLearning, Change
from quire.services.drafting.drafting import Drafting
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import learned_drafters
from quire.services.transactions.project_creation import create_cut
from quire.storage.project_file import open_project_file
from quire_engine.api.book_learned import BookLearned
from quire_engine.api.config import DraftingConfig, ModelConfig
from quire_engine.api.queries import CollectLearned, LearnedCollected
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureWeights
from quire_engine.engine import Engine
from quire_engine.models.loading import inspect_folder
from quire_engine.runtime import online_learning, text_collector
from quire_engine.training.prepare_model import shape_of
from quire_engine.training.trainable_drafters import FeatureLearner
from tests.app.services.table import RunAsync, table
from tests.engine import worded
from tests.fakes import ScriptedBackend, Watcher

FORCED = DraftingConfig(method="tokenswift", drafters=("feature",), tree=(2, 1))
OPENING = worded.text_of(worded.words(40, 1))
WORDS = 60
FINGERPRINT = "a" * 64


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a short draft be something to learn from, and any version worth keeping."""
    monkeypatch.setattr(text_collector, "PIECE", 4)
    monkeypatch.setattr(text_collector, "SHARE", 1e9)
    monkeypatch.setattr(online_learning, "_BETTER", 0.0)
    monkeypatch.setattr(online_learning, "_MEASURED", 4)
    monkeypatch.setattr(online_learning, "_lower_priority", lambda: None)  # a busy machine would starve it
    monkeypatch.setattr(book_learning, "_SETTLE_S", 100.0)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with a feature drafter that was never trained."""
    path = worded.save("llama", tmp_path_factory.mktemp("worded") / "model")
    folder = inspect_folder(path)
    torch.manual_seed(3)
    learner = FeatureLearner(shape_of(folder.config, 12))
    vocabulary = torch.arange(5, int(folder.config.vocab_size) - 5)
    head = torch.randn(len(vocabulary), learner.shape.width).to(torch.bfloat16)
    feature = FeatureWeights(learner.shape, learner.tensors(), vocabulary, head)
    drafter_file.save(TrainedDrafters(folder.fingerprint, None, feature), path)
    return path


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    path = tmp_path / "novel.quire"
    create_cut(path, "Ferry", [TextSection(NodeKind.CHAPTER, "1", "", OPENING)])
    return path


@asynccontextmanager
async def opened(
    path: Path, model: Path, learned: Path, watcher: Watcher | None = None
) -> AsyncIterator[tuple[ProjectSession, Drafting, Engine]]:
    session, engine = await ProjectSession.open(path), Engine()
    async with EngineClient(engine, max_events=16) as client:
        config = ModelConfig(str(model), "float32", 8, threads=1, learning_folder=str(learned), learns=True)
        try:
            yield session, Drafting(client, session, watcher or Watcher(), config, FORCED), engine
        finally:
            await session.close()
            engine.unload()


async def drafted(path: Path, model: Path, learned: Path, *, plain: bool = False) -> str:
    """Draft, learn all of it, and close the project; return the text."""
    async with opened(path, model, learned) as (session, drafting, engine):
        drafting.acceleration = DraftingConfig("plain") if plain else FORCED
        await drafting.draft(RunRequest(WORDS, seed=5))
        await asyncio.to_thread(settle, engine)
        return session.text


def settle(engine: Engine) -> None:
    """Wait until everything that was collected is learnt."""
    assert engine._loaded is not None
    learner = engine._loaded.learner
    assert learner is not None
    with learner._condition:
        assert learner._condition.wait_for(lambda: not learner._has_work() and not learner._is_working, 100)


def kept(path: Path, model: Path) -> LearnedDrafter | None:
    file = open_project_file(path)
    found = learned_drafters.learned(file, inspect_folder(model).fingerprint)
    file.close()
    return found


class Client:
    """Answers as the engine does that has something new each time, or only so often."""

    def __init__(self, book: str = "", most: int = 1_000) -> None:
        self.book, self.most, self.num_asked = book, most, 0
        self.asked, self.gate = asyncio.Event(), asyncio.Event()
        self.gate.set()

    async def ask(self, _query: CollectLearned) -> LearnedCollected:
        self.num_asked += 1
        version = self.num_asked if self.book and self.num_asked <= self.most else 0
        self.asked.set()
        await self.gate.wait()
        if not version:
            return LearnedCollected(1)
        return LearnedCollected(1, BookLearned(self.book, FINGERPRINT, version, 9, b"weights"))


@pytest.mark.parametrize("next_model", [FINGERPRINT, "b" * 64])
def test_what_is_being_fetched_when_the_next_draft_begins_is_kept(
    run_async: RunAsync, novel: Path, monkeypatch: pytest.MonkeyPatch, next_model: str
) -> None:
    monkeypatch.setattr(book_learning, "KEEP_EVERY_S", 0.0)

    async def scenario() -> None:
        session = await ProjectSession.open(novel)
        client = Client(str(session.path), most=1)
        learning = BookLearning(cast("EngineClient", client), session, learns=True)
        await learning.of_book(FINGERPRINT)
        client.num_asked = 0
        client.asked.clear()
        client.gate.clear()
        learning.run_ended()
        await client.asked.wait()
        next_draft = asyncio.ensure_future(learning.of_book(next_model))
        await asyncio.sleep(0)
        client.gate.set()
        assert (await next_draft).version == (1 if next_model == FINGERPRINT else 0)
        found = await session.read(learned_drafters.learned, FINGERPRINT)
        assert found == LearnedDrafter(FINGERPRINT, 1, 9, b"weights")
        await learning.settle()
        await session.close()

    run_async(scenario())


@pytest.mark.parametrize("is_removed", [False, True])
def test_what_cannot_be_stored_is_tried_again(
    run_async: RunAsync, novel: Path, monkeypatch: pytest.MonkeyPatch, is_removed: bool
) -> None:
    def fail(*_: object) -> None:
        raise WriterProblem("The disk is full.")

    async def scenario() -> None:
        session = await ProjectSession.open(novel)
        client = Client(str(session.path), most=1)
        learning = BookLearning(cast("EngineClient", client), session, learns=True)
        await learning.of_book(FINGERPRINT)
        with monkeypatch.context() as full:
            full.setattr(book_learning, "store_learned", fail)
            assert (await learning.of_book(FINGERPRINT)).version == 1
        assert await session.read(learned_drafters.learned, FINGERPRINT) is None
        if is_removed:
            await learning.change("remove", FINGERPRINT)
        await learning.settle()
        found = await session.read(learned_drafters.learned, FINGERPRINT)
        assert (found is None) is is_removed
        await session.close()

    run_async(scenario())


def test_what_is_settled_fetches_nothing_more(run_async: RunAsync, novel: Path) -> None:
    """What another model learns meanwhile is another one's to fetch."""

    async def scenario() -> None:
        session = await ProjectSession.open(novel)
        client = Client(str(session.path))
        learning = BookLearning(cast("EngineClient", client), session, learns=True)
        await learning.of_book(FINGERPRINT)
        await learning.settle()
        found = await session.read(learned_drafters.learned, FINGERPRINT)
        assert found == LearnedDrafter(FINGERPRINT, 1, 9, b"weights")
        learning.run_ended()
        assert learning._keeping is None
        await learning.settle()
        assert client.num_asked == 1
        await session.close()

    run_async(scenario())


def test_what_waits_is_stored_before_more_is_fetched_when_the_book_is_closed(
    run_async: RunAsync, novel: Path
) -> None:
    async def scenario() -> None:
        session = await ProjectSession.open(novel)
        client = Client()
        learning = BookLearning(cast("EngineClient", client), session, learns=True)
        await learning.of_book(FINGERPRINT)
        learning._unstored = BookLearned(str(session.path), FINGERPRINT, 1, 9, b"weights")
        client.asked.clear()
        client.gate.clear()
        closing = asyncio.ensure_future(learning.settle())
        await client.asked.wait()
        found = await session.read(learned_drafters.learned, FINGERPRINT)
        assert found == LearnedDrafter(FINGERPRINT, 1, 9, b"weights")
        client.gate.set()
        await closing
        await session.close()

    run_async(scenario())


def test_closing_the_book_amid_a_draft_leaves_nothing_behind(run_async: RunAsync, tmp_path: Path) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> None:
        async with table(tmp_path / "ferry.quire", backend) as at:
            client = Client(str(at.session.path))
            learning = BookLearning(cast("EngineClient", client), at.session, learns=True)
            learning._fingerprint = FINGERPRINT
            at.drafting.book_learning = learning
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(100)))
            await at.let_through(2)
            closing = asyncio.ensure_future(at.session.close())
            backend.gate.release(1_000)
            await closing
            assert (await draft).num_tokens
            assert learning._keeping is None
            assert client.num_asked > 0

    run_async(scenario())


@pytest.mark.parametrize(
    ("changes", "left"), [(["undo"], 1), (["undo", "undo"], 0), (["remove"], 0), (["undo", "remove"], 0)]
)
def test_a_change_needs_no_draft_before_it(
    run_async: RunAsync, novel: Path, changes: list[Change], left: int
) -> None:
    async def scenario() -> None:
        session = await ProjectSession.open(novel)
        for version in (1, 2):
            await session.write(
                learned_drafters.store_learned, LearnedDrafter(FINGERPRINT, version, 9, b"weights")
            )
        learning = BookLearning(cast("EngineClient", Client()), session, learns=True)
        for change in changes:
            await learning.change(change, FINGERPRINT)
        assert (await learning.of_book(FINGERPRINT)).version == left
        await learning.change("remove", FINGERPRINT)
        assert (await learning.of_book(FINGERPRINT)).version == 0
        await session.close()

    run_async(scenario())


def test_what_is_learned_goes_with_the_book_and_no_word_depends_on_it(
    run_async: RunAsync, novel: Path, model: Path, tmp_path: Path
) -> None:
    """The book is opened where its model learned nothing, with damage and with a foreign one."""
    unread = Path(shutil.copyfile(novel, tmp_path / "unread.quire"))
    fresh = Path(shutil.copyfile(novel, tmp_path / "fresh.quire"))
    text = run_async(drafted(fresh, model, tmp_path / "plain", plain=True))
    assert run_async(drafted(novel, model, tmp_path / "here")) == text
    found = kept(novel, model)
    assert found is not None
    assert (found.version, found.num_tokens > 0) == (1, True)

    async def again(name: str, data: bytes) -> tuple[str, str, bool]:
        """Draft into a fresh copy of the book that has this with it; return text, message and whether it is
        used."""
        path = Path(shutil.copyfile(unread, tmp_path / f"{name}.quire"))
        file = open_project_file(path)
        learned_drafters.store_learned(file, replace(found, data=data))
        file.close()
        watcher = Watcher()
        async with opened(path, model, tmp_path / name, watcher) as (session, drafting, engine):
            await drafting.draft(RunRequest(WORDS, seed=5))
            assert engine._loaded is not None
            is_used = engine._loaded.about is not None and engine._loaded.about.num_tokens == found.num_tokens
            return session.text, watcher.sentence, is_used

    there, said, is_used = run_async(again("elsewhere", found.data))
    assert (there, is_used, "not used" in said) == (text, True, False)
    damaged = found.data[:8] + bytes(100) + found.data[108:]
    place = found.data.index(b'"fits":"') + 8
    other = b"0" if found.data[place : place + 1] != b"0" else b"1"
    foreign = found.data[:place] + other + found.data[place + 1 :]
    for name, data, reason in (
        ("damaged", damaged, "is damaged"),
        ("foreign", foreign, "belongs to another"),
    ):
        there, said, is_used = run_async(again(name, data))
        assert (there, is_used) == (text, False)
        assert f"not used (it {reason}" in said
