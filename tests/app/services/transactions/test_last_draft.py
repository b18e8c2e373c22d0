"""Taking the last draft back and bringing it back, apart from the undo of typing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from quire.client.engine_client import EngineClient
from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.domain.drafting.resume_decision import RestartKind, RunRequest
from quire.domain.drafting.run import Run
from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.tree import NodeKind, Tree, text_up_to
from quire.domain.manuscript.tree_requests import AddText, Split
from quire.errors import WriterProblem
from quire.services.drafting.drafting import Drafting
from quire.services.project.project_session import ProjectSession
from quire.services.project.text_history import TextHistory
from quire.services.project.tree_editing import change_book
from quire.services.transactions.project_text import read_document
from quire.services.transactions.split_and_merge import Turned
from quire.storage.project_file import ProjectFile
from quire_engine.api.config import ModelConfig
from quire_engine.engine import Engine
from quire_engine.metrics.word_count import count_words
from quire_resources import BUILT_IN_MODEL, SAMPLE_OPENING
from tests.app.services.table import OPENING, RunAsync, Table, table
from tests.fakes import ScriptedBackend, Watcher

LONG_OPENING = "It was a dark night. " * 24 + "Nobody sang."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "novel.quire"


async def may(at: Table) -> tuple[bool, bool]:
    """Whether a draft can be taken back, and whether one can be brought back."""
    found = await TextHistory(at.session).last_draft()
    return found.begins_in is not None, found.aside is not None


def test_the_last_draft_is_taken_back_and_brought_back(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            assert await may(at) == (False, False)
            with pytest.raises(WriterProblem, match="There is no draft to redo at"):
                await history.bring_back()
            await at.drafting.draft(RunRequest(20, extend=True))
            whole = at.session.text
            assert await may(at) == (True, False)
            await history.take_back()
            assert at.session.text == OPENING
            assert await may(at) == (False, True)
            (aside,) = await history.takes()
            assert (aside.stands, (await history.source_of_take(aside.take_id)).document.text) == (
                False,
                whole,
            )
            await history.bring_back()
            assert at.session.text == whole
            assert await may(at) == (True, False)
            run = await at.drafting.draft(RunRequest(20, extend=True))  # and it goes on where it was
            assert (run.run_id, at.session.text[: len(whole)]) == (1, whole)

    run_async(scenario())


def test_drafts_are_taken_back_one_after_the_other(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            texts = [at.session.text]
            for _ in range(2):
                await at.drafting.draft(RunRequest(15, extend=True))
                texts.append(at.session.text)
            await at.session.save_text(at.session.text + " Mine.")
            texts.append(at.session.text)
            await at.drafting.draft(RunRequest(15, extend=True))
            texts.append(at.session.text)
            await history.take_back()
            assert at.session.text == texts[3]
            with pytest.raises(WriterProblem, match="doesn't end with a draft"):
                await history.take_back()
            await at.session.save_text(texts[2])
            for text in (texts[1], texts[0]):
                await history.take_back()
                assert at.session.text == text
            for text in texts[1:3]:
                await history.bring_back()
                assert at.session.text == text

    run_async(scenario())


def test_another_draft_in_its_place_leaves_the_first_one_a_take(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            await at.drafting.draft(RunRequest(20, extend=True))
            first = at.session.text
            await history.take_back()
            await at.drafting.draft(RunRequest(20, extend=True))
            second = at.session.text
            assert (second != first, await may(at)) == (True, (True, False))
            (aside,) = await history.takes()
            await history.choose(aside.take_id)
            assert at.session.text == first
            assert [
                (await history.source_of_take(take.take_id)).document.text for take in await history.takes()
            ] == [
                first,
                second,
            ]

    run_async(scenario())


def test_a_draft_that_was_edited_where_it_had_been_read_is_tried_again(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            await at.drafting.draft(RunRequest(20, extend=True))
            kept = at.session.text
            await at.drafting.draft(RunRequest(20, extend=True))
            await at.session.save_text("Once " + at.session.text.replace("dark", "bright", 1))
            assert await at.session.resting_run() is None
            last = await history.last_draft()
            assert at.session.text[: last.start] == "Once " + kept.replace("dark", "bright", 1)
            # the beginning of the stretch itself is changed: the words before it tell where it begins
            before, after = at.session.text[: last.start], at.session.text[last.start :]
            await at.session.save_text(before + after.replace(" ", " very ", 2))
            assert (await history.last_draft()).start == len(before)
            run = await history.last_run()
            assert run is not None
            await history.begin_again(run.run_id)
            assert at.session.text == before

    run_async(scenario())


# ---------------------------------------------------------------- a draft that went on in another chapter
@dataclass
class Turning:
    """Pages that turn whenever the rules say so."""

    rules: TurnRules = field(default_factory=TurnRules)
    pages: list[Turned] = field(default_factory=list)

    def may_turn(self, document_id: int, place: int) -> bool:
        return True

    def turned(self, turned: Turned) -> None:
        self.pages.append(turned)


def tree_of(file: ProjectFile) -> Tree:
    with file.reading() as unit:
        return unit.manuscript.tree()


@asynccontextmanager
async def in_chapters(path: Path, backend: ScriptedBackend | None = None) -> AsyncIterator[Table]:
    """A table at which drafts go on in chapters of their own."""
    async with table(path, backend or ScriptedBackend(chapters=True), opening=LONG_OPENING) as at:
        at.drafting = Drafting(at.client, at.session, at.watcher, ModelConfig("folder"), pages=Turning())
        yield at


async def drafted(at: Table, words: int, *, again: bool = False) -> Run:
    """Draft as the window does; the text in which the draft ends is open then."""
    restart = RestartKind.AS_USUAL if again else RestartKind.NO
    run = await at.drafting.draft(RunRequest(words, extend=True, restart=restart))
    await at.session.open_document(run.document_id)
    return run


async def book(at: Table) -> list[tuple[int, str, str]]:
    """Every text of the book as it is stored: number, title, text."""
    order = at.session.tree.reading_order()
    texts = [await at.session.read(read_document, node.node_id) for node in order]
    return [(text.document_id, text.title, text.text) for text in texts]


def test_a_draft_over_chapters_is_undone_and_redone_as_one(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with in_chapters(path) as at:
            history, opening = TextHistory(at.session), await book(at)
            run = await drafted(at, 500)
            whole = await book(at)
            assert len(whole) > 3
            assert (await history.last_draft()).num_chapters == len(whole)
            for number, _, _ in whole:  # wherever the writer looks at it
                await at.session.open_document(number)
                await history.take_back()
                assert await book(at) == opening
                assert at.session.document_id == opening[0][0]
                assert not tree_edits.trash_of(at.session.tree)
                (take,) = await history.takes()
                assert take.num_words == sum(count_words(text) for _, _, text in whole) - count_words(
                    LONG_OPENING
                )
                await history.bring_back()
                assert await book(at) == whole
                assert at.session.document_id == run.document_id
            assert await at.session.resting_run() == at.session.run(run.run_id)

    run_async(scenario())


def test_another_draft_in_its_place_has_chapters_of_its_own(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with in_chapters(path) as at:
            history = TextHistory(at.session)
            run = await drafted(at, 400)
            first = await book(at)
            await history.begin_again(run.run_id)
            assert [text for _, _, text in await book(at)] == [LONG_OPENING]
            again = await drafted(at, 400, again=True)
            second = await book(at)
            assert not {number for number, _, _ in first[1:]} & {number for number, _, _ in second[1:]}
            takes = await history.takes()  # looked at from the last chapter
            assert [take.stands for take in takes] == [False, True]
            assert [take.num_words for take in takes] == [
                sum(count_words(text) for _, _, text in one) - count_words(LONG_OPENING)
                for one in (first, second)
            ]
            assert (await history.source_of_take(takes[0].take_id)).document.text == text_up_to(
                text for _, _, text in first
            )
            await history.choose(takes[0].take_id)
            assert await book(at) == first
            await at.session.open_document(run.document_id)
            assert await at.session.resting_run() == at.session.run(run.run_id)
            await history.choose(takes[1].take_id)
            assert await book(at) == second
            await at.session.open_document(again.document_id)
            await history.take_back()
            await history.bring_back()
            assert await book(at) == second

    run_async(scenario())


def test_each_request_is_undone_for_itself_and_the_last_one_first(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with in_chapters(path) as at:
            history, books = TextHistory(at.session), [await book(at)]
            for words in (150, 300, 200):
                await drafted(at, words)
                books.append(await book(at))
            assert len(at.session.runs) == 1
            for before in reversed(books[:-1]):
                await history.take_back()
                assert await book(at) == before
            for after in books[1:]:
                await history.bring_back()
                assert await book(at) == after

    run_async(scenario())


def test_chapters_of_a_draft_come_and_go_after_another_start(run_async: RunAsync, path: Path) -> None:
    async def undone() -> list[tuple[int, str, str]]:
        async with in_chapters(path) as at:
            await drafted(at, 400)
            whole = await book(at)
            await TextHistory(at.session).take_back()
            return whole

    async def redone(whole: list[tuple[int, str, str]]) -> None:
        async with in_chapters(path) as at:
            await TextHistory(at.session).bring_back()
            assert await book(at) == whole
            await TextHistory(at.session).take_back()

    async def deleted() -> None:
        async with in_chapters(path) as at:
            history = TextHistory(at.session)
            (take,) = await history.takes()
            await history.put_in_trash(take.take_id)
            await history.delete_for_good(None)
            tree = await at.session.read(tree_of)
            assert [node.node_id for node in tree.nodes if node.kind.has_text] == [at.session.document_id]
            assert at.session.runs == ()

    run_async(redone(run_async(undone())))
    run_async(deleted())


def test_a_draft_from_an_earlier_place_takes_the_chapters_after_it_along(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> None:
        async with in_chapters(path) as at:
            history = TextHistory(at.session)
            await drafted(at, 500)
            whole = await book(at)
            number, _, text = whole[1]
            await at.session.open_document(number)
            await history.begin_take(len(text) // 2)
            assert await book(at) == [whole[0], (number, whole[1][1], text[: len(text) // 2])]
            aside = next(take for take in await history.takes() if not take.stands)
            await history.choose(aside.take_id)
            assert await book(at) == whole

    run_async(scenario())


def test_a_text_that_the_writer_added_between_the_chapters_stays(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with in_chapters(path) as at:
            history = TextHistory(at.session)
            await drafted(at, 400)
            first = at.session.tree.reading_order()[1].node_id
            edited = await change_book(at.session, AddText(NodeKind.CHAPTER, "Mine", first))
            await at.session.save_text("Every word of this is mine.")
            await at.session.open_document(at.session.runs[0].document_id)
            whole = await book(at)
            await history.take_back()
            assert [one[1:] for one in await book(at)][1:] == [("Mine", "Every word of this is mine.")]
            await history.bring_back()
            assert await book(at) == whole
            assert edited.new_id in [number for number, _, _ in whole]

    run_async(scenario())


# ---------------------------------------------------------------- once more
def test_a_draft_is_undone_without_the_words_that_were_split_off_with_it(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            await at.drafting.draft(RunRequest(15, extend=True))
            await change_book(at.session, Split(at.session.document_id, 5))
            drafted = at.session.text
            await TextHistory(at.session).take_back()
            assert at.session.text == OPENING[5:]
            await TextHistory(at.session).bring_back()
            assert at.session.text == drafted

    run_async(scenario())


def test_first_letters_that_were_deleted_and_brought_back_are_undone_with_their_draft(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            await at.drafting.draft(RunRequest(15, extend=True))
            drafted = at.session.text
            for text in (OPENING + drafted[len(OPENING) + 2 :], drafted):
                await at.session.save_text(text)
            await TextHistory(at.session).take_back()
            assert at.session.text == OPENING
            await TextHistory(at.session).bring_back()
            assert at.session.text == drafted

    run_async(scenario())


def test_the_same_seed_and_settings_give_the_same_take(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            run = await at.drafting.draft(RunRequest(30))
            first = at.session.text
            await history.begin_take(len(OPENING))
            again = await at.drafting.draft(
                RunRequest(
                    run.goal_words,
                    seed=run.sampling.seed,
                    read_tail=run.read_tail,
                    restart=RestartKind.AS_USUAL,
                )
            )
            assert (again.run_id != run.run_id, at.session.text) == (True, first)
            aside, standing = await history.takes()
            assert (aside.num_words, aside.seeds) == (standing.num_words, standing.seeds)

    run_async(scenario())


@pytest.mark.slow
def test_the_built_in_model_writes_the_same_take_again(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        session = await ProjectSession.create(path, "Again", SAMPLE_OPENING.read_text(encoding="utf-8")[:600])
        async with EngineClient(Engine()) as client:
            drafting = Drafting(client, session, Watcher(), ModelConfig(str(BUILT_IN_MODEL)))
            history, opening = TextHistory(session), session.text
            run = await drafting.draft(RunRequest(45))
            first = session.text
            assert run.num_tokens >= 45
            await history.begin_take(len(opening))
            await drafting.draft(
                RunRequest(run.goal_words, seed=run.sampling.seed, restart=RestartKind.AS_USUAL)
            )
            assert session.text == first
            await session.close()

    run_async(scenario())
