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
FIRST, SECOND = Chunk((5, 6), " It rained", 2, 2, 2.0), Chunk((7,), " again. All", 3, 1, 1.0)
CUT_OFF = """
import asyncio, os, sys
from pathlib import Path
from quire.services.project.project_session import ProjectSession
from tests.app.services.project.test_project_session import FIRST, OPENING, RUNNING, SECOND
from tests.app.started_runs import start_run

async def main():
    session = await ProjectSession.create(Path(sys.argv[1]), "Night", OPENING)
    await start_run(session, RUNNING, (1, 2))
    await session.append(1, FIRST)
    await session.append(1, SECOND)
    os._exit(9)

asyncio.run(main())
"""


def cut_off(path: Path) -> None:
    """Leave a project as a process that died while a run went on."""
    ended = subprocess.run([sys.executable, "-c", CUT_OFF, str(path)], check=False, env=ENVIRONMENT)
    assert ended.returncode == 9


def test_a_new_project_holds_its_opening(run_async: Callable[..., Any], tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await ProjectSession.create(tmp_path / "a.quire", "Night", "One.\r\nTwo.")
        assert (session.title, session.text, session.path) == ("Night", "One.\nTwo.", tmp_path / "a.quire")
        assert (session.last_run, session.recovered_words, session.recovered_at) == (None, 0, None)
        await session.close()
        await session.close()

    run_async(scenario())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a backups", "a.quire"]
    (backup,) = (tmp_path / "a backups").iterdir()
    assert read_project(backup).text == "One.\nTwo."


def test_the_text_is_stored_as_the_writer_left_it(run_async: Callable[..., Any], tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await ProjectSession.create(tmp_path / "a.quire", "Night", "")
        for text in ("One.", "One.\n\u00a0 two \U0001f600\n"):
            await session.save_text(text)
            assert session.text == text
        await session.close()
        session = await ProjectSession.open(tmp_path / "a.quire")
        assert session.text == text
        await session.close()

    run_async(scenario())


def test_what_a_run_had_stored_before_a_crash_is_in_the_text(
    run_async: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "a.quire"
    cut_off(path)

    async def scenario() -> tuple[ProjectSession, ProjectSession]:
        session = await ProjectSession.open(path)
        await session.close()
        again = await ProjectSession.open(path)
        await again.close()
        return session, again

    session, again = run_async(scenario())
    assert session.text == again.text == "It was a dark night. It rained again. All"
    assert (session.recovered_words, again.recovered_words) == (4, 0)  # with the word it was in
    assert session.recovered_at is not None
    assert again.recovered_at is None
    run = session.last_run
    assert run is not None
    assert (run.state, run.num_words, run.num_tokens) == (RunState.PAUSED, 3, 3)
    assert run.end_digest == digest_of(session.text)


def test_reading_a_project_that_was_cut_off_shows_it_all_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.quire"
    cut_off(path)
    log = tmp_path / "a.quire-wal"
    before = path.read_bytes(), log.read_bytes()
    overview = read_project(path)
    assert overview.text == "It was a dark night. It rained again. All"
    assert [run.state for run in overview.runs] == [RunState.PAUSED]
    assert (path.read_bytes(), log.read_bytes()) == before


def test_the_text_cannot_be_changed_under_a_run(run_async: Callable[..., Any], tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await ProjectSession.create(tmp_path / "a.quire", "Night", OPENING)
        await start_run(session, RUNNING, (1, 2))
        with pytest.raises(WriterProblem, match="Pause it first"):
            await session.save_text("other")
        await session.end_run(1, RunState.PAUSED)
        await session.save_text("other")
        await session.close()

    run_async(scenario())


def test_the_last_run_is_one_that_the_model_began(run_async: Callable[..., Any], tmp_path: Path) -> None:
    async def scenario() -> None:
        session = await ProjectSession.create(tmp_path / "a.quire", "Night", OPENING)
        never_begun = replace(RUNNING, run_id=2, num_prompt=0).moved_to(RunState.FAILED)
        assert session.next_run_id == 1
        await start_run(session, RUNNING, (1, 2))
        await session.save_run(session.run(1).moved_to(RunState.PAUSED))
        assert session.next_run_id == 2
        await session.save_run(never_begun)
        assert session.next_run_id == 2
        assert session.last_run == RUNNING.moved_to(RunState.PAUSED)
        await session.close()

    run_async(scenario())


def test_what_a_full_disk_kept_out_is_stored_with_the_next_change(
    run_async: Callable[..., Any], tmp_path: Path, disk: Disk
) -> None:
    long = Chunk((1,) * 5_000, " long" * 5_000, 5_000, 1, 1.0)

    async def scenario() -> None:
        session = await ProjectSession.create(tmp_path / "a.quire", "Night", OPENING)
        await start_run(session, RUNNING, (1, 2))
        disk.fill()
        with pytest.raises(WriterProblem, match="disk is full"):
            await session.end_run(1, RunState.PAUSED, long)
        assert not session.everything_stored
        assert session.text == OPENING + long.text
        with pytest.raises(WriterProblem, match="disk is full"):
            await session.save_text("other")
        disk.make_room()
        await session.save_text(session.text + " More.")
        assert session.everything_stored
        assert session.text == OPENING + long.text + " More."
        assert len(await session.token_ids(1)) == 5_000
        await session.close()

    run_async(scenario())


def test_closing_on_a_full_disk_says_so_and_frees_the_project(
    run_async: Callable[..., Any], tmp_path: Path, disk: Disk
) -> None:
    long = Chunk((1,) * 5_000, " long" * 5_000, 5_000, 1, 1.0)

    async def scenario() -> str:
        session = await ProjectSession.create(tmp_path / "a.quire", "Night", OPENING)
        await start_run(session, RUNNING, (1, 2))
        disk.fill()
        with pytest.raises(WriterProblem):
            await session.end_run(1, RunState.PAUSED, long)
        with pytest.raises(WriterProblem, match="disk is full"):
            await session.close()
        disk.repair()
        session = await ProjectSession.open(tmp_path / "a.quire")
        await session.close()
        return session.text

    assert run_async(scenario()) == OPENING
