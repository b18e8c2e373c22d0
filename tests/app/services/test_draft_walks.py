"""Drafts over chapters in any order of drafting, retrying, undoing, redoing and starting again.

The book is compared with a plain list of what it was: redo is the exact inverse of undo.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.client.engine_client import EngineClient
from quire.domain.drafting.resume_decision import RestartKind, RunRequest
from quire.domain.manuscript import tree_edits
from quire.services.drafting.drafting import Drafting
from quire.services.project.project_session import ProjectSession
from quire.services.project.text_history import TextHistory
from quire.services.transactions.project_text import read_document
from quire_engine.api.config import ModelConfig
from tests.app.services.transactions.test_last_draft import LONG_OPENING, Turning
from tests.fakes import ScriptedBackend, Watcher

Book = list[tuple[int, str, str]]
_WORDS = st.sampled_from([30, 150, 300])
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("draft"), _WORDS),
        st.tuples(st.sampled_from(["retry", "undo", "undo", "redo", "redo", "start"]), st.just(30)),
    ),
    min_size=3,
    max_size=9,
)


@dataclass
class Model:
    """What the book was before each draft that is in it, and with each that was undone."""

    now: Book
    past: list[Book] = field(default_factory=list)
    future: list[Book] = field(default_factory=list)


async def book_of(session: ProjectSession) -> Book:
    assert not tree_edits.trash_of(session.tree)
    texts = [await session.read(read_document, node.node_id) for node in session.tree.reading_order()]
    return [(text.document_id, text.title, text.text) for text in texts]


async def draft(session: ProjectSession, words: int, restart: RestartKind) -> Book:
    async with EngineClient(ScriptedBackend(chapters=True)) as client:
        drafting = Drafting(client, session, Watcher(), ModelConfig("folder"), pages=Turning())
        run = await drafting.draft(RunRequest(words, extend=True, restart=restart))
    await session.open_document(run.document_id)
    return await book_of(session)


async def walk(session: ProjectSession, model: Model, step: str, words: int) -> None:
    """Take one step, which may be impossible."""
    history = TextHistory(session)
    if step == "draft":
        model.past.append(model.now)
        model.now = await draft(session, words, RestartKind.NO)
        model.future.clear()
    elif step == "retry" and model.past and (run := session.run_at_end) is not None:
        await history.begin_again(run.run_id)
        model.now = await draft(session, words, RestartKind.AS_USUAL)
        model.future.clear()
    elif step == "undo" and model.past:
        await history.take_back()
        model.future.append(model.now)
        model.now = model.past.pop()
    elif step == "redo" and model.future:
        await history.bring_back()
        model.past.append(model.now)
        model.now = model.future.pop()
    assert await book_of(session) == model.now


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # a new project each time
@given(_STEPS)
def test_the_book_is_what_it_was(
    tmp_path_factory: Any, run_async: Callable[..., Any], steps: list[tuple[str, int]]
) -> None:
    path: Path = tmp_path_factory.mktemp("walk") / "novel.quire"

    async def scenario() -> None:
        session = await ProjectSession.create(path, "Night", LONG_OPENING)
        model = Model(await book_of(session))
        try:
            for step, words in steps:
                if step == "start":
                    await session.close()
                    session = await ProjectSession.open(path)
                await walk(session, model, step, words)
        finally:
            await session.close()

    run_async(scenario())
