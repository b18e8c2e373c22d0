"""The drafters' file: what was trained comes back; what is damaged, newer or another model's is rejected."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter_file import FILE_NAME, TrainedDrafters
from tests.engine.drafting.neural import WIDTH, random_feature, random_heads

MINE = "ab" * 32


def trained() -> TrainedDrafters:
    """Return drafters as training leaves them: bfloat16, a reduced vocabulary, figures."""
    heads, feature = random_heads(), random_feature()
    half = {name: getattr(heads, name).bfloat16() for name in ("weight", "norm", "post_norm")}
    return TrainedDrafters(
        MINE,
        replace(heads, **half, sharpness=(0.5, 0.4, 0.3)),
        replace(
            feature,
            tensors={name: tensor.bfloat16() for name, tensor in feature.tensors.items()},
            vocabulary=torch.tensor([3, 5, 300]),
            head=torch.ones(3, WIDTH, dtype=torch.bfloat16),
            sharpness=(1.5, 1.0),
        ),
        {"tokens_per_pass": {"feature": 2.1}},
    )


def rewrite(path: Path, change: Callable[[dict[str, Tensor], dict[str, str]], object]) -> None:
    """Change a file's tensors and metadata in place."""
    with safe_open(path, framework="pt") as file:
        metadata: dict[str, str] = dict(file.metadata())
        tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    change(tensors, metadata)
    save_file(tensors, path, metadata)


def edit_sizes(path: Path, part: str, **changes: Any) -> None:
    """Change what the metadata says about the sizes."""

    def change(_: dict[str, Tensor], metadata: dict[str, str]) -> None:
        sizes = json.loads(metadata["sizes"])
        sizes[part] |= changes
        metadata["sizes"] = json.dumps(sizes)

    rewrite(path, change)


# ---------------------------------------------------------------- there and back
def test_what_was_saved_is_found(tmp_path: Path) -> None:
    saved = trained()
    assert drafter_file.save(saved, tmp_path / "new folder") == tmp_path / "new folder" / FILE_NAME
    found = drafter_file.find(tmp_path / "new folder", MINE)
    assert found is not None
    assert saved.heads is not None
    assert saved.feature is not None
    assert found.heads is not None
    assert found.feature is not None
    assert found.fingerprint == MINE
    assert found.figures == saved.figures
    assert found.heads.sharpness == saved.heads.sharpness
    assert torch.equal(found.heads.weight, saved.heads.weight)
    assert found.feature.shape == saved.feature.shape
    assert found.feature.sharpness == saved.feature.sharpness
    assert found.feature.vocabulary is not None
    assert found.feature.vocabulary.tolist() == [3, 5, 300]
    for name, tensor in saved.feature.tensors.items():
        assert torch.equal(found.feature.tensors[name], tensor)


def test_a_small_file_holds_nearly_the_same_in_half_the_room(tmp_path: Path) -> None:
    saved = trained()
    usual, small = (
        drafter_file.save(saved, tmp_path / name, small=name == "small") for name in ("usual", "small")
    )
    assert small.stat().st_size < 0.7 * usual.stat().st_size
    found = drafter_file.load(small, MINE)
    assert found.feature is not None
    assert saved.feature is not None
    assert found.feature.head is not None
    assert found.feature.head.dtype is torch.bfloat16
    for name, tensor in saved.feature.tensors.items():
        torch.testing.assert_close(found.feature.tensors[name], tensor, rtol=0.01, atol=0.01)


@pytest.mark.parametrize("damage", ["missing", "short"])
def test_matrices_of_bytes_without_their_scales_are_rejected(tmp_path: Path, damage: str) -> None:
    path = drafter_file.save(trained(), tmp_path, small=True)

    def change(tensors: dict[str, Tensor], _: dict[str, str]) -> None:
        scales = tensors.pop("feature.query.scales")
        if damage == "short":
            tensors["feature.query.scales"] = scales[:-1].clone()

    rewrite(path, change)
    with pytest.raises(EnvironmentProblem, match="damaged"):
        drafter_file.load(path, MINE)


def test_a_file_may_hold_one_kind_alone(tmp_path: Path) -> None:
    whole = trained()
    without_heads = drafter_file.load(drafter_file.save(replace(whole, heads=None), tmp_path), MINE)
    assert (without_heads.heads is None, without_heads.feature is None) == (True, False)
    without_feature = drafter_file.load(drafter_file.save(replace(whole, feature=None), tmp_path), MINE)
    assert (without_feature.heads is None, without_feature.feature is None) == (False, True)


