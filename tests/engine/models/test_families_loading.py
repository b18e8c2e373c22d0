"""Folders of every family: they load whole, their sizes are checked, and what is not supported is told."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from quire_engine.api.config import DraftingConfig, Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import StartGeneration
from quire_engine.catalog.inspection import ModelFacts
from quire_engine.catalog.inspection import inspect_folder as facts_of
from quire_engine.catalog.model_families import FAMILIES as DRIVEN
from quire_engine.catalog.unsupported_families import BY_TYPE
from quire_engine.engine import load_model
from quire_engine.models.loading import build_model, choose_device, inspect_folder
from quire_engine.runtime.loaded_model import own_cache
from tests.engine.desk import Desk
from tests.engine.folders import WEIGHTS, load, problem_of, resaved
from tests.engine.model_fixtures import Folder, Reference
from tests.engine.tiny import FAMILIES, LIBRARY_FAMILIES, MIXTURES, OPENING, VOCAB_SIZE, build, edit_config

SIZES = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "moe_intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "num_experts",
    "num_local_experts",
    "head_dim",
)
# no weight's shape tells them: nothing of that size is built, or the heads are side by side in one matrix
UNSEEN = {
    ("qwen2_moe", "intermediate_size"),
    ("qwen3_moe", "intermediate_size"),
    ("granitemoehybrid", "intermediate_size"),
    ("gpt_neox", "num_attention_heads"),
    ("gpt_neox", "num_key_value_heads"),
}


@pytest.fixture
def own(any_folder: Folder, tmp_path: Path) -> Folder:
    """A copy of a family's folder for a test to change."""
    return lambda family: Path(shutil.copytree(any_folder(family), tmp_path / "model"))


def config_of(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return content


def test_there_is_a_tiny_model_of_every_type() -> None:
    assert {family.split()[0] for family in (*FAMILIES, *LIBRARY_FAMILIES)} == set(DRIVEN)


@pytest.mark.parametrize("family", LIBRARY_FAMILIES)
def test_a_folder_gives_the_model_that_was_saved(references: Reference, family: str) -> None:
    loaded, saved = references(family, torch.float32).state_dict(), build(family).state_dict()
    assert set(loaded) == set(saved)
    assert all(torch.equal(loaded[name], saved[name]) for name in saved)


@pytest.mark.parametrize("family", LIBRARY_FAMILIES)
def test_no_key_that_decides_the_arithmetic_is_lost(any_folder: Folder, family: str) -> None:
    """What the library saved is what it gets back, but for ids of marks and what belongs to training."""
    saved, read = config_of(any_folder(family)), inspect_folder(any_folder(family)).config.to_dict()
    unread = {
        "architectures",
        "dtype",
        "transformers_version",
        "bos_token_id",
        "eos_token_id",
        "pad_token_id",
    }
    training = {"initializer_range", "output_router_logits", "router_aux_loss_coef", "router_jitter_noise"}
    recurrent = {"time_step_limit"}  # of the other kind of Granite 4
    for key, value in saved.items():
        if key not in unread | training | recurrent:
            assert read.get(key) == value, key


@pytest.mark.parametrize("family", [*FAMILIES, *LIBRARY_FAMILIES])
def test_a_size_that_the_weights_do_not_have_is_rejected_before_anything_is_built(
    own: Folder, family: str
) -> None:
    folder = own(family)
    config = config_of(folder)
    given = [key for key in SIZES if type(config.get(key)) is int and (family, key) not in UNSEEN]
    assert len(given) >= 4
    for key in given:
        for value in {config[key] * 2, config[key] + 1, 1 << 16} - {config[key]}:
            problem_of(edit_config(folder, **{key: value}), inspect_folder)
        edit_config(folder, **{key: config[key]})
    inspect_folder(folder)


@pytest.mark.parametrize("family", MIXTURES)
def test_experts_that_the_config_does_not_have_are_not_dropped_silently(own: Folder, family: str) -> None:
    folder = own(family)
    assert inspect_folder(folder).is_mixture
    keys = ("num_experts", "num_local_experts", "n_routed_experts")
    key = next(each for each in keys if each in config_of(folder))
    assert "don't match" in problem_of(edit_config(folder, **{key: 3}), inspect_folder)


def test_a_dense_model_is_no_mixture(llama: Path) -> None:
    assert not inspect_folder(llama).is_mixture


# ---------------------------------------------------------------- configurations as their makers wrote them
def test_gemma3_of_older_days_has_its_pattern_and_both_ropes(own: Folder) -> None:
    folder = edit_config(
        own("gemma3_text"),
        layer_types=...,
        rope_parameters=...,
        sliding_window_pattern=2,
        rope_theta=777.0,
        rope_local_base_freq=55.0,
        rope_scaling={"rope_type": "linear", "factor": 8.0},
    )
    config: Any = load(folder).config
    assert config.layer_types == ["sliding_attention", "full_attention"]
    assert config.rope_parameters["sliding_attention"]["rope_theta"] == 55.0
    assert config.rope_parameters["full_attention"]["rope_theta"] == 777.0
    assert config.rope_parameters["full_attention"]["factor"] == 8.0


def test_a_cohere_pattern_is_read(own: Folder) -> None:
    folder = edit_config(own("cohere2"), layer_types=..., sliding_window_pattern=2)
    config: Any = load(folder).config
    assert config.layer_types == ["sliding_attention", "full_attention"]


def test_olmo3_stretches_the_positions_of_its_full_layers_only(own: Folder) -> None:
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128, "beta_fast": 32.0}
    folder = edit_config(own("olmo3"), rope_parameters=..., rope_theta=500_000.0, rope_scaling=yarn)
    config: Any = load(folder).config
    assert config.rope_parameters["sliding_attention"] == {"rope_type": "default", "rope_theta": 500_000.0}
    assert config.rope_parameters["full_attention"]["rope_type"] == "yarn"
    assert config.rope_parameters["full_attention"]["factor"] == 4.0


