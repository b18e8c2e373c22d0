"""Looking at model folders: facts that the engine agrees with, and a sentence about everything else."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.__main__ import main
from quire_engine.catalog.architecture import TIED_BY_DEFAULT, rope_in_words
from quire_engine.catalog.inspection import ModelFacts, inspect_folder, name_of
from quire_engine.catalog.model_families import FAMILIES
from quire_engine.catalog.rejection import Rejection, RejectionKind
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.loading import build_model
from quire_engine.models.loading import inspect_folder as engine_inspects
from quire_engine.models.network import LibraryNetwork
from quire_engine.runtime.loaded_model import load_model
from tests.engine import tiny
from tests.engine.folders import INDEX, WEIGHTS, edit_tokenizer, header_of, resaved, write_with_header
from tests.engine.model_fixtures import Folder, any_folder
from tests.engine.tiny import edit_config
from tests.proofs.engine import model_folder_fuzzer
from tests.proofs.engine.model_folder_fuzzer import mutate

__all__ = ["any_folder"]  # the fixture of every family
ALL = (*tiny.FAMILIES, *tiny.LIBRARY_FAMILIES)


def facts_of(folder: Path) -> ModelFacts:
    found = inspect_folder(folder)
    assert isinstance(found, ModelFacts), found
    return found


def refused(folder: Path) -> Rejection:
    found = inspect_folder(folder)
    assert isinstance(found, Rejection)
    assert found.sentence.isprintable()
    assert 20 < len(found.sentence) < 400
    assert found.sentence.endswith(".")
    return found


# ---------------------------------------------------------------- facts
def test_a_model_with_experts_in_some_layers_is_never_fast(tmp_path: Path) -> None:
    assert facts_of(tiny.save("qwen3_moe", tmp_path / "all")).has_integer_form
    folder = tiny.save("qwen3_moe", tmp_path / "some")
    tiny.build("qwen3_moe", decoder_sparse_step=2).save_pretrained(folder)
    assert not facts_of(folder).has_integer_form


@pytest.mark.parametrize("family", ALL)
def test_the_facts_of_a_family_are_those_of_its_model(any_folder: Folder, family: str) -> None:
    folder = any_folder(family)
    facts = facts_of(folder)
    model = build_model(engine_inspects(folder), torch.float32)
    parameters = list(model.parameters())
    runner = PassRunner(LibraryNetwork(model), 8, 512)
    runner.prefill([1, 2, 3])
    assert facts.num_parameters == sum(each.numel() for each in parameters)
    assert facts.weight_bytes("float32") == sum(each.nbytes for each in parameters)
    assert facts.kv_bytes_per_token("float32") == runner.store.bytes_per_position
    assert facts.context_length == engine_inspects(folder).context_length
    assert facts.architecture.model_type == family.split()[0]
    assert facts.num_bytes == sum(facts.bytes_by_dtype.values())
    assert not facts.is_chat


def test_the_output_is_shared_where_the_library_shares_it() -> None:
    shared = {each for each in FAMILIES if CONFIG_MAPPING[each]().tie_word_embeddings}
    assert shared == TIED_BY_DEFAULT


def test_looking_needs_neither_torch_nor_the_library_of_models() -> None:
    script = (
        "import sys; from pathlib import Path; from quire_engine.catalog import inspection, memory_fit;"
        "from quire_engine.catalog import trained_drafters;"
        "from quire_resources import BUILT_IN_MODEL; found = inspection.inspect_folder(BUILT_IN_MODEL);"
        "assert found.num_parameters == 5048576, found; memory_fit.free_memory();"
        "trained_drafters.find_drafters(found, (), None);"
        "print([name for name in ('torch', 'transformers', 'tokenizers') if name in sys.modules])"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_words_that_a_config_leaves_to_the_library_are_taken_from_the_weights(
    any_folder: Folder, tmp_path: Path
) -> None:
    folder = shutil.copytree(any_folder("mistral"), tmp_path / "model")
    sizes = facts_of(edit_config(folder, num_key_value_heads=..., head_dim=...)).architecture
    assert (sizes.num_kv_heads, sizes.head_dim) == (2, 24)


def test_licence_template_and_program_are_noted(own_llama: Path) -> None:
    (own_llama / "README.md").write_text("---\nlanguage: en\nlicense: 'mit'\n---\n# X\n", encoding="utf-8")
    (own_llama / "chat_template.jinja").write_text("{{ messages }}", encoding="utf-8")
    facts = facts_of(edit_config(own_llama, auto_map={"AutoModelForCausalLM": "x.X"}))
    assert facts.licence == "mit"
    assert facts.is_chat
    assert "never runs it" in facts.notes[0]


def test_a_licence_file_counts_where_the_readme_names_none(own_llama: Path) -> None:
    assert facts_of(own_llama).licence == ""
    (own_llama / "README.md").write_text("---\nlicense: other\n---\n", encoding="utf-8")
    (own_llama / "LICENSE").write_text("Mine", encoding="utf-8")
    assert facts_of(own_llama).licence == "see LICENSE"


@pytest.mark.parametrize(
    ("rope", "said"),
    [
        ({}, ""),
        ({"rope_type": "default", "rope_theta": 1e6}, ""),
        (
            {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192},
            "LLaMA 3 scaling, 8 times as long as the 8,192 tokens it was trained on",
        ),
        (
            {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768},
            "YaRN scaling, 4 times as long as the 32,768 tokens it was trained on; its config.json allows "
            "65,536 of 131,072",
        ),
        ({"rope_type": "linear", "factor": 2}, "linear scaling, 2 times"),
        ({"rope_type": "dynamic", "factor": 2}, "dynamic scaling, 2 times"),
        ({"full_attention": {"rope_type": "linear", "factor": 8}}, "linear scaling, 8 times"),
    ],
)
def test_the_scaling_of_positions_is_put_into_words(rope: dict[str, Any], said: str) -> None:
    assert rope_in_words(rope, 65_536) == said


@pytest.mark.parametrize("kind", ["type", "rope_type"])
def test_an_old_name_of_a_scaling_is_understood(own_llama: Path, kind: str) -> None:
    changes = {"rope_parameters": ..., "rope_scaling": {kind: "linear", "factor": 2.0}}
    assert facts_of(edit_config(own_llama, **changes)).architecture.rope.startswith("linear")
    changes = {"rope_parameters": ..., "rope_scaling": {kind: "longrope", "factor": 2.0}}
    assert refused(edit_config(own_llama, **changes)).fault is RejectionKind.UNSUPPORTED


@pytest.mark.parametrize("changes", [{"rope_theta": -1.0}, {"rope_type": "linear", "factor": 0.0}])
def test_positions_that_turn_backwards_or_never_are_refused(own_llama: Path, changes: dict[str, Any]) -> None:
    rope = {"rope_type": "default", "rope_theta": 1e4} | changes
    found = refused(edit_config(own_llama, rope_parameters=rope))
    assert "is not above 0" in str(found.sentence)


def test_a_model_in_the_cache_of_the_hub_is_called_by_its_repository(llama: Path, tmp_path: Path) -> None:
    """There the files are links to others of the same repository, which is no trick."""
    blobs = tmp_path / "models--maker--tiny" / "blobs"
    shot = tmp_path / "models--maker--tiny" / "snapshots" / "abc"
    shutil.copytree(llama, blobs)
    shot.mkdir(parents=True)
    for file in blobs.iterdir():
        (shot / file.name).symlink_to(Path("../../blobs") / file.name)
    assert facts_of(shot).name == name_of(shot) == "tiny"
    (shot / "config.json").unlink()
    (shot / "config.json").symlink_to(llama / "config.json")
    assert refused(shot).fault is RejectionKind.UNSAFE


# ---------------------------------------------------------------- refusals
def shard(folder: Path, *names: object) -> Path:
    (folder / WEIGHTS).rename(folder / "model-00001-of-00001.safetensors")
    listed = {f"w{number}": name for number, name in enumerate(names)}
    (folder / INDEX).write_text(json.dumps({"weight_map": listed}), encoding="utf-8")
    return folder


def test_shards_are_read(own_llama: Path) -> None:
    before = facts_of(own_llama).num_parameters
    assert facts_of(shard(own_llama, "model-00001-of-00001.safetensors")).num_parameters == before


@pytest.mark.parametrize(
    "name", ["../x.safetensors", "/x.safetensors", "a/b.safetensors", "..", "C:\\x", "x\0", "", 3, "x\n"]
)
def test_a_list_that_names_files_outside_is_rejected(own_llama: Path, name: object) -> None:
    assert refused(shard(own_llama, "model-00001-of-00001.safetensors", name)).fault is RejectionKind.UNSAFE


def test_a_shard_that_is_missing_is_named(own_llama: Path) -> None:
    found = refused(shard(own_llama, "model-00001-of-00001.safetensors", "other.safetensors"))
    assert found.fault is RejectionKind.MISSING
    assert "other.safetensors" in found.sentence


def link(folder: Path, name: str, target: Path | str) -> Path:
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(target)
    return folder


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", WEIGHTS])
@pytest.mark.parametrize("circle", [True, False])
def test_a_link_that_leads_outside_is_rejected(own_llama: Path, llama: Path, name: str, circle: bool) -> None:
    found = refused(link(own_llama, name, name if circle else llama / name))
    assert found.fault in (
        (RejectionKind.UNSAFE, RejectionKind.MISSING) if circle else (RejectionKind.UNSAFE,)
    )


def test_a_link_within_the_folder_is_followed(own_llama: Path) -> None:
    (own_llama / WEIGHTS).rename(own_llama / "w")
    facts_of(link(own_llama, WEIGHTS, "w"))


@pytest.mark.parametrize(
    ("name", "fault", "said"),
    [
        ("pytorch_model.bin", RejectionKind.UNSAFE, "pickle"),
        ("x.pt", RejectionKind.UNSAFE, "pickle"),
        ("x.gguf", RejectionKind.UNSUPPORTED, "GGUF"),
        ("adapter_config.json", RejectionKind.UNSUPPORTED, "adapter"),
        ("nothing.txt", RejectionKind.MISSING, "model.safetensors"),
    ],
)
@pytest.mark.parametrize("has_config", [True, False])
def test_other_weights_are_named(
    own_llama: Path, name: str, fault: RejectionKind, said: str, has_config: bool
) -> None:
    (own_llama / WEIGHTS).rename(own_llama / name)
    if not has_config:
        (own_llama / "config.json").unlink()
        said = said if fault is not RejectionKind.MISSING else "config.json"
    found = refused(own_llama)
    assert found.fault is fault
    assert said in found.sentence


def test_a_cut_shard_says_how_much_is_missing(own_llama: Path) -> None:
    data = (own_llama / WEIGHTS).read_bytes()
    (own_llama / WEIGHTS).write_bytes(data[:-1000])
    assert "1,000 bytes" in refused(own_llama).sentence


def test_wrong_shapes_are_named(own_llama: Path) -> None:
    name = "model.layers.1.self_attn.k_proj.weight"
    resaved(own_llama, lambda weights: weights | {name: torch.zeros(3, 4)})
    assert name in refused(own_llama).sentence


def test_packed_weights_are_rejected(own_llama: Path) -> None:
    header, body = header_of(own_llama / WEIGHTS)
    for entry in header.values():
        if "dtype" in entry:
            entry["dtype"] = "I32"
    write_with_header(own_llama / WEIGHTS, header, body)
    assert "I32" in refused(own_llama).sentence
    assert "quantised" in refused(edit_config(own_llama, quantization_config={"bits": 4})).sentence


def test_a_missing_output_is_noticed(own_llama: Path) -> None:
    resaved(own_llama, lambda weights: {k: v for k, v in weights.items() if k != "lm_head.weight"})
    assert "lm_head" in refused(own_llama).sentence
    facts_of(edit_config(own_llama, tie_word_embeddings=True))


def _larger_ids(content: dict[str, Any]) -> None:
    content["model"]["vocab"]["x"] = 99_999


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda content: content.pop("model"), "damaged"),
        (lambda content: content["model"].update(vocab={}), "damaged"),
        (lambda content: content["model"].update(vocab={"a": -1}), "damaged"),
        (lambda content: content.update(added_tokens=7), "damaged"),
        (_larger_ids, "more entries"),
    ],
    ids=["no model", "empty", "negative", "odd additions", "another model's"],
)
def test_a_wrong_tokenizer_is_reported(
    own_llama: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    assert said in refused(edit_tokenizer(own_llama, change)).sentence


def test_a_missing_tokenizer_is_reported(own_llama: Path) -> None:
    (own_llama / "tokenizer.json").unlink()
    (own_llama / "tokenizer.model").write_bytes(b"x")
    found = refused(own_llama)
    assert found.fault is RejectionKind.MISSING
    assert "tokenizer.model" in found.sentence


@pytest.mark.parametrize("template", ["x" * 100_001, "{% for x in y %}" * 90_000])
def test_a_hostile_template_is_noted_and_not_run(own_llama: Path, template: str) -> None:
    (own_llama / "tokenizer_config.json").write_text(
        json.dumps({"chat_template": template}), encoding="utf-8"
    )
    facts = facts_of(own_llama)
    assert not facts.is_chat
    assert "not used" in facts.notes[0]


@pytest.mark.parametrize("content", [b"{", b"\xff", b"x" * (17 << 20)], ids=["cut", "no text", "huge"])
def test_damaged_settings_of_a_tokenizer_only_cost_the_template(own_llama: Path, content: bytes) -> None:
    (own_llama / "tokenizer_config.json").write_bytes(content)
    facts = facts_of(own_llama)
    assert not facts.is_chat
    assert facts.notes[0].endswith(".")


def test_a_header_of_a_hundred_gigabytes_is_not_read(own_llama: Path) -> None:
    (own_llama / WEIGHTS).write_bytes(struct.pack("<Q", 100 << 30) + b"{}")
    assert refused(own_llama).fault is RejectionKind.DAMAGED


@pytest.mark.parametrize("path", ["absent", "x\0y", "n" * 5000])
def test_a_path_that_is_no_folder_is_reported(tmp_path: Path, path: str) -> None:
    refused(tmp_path / path)


def test_an_unknown_type_that_wants_its_own_program_says_so(own_llama: Path) -> None:
    found = refused(edit_config(own_llama, model_type="odd", auto_map={"AutoModelForCausalLM": "x.X"}))
    assert "never runs" in found.sentence


# ---------------------------------------------------------------- at random
@pytest.mark.parametrize("family", ["llama", "gemma2", "gpt_neox"])
def test_damaged_folders_end_in_facts_or_a_sentence(any_folder: Folder, family: str, tmp_path: Path) -> None:
    """How often it was looked at with more: python -m tests.proofs.engine.model_folder_fuzzer FOLDER --count
    N."""
    before = {file.name: file.read_bytes() for file in any_folder(family).iterdir()}
    outcome = mutate(any_folder(family), tmp_path, 100, seed=11)
    assert outcome.faults == []
    assert outcome.accepted > 10
    assert outcome.refused > 50
    assert {file.name: file.read_bytes() for file in any_folder(family).iterdir()} == before


@pytest.mark.sliced
@pytest.mark.parametrize("seed", range(4))
def test_a_load_rejects_what_the_catalog_rejects_in_its_words(llama: Path, tmp_path: Path, seed: int) -> None:
    """The whole load, self-test included. Beyond the catalog it only asks the libraries."""
    loaded: list[bool] = []
    faults: list[str] = []

    def compare(folder: Path, found: object) -> None:
        try:
            load_model(ModelConfig(str(folder), "float32", 8, 1))
        except EnvironmentProblem as problem:
            loaded.append(False)
            if isinstance(found, Rejection) and not str(problem).endswith(found.sentence):
                faults.append(f"{found.sentence} / {problem}")
            if not str(problem).isprintable():
                faults.append(repr(problem))
        except BaseException as error:  # noqa: BLE001  whatever it is, it is the fault looked for
            faults.append(f"{error!r:.300}")
        else:
            loaded.append(True)
            if isinstance(found, Rejection):
                faults.append(f"loaded: {found.sentence}")

    outcome = mutate(llama, tmp_path, 50, seed=seed, seen=compare)
    assert faults == []
    assert outcome.faults == []
    assert len(loaded) == 50
    assert sum(loaded) > outcome.accepted / 2 > 2  # the libraries find what only they can read


# ---------------------------------------------------------------- the commands
def test_the_commands_say_what_they_found(
    llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(llama), "--tokens", "300"]) == 0
    assert "102,720 parameters" in capsys.readouterr().out
    assert main(["check", str(tmp_path)]) == 1
    assert "config.json" in capsys.readouterr().out
    assert main(["memory"]) == 0
    assert json.loads(capsys.readouterr().out)["gpu"] == 0
    assert model_folder_fuzzer.main([str(llama), "--count", "5"]) == 0
    assert "5 folders" in capsys.readouterr().out
