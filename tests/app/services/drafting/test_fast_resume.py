"""The file beside a project from which a paused run goes on without reading the text again."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from quire.client.engine_client import EngineClient
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Run, RunState
from quire.errors import WriterProblem
from quire.services.drafting import fast_resume
from quire.services.drafting.drafting import Drafting
from quire.services.drafting.fast_resume import fast_resume_path
from quire_engine.api.config import ModelConfig, Weights
from quire_engine.api.messages import CacheKept, CacheNotKept, KeepCache, ResumeGeneration
from quire_engine.engine import Engine
from quire_resources import BUILT_IN_MODEL
from tests.app.services.table import OPENING, RunAsync, opened, table
from tests.fakes import ScriptedBackend, Watcher

SIZE = 1000


@pytest.fixture(autouse=True)
def time_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let closing wait for the file, however slow the disk is."""
    monkeypatch.setattr(fast_resume, "_SETTLE_S", 100.0)


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


def files_in(folder: Path) -> list[Path]:
    return list(folder.rglob("*.fast-resume"))


@pytest.mark.sliced
@pytest.mark.parametrize("state", ["fits", "damaged"])
@pytest.mark.parametrize("weights", ["full", "auto"])
def test_the_engine_goes_on_from_it_in_the_same_words(
    run_async: RunAsync, tmp_path: Path, weights: Weights, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real engine, the built-in model, a new process' worth of memory in between; in full precision the
    file is asked for, and in *Fast* made by itself."""
    monkeypatch.setattr(fast_resume, "_WORTHWHILE", 1)
    asked = weights == "full"
    model = ModelConfig(str(BUILT_IN_MODEL), weights=weights, cache_folder="" if asked else str(tmp_path))

    async def drafted(path: Path, goals: tuple[int, ...]) -> tuple[str, list[float]]:
        watcher, text = Watcher(), ""
        for goal in goals:
            session = await opened(path, OPENING)
            async with EngineClient(Engine()) as client:
                drafting = Drafting(client, session, watcher, model)
                run = await drafting.draft(RunRequest(goal, seed=3))
                assert run.state is RunState.FINISHED
                if goal != goals[-1]:
                    watcher.statuses.clear()
                    await (drafting.fast_resume.keep() if asked else drafting.fast_resume.settle())
                    (kept,) = files_in(tmp_path)
                    assert 0.5 < kept.stat().st_size / drafting.fast_resume.num_bytes < 2
                    if state == "damaged":
                        damage(kept)
            text = session.text
            await session.close()
        return text, [status.read_fraction for status in watcher.statuses]

    whole, _ = run_async(drafted(tmp_path / "whole.quire", (60,)))
    parts, read = run_async(drafted(tmp_path / "parts.quire", (25, 60)))
    assert parts == whole
    assert files_in(tmp_path) == []
    assert any(fraction > 0 for fraction in read) == (state == "damaged")


# ---------------------------------------------------------------- made by itself
LONG = " ".join([OPENING] * 20)
"""Of more tokens than are read again in no time."""


def own_files(cache: Path) -> list[Path]:
    return sorted((cache / fast_resume.FOLDER).glob("*.fast-resume"))


def test_a_file_is_made_by_itself_used_once_and_deleted(run_async: RunAsync, tmp_path: Path) -> None:
    path = tmp_path / "novel.quire"

    async def first() -> None:
        backend = ScriptedBackend(gated=True, cache_bytes_per_token=SIZE)
        async with table(path, backend, opening=LONG, cache=tmp_path) as at:
            await at.paused_after(3, 100, seed=7)
            await at.drafting.fast_resume.settle()

    async def second() -> str:
        backend = ScriptedBackend(cache_bytes_per_token=SIZE)
        async with table(path, backend, cache=tmp_path) as at:
            await at.drafting.draft(RunRequest(100))
            return resumed_from(backend)

    run_async(first())
    (kept,) = own_files(tmp_path)
    assert kept.parent.stat().st_mode & 0o077 == 0 or sys.platform == "win32"
    assert run_async(second()) == str(kept)
    assert own_files(tmp_path) == []  # the next one is due when the draft has rested


def test_a_rest_is_enough_for_a_file(
    run_async: RunAsync, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_resume, "KEEP_AFTER_S", 0.0)
    backend = ScriptedBackend(cache_bytes_per_token=SIZE)

    async def scenario() -> None:
        replied = asyncio.Event()
        async with table(tmp_path / "novel.quire", backend, opening=LONG, cache=tmp_path) as at:
            keep_cache = at.client.keep_cache

            async def noted(command: KeepCache) -> CacheKept | CacheNotKept:
                reply = await keep_cache(command)
                replied.set()
                return reply

            monkeypatch.setattr(at.client, "keep_cache", noted)
            await at.drafting.draft(RunRequest(20, seed=7))
            await replied.wait()
            assert len(own_files(tmp_path)) == 1

    run_async(scenario())


@pytest.mark.parametrize("why", ["short", "too large", "full disk", "no folder", "on a server"])
def test_where_no_file_is_made_the_draft_goes_on_all_the_same(
    run_async: RunAsync, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    path, cache = tmp_path / "novel.quire", tmp_path / "cache"
    size = {"too large": fast_resume.MOST_BYTES // 300, "on a server": 0}.get(why, SIZE)
    backend = ScriptedBackend(gated=True, cache_bytes_per_token=size)
    if why == "full disk":
        little = fast_resume.MOST_BYTES
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(10**12, 10**12 - little, little))
    if why == "no folder":
        cache.write_text("A file.", encoding="utf-8")
    opening = OPENING if why == "short" else LONG

    async def scenario() -> str:
        async with table(path, backend, opening=opening, cache=cache) as at:
            await at.paused_after(3, 60, seed=7)
            await at.drafting.fast_resume.settle()
            backend.gate.release(1_000)
            await at.drafting.draft(RunRequest(60))
            return at.session.text

    text = run_async(scenario())
    assert text == opening + backend.text_of(opening, 7, 60)
    assert resumed_from(backend) == ""
    assert own_files(cache) == []


def test_the_oldest_files_make_room(
    run_async: RunAsync, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_resume, "MOST_IN_ALL", 1_200_000)
    leftover = tmp_path / fast_resume.FOLDER / ".quire-0123456789ab.part"
    leftover.parent.mkdir()
    leftover.touch()
    os.utime(leftover, (0, 0))

    async def made(name: str) -> None:
        backend = ScriptedBackend(cache_bytes_per_token=SIZE)
        async with table(tmp_path / name, backend, opening=LONG, cache=tmp_path) as at:
            await at.drafting.draft(RunRequest(20, seed=7))
            await at.drafting.fast_resume.settle()

    known: list[Path] = []
    lately = int(time.time()) - 60
    for age, name in enumerate(("one.quire", "two.quire", "three.quire"), start=lately):
        run_async(made(name))
        (new,) = set(own_files(tmp_path)) - set(known)
        known.append(new)
        new.write_bytes(bytes(300_000))
        os.utime(new, (age, age))
    run_async(made("four.quire"))
    assert not leftover.exists()
    assert len(own_files(tmp_path)) == 3
    assert known[0] not in own_files(tmp_path)
    monkeypatch.setattr(fast_resume, "MOST_IN_ALL", 2**30)
    os.utime(known[1], (0, 0))
    run_async(made("five.quire"))
    assert known[1] not in own_files(tmp_path)  # nobody may come back to it


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
