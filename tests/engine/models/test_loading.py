"""From a folder to a model: good ones load, and every bad one ends in a message for the writer."""

from __future__ import annotations

import json
import pickle
import shutil
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers.models.llama.modeling_llama import LlamaForCausalLM

from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.fingerprints import fingerprint
from quire_engine.catalog.inspection import inspect_folder as look_at
from quire_engine.catalog.rejection import Rejection
from quire_engine.engine import load_model
from quire_engine.forward import yardstick
from quire_engine.models.loading import (
    build_model,
    choose_dtype,
    inspect_folder,
    software_versions,
)
from tests.engine.folders import (
    INDEX,
    WEIGHTS,
    load,
    problem_of,
)
from tests.engine.reference_model import reference_logits
from tests.engine.tiny import FAMILIES, edit_config, prompt_ids


# ---------------------------------------------------------------- good folders
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_a_good_folder_gives_its_weights(folders: dict[str, Path], family: str, dtype: torch.dtype) -> None:
    folder = inspect_folder(folders[family])
    assert (folder.name, folder.context_length, folder.weights) == (family, 512, (folder.path / WEIGHTS,))
    model = build_model(folder, dtype)
    stored = load_file(folder.path / WEIGHTS)
    weights = model.state_dict()
    assert set(weights) == set(stored)
    assert all(torch.equal(weights[name], stored[name].to(dtype)) for name in stored)
    assert not model.training
    assert not any(weight.requires_grad for weight in model.parameters())


def test_a_model_in_several_files_is_the_same_model(llama: Path, tmp_path: Path) -> None:
    whole = build_model(inspect_folder(llama), torch.float32)
    whole.save_pretrained(tmp_path, max_shard_size="60KB")
    shutil.copy(llama / "tokenizer.json", tmp_path)
    folder = inspect_folder(tmp_path)
    assert len(folder.weights) > 2
    parts = build_model(folder, torch.float32)
    assert torch.equal(reference_logits(parts, prompt_ids(9)), reference_logits(whole, prompt_ids(9)))


@pytest.mark.parametrize(("positions", "context"), [(256, 256), (300, 256), (512, 512), (639, 576)])
def test_the_context_is_a_whole_number_of_blocks(own_llama: Path, positions: int, context: int) -> None:
    assert inspect_folder(edit_config(own_llama, max_position_embeddings=positions)).context_length == context


def test_number_formats_are_chosen_by_name() -> None:
    cpu = torch.device("cpu")
    assert choose_dtype("float32", cpu) == torch.float32
    assert choose_dtype("bfloat16", cpu) == torch.bfloat16
    assert choose_dtype("auto", torch.device("cuda")) == torch.bfloat16
    assert choose_dtype("auto", cpu) in (torch.float32, torch.bfloat16)


def test_the_record_of_a_run_names_the_software() -> None:
    assert f"torch {torch.__version__}" in software_versions()


# ---------------------------------------------------------------- fingerprint
@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", WEIGHTS])
def test_the_fingerprint_changes_with_one_byte_of_what_decides_the_text(own_llama: Path, name: str) -> None:
    before = inspect_folder(own_llama).fingerprint
    assert len(before) == 64
    data = bytearray((own_llama / name).read_bytes())
    data[-2 if name == WEIGHTS else data.index(b" ")] ^= 1 if name == WEIGHTS else ord(" ") ^ ord("\t")
    (own_llama / name).write_bytes(bytes(data))
    assert inspect_folder(own_llama).fingerprint != before


def test_the_fingerprint_stays_when_a_folder_is_moved_or_gains_a_readme(llama: Path, own_llama: Path) -> None:
    (own_llama / "README.md").write_text("about the model", encoding="utf-8")
    assert inspect_folder(own_llama).fingerprint == inspect_folder(llama).fingerprint


