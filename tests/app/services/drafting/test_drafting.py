from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from quire.domain.drafting.draft_status import DraftState
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.errors import WriterProblem
from quire.services.drafting.drafting import NUM_SEEDS, Drafting
from quire.services.project.project_session import ProjectSession
from quire_engine.api.config import ModelConfig
from quire_engine.api.known_texts import KnownText
from quire_engine.api.messages import FinishReason, GenerationStarted
from tests.app.services.table import OPENING, RunAsync, stored_text, table
from tests.fakes import IDENTITY, Disk, ScriptedBackend, Watcher


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "novel.quire"


# ---------------------------------------------------------------- the plain way
def test_a_draft_reaches_its_goal_and_is_in_the_text(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> tuple[Run, Watcher]:
        async with table(path, backend) as at:
            return await at.drafting.draft(RunRequest(100, seed=7)), at.watcher

    run, watcher = run_async(scenario())
    written = backend.text_of(OPENING, 7, 100)
    assert (run.state, run.finish_reason) == (RunState.FINISHED, FinishReason.GOAL)
    assert run.num_words == run.num_tokens == len(written.split()) >= 100
    assert watcher.text == written
    assert stored_text(path) == OPENING + written
    assert watcher.states == [
        DraftState.LOADING,
        DraftState.READING,
        DraftState.DRAFTING,
        DraftState.FINISHED,
    ]
    assert watcher.progress[0].num_words == 0
    assert watcher.progress[-1].num_words == watcher.progress[-1].tokens == run.num_words
    assert watcher.num_saved > 0
    told = [step for progress in watcher.progress for step in progress.steps]
    assert [step.num_tokens for step in told] == [1] * run.num_tokens


def test_what_is_told_of_every_step_is_what_is_stored(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> tuple[Run, Watcher]:
        async with table(path, ScriptedBackend()) as at:
            return await at.drafting.draft(RunRequest(100, seed=7)), at.watcher

    async def again(run: Run) -> tuple[StepRecord, ...]:
        async with table(path, ScriptedBackend()) as at:
            return await at.session.steps(run.run_id)

    run, watcher = run_async(scenario())
    told = tuple(step for progress in watcher.progress for step in progress.steps)
    assert run_async(again(run)) == told != ()


def test_reading_again_in_the_middle_is_shown_and_not_counted_as_drafting(
    run_async: RunAsync, path: Path
) -> None:
    backend = ScriptedBackend(gated=True, reads_again_at=2)

    async def scenario() -> Watcher:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(5, seed=7)))
            await at.let_through(2)
            await at.watcher.until(lambda: at.watcher.statuses[-1].read_fraction == 0.5)
            backend.gate.release(1_000)
            await draft
            return at.watcher

    watcher = run_async(scenario())
    assert watcher.states[-4:] == [
        DraftState.DRAFTING, DraftState.READING, DraftState.DRAFTING, DraftState.FINISHED
    ]  # fmt: skip
    times = [progress.drafting_s for progress in watcher.progress]
    assert times == sorted(times)


def test_an_event_is_shown_together_with_others(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> Watcher:
        async with table(path, ScriptedBackend()) as at:
            await at.drafting.draft(RunRequest(2_000, seed=7))
            return at.watcher

    watcher = run_async(scenario())
    assert len(watcher.texts) < 1_000
    assert watcher.num_saved < 1_000


def test_a_step_is_on_the_disk_when_saved_is_called(run_async: RunAsync, path: Path, disk: Disk) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> list[int]:
        stored: list[int] = []

        async with table(path, backend) as at:

            class Reads(Watcher):
                def saved(self) -> None:
                    stored.append(disk.count("run_chunk"))
                    super().saved()

            watcher = Reads()
            drafting = Drafting(at.client, at.session, watcher, ModelConfig("folder"))
            draft = asyncio.ensure_future(drafting.draft(RunRequest(1_000, seed=7)))
            await at.let_through(1)
            await watcher.until(lambda: stored)
            drafting.pause()
            backend.gate.release()
            await draft
        return stored

    assert run_async(scenario()) == [1, 2]


def test_the_prompt_is_stored_before_any_step(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        backend = ScriptedBackend(gated=True)
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(5, seed=7)))
            await asyncio.to_thread(backend.asked.acquire)
            await at.watcher.until(lambda: at.watcher.statuses and at.watcher.statuses[-1].read_fraction)
            assert at.session.last_run is not None
            assert await at.session.prompt_ids(1) == tuple(OPENING.encode())
            assert at.session.last_run.num_tokens == 0
            backend.gate.release(1_000)
            await draft

    run_async(scenario())


