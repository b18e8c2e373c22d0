"""Models that also read images: their language model scores as in the whole, and the rest is left alone."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from torch import Tensor
from transformers.modeling_utils import PreTrainedModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from quire_engine.api.config import DraftingConfig, Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import ResumeGeneration, StartGeneration
from quire_engine.catalog.inspection import ModelFacts
from quire_engine.catalog.inspection import inspect_folder as look_at
from quire_engine.catalog.rejection import Rejection
from quire_engine.catalog.text_parts import MULTIMODAL, OMITTED
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.loading import build_model, inspect_folder
from quire_engine.models.network import FusedDecoder, LibraryNetwork
from quire_engine.runtime.loaded_model import load_model, own_cache
from tests.engine.desk import Desk
from tests.engine.folders import WEIGHTS, problem_of, resaved
from tests.engine.models.test_families import read_in_chains
from tests.engine.tiny import OPENING, edit_config, prompt_ids
from tests.engine.tiny_multimodal import (
    KINDS,
    MARKS,
    build_whole,
    edit_text_config,
    save_gemma3n,
    save_whole,
)
from tests.proofs.engine.model_folder_fuzzer import mutate

LENGTH, PROMPT = 266, 200
Whole = Callable[[str], PreTrainedModel]
Folder = Callable[[str], Path]


@pytest.fixture(scope="module")
def whole(one_thread: None) -> Whole:
    """The library's model of a kind, vision tower and all."""
    return functools.cache(build_whole)