def test_a_load_remembers_fingerprints_where_it_is_allowed_to(
    llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[Path | None] = []

    def noting(files: Sequence[Path], cache_folder: Path | None) -> str:
        places.append(cache_folder)
        return fingerprint(files, cache_folder, large=1)

    def unknown(_files: Sequence[Path], _cache_folder: Path | None = None) -> str:
        return ""

    monkeypatch.setattr("quire_engine.catalog.fingerprints.known_fingerprint", unknown)
    monkeypatch.setattr("quire_engine.catalog.fingerprints.fingerprint", noting)
    wanted = inspect_folder(llama).fingerprint
    config = ModelConfig(str(llama), "float32", 8, 1, cache_folder=str(tmp_path))
    assert load_model(config).description.identity.fingerprint == wanted
    assert places == [None, tmp_path]


# ---------------------------------------------------------------- nothing runs, nothing sneaks in
def test_code_beside_a_model_never_runs(own_llama: Path, tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    for name in ("evil.py", "configuration_evil.py", "modeling_evil.py", "tokenization_evil.py"):
        (own_llama / name).write_text(
            f"open({str(trace)!r}, 'w').close()\nclass Evil: pass\n", encoding="utf-8"
        )
    remote = {"AutoConfig": "evil.Evil", "AutoModelForCausalLM": "evil.Evil", "AutoTokenizer": "evil.Evil"}
    edit_config(own_llama, auto_map=remote, trust_remote_code=True, custom_pipelines={"x": "evil.Evil"})
    load(own_llama)
    assert not trace.exists()


def test_loading_never_uses_the_network(own_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        asked.append(arguments)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    edit_config(own_llama, _name_or_path="someone/somewhere", auto_map={"AutoConfig": "someone/else--evil.X"})
    load_model(ModelConfig(str(own_llama), "float32", 8, 1))
    assert asked == []


class _Payload:
    def __init__(self, trace: Path) -> None:
        self._trace = trace

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, str]]:
        return open, (str(self._trace), "w")


def test_pickled_weights_are_never_opened(own_llama: Path, tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    for name in ("pytorch_model.bin", "model.pt", "adapter_model.bin", "training_args.bin"):
        (own_llama / name).write_bytes(pickle.dumps(_Payload(trace)))
    load(own_llama)
    (own_llama / WEIGHTS).unlink()
    assert "pickle" in problem_of(own_llama)
    assert not trace.exists()


JUNK: dict[str, Any] = {
    "auto_map": {"AutoConfig": "evil.X"},
    "_attn_implementation": "flash_attention_2",
    "attn_implementation": "sdpa",
    "pad_token_id": 10**6,
    "num_labels": 1000,
    "id2label": {"0": "a"},
    "output_hidden_states": "x",
    "return_dict": False,
    "base_model_tp_plan": 1,
    "to_diff_dict": 1,
    "text_config": {"model_type": "llama"},
    "experts_implementation": "x",
    "generation_config": 3,
    "transformers_weights": "other.safetensors",
    "an_unheard_of_key": [1, 2],
}


@pytest.mark.parametrize("key", JUNK)
def test_keys_that_a_model_has_no_use_for_are_left_out(llama: Path, own_llama: Path, key: str) -> None:
    """A list of what is allowed, not of what is forbidden: the library acts on many keys."""
    wanted = inspect_folder(llama).config.to_dict()
    assert load(edit_config(own_llama, **{key: JUNK[key]})).config.to_dict() == wanted


def test_weights_that_are_stored_quantised_are_rejected_as_the_catalog_rejects_them(own_llama: Path) -> None:
    """The key would be left out, and the library would take the packed numbers for weights."""
    edit_config(own_llama, quantization_config={"quant_method": "bitsandbytes"})
    found = look_at(own_llama)
    assert isinstance(found, Rejection)
    assert "quantised" in found.sentence
    assert problem_of(own_llama).endswith(found.sentence)


def test_files_that_change_while_they_are_read_are_not_believed(own_llama: Path) -> None:
    folder = inspect_folder(own_llama)
    half = {name: weight / 2 for name, weight in load_file(own_llama / WEIGHTS).items()}
    save_file(half, own_llama / WEIGHTS, metadata={"format": "pt"})
    with pytest.raises(EnvironmentProblem, match="changed while loading"):
        build_model(folder, torch.float32)


def test_no_other_file_than_the_checked_one_is_loaded(llama: Path, own_llama: Path) -> None:
    """A key of config.json, or an index beside a single file, may not lead past check and fingerprint."""
    half = {name: weight / 2 for name, weight in load_file(llama / WEIGHTS).items()}
    save_file(half, own_llama / "other.safetensors", metadata={"format": "pt"})
    wanted = build_model(inspect_folder(llama), torch.float32).state_dict()
    edited = inspect_folder(edit_config(own_llama, transformers_weights="other.safetensors"))
    got = build_model(edited, torch.float32).state_dict()
    assert {file.name for file in edited.weights} == {WEIGHTS}
    assert all(torch.equal(got[name], wanted[name]) for name in wanted)


def test_with_an_index_and_a_single_file_the_checked_files_are_the_loaded_ones(
    llama: Path, own_llama: Path
) -> None:
    half = {name: weight / 2 for name, weight in load_file(llama / WEIGHTS).items()}
    save_file(half, own_llama / "shard.safetensors", metadata={"format": "pt"})
    index = {"metadata": {}, "weight_map": dict.fromkeys(half, "shard.safetensors")}
    (own_llama / INDEX).write_text(json.dumps(index), encoding="utf-8")
    folder = inspect_folder(own_llama)
    (checked,) = folder.weights
    got, stored = build_model(folder, torch.float32).state_dict(), load_file(checked)
    assert all(torch.equal(got[name], stored[name]) for name in stored)


def test_an_unusual_generation_config_does_not_matter(own_llama: Path) -> None:
    for content in ("{bad", "[]", '{"temperature": "x", "cache_implementation": "zz"}', "[" * 100_000):
        (own_llama / "generation_config.json").write_text(content, encoding="utf-8")
        load(own_llama)


# ---------------------------------------------------------------- folders and config.json
def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert "Choose the folder that contains config" in problem_of(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert "Choose the folder that contains config" in problem_of(tmp_path / "file")
    assert "config.json" in problem_of(tmp_path)


def test_a_folder_whose_name_is_too_long_is_missing(tmp_path: Path) -> None:
    problem_of(tmp_path / ("a" * 5000), inspect_folder)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"nonsense",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"3",
        b'"llama"',
        b"{}",
        b'{"model_type": 3}',
        b'{"model_type": ["llama"]}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"model_type": "llama", "vocab_size": ' + b"9" * 5000 + b"}",
        b" " * (2 << 20),
    ],
    ids=lambda content: repr(content[:24]),
)
def test_a_config_that_is_none_is_rejected(own_llama: Path, content: bytes) -> None:
    (own_llama / "config.json").write_bytes(content)
    assert "config.json" in problem_of(own_llama, inspect_folder)


@pytest.mark.parametrize("model_type", ["gpt2", "llama5", "LLAMA", "", "../llama", "x" * 500])
def test_a_type_that_quire_cannot_drive_is_named(own_llama: Path, model_type: str) -> None:
    sentence = problem_of(edit_config(own_llama, model_type=model_type), inspect_folder)
    assert model_type[:39] in sentence
    assert "Llama, Mistral, Qwen 3 or Gemma 3" in sentence


SIZES = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "max_position_embeddings",
    "head_dim",
)


