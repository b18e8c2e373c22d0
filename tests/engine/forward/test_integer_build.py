"""A model that is loaded in integers: what it promises, and what is done where it can't keep it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from quire_engine.answers.replies import measure_memory, score_text
from quire_engine.api.config import DraftingConfig, Dtype, Goal, ModelConfig, SamplingConfig
from quire_engine.api.load_progress import LoadStage, LoadStopped
from quire_engine.api.messages import StartGeneration
from quire_engine.api.queries import MeasureMemory, MemoryMeasured, ScoreText, TextScored
from quire_engine.engine import LoadedModel, load_model
from quire_engine.forward import integer_build
from quire_engine.forward.probe_text import JUDGED
from quire_engine.integer.integer_runner import KERNELS, IntegerRunner
from quire_engine.models import loading
from quire_engine.models.reference_scores import library_scores
from quire_engine.runtime.loaded_model import own_cache
from quire_resources import BUILT_IN_MODEL
from tests.engine import tiny
from tests.engine.blocks import in_blocks
from tests.engine.desk import FAST, Desk
from tests.engine.tiny import CONTEXT, OPENING, prompt_ids


def load(folder: Path, kept_in: Path | None = None, dtype: Dtype = "int8", **more: Any) -> LoadedModel:
    return load_model(ModelConfig(str(folder), dtype, 8, 1, cache_folder=str(kept_in or ""), **more))


@pytest.fixture(scope="module")
def built_in(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    return load(BUILT_IN_MODEL, tmp_path_factory.mktemp("cache"))


def test_the_built_in_model_is_near_float32_and_its_record_names_the_kernels(built_in: LoadedModel) -> None:
    description = built_in.description
    assert description.identity.dtype == "int8"
    assert description.identity.software.endswith(KERNELS)
    assert description.reproducible
    assert not description.notice
    assert description.num_parameters == load(BUILT_IN_MODEL, None, "float32").description.num_parameters
    assert (built_in.near_tie, built_in.target.padded) == (0.0, False)
    wanted = load(BUILT_IN_MODEL, None, "float32")
    query = ScoreText("It was a dark night", " and the rain fell in torrents on the roof.", 5)
    found = [_scored(model, query) for model in (built_in, wanted)]
    for ours, right in zip(*found, strict=True):
        assert ours.probability == pytest.approx(right.probability, abs=0.02)


def _scored(loaded: LoadedModel, query: ScoreText) -> Any:
    *_, answer = score_text(loaded, query, None)
    assert isinstance(answer, TextScored)
    return answer.tokens


def test_plain_and_accelerated_drafts_of_the_built_in_model_are_one_text(built_in: LoadedModel) -> None:
    goal, sampling = Goal(tokens=150), SamplingConfig(seed=4)
    plain = Desk(own_cache(built_in))
    text = plain.run(StartGeneration(1, OPENING, sampling, goal))
    for drafting in (FAST, DraftingConfig("tokenswift")):
        desk = Desk(own_cache(built_in))
        assert desk.run(StartGeneration(1, OPENING, sampling, goal, drafting=drafting)) == text


def test_its_memory_is_measured(built_in: LoadedModel) -> None:
    (found,) = measure_memory(built_in, MeasureMemory(1))
    assert isinstance(found, MemoryMeasured)
    assert found.cache_bytes == built_in.target.store.num_bytes
    full = load(BUILT_IN_MODEL, None, "float32").description
    assert found.weight_bytes < full.weight_bytes
    assert built_in.description.cache_bytes_per_token < full.cache_bytes_per_token / 3


def test_a_second_load_makes_nothing_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(BUILT_IN_MODEL, tmp_path)
    monkeypatch.setattr(integer_build, "check_passes", None)  # the verdict is kept
    again = load(BUILT_IN_MODEL, tmp_path)
    assert again.description.identity == first.description.identity
    assert again.pass_costs == first.pass_costs
    ids = list(range(40))
    for each in (first, again):
        each.target.prefill(ids)
    assert torch.equal(first.target.hidden, again.target.hidden)


def test_eight_bits_are_whole_numbers_where_they_can_be(llama: Path, tmp_path: Path) -> None:
    other = tiny.save("apertus", tmp_path / "other")
    asked = [(llama, "auto"), (llama, "bfloat16"), (other, "auto")]
    loaded = [load(folder, None, dtype, weights="int8").description for folder, dtype in asked]  # type: ignore[arg-type]
    names = [each.identity.dtype.removeprefix("bfloat16").removeprefix("float32") for each in loaded]
    assert names == ["int8", ", int8 weights", ", int8 weights"]
    assert [bool(each.notice) for each in loaded] == [False, False, True]


def test_where_nobody_chose_it_is_whole_numbers_where_they_can_be_and_what_is_not_says_so(
    llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tiny.save("apertus", tmp_path / "other")
    monkeypatch.setattr(loading, "choose_dtype", lambda dtype, device: torch.float32)
    asked: list[tuple[Path, Dtype]] = [(llama, "auto"), (llama, "float32"), (other, "auto")]
    loaded = [load(folder, None, dtype, weights="auto").description for folder, dtype in asked]
    monkeypatch.setattr(integer_build, "_MOST_TIMES", 0.0)
    monkeypatch.setattr(integer_build, "MOST_DIVERGENCE", -1.0)  # and the model would lose too much
    loaded.append(load(llama, None, "auto", weights="auto").description)
    assert [each.identity.dtype for each in loaded] == ["int8", "float32", "float32", "float32"]
    assert [bool(each.notice) for each in loaded] == [False, False, True, True]


# ---------------------------------------------------------------- what can't be
def test_a_family_without_an_integer_form_is_loaded_in_the_usual_format_and_says_so(tmp_path: Path) -> None:
    loaded = load(tiny.save("apertus", tmp_path / "model"))
    assert loaded.description.identity.dtype in ("float32", "bfloat16")
    assert "family" in str(loaded.description.notice)


def test_a_model_that_integers_would_change_is_loaded_in_the_usual_format_each_time(
    llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(integer_build, "_MOST_TIMES", 0.0)
    monkeypatch.setattr(integer_build, "MOST_DIVERGENCE", -1.0)
    first = load(llama, tmp_path)
    monkeypatch.undo()  # the verdict is kept
    for loaded in (first, load(llama, tmp_path)):
        assert loaded.description.identity.dtype in ("float32", "bfloat16")
        assert "too much" in str(loaded.description.notice)


def test_without_numba_models_are_loaded_in_the_usual_format_and_it_says_so(
    llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "quire_engine.integer.integer_runner", None)
    loaded = load(llama)
    assert loaded.description.identity.dtype in ("float32", "bfloat16")
    assert "can't be used on this computer" in str(loaded.description.notice)


def test_a_load_is_stopped_while_it_checks(llama: Path, tmp_path: Path) -> None:
    def report(stage: LoadStage, _share: float) -> None:
        if stage is LoadStage.CHECKING:
            raise LoadStopped("Stopped.")

    with pytest.raises(LoadStopped):
        load_model(ModelConfig(str(llama), "int8", 8, 1, cache_folder=str(tmp_path)), report)


# ---------------------------------------------------------------- the self-test
@pytest.fixture
def runner() -> IntegerRunner:
    return IntegerRunner(in_blocks(tiny.build("llama")), 8, CONTEXT)


def check(runner: IntegerRunner) -> integer_build.IntegerTest:
    texts = [prompt_ids(128), prompt_ids(128)[::-1]]
    model = tiny.build("llama")
    wanted = library_scores(model, texts, JUDGED).flatten(0, 1)
    return integer_build.check_passes(runner, texts, wanted)


def test_sound_passes_hold(runner: IntegerRunner) -> None:
    found = check(runner)
    assert found.holds
    assert found.repeats
    assert 0 <= found.divergence < integer_build.MOST_DIVERGENCE


def test_passes_that_compute_something_else_do_not_hold(runner: IntegerRunner) -> None:
    runner.network._model.layers.down.address[:] = runner.network._model.layers.down.address[::-1]
    assert not check(runner).holds


@pytest.mark.parametrize("fault", ["width", "tree"])
def test_passes_whose_bits_depend_on_their_width_do_not_hold(
    runner: IntegerRunner, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = IntegerRunner.decode

    def decode(self: IntegerRunner, ids: Any, parents: Any) -> Any:
        scores = usual(self, ids, parents)
        is_tree = list(parents) != list(range(-1, len(parents) - 1))
        if is_tree if fault == "tree" else len(ids) == 3:
            scores[-1, 5] += 1e-6 * scores[-1, 5].abs() + 1e-6
        return scores

    monkeypatch.setattr(IntegerRunner, "decode", decode)
    found = check(runner)
    assert found.divergence < integer_build.MOST_DIVERGENCE
    assert not found.holds


def test_weights_of_three_bits_more_than_bfloat16_keep_them(tmp_path: Path) -> None:
    folder = tiny.save("llama", tmp_path / "half")
    file = folder / "model.safetensors"
    numbers = {name: each.half() for name, each in load_file(file).items()}
    save_file(numbers, file, {"format": "pt"})
    found = load(folder).target
    assert isinstance(found, IntegerRunner)
    save_file({name: each.float() for name, each in numbers.items()}, file, {"format": "pt"})
    wanted = load(folder).target
    assert isinstance(wanted, IntegerRunner)
    bits = [read_through(each) for each in (found, wanted)]
    assert torch.equal(*bits)
    save_file({name: each.bfloat16() for name, each in numbers.items()}, file, {"format": "pt"})
    rounded = load(folder).target
    assert isinstance(rounded, IntegerRunner)
    assert not torch.equal(read_through(rounded), bits[0])


def read_through(runner: IntegerRunner) -> torch.Tensor:
    runner.reset()
    runner.prefill([1, 2, 3, 4, 5])
    return runner.decode([6], [-1])
