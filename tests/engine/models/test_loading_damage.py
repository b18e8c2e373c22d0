"""Damaged weights and tokenizers, by plan and at random: each ends in a message for the writer."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.engine import load_model
from quire_engine.models.loading import (
    inspect_folder,
)
from tests.engine.folders import (
    INDEX,
    WEIGHTS,
    edit_tokenizer,
    header_of,
    problem_of,
    resaved,
    write_with_header,
)
from tests.engine.tiny import VOCAB_SIZE, edit_config


# ---------------------------------------------------------------- weight files
def test_missing_weights_are_named(own_llama: Path) -> None:
    (own_llama / WEIGHTS).unlink()
    assert WEIGHTS in problem_of(own_llama)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:7],
        lambda data: data[:8],
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data + b"\0",
        lambda data: struct.pack("<Q", 2**63) + data[8:],
        lambda data: struct.pack("<Q", 2**64 - 1) + data[8:],
        lambda data: struct.pack("<Q", 0) + data[8:],
        lambda data: struct.pack("<Q", 3) + data[8:],
        lambda data: data[:8] + b"\xff" * 100 + data[108:],
        lambda data: struct.pack("<Q", 60_000) + b"[" * 60_000 + data[60_008:],
        lambda data: b"version https://git-lfs.github.com/spec/v1\n",
        lambda data: b"<!DOCTYPE html><html>not found</html>",
    ],
    ids=[
        "empty", "no length", "no header", "one byte short", "half", "one byte long", "huge length",
        "largest length", "length 0", "length 3", "no JSON", "deep JSON", "LFS pointer", "web page",
    ],
)  # fmt: skip
def test_a_damaged_weight_file_is_named(own_llama: Path, damage: Callable[[bytes], bytes]) -> None:
    file = own_llama / WEIGHTS
    file.write_bytes(damage(file.read_bytes()))
    assert WEIGHTS in problem_of(own_llama, inspect_folder)


EMBEDDING = "model.embed_tokens.weight"


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "F99"},
        {"dtype": 3},
        {"dtype": "BF16"},
        {"shape": [-VOCAB_SIZE, -64]},
        {"shape": [2**62, 2**62]},
        {"shape": "x"},
        {"data_offsets": [0, 4]},
        {"data_offsets": [-4, 81_920]},
        {"data_offsets": "01"},
        {"data_offsets": [0]},
    ],
    ids=str,
)
def test_a_table_that_contradicts_itself_is_damage(own_llama: Path, entry: dict[str, Any]) -> None:
    header, body = header_of(own_llama / WEIGHTS)
    header[EMBEDDING] |= entry
    write_with_header(own_llama / WEIGHTS, header, body)
    assert "amage" in problem_of(own_llama)


@pytest.mark.parametrize("metadata", [[], {"a": 1}, "x", {"format": ["pt"]}], ids=repr)
def test_odd_metadata_only_raises_one_exception(own_llama: Path, metadata: Any) -> None:
    header, body = header_of(own_llama / WEIGHTS)
    write_with_header(own_llama / WEIGHTS, header | {"__metadata__": metadata}, body)
    assert WEIGHTS in problem_of(own_llama)


def without(name: str) -> Callable[[dict[str, torch.Tensor]], dict[str, torch.Tensor]]:
    return lambda weights: {key: value for key, value in weights.items() if key != name}


@pytest.mark.parametrize("name", [EMBEDDING, "lm_head.weight", "model.layers.1.mlp.up_proj.weight"])
def test_a_missing_tensor_is_named(own_llama: Path, name: str) -> None:
    sentence = problem_of(resaved(own_llama, without(name)))
    assert "don't match config.json" in sentence
    assert name in sentence


@pytest.mark.parametrize(
    "changes",
    [{"vocab_size": VOCAB_SIZE + 1}, {"intermediate_size": 97}, {"num_key_value_heads": 4}],
    ids=str,
)
def test_weights_of_another_shape_are_named(own_llama: Path, changes: dict[str, int]) -> None:
    assert "don't match config.json" in problem_of(edit_config(own_llama, **changes))


def test_weights_of_more_layers_than_the_config_has_are_not_dropped_silently(own_llama: Path) -> None:
    assert "don't match config.json" in problem_of(edit_config(own_llama, num_hidden_layers=1))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"weight_map": 3}',
        '{"weight_map": {}}',
        '{"weight_map": {"a": 3}}',
        '{"weight_map": {"a": ["b"]}}',
        '{"weight_map": {"a": 3, "b": "c"}}',
        '{"weight_map": {"a": "../model.safetensors"}}',
        '{"weight_map": {"a": "/etc/passwd"}}',
        '{"weight_map": {"a": ".."}}',
        '{"weight_map": {"a": ""}}',
        '{"weight_map": {"a": "gone.safetensors"}}',
        '{"weight_map": {"a": "config.json"}}',
        '{"weight_map": {"a": "\\ud800"}}',
        '{"weight_map": {"a": "b\\u0000"}}',
        '{"weight_map": {"a": "' + "x" * 5000 + '"}}',
        "[" * 100_000,
        '{"weight_map": ' * 100_000,
    ],
    ids=lambda content: content[:40],
)
def test_a_bad_list_of_weight_files_is_rejected(own_llama: Path, content: str) -> None:
    (own_llama / WEIGHTS).rename(own_llama / "moved.safetensors")
    (own_llama / INDEX).write_text(content, encoding="utf-8")
    problem_of(own_llama)


def test_a_missing_shard_is_named(own_llama: Path) -> None:
    (own_llama / WEIGHTS).rename(own_llama / "first.safetensors")
    index = {"weight_map": {EMBEDDING: "first.safetensors", "lm_head.weight": "second.safetensors"}}
    (own_llama / INDEX).write_text(json.dumps(index), encoding="utf-8")
    assert "second.safetensors is missing" in problem_of(own_llama)


# ---------------------------------------------------------------- tokenizer
def test_a_missing_tokenizer_is_named(own_llama: Path) -> None:
    (own_llama / "tokenizer.json").unlink()
    assert "tokenizer.json" in problem_of(own_llama)


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"nonsense", b"\xff\xfe", b"[" * 100_000], ids=repr)
def test_a_damaged_tokenizer_is_named(own_llama: Path, content: bytes) -> None:
    (own_llama / "tokenizer.json").write_bytes(content)
    assert "tokenizer.json" in problem_of(own_llama)


def test_a_tokenizer_that_makes_the_library_panic_is_named(own_llama: Path) -> None:
    """A panic of its Rust part is no Exception and would end the engine's thread."""
    charsmap = {"type": "Precompiled", "precompiled_charsmap": "AAAA"}
    edit_tokenizer(own_llama, lambda content: content.update(normalizer=charsmap))
    assert "tokenizer.json" in problem_of(own_llama)