@pytest.mark.parametrize("value", [-1, 0, 2**24 + 1, 10**30, "64", 2.5, [64], {"a": 1}, 1e400], ids=repr)
@pytest.mark.parametrize("family", ["llama", "qwen2"])
def test_an_impossible_size_is_rejected_before_anything_is_built(
    folders: dict[str, Path], tmp_path: Path, family: str, value: Any
) -> None:
    folder = Path(shutil.copytree(folders[family], tmp_path / "model"))
    config = (folder / "config.json").read_text(encoding="utf-8")
    for key in SIZES:
        (folder / "config.json").write_text(config, encoding="utf-8")
        assert "config.json" in problem_of(edit_config(folder, **{key: value}), inspect_folder), key


@pytest.mark.parametrize(
    "sizes",
    [
        {"num_hidden_layers": 1 << 20},
        {"vocab_size": 1 << 23},
        {"intermediate_size": 1 << 23},
        {"hidden_size": 1 << 16, "head_dim": 16},
        {"num_attention_heads": 1 << 16, "num_key_value_heads": 1 << 16, "hidden_size": 1 << 20},
    ],
    ids=str,
)
def test_sizes_that_the_weights_do_not_hold_are_rejected_before_anything_is_built(
    own_llama: Path, sizes: dict[str, int]
) -> None:
    """Building such a model takes minutes and all the memory before the library notices."""
    problem_of(edit_config(own_llama, **sizes), inspect_folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"num_attention_heads": 3},
        {"num_key_value_heads": 3},
        {"hidden_size": 63},
        {"hidden_act": "nonsense"},
        {"hidden_act": ["silu"]},
        {"rms_norm_eps": "x"},
        {"rope_parameters": {"rope_type": "nonsense"}},
        {"rope_parameters": {"rope_type": ["x"]}},
        {"rope_parameters": {"rope_type": "default", "rope_theta": "x"}},
        {"rope_parameters": {"rope_type": "linear", "rope_theta": 1e4, "factor": "a"}},
        {"rope_parameters": {"rope_type": "yarn", "factor": [1]}},
        {"rope_parameters": 3},
        {"layer_types": ["nonsense"] * 2},
        {"layer_types": 3},
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_is_rejected(own_llama: Path, changes: dict[str, Any]) -> None:
    problem_of(edit_config(own_llama, **changes))