def test_a_model_without_the_file_has_no_trained_drafters(tmp_path: Path) -> None:
    assert drafter_file.find(tmp_path, MINE) is None
    assert drafter_file.find(tmp_path / "not there", MINE) is None


def test_saving_replaces_and_leaves_nothing_else(tmp_path: Path) -> None:
    drafter_file.save(trained(), tmp_path)
    drafter_file.save(replace(trained(), figures={"n": 2}), tmp_path)
    found = drafter_file.find(tmp_path, MINE)
    assert found is not None
    assert found.figures == {"n": 2}
    assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]


# ---------------------------------------------------------------- rejected
def test_another_models_file_is_rejected(tmp_path: Path) -> None:
    path = drafter_file.save(trained(), tmp_path)
    with pytest.raises(EnvironmentProblem, match="another model"):
        drafter_file.load(path, "cd" * 32)


def test_a_file_of_a_later_format_is_rejected(tmp_path: Path) -> None:
    path = drafter_file.save(trained(), tmp_path)
    rewrite(path, lambda _, metadata: metadata.update(format="3"))
    with pytest.raises(EnvironmentProblem, match="newer version of Quire"):
        drafter_file.load(path, MINE)


@pytest.mark.parametrize("kept", [0, 5, 300, -7])
def test_a_cut_file_is_rejected(tmp_path: Path, kept: int) -> None:
    path = drafter_file.save(trained(), tmp_path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(EnvironmentProblem, match="damaged"):
        drafter_file.load(path, MINE)


DAMAGES: dict[str, Callable[[dict[str, Tensor], dict[str, str]], object]] = {
    "no format": lambda _, metadata: metadata.pop("format"),
    "format of words": lambda _, metadata: metadata.update(format="one"),
    "no sizes": lambda _, metadata: metadata.pop("sizes"),
    "sizes are no JSON": lambda _, metadata: metadata.update(sizes="{"),
    "sizes are a list": lambda _, metadata: metadata.update(sizes="[]"),
    "sizes of heads are a list": lambda _, metadata: metadata.update(sizes='{"heads": []}'),
    "sizes of heads are a word": lambda _, metadata: metadata.update(sizes='{"heads": "three"}'),
    "sizes of the layer are a list": lambda _, metadata: metadata.update(sizes='{"feature": []}'),
    "figures are a list": lambda _, metadata: metadata.update(figures="[]"),
    "a tensor is missing": lambda tensors, _: tensors.pop("feature.gate"),
    "a head is missing": lambda tensors, _: tensors.update(
        {"heads.weight": tensors["heads.weight"][:2].clone()}
    ),
    "no heads": lambda tensors, _: tensors.update({"heads.norm": torch.zeros(0, WIDTH)}),
    "not a number": lambda tensors, _: tensors["feature.gate"].fill_(torch.nan),
    "another number format": lambda tensors, _: tensors.update({"heads.norm": tensors["heads.norm"].float()}),
    "ids out of order": lambda tensors, _: tensors["feature.vocabulary"].copy_(torch.tensor([5, 3, 300])),
    "negative ids": lambda tensors, _: tensors["feature.vocabulary"].copy_(torch.tensor([-1, 3, 300])),
    "rows without ids": lambda tensors, _: tensors.update(
        {"feature.head": torch.ones(4, WIDTH, dtype=torch.bfloat16)}
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_rejected(tmp_path: Path, damage: str) -> None:
    path = drafter_file.save(trained(), tmp_path)
    rewrite(path, DAMAGES[damage])
    with pytest.raises(EnvironmentProblem, match="damaged"):
        drafter_file.load(path, MINE)


@pytest.mark.parametrize(
    ("part", "changes"),
    [
        ("feature", {"width": 128}),
        ("feature", {"num_heads": 3}),
        ("feature", {"num_heads": True}),
        ("feature", {"head_dim": 0}),
        ("feature", {"window": 10**9}),
        ("feature", {"window": "64"}),
        ("feature", {"eps": -1}),
        ("feature", {"rope_theta": None}),
        ("feature", {"sharpness": []}),
        ("heads", {"sharpness": 1.0}),
        ("heads", {"eps": "small"}),
    ],
    ids=str,
)
def test_sizes_that_do_not_fit_are_rejected(tmp_path: Path, part: str, changes: dict[str, Any]) -> None:
    path = drafter_file.save(trained(), tmp_path)
    edit_sizes(path, part, **changes)
    with pytest.raises(EnvironmentProblem, match="damaged"):
        drafter_file.load(path, MINE)
