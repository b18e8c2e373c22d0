"""Model folders under test: loading them, damaging them, and the sentence with which they are rejected."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.models.loading import build_model, inspect_folder, load_tokenizer
from quire_engine.models.model_folder import ModelFolder

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"


def load(folder: Path) -> ModelFolder:
    """Do all that a load does with a folder before passes are run."""
    checked = inspect_folder(folder)
    load_tokenizer(checked)
    build_model(checked, torch.float32)
    return checked


def problem_of(folder: Path, check: Callable[[Path], object] = load) -> str:
    """Return the sentence with which a folder is rejected; any other exception fails the test."""
    with pytest.raises(EnvironmentProblem) as caught:
        check(folder)
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert str(folder) in sentence or "“" in sentence
    assert 20 < len(sentence.replace(str(folder), "")) < 500
    return sentence


def header_of(file: Path) -> tuple[dict[str, Any], bytes]:
    data = file.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def write_with_header(file: Path, header: Any, body: bytes) -> None:
    text = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + body)


def resaved(folder: Path, change: Callable[[dict[str, torch.Tensor]], dict[str, torch.Tensor]]) -> Path:
    """Write a folder's weights again, changed."""
    weights = change(load_file(folder / WEIGHTS))
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
    return folder


def edit_tokenizer(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    change(content)
    file.write_text(json.dumps(content), encoding="utf-8")
    return folder
