"""The real engine: what a draft goes on from does not depend on how fast the one before was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.client.engine_client import EngineClient
from quire.domain.drafting.resume_decision import RunRequest
from quire.services.drafting.drafting import ACCELERATED, Drafting
from quire.services.project.project_session import ProjectSession
from quire_engine.api.config import PLAIN, DraftingConfig, ModelConfig
from quire_engine.engine import Engine
from quire_resources import BUILT_IN_MODEL, SAMPLE_OPENING
from tests.app.services.table import RunAsync
from tests.fakes import Watcher


@pytest.mark.sliced
@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3])
def test_a_draft_after_an_edit_is_the_same_with_acceleration_and_without(
    run_async: RunAsync, tmp_path: Path, seed: int
) -> None:
    """In bfloat16: what a last pass kept beyond its goal once counted as read, and nudged the bits."""
    opening = SAMPLE_OPENING.read_text(encoding="utf-8")

    async def drafted(name: str, acceleration: DraftingConfig) -> tuple[str, tuple[int, ...]]:
        session = await ProjectSession.create(tmp_path / name, "N", opening)
        async with EngineClient(Engine()) as client:
            model = ModelConfig(str(BUILT_IN_MODEL), "bfloat16")
            drafting = Drafting(client, session, Watcher(), model, acceleration)
            await drafting.draft(RunRequest(60, seed=seed))
            await session.save_text(f"{session.text} Then she left.")
            run = await drafting.draft(RunRequest(40, seed=seed))
            text = session.text
        await session.close()
        return text, run.prefill_plan

    assert run_async(drafted("plain.quire", PLAIN)) == run_async(drafted("fast.quire", ACCELERATED))
