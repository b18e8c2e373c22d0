"""Built-in presets follow the model; a run keeps the settings that it was started with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quire.client.engine_client import EngineClient
from quire.domain.drafting.presets import BALANCED, LIVELY, Preset, careful, for_model
from quire.domain.drafting.resume_decision import RestartKind, RunRequest
from quire.domain.drafting.run import Run, RunState
from quire.services.drafting.drafting import Drafting
from quire.services.drafting.steering_service import ProjectSteering, SteeringBook
from quire_engine.api.config import Dtype, ModelConfig, SamplingConfig
from quire_engine.api.messages import ResumeGeneration, StartGeneration
from quire_engine.api.sampling_scale import SamplingScale
from quire_engine.engine import Engine
from quire_resources import BUILT_IN_MODEL
from tests.app.services.table import OPENING, RunAsync, Table, opened, table
from tests.fakes import ScriptedBackend, Watcher

LOUD, LOUDER = SamplingScale(18.4, 1.1), SamplingScale(30.0, 1.1)
OWN = Preset("Mine", SamplingConfig(temperature=0.9, repetition_penalty=1.15))


async def steered(at: Table, preset: Preset) -> Drafting:
    book = await SteeringBook.of(at.session, pytest.fail)
    book.choose(preset)
    return Drafting(at.client, at.session, at.watcher, ModelConfig("folder"), steering=ProjectSteering(book))


@pytest.mark.parametrize("preset", [BALANCED, LIVELY, OWN], ids=lambda preset: preset.name)
@pytest.mark.parametrize("scale", [None, LOUD], ids=["not measured", "measured"])
def test_a_new_run_has_the_presets_meaning_with_this_model(
    run_async: RunAsync, tmp_path: Path, preset: Preset, scale: SamplingScale | None
) -> None:
    backend = ScriptedBackend(scale=scale)

    async def scenario() -> Run:
        async with table(tmp_path / "novel.quire", backend) as at:
            return await (await steered(at, preset)).draft(RunRequest(10, seed=7))

    run = run_async(scenario())
    assert run.sampling == replace(for_model(preset.sampling, scale), seed=7)
    assert (run.sampling == replace(preset.sampling, seed=7)) == (scale is None or preset is OWN)
    (command,) = backend.begins
    assert isinstance(command, StartGeneration)
    assert command.sampling == run.sampling


@pytest.mark.parametrize(("first", "then"), [(LOUD, LOUD), (None, LOUD), (LOUD, None)])
def test_a_run_continues_with_its_own_settings(
    run_async: RunAsync, tmp_path: Path, first: SamplingScale | None, then: SamplingScale | None
) -> None:
    """Also one from before its model was measured. Unmeasured, the same numbers are another choice."""
    path = tmp_path / "novel.quire"

    async def draft(scale: SamplingScale | None, goal: int) -> tuple[Run, ScriptedBackend]:
        backend = ScriptedBackend(scale=scale)
        async with table(path, backend) as at:
            return await (await steered(at, BALANCED)).draft(RunRequest(goal, seed=7)), backend

    started, _ = run_async(draft(first, 10))
    assert started.sampling == replace(for_model(BALANCED.sampling, first), seed=7)
    continued, backend = run_async(draft(then, 20))
    (command,) = backend.begins
    if then is None:
        assert (continued.run_id, continued.sampling) == (2, replace(BALANCED.sampling, seed=7))
    else:
        assert (continued.run_id, continued.sampling) == (started.run_id, started.sampling)
        assert isinstance(command, ResumeGeneration)
        assert command.sampling == started.sampling


def test_a_careful_start_is_careful_by_the_models_measure(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> Run:
        async with table(tmp_path / "novel.quire", ScriptedBackend(scale=LOUD)) as at:
            request = RunRequest(10, seed=7, restart=RestartKind.CAREFUL)
            return await (await steered(at, BALANCED)).draft(request)

    run = run_async(scenario())
    assert run.sampling == replace(for_model(careful(BALANCED.sampling), LOUD), seed=7)
    assert run.sampling.repetition_penalty < 1.2 < careful(BALANCED.sampling).repetition_penalty


def test_a_draft_like_another_one_has_its_very_settings(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> tuple[Run, Run]:
        async with table(tmp_path / "novel.quire", ScriptedBackend(scale=LOUD)) as at:
            drafting = await steered(at, BALANCED)
            one = await drafting.draft(RunRequest(10, seed=7))
            at.backend.scale = LOUDER
            return one, await drafting.draft(
                RunRequest(20, like=one, extend=True, restart=RestartKind.AS_USUAL)
            )

    one, other = run_async(scenario())
    assert other.run_id != one.run_id
    assert other.sampling == one.sampling


@pytest.mark.sliced
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_draft_keeps_to_its_numbers_whatever_is_usual_now(
    run_async: RunAsync, tmp_path: Path, dtype: Dtype
) -> None:
    """The real engine: begun in full precision, before *Fast* was usual."""
    first = ModelConfig(str(BUILT_IN_MODEL), dtype)
    usual = ModelConfig(str(BUILT_IN_MODEL), weights="auto")

    async def drafted(path: Path, sittings: list[tuple[ModelConfig, int]]) -> str:
        text = ""
        for model, goal in sittings:
            session = await opened(path, OPENING)
            async with EngineClient(Engine()) as client:
                run = await Drafting(client, session, Watcher(), model).draft(RunRequest(goal, seed=3))
            assert run.model is not None
            assert (run.run_id, run.state, run.model.dtype) == (1, RunState.FINISHED, dtype)
            text = session.text
            await session.close()
        return text

    whole = run_async(drafted(tmp_path / "whole.quire", [(first, 40)]))
    assert run_async(drafted(tmp_path / "parts.quire", [(first, 15), (usual, 40)])) == whole
