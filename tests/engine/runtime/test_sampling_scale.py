"""How a model weighs its words: measured when it is first loaded, and kept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from quire_engine.api.config import ModelConfig, SamplingConfig
from quire_engine.api.sampling_scale import REFERENCE, SamplingScale, scaled
from quire_engine.runtime.loaded_model import load_model
from quire_engine.runtime.sampling_scale import FILE_NAME
from quire_resources import BUILT_IN_MODEL
from tests.engine.tiny import edit_config


def scale_of(folder: Path, cache: Path | None = None) -> SamplingScale | None:
    cached = "" if cache is None else str(cache)
    return load_model(ModelConfig(str(folder), "float32", threads=1, cache_folder=cached)).description.scale


def test_the_presets_keep_their_numbers_with_the_model_that_they_were_measured_with() -> None:
    scale = scale_of(BUILT_IN_MODEL)
    assert scale is not None
    assert scale.seen_logit == pytest.approx(REFERENCE.seen_logit, rel=0.02)
    assert scale.temperature == pytest.approx(REFERENCE.temperature, rel=0.01)
    assert scaled(SamplingConfig(), scale) == SamplingConfig()


def test_a_model_with_larger_logits_is_louder_and_surer_of_itself(tmp_path: Path) -> None:
    """The last norm before the head scales all logits, and so does a temperature."""
    folder = Path(shutil.copytree(BUILT_IN_MODEL, tmp_path / "louder"))
    weights = load_file(folder / "model.safetensors")
    weights["model.norm.weight"] *= 1.5
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    scale = scale_of(folder)
    assert scale is not None
    assert scale.seen_logit == pytest.approx(1.5 * REFERENCE.seen_logit, rel=0.03)
    assert scale.temperature == pytest.approx(1.5 * REFERENCE.temperature, rel=0.02)


def test_what_was_measured_is_kept_and_a_damaged_file_is_measured_again(
    own_llama: Path, tmp_path: Path
) -> None:
    edit_config(own_llama, max_position_embeddings=1024)
    cache = tmp_path / "cache"
    measured = scale_of(own_llama, cache)
    assert measured is not None
    content = json.loads((cache / FILE_NAME).read_text(encoding="utf-8"))
    (name,) = content["scales"]
    assert name.endswith(", float32")
    content["scales"][name] = [3.5, 1.25]
    (cache / FILE_NAME).write_text(json.dumps(content), encoding="utf-8")
    assert scale_of(own_llama, cache) == SamplingScale(3.5, 1.25)
    for damaged in ("{", '{"format": 1, "scales": {"x": "y"}}', json.dumps({"format": 1, "scales": 7})):
        (cache / FILE_NAME).write_text(damaged, encoding="utf-8")
        assert scale_of(own_llama, cache) == measured


def test_a_model_that_cannot_read_the_page_has_no_scale(own_llama: Path) -> None:
    edit_config(own_llama, max_position_embeddings=256)
    loaded = load_model(ModelConfig(str(own_llama), "float32", threads=1, context=256))
    assert loaded.description.scale is not None or loaded.description.context_length == 256
    assert loaded.target.length == 0  # nothing of the page is left in the cache