@pytest.mark.parametrize("pattern", ["(", "(.+.+)+~"], ids=["invalid", "never-ends"])
def test_a_tokenizer_with_a_bad_pattern_is_named(own_llama: Path, pattern: str) -> None:
    """One that never ends panics when it is first used, so a load uses it."""
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    edit_tokenizer(own_llama, lambda content: content.update(pre_tokenizer=split))
    assert "tokenizer.json" in problem_of(own_llama)


def test_a_tokenizer_with_more_entries_than_the_model_is_rejected(own_llama: Path) -> None:
    extra = {f"word{number}": 300 + number for number in range(30)}
    edit_tokenizer(own_llama, lambda content: content["model"]["vocab"].update(extra))
    assert "tokenizer" in problem_of(own_llama)


@pytest.mark.parametrize("number", [VOCAB_SIZE, 9999])
def test_a_tokenizer_with_an_id_beyond_the_model_is_rejected(own_llama: Path, number: int) -> None:
    edit_tokenizer(own_llama, lambda content: content["model"]["vocab"].update(zz=number))
    assert "tokenizer" in problem_of(own_llama)


# ---------------------------------------------------------------- at random
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 3, 2.5, "x", "", "silu", [], {}, [1], ["full_attention"], {"a": 1}, 1e400,
    float("nan"), 10**12, 500,
)  # fmt: skip


def mutated_config(rng: random.Random, data: bytes) -> bytes:
    config = json.loads(data)
    for _ in range(rng.choice([1, 1, 2])):
        keys = [key for key in config if key != "model_type"]
        config[rng.choice([*keys, "layer_types", "rope_scaling", "sliding_window", "dtype"])] = rng.choice(
            VALUES
        )
    return json.dumps(config).encode()


def mutated_bytes(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(changed))
        match rng.randrange(4):
            case 0:
                changed[place] = rng.randrange(256)
            case 1:
                changed[place] ^= 1 << rng.randrange(8)
            case 2:
                del changed[place : place + rng.randint(1, 20)]
            case _:
                changed[place:place] = rng.randbytes(rng.randint(1, 5))
    return bytes(changed)


def mutated_header(rng: random.Random, data: bytes) -> bytes:
    """Damage the length or the table of a weight file, mostly so that its size still agrees."""
    (length,) = struct.unpack("<Q", data[:8])
    table = mutated_bytes(rng, data[8 : 8 + length])
    if rng.random() < 0.1:
        return rng.randbytes(rng.randint(1, 8)).ljust(8, b"\0") + data[8:]
    return struct.pack("<Q", len(table)) + table + data[8 + length :]


@pytest.mark.sliced
@pytest.mark.parametrize(
    ("name", "mutate", "count"),
    [
        ("config.json", mutated_config, 70),
        ("config.json", mutated_bytes, 70),
        (WEIGHTS, mutated_header, 70),
        ("tokenizer.json", mutated_bytes, 40),
    ],
    ids=["config values", "config bytes", "header bytes", "tokenizer bytes"],
)
def test_no_damage_ends_in_anything_but_a_sentence(
    own_llama: Path, name: str, mutate: Callable[[random.Random, bytes], bytes], count: int
) -> None:
    """The whole load, self-test included; a folder that survives its damage may load."""
    original = (own_llama / name).read_bytes()
    faults: list[str] = []
    refused = 0
    for seed in range(count):
        (own_llama / name).write_bytes(mutate(random.Random(seed), original))
        try:
            load_model(ModelConfig(str(own_llama), "float32", 8, 1))
        except EnvironmentProblem:
            refused += 1
        except BaseException as error:  # noqa: BLE001  whatever it is, it is the fault looked for
            faults.append(f"seed {seed}: {error!r:.200}")
    assert faults == []
    assert refused > count // 5
