"""The tiny models of the engine's tests with random drafters beside them, in folders as a writer would have
them."""

from __future__ import annotations

from pathlib import Path

from quire_engine.drafting import drafter_file
from quire_engine.models import loading
from tests.engine import tiny
from tests.engine.drafting.neural import random_feature, random_heads

FAMILIES = ("llama", "qwen2", "qwen3", "mistral", "gemma", "phi", "phi3")
"""Model types that are proved."""


def write_tiny_model(family: str, folder: Path) -> Path:
    """Write a random model, its tokenizer and drafters into a folder and return it; the same bits every
    time."""
    tiny.save(family, folder)
    fingerprint = loading.inspect_folder(folder).fingerprint
    drafter_file.save(drafter_file.TrainedDrafters(fingerprint, random_heads(), random_feature()), folder)
    return folder
