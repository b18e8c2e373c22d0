from __future__ import annotations

import asyncio
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Run, RunState
from quire.editor.plain_text import to_document, to_manuscript
from quire.errors import WriterProblem
from quire.services.drafting.drafting import Drafting
from quire_engine.api.config import ModelConfig
from quire_engine.api.messages import ResumeGeneration, StartGeneration
from tests.app.services.table import OPENING, RunAsync, move, stored_text, table
from tests.fakes import IDENTITY, Disk, ScriptedBackend, Watcher


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "novel.quire"


# ---------------------------------------------------------------- pause and resume
@pytest.mark.parametrize("num_steps", [1, 2, 9])
@pytest.mark.parametrize("reopened", [False, True])
def test_pause_and_resume_equal_an_uninterrupted_run(
    run_async: RunAsync, path: Path, num_steps: int, reopened: bool
) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> Run:
        async with table(path, backend) as at:
            paused = await at.paused_after(num_steps, 30, seed=7)
            assert (paused.state, paused.num_tokens) == (RunState.PAUSED, num_steps + 1)
            assert at.session.text == OPENING + at.watcher.text
            assert at.watcher.states[-2:] == [DraftState.PAUSING, DraftState.PAUSED]
            if not reopened:
                backend.gate.release(1_000)
                return await at.drafting.draft(RunRequest(30, seed=7))
        async with table(path, backend) as at:
            assert at.session.recovered_words == 0
            backend.gate.release(1_000)
            return await at.drafting.draft(RunRequest(30))

    run = run_async(scenario())
    assert (run.run_id, run.state) == (1, RunState.FINISHED)
    assert stored_text(path) == OPENING + backend.text_of(OPENING, 7, 30)
    start, resume = backend.begins
    assert isinstance(start, StartGeneration)
    assert isinstance(resume, ResumeGeneration)
    assert resume.prompt_ids == tuple(OPENING.encode())
    assert len(resume.generated_ids) == num_steps + 1