@pytest.fixture(scope="module")
def folder_of(whole: Whole, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The folder of a kind, as its makers lay it out; nobody may write into it."""
    root = tmp_path_factory.mktemp("multimodal")
    return functools.cache(lambda kind: save_whole(whole(kind), root / kind))


@pytest.fixture
def own(folder_of: Folder, tmp_path: Path) -> Folder:
    """A copy of a kind's folder for a test to change."""
    return lambda kind: Path(shutil.copytree(folder_of(kind), tmp_path / "model"))


def scores_of(model: PreTrainedModel, ids: list[int]) -> Tensor:
    """Return what the whole model scores for text, as its language model scaled it before it was a part."""
    model.set_attn_implementation("eager")
    parts: Any = model
    with torch.inference_mode():
        logits: Tensor = parts(input_ids=torch.tensor([ids]), use_cache=False).logits[0]
    # the library forgets this factor in Cohere's whole models, though not in the part by itself
    text = getattr(parts.config, "text_config", None)
    return logits * float(getattr(text, "logit_scale", None) or 1)


def assert_scores_as_in_the_whole(folder: Path, model: PreTrainedModel, share: float = 1e-4) -> None:
    ids = [number % MARKS for number in prompt_ids(LENGTH)]
    wanted = scores_of(model, ids)[PROMPT:]
    network = LibraryNetwork(build_model(inspect_folder(folder), torch.float32))
    ours = read_in_chains(PassRunner(network, 8, 512), ids, PROMPT)
    assert float((ours - wanted).abs().max()) < share * float(wanted.std())


# ---------------------------------------------------------------- what is loaded
def test_there_is_a_tiny_model_of_every_kind() -> None:
    assert {kind.split()[0] for kind in KINDS} | {"gemma3n"} == MULTIMODAL


@pytest.mark.parametrize("kind", KINDS)
def test_text_scores_what_the_whole_model_scores(whole: Whole, folder_of: Folder, kind: str) -> None:
    assert_scores_as_in_the_whole(folder_of(kind), whole(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_other_years_are_understood(whole: Whole, tmp_path: Path, kind: str) -> None:
    folder = save_whole(whole(kind), tmp_path / "model", as_in_memory=True)
    assert_scores_as_in_the_whole(folder, whole(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_everything_but_the_language_model_is_left_alone(whole: Whole, folder_of: Folder, kind: str) -> None:
    facts = look_at(folder_of(kind))
    assert isinstance(facts, ModelFacts)
    assert any("images" in note for note in facts.notes)
    model = build_model(inspect_folder(folder_of(kind)), torch.float32)
    loaded = sum(weight.numel() for weight in model.parameters())
    parts: Any = whole(kind)
    tied = bool(parts.config.tie_word_embeddings)
    language = sum(weight.numel() for weight in parts.get_decoder().parameters())
    head = 0 if tied else parts.get_output_embeddings().weight.numel()
    assert loaded == facts.num_parameters == language + head
    constants = 4 * 16  # Gemma 4 stores a number beside each layer's weights
    assert 4 * facts.num_parameters <= facts.num_bytes <= 4 * facts.num_parameters + constants
    whole_size = (folder_of(kind) / WEIGHTS).stat().st_size
    assert (whole_size - facts.num_bytes > 60_000) == (parts.config.vision_config is not None)


def test_gemma3n_is_taken_out_of_its_three_parts(tmp_path: Path) -> None:
    model: Any = save_gemma3n(tmp_path / "model")
    assert_scores_as_in_the_whole(tmp_path / "model", model)
    facts = look_at(tmp_path / "model")
    assert isinstance(facts, ModelFacts)
    assert facts.num_parameters == sum(weight.numel() for weight in model.parameters())


def test_the_vision_tower_may_be_of_any_shape(whole: Whole, own: Folder) -> None:
    folder = resaved(
        own("gemma3"),
        lambda found: {
            name: torch.zeros(3) if name.startswith("vision_tower") else weight
            for name, weight in found.items()
        },
    )
    assert_scores_as_in_the_whole(folder, whole("gemma3"))


def test_positions_in_three_directions_are_plain_ones_for_text(whole: Whole, folder_of: Folder) -> None:
    config: Any = inspect_folder(folder_of("qwen2_vl")).config
    assert config.model_type == "qwen2"
    assert config.rope_parameters == {"rope_type": "default", "rope_theta": 1e6}


# ---------------------------------------------------------------- configurations as their makers wrote them
def test_qwen2_vl_of_older_days_has_its_sizes_beside_the_rest(whole: Whole, own: Folder) -> None:
    folder = own("qwen2_vl")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    text = {key: value for key, value in config["text_config"].items() if key != "model_type"}
    del text["rope_parameters"]
    edit_config(folder, **text, text_config=..., rope_scaling={"type": "mrope", "mrope_section": [2, 3, 3]})
    assert_scores_as_in_the_whole(folder, whole("qwen2_vl"))  # the rotary base is left out as well


@pytest.mark.parametrize("family", sorted(OMITTED))
def test_what_makers_leave_out_is_the_librarys_default(family: str) -> None:
    defaults = CONFIG_MAPPING[family]()
    assert {key: getattr(defaults, key) for key in OMITTED[family]} == OMITTED[family]


def test_gemma3_leaves_out_much_of_its_configuration(tmp_path: Path) -> None:
    sizes = {key: value for key, value in OMITTED["gemma3_text"].items() if key != "max_position_embeddings"}
    model = build_whole("gemma3", **sizes, hidden_size=32, intermediate_size=24)
    folder = save_whole(model, tmp_path / "model")
    edit_text_config(folder, **dict.fromkeys(OMITTED["gemma3_text"], ...))
    assert_scores_as_in_the_whole(folder, model, 4e-4)  # the worst of 262,208 scores
    assert inspect_folder(folder).context_length == 131_072


@pytest.mark.parametrize("is_tied", [True, False])
def test_the_output_is_shared_where_none_is_stored(tmp_path: Path, *, is_tied: bool) -> None:
    model: Any = build_whole("qwen2_vl", tie_word_embeddings=is_tied)
    folder = save_whole(model, tmp_path / "model")
    with safe_open(folder / WEIGHTS, framework="pt") as stored:
        assert ("lm_head.weight" in stored.keys()) is not is_tied  # noqa: SIM118  it is no dict
    assert_scores_as_in_the_whole(folder, model)
    edit_text_config(folder, tie_word_embeddings=...)
    edit_config(folder, tie_word_embeddings=...)
    assert_scores_as_in_the_whole(folder, model)


# ---------------------------------------------------------------- drafts
@pytest.mark.sliced
@pytest.mark.parametrize("kind", ["gemma3", "mistral3", "qwen2_vl", "qwen3_vl"])
def test_a_draft_pauses_and_resumes(folder_of: Folder, kind: str) -> None:
    loaded = load_model(ModelConfig(str(folder_of(kind)), "float32", 8, threads=1))
    assert loaded.description.reproducible
    sampling, goal = SamplingConfig(seed=7), Goal(tokens=40)
    fast = DraftingConfig(method="tokenswift", drafters=("ngrams",))
    whole_text = Desk(own_cache(loaded)).run(StartGeneration(1, OPENING, sampling, goal))
    start = StartGeneration(1, OPENING, sampling, goal, drafting=fast)
    assert Desk(own_cache(loaded)).run(start) == whole_text
    desk = Desk(own_cache(loaded))
    first = desk.run(start, 13)
    again = ResumeGeneration(1, desk.started.prompt_ids, first, sampling, goal, drafting=fast)
    assert first + Desk(own_cache(loaded)).run(again) == whole_text


@pytest.mark.parametrize("kind", ["llava", "mistral3", "qwen2_5_vl", "qwen3_vl"])
def test_the_fused_form_scores_the_same(whole: Whole, folder_of: Folder, kind: str) -> None:
    ids = [number % MARKS for number in prompt_ids(LENGTH)]
    wanted = scores_of(whole(kind), ids)[PROMPT:]
    network = FusedDecoder(build_model(inspect_folder(folder_of(kind)), torch.float32), 8)
    ours = read_in_chains(PassRunner(network, 8, 512), ids, PROMPT)
    assert float((ours - wanted).abs().max()) < 1e-4 * float(wanted.std())


# ---------------------------------------------------------------- what is rejected
def test_weights_of_two_layouts_in_one_file_are_rejected(own: Folder) -> None:
    def doubled(found: dict[str, Tensor]) -> dict[str, Tensor]:
        name = "language_model.model.norm.weight"
        return found | {"model.language_model.norm.weight": found[name].clone()}

    assert "twice" in problem_of(resaved(own("gemma3"), doubled), inspect_folder)


def test_a_missing_weight_is_named(own: Folder) -> None:
    folder = resaved(
        own("gemma3"),
        lambda found: {name: weight for name, weight in found.items() if "layers.1.mlp.gate" not in name},
    )
    assert "model.layers.1.mlp.gate_proj.weight" in problem_of(folder, inspect_folder)


@pytest.mark.parametrize("size", ["hidden_size", "intermediate_size", "vocab_size", "head_dim"])
def test_a_size_that_the_weights_do_not_have_is_rejected(own: Folder, size: str) -> None:
    assert "don't match" in problem_of(edit_text_config(own("gemma3"), **{size: 640}), inspect_folder)


@pytest.mark.parametrize("text", [None, [], {}, {"model_type": 3}, "llama"])
def test_a_folder_that_does_not_describe_its_language_model_is_rejected(own: Folder, text: object) -> None:
    folder = edit_config(own("gemma3"), text_config=text)
    assert "language model" in problem_of(folder, inspect_folder)


@pytest.mark.parametrize("kind", ["gemma3", "gemma4 small", "qwen2_vl"])
def test_a_damaged_folder_ends_in_a_sentence_or_a_load(folder_of: Folder, tmp_path: Path, kind: str) -> None:
    refused: list[str] = []

    def seen(folder: Path, found: object) -> None:
        if isinstance(found, Rejection):
            return
        try:
            build_model(inspect_folder(folder), torch.float32)
        except EnvironmentProblem as error:  # what only the library finds
            refused.append(str(error))

    outcome = mutate(folder_of(kind), tmp_path, 40, seen=seen)
    assert outcome.faults == []
    assert outcome.accepted > len(refused)
    assert outcome.refused > 10


def test_a_language_model_of_an_unknown_type_is_named(own: Folder) -> None:
    folder = edit_text_config(own("llava"), model_type="mamba", state_size=16)
    sentence = problem_of(folder, inspect_folder)
    assert "“mamba”" in sentence
    assert "no attention" in sentence


def test_packed_weights_of_the_whole_are_not_read(own: Folder) -> None:
    folder = edit_config(own("mistral3"), quantization_config={"quant_method": "fp8"})
    assert "quantised" in problem_of(folder, inspect_folder)
