"""The file beside a project from which a paused run goes on without reading the text again."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from quire.client.engine_client import EngineClient
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Run, RunState
from quire.errors import WriterProblem
from quire.services.drafting.drafting import Drafting
from quire.services.drafting.fast_resume import fast_resume_path
from quire_engine.api.config import ModelConfig
from quire_engine.api.messages import ResumeGeneration
from quire_engine.engine import Engine
from quire_resources import BUILT_IN_MODEL
from tests.app.services.table import OPENING, RunAsync, opened, table
from tests.fakes import ScriptedBackend, Watcher

SIZE = 1000


def resumed_from(backend: ScriptedBackend) -> str:
    command = backend.begins[-1]
    assert isinstance(command, ResumeGeneration)
    return command.cache_file


def test_a_paused_draft_is_kept_used_once_and_deleted(run_async: RunAsync, tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"
    kept = fast_resume_path(path)

    async def first() -> None:
        backend = ScriptedBackend(gated=True, cache_bytes_per_token=SIZE)
        async with table(path, backend) as at:
            assert at.drafting.fast_resume.num_bytes == 0
            run = await at.paused_after(3, 100, seed=7)
            assert at.drafting.fast_resume.num_bytes == SIZE * (len(OPENING) + run.num_tokens)
            assert (await at.drafting.fast_resume.keep()).path == str(kept)
            assert kept.exists()

    async def second() -> tuple[str, bool, str]:
        backend = ScriptedBackend(cache_bytes_per_token=SIZE)
        async with table(path, backend) as at:
            await at.drafting.draft(RunRequest(100))
        return resumed_from(backend), kept.exists(), at.watcher.text

    run_async(first())
    used, is_there, text = run_async(second())
    assert (used, is_there) == (str(kept), False)
    assert ScriptedBackend().text_of(OPENING, 7, 100).endswith(text)


def test_a_run_that_has_no_such_file_is_told_of_none(run_async: RunAsync, tmp_path: Path) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> None:
        async with table(tmp_path / "novel.quire", backend) as at:
            await at.paused_after(3, 100, seed=7)
            backend.gate.release(1_000)
            await at.drafting.draft(RunRequest(100))

    run_async(scenario())
    assert resumed_from(backend) == ""


def test_a_new_run_deletes_the_file_of_the_one_before(run_async: RunAsync, tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"

    async def scenario() -> bool:
        async with table(path, ScriptedBackend(cache_bytes_per_token=SIZE)) as at:
            await at.drafting.draft(RunRequest(20, seed=7))
            await at.drafting.fast_resume.keep()
            await at.session.save_text("Another text.")
            assert fast_resume_path(path).exists()
            await at.drafting.draft(RunRequest(20, seed=7))
            return fast_resume_path(path).exists()

    assert run_async(scenario()) is False


def test_a_run_that_does_not_begin_leaves_the_file(run_async: RunAsync, tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"

    async def first() -> None:
        async with table(path, ScriptedBackend(gated=True, cache_bytes_per_token=SIZE)) as at:
            await at.paused_after(3, 100, seed=7)
            await at.drafting.fast_resume.keep()

    async def second() -> Run:
        async with table(path, ScriptedBackend(load_problem="No room for the model.")) as at:
            return await at.drafting.draft(RunRequest(100))

    run_async(first())
    run_async(second())
    assert fast_resume_path(path).exists()


def test_nothing_in_memory_is_a_sentence(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with table(tmp_path / "novel.quire", ScriptedBackend(cache_bytes_per_token=SIZE)) as at:
            with pytest.raises(WriterProblem, match="There is no paused draft in RAM"):
                await at.drafting.fast_resume.keep()

    run_async(scenario())


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def test_a_disk_without_room_is_a_sentence_before_anything_is_written(
    run_async: RunAsync, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "novel.quire"

    async def scenario() -> None:
        async with table(path, ScriptedBackend(cache_bytes_per_token=10**6)) as at:
            await at.drafting.draft(RunRequest(20, seed=7))
            monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(10**9, 10**9 - 10**7, 10**7))
            with pytest.raises(WriterProblem, match=r"needs \d+ MB, but the project's disk has only 10 MB"):
                await at.drafting.fast_resume.keep()

    run_async(scenario())
    assert not fast_resume_path(path).exists()


def test_a_place_that_takes_no_file_is_a_sentence(run_async: RunAsync, tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"
    fast_resume_path(path).mkdir()

    async def scenario() -> None:
        async with table(path, ScriptedBackend(cache_bytes_per_token=SIZE)) as at:
            await at.drafting.draft(RunRequest(20, seed=7))
            with pytest.raises(WriterProblem, match="could not be saved"):
                await at.drafting.fast_resume.keep()

    run_async(scenario())


def damage(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


@pytest.mark.parametrize("state", ["fits", "damaged"])
def test_the_engine_goes_on_from_it_in_the_same_words(
    run_async: RunAsync, tmp_path: Path, state: str
) -> None:
    """The real engine, the built-in model, a new process' worth of memory in between."""

    async def drafted(path: Path, goals: tuple[int, ...]) -> tuple[str, list[float]]:
        watcher, text = Watcher(), ""
        for goal in goals:
            session = await opened(path, OPENING)
            async with EngineClient(Engine()) as client:
                drafting = Drafting(client, session, watcher, ModelConfig(str(BUILT_IN_MODEL)))
                run = await drafting.draft(RunRequest(goal, seed=3))
                assert run.state is RunState.FINISHED
                if goal != goals[-1]:
                    kept = await drafting.fast_resume.keep()
                    assert 0.5 < kept.num_bytes / drafting.fast_resume.num_bytes < 2
                    watcher.statuses.clear()
                    if state == "damaged":
                        damage(Path(kept.path))
            text = session.text
            await session.close()
        return text, [status.read_fraction for status in watcher.statuses]

    whole, _ = run_async(drafted(tmp_path / "whole.quire", (60,)))
    parts, read = run_async(drafted(tmp_path / "parts.quire", (25, 60)))
    assert parts == whole
    assert not fast_resume_path(tmp_path / "parts.quire").exists()
    assert any(fraction > 0 for fraction in read) == (state == "damaged")


def test_a_file_that_is_not_ours_is_left_alone(run_async: RunAsync, tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"
    fast_resume_path(path).write_text("My own notes.", encoding="utf-8")

    async def scenario() -> None:
        async with table(path, ScriptedBackend(cache_bytes_per_token=SIZE)) as at:
            await at.drafting.draft(RunRequest(20, seed=7))
            with pytest.raises(WriterProblem, match="Rename it, then try again"):
                await at.drafting.fast_resume.keep()

    run_async(scenario())
    assert fast_resume_path(path).read_text(encoding="utf-8") == "My own notes."


def test_the_file_is_never_the_project_itself(tmp_path: Path) -> None:
    project = tmp_path / "novel.fast-resume"
    assert fast_resume_path(project) != project