def test_a_finished_run_goes_on_like_one_with_the_larger_goal(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> tuple[Run, Run, Run]:
        async with table(path, backend) as at:
            first = await at.drafting.draft(RunRequest(20, seed=7))
            again = await at.drafting.draft(RunRequest(20))
            assert "already has" in at.watcher.statuses[-1].sentence
            return first, again, await at.drafting.draft(RunRequest(20, extend=True))

    first, again, more = run_async(scenario())
    assert first == again
    assert (more.run_id, more.goal_words) == (1, first.num_words + 20)
    assert stored_text(path) == OPENING + backend.text_of(OPENING, 7, more.goal_words)


def test_an_edited_text_begins_a_new_run_on_it(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> Run:
        async with table(path, backend) as at:
            await at.drafting.draft(RunRequest(5, seed=7))
            await at.session.save_text("Another night. It")
            return await at.drafting.draft(RunRequest(5, seed=8))

    run = run_async(scenario())
    assert run.run_id == 2
    assert stored_text(path) == "Another night. It" + backend.text_of("Another night. It", 8, 5)


def test_an_edit_that_is_taken_back_changes_nothing(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> Run:
        async with table(path, backend) as at:
            await at.drafting.draft(RunRequest(5, seed=7))
            text = at.session.text
            await at.session.save_text("Another night.")
            await at.session.save_text(text)
            return await at.drafting.draft(RunRequest(40))

    assert run_async(scenario()).run_id == 1
    assert stored_text(path) == OPENING + backend.text_of(OPENING, 7, 40)


def test_another_model_begins_a_new_run_and_says_so(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> tuple[Run, list[str]]:
        async with table(path, ScriptedBackend()) as at:
            await at.drafting.draft(RunRequest(5, seed=7))
        async with table(path, ScriptedBackend(identity=replace(IDENTITY, fingerprint="e" * 64))) as at:
            run = await at.drafting.draft(RunRequest(50))
            return run, [status.sentence for status in at.watcher.statuses]

    run, sentences = run_async(scenario())
    assert run.run_id == 2
    assert any("another model (scripted)" in sentence for sentence in sentences)


@pytest.mark.parametrize("reproducible", [True, False])
def test_a_model_that_does_not_repeat_itself_is_said_to(
    run_async: RunAsync, path: Path, reproducible: bool
) -> None:
    async def scenario() -> list[str]:
        async with table(path, ScriptedBackend(reproducible=reproducible)) as at:
            await at.drafting.draft(RunRequest(5, seed=7))
            return [status.sentence for status in at.watcher.statuses]

    said = any("not reproducible" in sentence for sentence in run_async(scenario()))
    assert said is not reproducible


def test_auto_goes_on_in_the_runs_own_dtype_and_width(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> tuple[Run, Run]:
        async with table(path, backend, dtype="bfloat16") as at:
            await at.drafting.draft(RunRequest(5, seed=7))
        async with table(path, backend) as at:
            same = await at.drafting.draft(RunRequest(50))
        async with table(path, backend, dtype="float32") as at:
            return same, await at.drafting.draft(RunRequest(60))

    same, other = run_async(scenario())
    assert [config.dtype for config in backend.configs] == ["bfloat16", "bfloat16", "float32"]
    assert (same.run_id, other.run_id) == (1, 2)


def test_another_model_is_not_computed_as_the_run_was(run_async: RunAsync, path: Path) -> None:
    first = ScriptedBackend()
    other = ScriptedBackend(identity=replace(IDENTITY, name="other", fingerprint="e" * 64))

    async def scenario() -> Run:
        async with table(path, first, dtype="bfloat16") as at:
            await at.drafting.draft(RunRequest(5, seed=7))
        async with table(path, other) as at:
            return await at.drafting.draft(RunRequest(50))

    run = run_async(scenario())
    assert run.run_id == 2
    assert [config.dtype for config in other.configs][-1] == "auto"
    assert run.model is not None
    assert run.model.dtype == IDENTITY.dtype


def test_a_model_that_fits_the_run_is_not_loaded_again(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> None:
        async with table(path, backend) as at:
            await at.drafting.draft(RunRequest(5, seed=7))
            await at.drafting.draft(RunRequest(50))

    run_async(scenario())
    assert [config.dtype for config in backend.configs] == ["auto", "auto"]


def test_another_seed_for_an_unfinished_run_is_refused(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> Watcher:
        async with table(path, ScriptedBackend(gated=True)) as at:
            await at.paused_after(1, 30, seed=7)
            with pytest.raises(WriterProblem, match="uses seed 7"):
                await at.drafting.draft(RunRequest(30, seed=8))
            return at.watcher

    assert run_async(scenario()).states[-1] is DraftState.PAUSED


def test_a_pause_asked_for_while_the_model_loads_waits_for_nothing(run_async: RunAsync, path: Path) -> None:
    loaded = threading.Event()
    backend = ScriptedBackend(load_gate=loaded)

    async def scenario() -> tuple[Run, Run]:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(30, seed=7)))
            await at.watcher.until(lambda: at.watcher.statuses)
            at.drafting.pause()
            paused = await draft  # the model is not loaded yet
            loaded.set()
            other = Drafting(at.client, at.session, at.watcher, ModelConfig("other", "bfloat16"))
            return paused, await other.draft(RunRequest(30, seed=7))

    paused, finished = run_async(scenario())
    assert (paused.state, paused.run_id) == (RunState.NEW, 1)
    assert (finished.state, finished.run_id) == (RunState.FINISHED, 1)
    assert finished.model is not None
    assert finished.model.dtype == "bfloat16"  # not the answer to the first load
    assert len(backend.begins) == 1


def test_a_second_draft_at_the_same_time_is_refused(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend(gated=True)) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(30, seed=7)))
            await asyncio.to_thread(at.backend.asked.acquire)
            with pytest.raises(WriterProblem, match="A draft is already running"):
                await at.drafting.draft(RunRequest(30))
            at.drafting.pause()
            at.backend.gate.release()
            await draft

    run_async(scenario())


def test_a_text_that_changes_while_the_model_loads_is_drafted_on(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> Run:
        async with table(path, backend) as at:
            await at.drafting.draft(RunRequest(5, seed=7))
            backend.load_gate = threading.Event()
            at.watcher.statuses.clear()
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(100, seed=7)))
            await at.watcher.until(lambda: at.watcher.statuses)
            await at.session.save_text("Another night.")
            backend.load_gate.set()
            return await draft

    assert run_async(scenario()).run_id == 2
    assert stored_text(path) == "Another night." + backend.text_of("Another night.", 7, 100)


class OddCharacters(ScriptedBackend):
    """Writes what a text area would change."""

    def _word(self, token_id: int) -> str:
        return super()._word(token_id) + ("\r\n", "\u2028", "\0\u2029", "\ufdd0\r")[token_id % 4]


def test_a_run_goes_on_when_a_text_area_has_had_its_text(run_async: RunAsync, path: Path) -> None:
    backend = OddCharacters()

    async def scenario() -> tuple[Run, str]:
        async with table(path, backend) as at:
            await at.drafting.draft(RunRequest(20, seed=7))
            assert at.session.text == OPENING + at.watcher.text
            await at.session.save_text(at.session.text + "x")
            await at.session.save_text(to_manuscript(to_document(at.session.text.removesuffix("x"))))
            return await at.drafting.draft(RunRequest(60)), at.session.text

    run, text = run_async(scenario())
    assert (run.run_id, run.state) == (1, RunState.FINISHED)
    assert not set(text) & set("\r\0\u2028\u2029\ufdd0")
    assert stored_text(path) == text


class Clumsy(Watcher):
    """An observer with a fault of its own."""

    def __init__(self, fault_at: DraftState) -> None:
        super().__init__()
        self._fault_at = fault_at

    def status_changed(self, status: DraftStatus) -> None:
        super().status_changed(status)
        if status.state is self._fault_at:
            raise RuntimeError("clumsy")


@pytest.mark.parametrize("fault_at", [DraftState.READING, DraftState.DRAFTING, DraftState.FINISHED])
def test_a_fault_while_showing_stops_the_engine_and_stores(
    run_async: RunAsync, path: Path, fault_at: DraftState
) -> None:
    backend = ScriptedBackend()

    async def scenario() -> Run:
        async with table(path, backend) as at:
            drafting = Drafting(at.client, at.session, Clumsy(fault_at), ModelConfig("folder"))
            with pytest.raises(RuntimeError, match="clumsy"):
                await drafting.draft(RunRequest(600, seed=7))
            assert {run.state for run in at.session.runs} <= {RunState.PAUSED, RunState.FINISHED}
            await at.session.save_text(at.session.text)
            return await at.drafting.draft(RunRequest(700, seed=7))

    assert run_async(scenario()).state is RunState.FINISHED
    assert stored_text(path) == OPENING + backend.text_of(OPENING, 7, 700)


# ---------------------------------------------------------------- being stopped
def test_cancelling_pauses_and_stores(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> Run:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(30, seed=7)))
            await at.let_through(3)
            draft.cancel()
            await asyncio.sleep(0)
            draft.cancel()
            backend.gate.release()
            with pytest.raises(asyncio.CancelledError):
                await draft
            assert at.session.last_run is not None
            return at.session.last_run

    paused = run_async(scenario())
    assert (paused.state, paused.num_words) == (RunState.PAUSED, 4)
    written = stored_text(path).removeprefix(OPENING)
    assert backend.text_of(OPENING, 7, 30).startswith(written)
    assert len(written.split()) == 4


@pytest.mark.parametrize("first", ["session", "client"])
def test_closing_while_drafting_pauses_and_stores(run_async: RunAsync, path: Path, first: str) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> Run:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(30, seed=7)))
            await at.let_through(3)
            closing = asyncio.ensure_future(at.session.close() if first == "session" else at.client.close())
            await asyncio.sleep(0)
            backend.gate.release(1_000)
            await closing
            return await draft

    paused = run_async(scenario())
    assert paused.state is RunState.PAUSED
    assert paused.num_words >= 3
    assert len(stored_text(path).split()) == len(OPENING.split()) + paused.num_words