def test_a_context_too_small_for_a_rollover_is_rejected(own_llama: Path) -> None:
    assert "256" in problem_of(edit_config(own_llama, max_position_embeddings=255))


@pytest.mark.parametrize(
    ("family", "changes"),
    [
        ("qwen2", {"layer_types": ["sliding_attention"] * 2, "sliding_window": 400}),
        ("qwen3", {"layer_types": ["full_attention", "sliding_attention"], "use_sliding_window": True}),
        ("qwen3", {"layer_types": ["linear_attention"] * 2}),
        ("qwen3", {"layer_types": ["full_attention", "chunked_attention"]}),
    ],
    ids=str,
)
def test_attention_that_quire_cannot_drive_is_rejected(
    folders: dict[str, Path], tmp_path: Path, family: str, changes: dict[str, Any]
) -> None:
    folder = Path(shutil.copytree(folders[family], tmp_path / "model"))
    assert "attention" in problem_of(edit_config(folder, **changes), inspect_folder)


def test_positions_whose_angles_depend_on_the_length_of_the_text_are_rejected(own_llama: Path) -> None:
    """A tree would turn them earlier than a plain step does."""
    rope = {
        "rope_type": "longrope",
        "rope_theta": 1e4,
        "factor": 2.0,
        "short_factor": [1.0] * 8,
        "long_factor": [2.0] * 8,
        "original_max_position_embeddings": 100,
    }
    assert "longrope" in problem_of(edit_config(own_llama, rope_parameters=rope), inspect_folder)


@pytest.mark.parametrize(
    "rope",
    [
        {"rope_type": "linear", "rope_theta": 1e4, "factor": 2.0},
        {"rope_type": "yarn", "rope_theta": 1e4, "factor": 2.0, "original_max_position_embeddings": 256},
        {
            "rope_type": "llama3",
            "rope_theta": 1e4,
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 128,
        },
    ],
    ids=lambda rope: str(rope["rope_type"]),
)
def test_other_positions_load_and_pass_the_self_test(own_llama: Path, rope: dict[str, Any]) -> None:
    loaded = load_model(ModelConfig(str(edit_config(own_llama, rope_parameters=rope)), "float32", 8, 1))
    assert loaded.description.reproducible


OUT_OF_MEMORY = (
    RuntimeError(
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: "
        "you tried to allocate 34359738368 bytes. Error code 12 (Cannot allocate memory)"
    ),
    MemoryError(),
)


@pytest.mark.parametrize("error", OUT_OF_MEMORY, ids=["torch", "python"])
def test_a_model_too_large_for_the_memory_is_not_to_be_downloaded_again(
    llama: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(LlamaForCausalLM, "from_pretrained", fail)
    sentence = problem_of(llama, lambda folder: load_model(ModelConfig(str(folder), "float32", 8, 1)))
    assert "memory" in sentence
    assert "smaller" in sentence
    assert "ownload" not in sentence


def test_whatever_the_library_says_about_a_model_is_reported_in_one_line(
    llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TypeError("not a model\n\tthat it knows")

    monkeypatch.setattr(yardstick, "measure", fail)
    problem_of(llama, lambda folder: load_model(ModelConfig(str(folder), "float32", 8, 1)))


def test_a_window_that_is_switched_off_does_not_matter(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(folders["qwen2"], tmp_path / "model"))
    load(edit_config(folder, use_sliding_window=False, sliding_window=64))