def test_a_seed_is_drawn_that_can_be_typed(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> Run:
        async with table(path, ScriptedBackend()) as at:
            return await at.drafting.draft(RunRequest(5, seed=7))

    assert 0 <= run_async(scenario()).sampling.seed < NUM_SEEDS


# ---------------------------------------------------------------- bad requests
@pytest.mark.parametrize("opening", ["", " \n\t"])
def test_an_empty_manuscript_is_refused(run_async: RunAsync, path: Path, opening: str) -> None:
    backend = ScriptedBackend()

    async def scenario() -> None:
        async with table(path, backend, opening=opening) as at:
            with pytest.raises(WriterProblem, match="Write or paste an opening first"):
                await at.drafting.draft(RunRequest(5, seed=7))

    run_async(scenario())
    assert not backend.configs


def test_an_opening_that_is_too_long_fails_and_can_be_read_from_its_tail(
    run_async: RunAsync, path: Path
) -> None:
    backend = ScriptedBackend(context_length=10)

    async def scenario() -> tuple[Run, Run, Watcher]:
        async with table(path, backend) as at:
            refused = await at.drafting.draft(RunRequest(5, seed=7))
            assert at.watcher.statuses[-1].state is DraftState.FAILED
            return refused, await at.drafting.draft(RunRequest(5, seed=8, read_tail=True)), at.watcher

    refused, tail, watcher = run_async(scenario())
    assert (refused.state, refused.num_tokens) == (RunState.FAILED, 0)
    assert "longer than the model can hold" in refused.error
    assert (tail.run_id, tail.state, tail.num_left_out) == (1, RunState.FINISHED, len(OPENING) - 10)
    assert any("reads the most recent part" in status.sentence for status in watcher.statuses)


def test_a_text_that_quire_drafted_is_read_from_its_tail_without_asking(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> Run:
        async with table(path, ScriptedBackend(context_length=30)) as at:
            await at.drafting.draft(RunRequest(5, seed=7))
            await at.session.save_text(at.session.text + " And then")
            return await at.drafting.draft(RunRequest(5, seed=7))

    run = run_async(scenario())
    assert (run.run_id, run.state) == (2, RunState.FINISHED)
    assert run.num_left_out > 0


# ---------------------------------------------------------------- failures
def test_a_model_that_cannot_be_loaded_is_a_failed_run_with_a_sentence(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> tuple[Run, Watcher, Run]:
        async with table(path, ScriptedBackend(load_problem="The folder holds no model.")) as at:
            failed, watcher = await at.drafting.draft(RunRequest(5, seed=7)), at.watcher
        async with table(path, ScriptedBackend()) as at:
            return failed, watcher, await at.drafting.draft(RunRequest(5, seed=8))

    failed, watcher, finished = run_async(scenario())
    assert (failed.state, failed.error) == (RunState.FAILED, "The folder holds no model.")
    assert watcher.statuses[-1].state is DraftState.FAILED
    assert watcher.statuses[-1].sentence == "The folder holds no model."
    assert (finished.run_id, finished.sampling.seed) == (1, 8)


def test_a_model_that_cannot_be_loaded_leaves_the_run_that_is_there_alone(
    run_async: RunAsync, path: Path
) -> None:
    backend = ScriptedBackend()

    async def scenario() -> tuple[Run, Run, Watcher]:
        async with table(path, backend) as at:
            finished = await at.drafting.draft(RunRequest(5, seed=7))
        backend.load_problem = "The folder holds no model."
        async with table(path, backend) as at:
            return finished, await at.drafting.draft(RunRequest(50)), at.watcher

    finished, run, watcher = run_async(scenario())
    assert (run.state, run.num_words, run.error) == (RunState.FINISHED, finished.num_words, "")
    assert watcher.statuses[-1].sentence == "The folder holds no model."


def test_a_run_that_failed_keeps_its_words_and_goes_on(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(fail_at=12)

    async def scenario() -> tuple[Run, Run, Watcher]:
        async with table(path, backend) as at:
            failed = await at.drafting.draft(RunRequest(30, seed=7))
            backend.fail_at = None
            return failed, await at.drafting.draft(RunRequest(30)), at.watcher

    failed, finished, watcher = run_async(scenario())
    assert (failed.state, failed.num_words) == (RunState.FAILED, 12)
    assert failed.error.startswith("The model ran out of memory.")
    assert DraftState.FAILED in watcher.states
    assert (finished.state, finished.error) == (RunState.FINISHED, "")
    assert stored_text(path) == OPENING + backend.text_of(OPENING, 7, 30)


def test_a_fault_of_the_engine_is_told_in_a_sentence(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> Run:
        backend = ScriptedBackend(gated=True)
        backend.gate.acquire = lambda **_: False  # type: ignore[method-assign]
        async with table(path, backend) as at:
            return await at.drafting.draft(RunRequest(30))

    error = run_async(scenario()).error
    assert error.startswith("The engine stopped because of a bug in Quire (TimeoutError(")
    assert error.endswith("press Continue to try again.")


def test_the_end_of_a_text_is_an_end(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> tuple[Run, Run, Run]:
        backend = ScriptedBackend(end_at=4)
        async with table(path, backend) as at:
            ended = await at.drafting.draft(RunRequest(30, seed=7))
            assert "ended the text" in at.watcher.statuses[-1].sentence
            again = await at.drafting.draft(RunRequest(30))
            backend.end_at = None
            return ended, again, await at.drafting.draft(RunRequest(30, extend=True))

    ended, again, more = run_async(scenario())
    assert (ended.state, ended.finish_reason, ended.num_words) == (
        RunState.FINISHED, FinishReason.END_OF_TEXT, 4
    )  # fmt: skip
    assert again == ended
    assert (more.run_id, more.state) == (2, RunState.FINISHED)


def test_whole_numbers_that_are_computed_otherwise_now_are_said_and_noted_once(
    run_async: RunAsync, path: Path
) -> None:
    async def drafted(kernels: int, goal: int) -> tuple[Run, list[str]]:
        software = f"torch 2, integer kernels {kernels}"
        backend = ScriptedBackend(identity=replace(IDENTITY, dtype="int8", software=software))
        async with table(path, backend) as at:
            model = ModelConfig("folder", weights="auto")
            drafting = Drafting(at.client, at.session, at.watcher, model)
            run = await drafting.draft(RunRequest(goal, seed=7))
            return run, [str(status.sentence) for status in at.watcher.statuses]

    first, _ = run_async(drafted(2, 20))
    same, said = run_async(drafted(2, 40))
    assert same.changed_at == ()
    assert not any("has changed since this draft started" in each for each in said)
    other, said = run_async(drafted(3, 60))
    assert other.run_id == first.run_id
    assert other.changed_at == (same.num_tokens,)
    assert any("has changed since this draft started" in each for each in said)
    again, said = run_async(drafted(3, 80))
    assert again.changed_at == other.changed_at
    assert not any("has changed since this draft started" in each for each in said)


# ---------------------------------------------------------------- memory
def test_freed_memory_is_loaded_again_and_the_text_goes_on(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(cache_bytes_per_token=1000)

    async def scenario() -> str:
        async with table(path, backend) as at:
            await at.drafting.draft(RunRequest(20, seed=7))
            await at.drafting.free()
            assert at.drafting.fast_resume.num_bytes == 0
            await at.drafting.draft(RunRequest(60))
            return at.session.text

    assert run_async(scenario()) == OPENING + backend.text_of(OPENING, 7, 60)
    assert (backend.num_unloads, len(backend.configs)) == (1, 2)


def test_memory_is_not_freed_under_a_draft(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> None:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(20, seed=7)))
            await at.let_through(2)
            with pytest.raises(WriterProblem, match="Pause it first"):
                await at.drafting.free()
            backend.gate.release(1_000)
            await draft

    run_async(scenario())


# ---------------------------------------------------------------- what went wrong once
def test_other_texts_that_cannot_be_read_do_not_keep_a_draft_from_beginning(
    run_async: RunAsync, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the run would stay RUNNING, and nothing could be stored any more."""

    async def damaged(_session: ProjectSession, _tokenizer: str) -> tuple[KnownText, ...]:
        raise WriterProblem("a take is damaged")

    monkeypatch.setattr(ProjectSession, "known_texts", damaged)

    async def scenario() -> Run:
        async with table(path, ScriptedBackend()) as at:
            run = await at.drafting.draft(RunRequest(20, seed=7))
            await at.session.save_text("Another text.")
            return run

    assert run_async(scenario()).state is RunState.FINISHED


def test_a_run_that_was_paused_before_its_first_word_hides_no_other(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            first = await at.drafting.draft(RunRequest(20, seed=7))
            new = replace(first, run_id=2, num_tokens=0, num_words=0, num_prompt=0, state=RunState.RUNNING)
            await at.session.begin_run(new)
            await at.session.save_prompt(GenerationStarted(2, (1, 2, 3), 0))
            await at.session.save_run(at.session.run(2).moved_to(RunState.PAUSED))
            assert at.session.run_that_left(first.end_digest) == first

    run_async(scenario())


# ---------------------------------------------------------------- line ends
class _TwoLineEnds(ScriptedBackend):
    """Every line end comes in two tokens."""

    def _next(self, seed: int, prompt_ids: tuple[int, ...], ids: tuple[int, ...]) -> int:
        return len(ids)

    def _word(self, token_id: int) -> str:
        return "\n" if token_id % 3 == 2 else " word.\r" if token_id % 3 else " more"


@pytest.mark.parametrize("num_before", [1, 2, 3])
def test_a_pause_within_a_line_end_changes_no_character(
    run_async: RunAsync, path: Path, num_before: int
) -> None:
    backend = _TwoLineEnds(gated=True)

    async def scenario() -> str:
        async with table(path, backend) as at:
            paused = await at.paused_after(num_before, 9, seed=7)
            assert 0 < paused.num_tokens < 9
            backend.gate.release(1_000)
            run = await at.drafting.draft(RunRequest(9, seed=7))
            assert run.run_id == paused.run_id
            return at.session.text

    text = run_async(scenario())
    assert text[len(OPENING) :] == " more word.\n" * (text.count(" more"))
    assert stored_text(path) == text