def test_closing_while_the_model_loads_does_not_wait_for_it(run_async: RunAsync, path: Path) -> None:
    loaded = threading.Event()

    async def scenario() -> Run:
        async with table(path, ScriptedBackend(load_gate=loaded)) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(30, seed=7)))
            await at.watcher.until(lambda: at.watcher.statuses)
            await at.session.close()
            loaded.set()
            return await draft

    assert run_async(scenario()).state is RunState.NEW


# ---------------------------------------------------------------- disks
def test_a_full_disk_pauses_keeps_the_words_and_goes_on_with_room(
    run_async: RunAsync, path: Path, disk: Disk
) -> None:
    backend = ScriptedBackend(padding=2_000)

    async def scenario() -> tuple[Run, str, Run]:
        async with table(path, backend) as at:
            await at.drafting.draft(RunRequest(1, seed=7))
            disk.fill()
            paused = await at.drafting.draft(RunRequest(3_000))
            status = at.watcher.statuses[-1]
            assert status.state is DraftState.PAUSED
            assert at.session.text == OPENING + at.watcher.text
            assert 0 < paused.num_words < 3_000
            with pytest.raises(WriterProblem, match="disk is full"):
                await at.drafting.draft(RunRequest(3_000))
            disk.make_room()
            finished = await at.drafting.draft(RunRequest(40 + paused.num_words))
            return paused, status.sentence, finished

    paused, sentence, finished = run_async(scenario())
    assert paused.state is RunState.PAUSED
    assert "The disk is full" in sentence
    assert (finished.run_id, finished.state) == (1, RunState.FINISHED)
    assert stored_text(path) == OPENING + backend.text_of(OPENING, 7, finished.goal_words)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files where they are")
def test_a_file_that_was_moved_away_pauses_too(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> Watcher:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(1_000, seed=7)))
            await at.let_through(1)
            move(path, "moved")
            backend.gate.release(1_000)
            await draft
            move(path.with_name("moved"), path.name)
            return at.watcher

    watcher = run_async(scenario())
    assert watcher.statuses[-1].state is DraftState.PAUSED
    assert "was moved, replaced or deleted" in watcher.statuses[-1].sentence
    assert stored_text(path) == OPENING + watcher.text