def test_neox_turns_as_much_of_a_head_as_it_says(own: Folder) -> None:
    folder = edit_config(own("gpt_neox"), rope_parameters=..., rotary_pct=0.75, rotary_emb_base=500)
    config: Any = load(folder).config
    assert config.rope_parameters["partial_rotary_factor"] == 0.75
    assert config.rope_parameters["rope_theta"] == 500


@pytest.mark.parametrize("family", ["phi3", "smollm3", "olmo2", "cohere2", "starcoder2"])
def test_marks_beyond_the_vocabulary_do_not_matter(own: Folder, family: str) -> None:
    """The library's defaults for them are: those of its best known model."""
    folder = own(family)
    for value in (VOCAB_SIZE + 9, ...):
        load(edit_config(folder, bos_token_id=value, eos_token_id=value, pad_token_id=value))


# ---------------------------------------------------------------- what is not supported
@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"model_type": "new", "kv_lora_rank": 512}, "multi-head latent attention"),
        ({"model_type": "new", "linear_num_key_heads": 16}, "linear attention"),
        ({"model_type": "new", "mamba_d_state": 256}, "without attention"),
        ({"model_type": "new", "state_size": 16}, "without attention"),
        ({"model_type": "new", "block_types": ["recurrent"]}, "recurrent"),
        ({"model_type": "new", "text_config": {"attention_chunk_size": 8}}, "chunks"),
        ({"model_type": "new", "vision_config": {"a": 1}}, "images"),
        ({"model_type": "t5", "is_encoder_decoder": True}, "encoder"),
    ],
    ids=lambda value: str(value.get("model_type")) if isinstance(value, dict) else "",
)
def test_the_reason_is_reported_where_the_config_gives_one(
    own_llama: Path, config: dict[str, Any], reason: str
) -> None:
    sentence = problem_of(edit_config(own_llama, **config), inspect_folder)
    assert reason in sentence
    assert config["model_type"] in sentence


@pytest.mark.parametrize("model_type", sorted(BY_TYPE))
def test_known_types_are_rejected_for_what_they_are(own_llama: Path, model_type: str) -> None:
    assert model_type in CONFIG_MAPPING
    assert model_type not in DRIVEN
    sentence = problem_of(edit_config(own_llama, model_type=model_type), inspect_folder)
    assert f"“{model_type}”" in sentence
    assert BY_TYPE[model_type] in sentence
    assert "Choose" in sentence


@pytest.mark.parametrize("layers", [["mamba", "attention"], ["linear_attention", "full_attention"]])
def test_a_granite_4_with_mamba_layers_is_rejected(own: Folder, layers: list[str]) -> None:
    sentence = problem_of(edit_config(own("granitemoehybrid"), layer_types=layers), inspect_folder)
    assert "Mamba" in sentence
    assert "without “H”" in sentence


def test_a_granite_4_of_attention_alone_may_be_written_in_either_way(own: Folder) -> None:
    folder = own("granitemoehybrid")
    for types in (["attention"] * 2, ["full_attention"] * 2):
        load(edit_config(folder, layer_types=types))
    load(edit_config(folder, layer_types=..., layers_block_type=["attention"] * 2))


