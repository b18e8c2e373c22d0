"""Real models: they load in each format, their text is one text, and broken variants are refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from quire_engine.api.config import DraftingConfig, Dtype, Goal, ModelConfig, SamplingConfig, Weights
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import ResumeGeneration, StartGeneration
from quire_engine.decoding.token_stream import Step
from quire_engine.drafting.draft_model import DraftModel
from quire_engine.engine import load_model
from quire_engine.importing.model_import import import_model
from quire_engine.importing.shipped_parts import import_with_shipped
from quire_engine.models.loading import build_model, inspect_folder
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_engine.runtime.session import DraftingSession
from quire_resources import BUILT_IN_MODEL
from tests.engine.desk import Desk
from tests.engine.tiny import OPENING
from tests.proofs.engine.self_test_table import SHIFTED, Specimen

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

FAST = DraftingConfig(method="tokenswift", drafters=("ngrams",))
SAMPLING = SamplingConfig(seed=7)
NATIVE: Dtype = "bfloat16" if torch.cpu._is_avx512_bf16_supported() else "float32"
"""What Quire takes in full precision here: bfloat16 where the processor multiplies it by itself.

Where it would be imitated, a load takes a minute and a token four times as long.
"""
FORMATS: tuple[tuple[Dtype, Weights, int], ...] = (
    (NATIVE, "full", 120),
    ("int8", "full", 1000),
    *((("bfloat16", "int8", 80), ("float32", "full", 80)) if NATIVE == "bfloat16" else ()),
)


@pytest.mark.sliced("real models")
@pytest.mark.parametrize(("dtype", "weights", "count"), FORMATS)
def test_plain_accelerated_and_cut_off_drafts_are_one_text(
    smollm2: Path, tmp_path: Path, dtype: Dtype, weights: Weights, count: int
) -> None:
    model = load_model(ModelConfig(str(smollm2), dtype, 8, 1, weights=weights, cache_folder=str(tmp_path)))
    assert model.description.reproducible
    assert model.description.identity.dtype.startswith(dtype)
    assert not model.description.notice
    goal = Goal(tokens=count)
    desk = Desk(own_cache(model))
    plain = desk.run(StartGeneration(1, OPENING, SAMPLING, goal))
    assert len(plain) == count
    assert Desk(own_cache(model)).run(StartGeneration(1, OPENING, SAMPLING, goal, drafting=FAST)) == plain
    first = plain[: count - 37]  # what was stored when the process was killed
    again = ResumeGeneration(1, desk.started.prompt_ids, first, SAMPLING, goal, drafting=FAST)
    assert first + Desk(own_cache(model)).run(again) == plain
    if dtype == "int8":
        _drafts_ahead_for_itself(model, desk.started.prompt_ids, plain[:60])


@pytest.mark.sliced("real models")
def test_a_model_of_large_heads_and_windows_writes_one_text(gemma_file: Path, tmp_path: Path) -> None:
    """Gemma 3: heads of 256 numbers, norms of what is added, windows in most layers, a file of many types."""
    folder = import_model(gemma_file, tmp_path)
    model = load_model(ModelConfig(str(folder), "int8", 8, 2, cache_folder=str(tmp_path)))
    assert model.description.identity.dtype == "int8"
    goal, desk = Goal(tokens=700), Desk(own_cache(model))
    plain = desk.run(StartGeneration(1, OPENING, SAMPLING, goal))
    assert Desk(own_cache(model)).run(StartGeneration(1, OPENING, SAMPLING, goal, drafting=FAST)) == plain
    again = ResumeGeneration(1, desk.started.prompt_ids, plain[:611], SAMPLING, goal, drafting=FAST)
    assert plain[:611] + Desk(own_cache(model)).run(again) == plain


@pytest.mark.sliced("real models")
def test_a_small_model_of_another_tokenizer_guesses_and_changes_no_word(
    gemma_file: Path, smollm2_file: Path, tmp_path: Path
) -> None:
    folders = [import_with_shipped(file, tmp_path) for file in (gemma_file, smollm2_file)]
    config = ModelConfig(str(folders[0]), "int8", 8, 1, cache_folder=str(tmp_path))
    model = load_model(replace(config, draft_model_folder=str(folders[1])))
    assert model.draft_model is not None
    goal, desk = Goal(tokens=200), Desk(own_cache(model))
    plain = desk.run(StartGeneration(1, OPENING, SAMPLING, goal))
    chain = DraftingConfig("tokenswift", ("draft_model",), (3, 2, 1))
    assert Desk(own_cache(model)).run(StartGeneration(1, OPENING, SAMPLING, goal, drafting=chain)) == plain
    again = ResumeGeneration(1, desk.started.prompt_ids, plain[:111], SAMPLING, goal, drafting=chain)
    assert plain[:111] + Desk(own_cache(model)).run(again) == plain
    session = DraftingSession(own_cache(model), desk.started.prompt_ids, (), SAMPLING, chain)
    list(session.read())
    steps = [session.step() for _ in range(60)]
    assert session.num_generated > 1.5 * len(steps)
    # nobody named it, and it takes as long as this model
    assert load_model(replace(config, guesser_file=str(smollm2_file))).draft_model is None


def _drafts_ahead_for_itself(model: LoadedModel, prompt_ids: tuple[int, ...], plain: tuple[int, ...]) -> None:
    """As its own draft model it is nearly always right: it draws with the same noise and the same rules."""
    small = DraftModel(model.target.with_own_cache(), model.vocab_size, model.suppressed)
    paired = replace(own_cache(model), draft_model=small)
    chain = DraftingConfig("tokenswift", ("draft_model",), (1, 1, 1, 1))
    session = DraftingSession(paired, prompt_ids, (), SAMPLING, chain)
    list(session.read())
    steps: list[Step] = []
    while session.num_generated < len(plain):
        steps.append(session.step())
    assert session.generated_ids[: len(plain)] == plain
    assert sum(step.num_accepted for step in steps) > 0.8 * sum(step.draft_depth for step in steps)


@pytest.mark.sliced("damaged real models")
def test_passes_that_compute_something_else_are_refused(smollm2: Path) -> None:
    specimen = Specimen(smollm2, NATIVE)
    assert specimen.judged("sound")[1]
    for name in (SHIFTED, "MLP x1.05"):  # the least faults; a small model has them all (test_self_test_table)
        found, accepted = specimen.judged(name)
        assert not accepted, (name, found)


# ---------------------------------------------------------------- broken folders
def _transpose(weights: dict[str, Tensor]) -> None:
    for name in [name for name in weights if name.endswith("o_proj.weight")]:
        weights[name] = weights[name].T.contiguous()


def _spoil(weights: dict[str, Tensor]) -> None:
    weights["model.layers.7.mlp.up_proj.weight"][3, 5] = torch.nan


@pytest.fixture
def own(smollm2: Path, tmp_path: Path) -> Path:
    """The model with weights of its own, for a test to damage."""
    folder = inspect_folder(smollm2)
    build_model(folder, torch.bfloat16).save_pretrained(tmp_path / "model")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(smollm2 / name, tmp_path / "model" / name)
    return tmp_path / "model"


def refusal(folder: Path) -> str:
    with pytest.raises(EnvironmentProblem) as caught:
        load_model(ModelConfig(str(folder), NATIVE, 8, 1))
    return str(caught.value)


@pytest.mark.sliced("damaged real models")
@pytest.mark.parametrize(
    ("change", "said"),
    [(_transpose, "make sense of ordinary text"), (_spoil, "model.layers.7.mlp.up_proj.weight")],
    ids=["transposed", "NaN"],
)
def test_damaged_weights_are_refused(
    own: Path, change: Callable[[dict[str, Tensor]], None], said: str
) -> None:
    file = own / "model.safetensors"
    weights = load_file(file)
    change(weights)
    save_file(weights, file, metadata={"format": "pt"})
    assert said in refusal(own)


@pytest.mark.sliced("damaged real models")
def test_weights_cut_short_are_refused(own: Path) -> None:
    file = own / "model.safetensors"
    with file.open("r+b") as weights:
        weights.truncate(file.stat().st_size // 2)
    assert refusal(own)


@pytest.mark.sliced("damaged real models")
def test_a_foreign_tokenizer_is_refused(own: Path) -> None:
    shutil.copy(BUILT_IN_MODEL / "tokenizer.json", own / "tokenizer.json")
    assert "tokenizer.json" in refusal(own)
