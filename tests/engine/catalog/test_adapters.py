"""Low-rank adapters: found by what they were trained on, merged exactly, refused when damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.adapter_sources import FORMAT
from quire_engine.catalog.adapters import Adapter, Matrix, adapter_for, read_adapter

SOURCE = "5" * 64
ABOUT = {"format": FORMAT, "rank": "3", "alpha": "6", "base_sha256": SOURCE}
NAME = "model.layers.0.mlp.up_proj.weight"


def factors(seed: int = 1) -> dict[str, torch.Tensor]:
    made = torch.Generator().manual_seed(seed)
    return {
        f"{NAME}.lora_a": torch.randn(3, 40, generator=made).bfloat16(),
        f"{NAME}.lora_b": torch.randn(5000, 3, generator=made).bfloat16(),
    }


def written(file: Path, tensors: dict[str, torch.Tensor] | None = None, **about: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    save_file(factors() if tensors is None else tensors, file, ABOUT | about)
    return file


def weight() -> Matrix:
    return np.random.default_rng(2).standard_normal((5000, 40)).astype(np.float32)


def merged(adapter: Adapter) -> Matrix:
    return adapter.merged(NAME, weight())


def test_merging_adds_the_scaled_product_rounded_once(tmp_path: Path) -> None:
    adapter = read_adapter(written(tmp_path / "a.safetensors"))
    a, b = (matrix.double().numpy() for matrix in factors().values())
    wanted = (weight().astype(np.float64) + 2.0 * (b @ a)).astype(np.float32)
    assert (adapter.scale, adapter.base_sha256, adapter.names) == (2.0, SOURCE, frozenset([NAME]))
    assert merged(adapter).dtype == np.float32
    np.testing.assert_array_equal(merged(adapter), wanted)


def test_merged_rows_do_not_depend_on_how_many_are_merged_at_once(tmp_path: Path) -> None:
    """Otherwise the same import would give another model on another computer."""
    adapter, whole = read_adapter(written(tmp_path / "a.safetensors")), weight()
    a, b = (matrix.double().numpy() for matrix in factors().values())
    chosen = [0, 4095, 4096, 4999]
    products = [[float(sum(x * y for x, y in zip(row, column, strict=True))) for column in a.T[[0, 39]]]
                for row in b[chosen].tolist()]  # fmt: skip
    rows = whole[chosen][:, [0, 39]] + 2.0 * np.array(products)
    np.testing.assert_array_equal(merged(adapter)[chosen][:, [0, 39]], rows.astype(np.float32))


def test_other_weights_stay_as_they_are(tmp_path: Path) -> None:
    adapter = read_adapter(written(tmp_path / "a.safetensors"))
    norm = np.ones(40, dtype=np.float32)
    assert adapter.merged("model.norm.weight", norm) is norm


def test_a_weight_of_another_shape_is_refused(tmp_path: Path) -> None:
    adapter = read_adapter(written(tmp_path / "a.safetensors"))
    with pytest.raises(EnvironmentProblem, match="another shape"):
        adapter.merged(NAME, np.zeros((5000, 41), dtype=np.float32))


def test_an_adapter_is_found_by_the_model_file_it_was_trained_on(tmp_path: Path) -> None:
    written(tmp_path / "b.safetensors", base_sha256="6" * 64)
    written(tmp_path / "c.safetensors")
    (tmp_path / "a.safetensors").write_bytes(b"noise")
    found = adapter_for(tmp_path, SOURCE)
    assert found is not None
    assert found.file.name == "c.safetensors"
    assert adapter_for(tmp_path, "7" * 64) is None
    assert adapter_for(tmp_path / "nowhere", SOURCE) is None


def test_the_digest_changes_with_the_content(tmp_path: Path) -> None:
    one, two = written(tmp_path / "1.safetensors"), written(tmp_path / "2.safetensors", factors(seed=2))
    digests = {read_adapter(file).digest for file in (one, two, one)}
    assert len(digests) == 2


def without(ending: str) -> dict[str, torch.Tensor]:
    return {name: matrix for name, matrix in factors().items() if not name.endswith(ending)}


@pytest.mark.parametrize(
    ("tensors", "about"),
    [
        (without("_a"), {}),
        (without("_b"), {}),
        ({name: matrix.float() for name, matrix in factors().items()}, {}),
        ({name: torch.full_like(matrix, torch.nan) for name, matrix in factors().items()}, {}),
        (factors() | {"other": torch.zeros(3, 3).bfloat16()}, {}),
        (factors(), {"rank": "4"}),
        (factors(), {"rank": "none"}),
        (factors(), {"alpha": "inf"}),
        (factors(), {"format": "another"}),
        ({}, {}),
    ],
    ids=["no A", "no B", "float32", "NaN", "another tensor", "rank", "no rank", "alpha", "format", "empty"],
)
def test_a_damaged_adapter_is_refused(tmp_path: Path, tensors: Any, about: dict[str, str]) -> None:
    with pytest.raises(EnvironmentProblem, match="damaged"):
        read_adapter(written(tmp_path / "a.safetensors", tensors, **about))


@pytest.mark.parametrize("length", [0, 7, 200, 10_000])
def test_a_truncated_adapter_is_refused(tmp_path: Path, length: int) -> None:
    file = written(tmp_path / "a.safetensors")
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(EnvironmentProblem, match="damaged"):
        read_adapter(file)
