from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.manuscript import digest_of
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.closed_projects import read_project
from quire_engine.api.config import SamplingConfig
from tests.app.started_runs import start_run
from tests.fakes import ENVIRONMENT, IDENTITY, Disk

OPENING = "It was a dark night."
DIGEST = digest_of(OPENING)
RUNNING = Run(
    1, 1, SamplingConfig(), 50, DIGEST, DIGEST, state=RunState.RUNNING, model=IDENTITY, num_prompt=2
)
FIRST, SECOND = Chunk((5, 6), " It rained", 2, 2, 2.0), Chunk((7,), " again.", 3, 1, 1.0)
CUT_OFF = """
import asyncio, os, sys
from pathlib import Path
from quire.services.project.project_session import ProjectSession
from tests.app.services.project.test_project_session import FIRST, OPENING, RUNNING, SECOND
from tests.app.started_runs import start_run

async def main():
    desk = await ProjectSession.create(Path(sys.argv[1]), "Night", OPENING)
    await start_run(desk, RUNNING, (1, 2))
    await desk.append(1, FIRST)
    await desk.append(1, SECOND)
    os._exit(9)

asyncio.run(main())
"""


def cut_off(path: Path) -> None:
    """Leave a project as a process that died while a run went on."""
    ended = subprocess.run([sys.executable, "-c", CUT_OFF, str(path)], check=False, env=ENVIRONMENT)
    assert ended.returncode == 9


def test_a_new_project_holds_its_opening(run_async: Callable[..., Any], tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = await ProjectSession.create(tmp_path / "a.quire", "Night", "One.\r\nTwo.")
        assert (desk.title, desk.text, desk.path) == ("Night", "One.\nTwo.", tmp_path / "a.quire")
        assert (desk.last_run, desk.recovered_words, desk.recovered_at) == (None, 0, None)
        await desk.close()
        await desk.close()

    run_async(scenario())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a backups", "a.quire"]
    (backup,) = (tmp_path / "a backups").iterdir()
    assert read_project(backup).text == "One.\nTwo."


def test_the_text_is_stored_as_the_writer_left_it(run_async: Callable[..., Any], tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = await ProjectSession.create(tmp_path / "a.quire", "Night", "")
        for text in ("One.", "One.\n\u00a0 two \U0001f600\n"):
            await desk.save_text(text)
            assert desk.text == text
        await desk.close()
        desk = await ProjectSession.open(tmp_path / "a.quire")
        assert desk.text == text
        await desk.close()

    run_async(scenario())


def test_what_a_run_had_stored_before_a_crash_is_in_the_text(
    run_async: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "a.quire"
    cut_off(path)

    async def scenario() -> tuple[ProjectSession, ProjectSession]:
        desk = await ProjectSession.open(path)
        await desk.close()
        again = await ProjectSession.open(path)
        await again.close()
        return desk, again

    desk, again = run_async(scenario())
    assert desk.text == again.text == "It was a dark night. It rained again."
    assert (desk.recovered_words, again.recovered_words) == (3, 0)
    assert desk.recovered_at is not None
    assert again.recovered_at is None
    run = desk.last_run
    assert run is not None
    assert (run.state, run.num_words, run.num_tokens) == (RunState.PAUSED, 3, 3)
    assert run.end_digest == digest_of(desk.text)


def test_reading_a_project_that_was_cut_off_shows_it_all_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.quire"
    cut_off(path)
    log = tmp_path / "a.quire-wal"
    before = path.read_bytes(), log.read_bytes()
    overview = read_project(path)
    assert overview.text == "It was a dark night. It rained again."
    assert [run.state for run in overview.runs] == [RunState.PAUSED]
    assert (path.read_bytes(), log.read_bytes()) == before


def test_the_text_cannot_be_changed_under_a_run(run_async: Callable[..., Any], tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = await ProjectSession.create(tmp_path / "a.quire", "Night", OPENING)
        await start_run(desk, RUNNING, (1, 2))
        with pytest.raises(WriterProblem, match="Pause it first"):
            await desk.save_text("other")
        await desk.end_run(1, RunState.PAUSED)
        await desk.save_text("other")
        await desk.close()

    run_async(scenario())


def test_the_last_run_is_one_that_the_model_began(run_async: Callable[..., Any], tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = await ProjectSession.create(tmp_path / "a.quire", "Night", OPENING)
        never_begun = replace(RUNNING, run_id=2, num_prompt=0).moved_to(RunState.FAILED)
        assert desk.next_run_id == 1
        await start_run(desk, RUNNING, (1, 2))
        await desk.save_run(desk.run(1).moved_to(RunState.PAUSED))
        assert desk.next_run_id == 2
        await desk.save_run(never_begun)
        assert desk.next_run_id == 2
        assert desk.last_run == RUNNING.moved_to(RunState.PAUSED)
        await desk.close()

    run_async(scenario())


def test_what_a_full_disk_kept_out_is_stored_with_the_next_change(
    run_async: Callable[..., Any], tmp_path: Path, disk: Disk
) -> None:
    long = Chunk((1,) * 5_000, " long" * 5_000, 5_000, 1, 1.0)

    async def scenario() -> None:
        desk = await ProjectSession.create(tmp_path / "a.quire", "Night", OPENING)
        await start_run(desk, RUNNING, (1, 2))
        disk.fill()
        with pytest.raises(WriterProblem, match="disk is full"):
            await desk.end_run(1, RunState.PAUSED, long)
        assert not desk.everything_stored
        assert desk.text == OPENING + long.text
        with pytest.raises(WriterProblem, match="disk is full"):
            await desk.save_text("other")
        disk.make_room()
        await desk.save_text(desk.text + " More.")
        assert desk.everything_stored
        assert desk.text == OPENING + long.text + " More."
        assert len(await desk.token_ids(1)) == 5_000
        await desk.close()

    run_async(scenario())


def test_closing_on_a_full_disk_says_so_and_frees_the_project(
    run_async: Callable[..., Any], tmp_path: Path, disk: Disk
) -> None:
    long = Chunk((1,) * 5_000, " long" * 5_000, 5_000, 1, 1.0)

    async def scenario() -> str:
        desk = await ProjectSession.create(tmp_path / "a.quire", "Night", OPENING)
        await start_run(desk, RUNNING, (1, 2))
        disk.fill()
        with pytest.raises(WriterProblem):
            await desk.end_run(1, RunState.PAUSED, long)
        with pytest.raises(WriterProblem, match="disk is full"):
            await desk.close()
        disk.repair()
        desk = await ProjectSession.open(tmp_path / "a.quire")
        await desk.close()
        return desk.text

    assert run_async(scenario()) == OPENING