def test_layers_that_glm_guesses_ahead_with_are_left_alone(own: Folder) -> None:
    def with_another(found: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return found | {"model.layers.3.eh_proj.weight": torch.zeros(4, 8)}

    folder = edit_config(resaved(own("glm4_moe"), with_another), num_nextn_predict_layers=...)
    assert "don't match" in problem_of(folder, inspect_folder)
    load(edit_config(folder, num_nextn_predict_layers=1))


def test_exaone_names_its_pattern_beside_the_list(own: Folder) -> None:
    load(edit_config(own("exaone4"), sliding_window_pattern="LLLG"))


LONGROPE = {
    "factor": 2.0,
    "short_factor": [1.0] * 8,
    "long_factor": [2.0] * 8,
    "original_max_position_embeddings": 100,
}


@pytest.mark.parametrize(
    ("family", "changes"),
    [
        (
            "phi3",
            {
                "rope_parameters": ...,
                "rope_scaling": {"type": "su", **LONGROPE, "original_max_position_embeddings": None},
                "original_max_position_embeddings": ...,
            },
        ),
        ("llama", {"rope_parameters": {"rope_type": "longrope", "rope_theta": 1e4, **LONGROPE}}),
        ("gemma3_text", {"rope_parameters": {"full_attention": {"rope_type": "longrope", **LONGROPE}}}),
    ],
    ids=["phi3 without its training", "llama", "gemma3 in one kind of layer"],
)
def test_positions_that_depend_on_the_length_are_rejected(
    own: Folder, family: str, changes: dict[str, Any]
) -> None:
    assert "longrope" in problem_of(edit_config(own(family), **changes), inspect_folder)


@pytest.mark.sliced
@pytest.mark.parametrize("kind", ["longrope", "su"])
def test_longrope_is_used_as_far_as_its_angles_are_fixed(own: Folder, kind: str) -> None:
    trained = {"original_max_position_embeddings": 320}
    rope = {"type": kind, "short_factor": [1.5] * 8, "long_factor": [4.0] * 8}
    folder = edit_config(own("phi3"), rope_parameters=..., rope_scaling=rope, **trained)
    facts = facts_of(folder)
    assert isinstance(facts, ModelFacts), facts
    loaded = load_model(ModelConfig(str(folder), "float32", 8, 1))
    assert facts.context_length == loaded.description.context_length == 256
    sampling, goal = SamplingConfig(seed=7), Goal(tokens=300)
    plain = Desk(own_cache(loaded)).run(StartGeneration(1, OPENING, sampling, goal))
    assert len(plain) == 300
    fast = DraftingConfig(method="tokenswift", drafters=("ngrams",))
    assert Desk(own_cache(loaded)).run(StartGeneration(1, OPENING, sampling, goal, drafting=fast)) == plain


@pytest.mark.parametrize("value", [True, "all"])
def test_a_model_that_reads_in_both_directions_is_rejected(own: Folder, value: object) -> None:
    folder = edit_config(own("gemma3_text"), use_bidirectional_attention=value)
    assert "both directions" in problem_of(folder, inspect_folder)


@pytest.mark.parametrize("window", [0, -1, 2.5, "4", 1 << 30])
@pytest.mark.parametrize("family", ["mistral", "gemma2", "phi3"])
def test_an_impossible_window_is_rejected(own: Folder, family: str, window: object) -> None:
    assert "config.json" in problem_of(edit_config(own(family), sliding_window=window), inspect_folder)


def test_sliding_layers_need_a_window(own: Folder) -> None:
    assert "attention" in problem_of(edit_config(own("gemma2"), sliding_window=None), inspect_folder)


# ---------------------------------------------------------------- at random
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 3, 2.5, "x", "", "silu", [], {}, [1], ["sliding_attention"] * 2, {"a": 1},
    float("nan"), 10**12,
)  # fmt: skip


@pytest.mark.parametrize("family", ["gemma2", "gemma3_text", "phi3", "gpt_neox", "qwen3_moe", "smollm3"])
def test_every_odd_value_ends_in_an_error_message(own: Folder, family: str) -> None:
    folder = own(family)
    original = config_of(folder)
    keys = sorted(DRIVEN[family].allowed - {"model_type"})
    faults: list[str] = []
    refused = 0
    rng = random.Random(5)
    for _ in range(60):
        change = {rng.choice(keys): rng.choice(VALUES)}
        (folder / "config.json").write_text(json.dumps(original | change), encoding="utf-8")
        try:
            load(folder)
        except EnvironmentProblem:
            refused += 1
        except BaseException as error:  # noqa: BLE001  whatever it is, it is the fault looked for
            faults.append(f"{change}: {error!r:.200}")
    assert faults == []
    assert refused > 15


# ---------------------------------------------------------------- devices
def test_a_device_is_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for found in (False, True):
        monkeypatch.setattr(torch.cuda, "is_available", lambda found=found: found)
        assert choose_device("cpu") == torch.device("cpu")
        assert choose_device("auto") == torch.device("cuda" if found else "cpu")
    assert choose_device("cuda") == torch.device("cuda")
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert choose_device("mps") == torch.device("mps")


@pytest.mark.parametrize("wanted", ["cuda", "mps"])
def test_a_device_that_is_not_there_is_reported(monkeypatch: pytest.MonkeyPatch, wanted: Any) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(EnvironmentProblem, match=r"GPU.*auto.*cpu"):
        choose_device(wanted)


def test_the_weights_go_to_the_device(llama: Path) -> None:
    """A device that only counts shapes is on every computer."""
    model = build_model(inspect_folder(llama), torch.float32, torch.device("meta"))
    assert {weight.device.type for weight in model.parameters()} == {"meta"}
    assert load_file(llama / WEIGHTS).keys() <= model.state_dict().keys()
