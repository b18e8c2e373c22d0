"""Versions of what was learnt: one in use, one before it, and nothing that does not fit."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load, save

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.drafting import book_drafter, learned_file
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureShape, FeatureWeights
from quire_engine.drafting.learned_file import FILE_NAME, Learned, LearnedFrom, LearnedVersions, digest_of

SHAPE = FeatureShape(8, 12, 2, 1, 4, 10_000.0, 1e-6, 16)
MODEL, TOKENIZER, PREPARED = "a" * 64, "b" * 64, "c" * 64


def feature(seed: int = 0) -> FeatureWeights:
    random = torch.Generator().manual_seed(seed)
    tensors = {
        name: torch.randn(size, generator=random).to(torch.bfloat16)
        for name, size in SHAPE.tensor_shapes().items()
    }
    vocabulary = torch.arange(3, 13)
    return FeatureWeights(SHAPE, tensors, vocabulary, torch.ones(10, 8, dtype=torch.bfloat16), (1.0, 0.7))


def version(number: int, seed: int | None = None) -> Learned:
    about = LearnedFrom(TOKENIZER, PREPARED, number, 100 * number, 1.2, 1.4)
    drafters = TrainedDrafters(MODEL, None, feature(number if seed is None else seed))
    return Learned(drafters, about)


def versions(folder: Path, **other: str) -> LearnedVersions:
    names = {"fingerprint": MODEL, "tokenizer": TOKENIZER, "prepared": PREPARED} | other
    return LearnedVersions(folder, **names)


def found(folder: Path) -> tuple[int, str] | None:
    learned = versions(folder).find()
    return None if learned is None else (learned.about.version, digest_of(learned.drafters.feature))


def of(number: int, seed: int | None = None) -> tuple[int, str]:
    return number, digest_of(version(number, seed).drafters.feature)


def test_a_sitting_is_a_version_and_one_is_kept_to_go_back_to(tmp_path: Path) -> None:
    here = versions(tmp_path)
    assert found(tmp_path) is None
    here.save(version(1), is_new_version=True)
    assert not here.has_before
    here.save(version(2), is_new_version=True)
    here.save(version(2, seed=7), is_new_version=False)
    assert (found(tmp_path), here.has_before) == (of(2, seed=7), True)
    here.undo()
    assert (found(tmp_path), here.has_before) == (of(1), False)
    here.undo()
    assert found(tmp_path) is None
    for number in (1, 2):
        here.save(version(number), is_new_version=True)
    here.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("last", [1, 2, 3], ids=["new file", "version in use", "new version"])
def test_a_crash_between_two_versions_leaves_one_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    versions(tmp_path).save(version(1), is_new_version=True)
    was, renames = os.replace, 0

    def crash(source: Path, target: Path) -> None:
        nonlocal renames
        renames += 1
        if renames == last:
            raise OSError("the power is gone")
        was(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", crash)
        with pytest.raises(OSError, match="power"):
            versions(tmp_path).save(version(2), is_new_version=True)
    assert found(tmp_path) == of(1)


def test_a_version_that_cannot_be_used_does_not_replace_the_one_before(tmp_path: Path) -> None:
    here = versions(tmp_path)
    for number in (1, 2):
        here.save(version(number), is_new_version=True)
    (tmp_path / FILE_NAME).write_bytes(b"damaged")
    here.save(version(3), is_new_version=True)
    assert found(tmp_path) == of(3)
    here.undo()
    assert found(tmp_path) == of(1)


def test_a_file_that_the_system_refuses_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        versions(tmp_path).save(version(number), is_new_version=True)
    (tmp_path / FILE_NAME).unlink()

    def refuse(_source: Path, _target: Path) -> None:
        raise PermissionError(errno.EACCES, "in use elsewhere")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(EnvironmentProblem, match="in use elsewhere"):
        found(tmp_path)
    assert versions(tmp_path).has_any


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"fingerprint": "9" * 64}, "another model"),
        ({"tokenizer": "9" * 64}, "another tokenizer"),
        ({"prepared": "9" * 64}, "sped up anew"),
    ],
)
def test_what_belongs_to_something_else_is_not_used(
    tmp_path: Path, other: dict[str, str], reason: str
) -> None:
    versions(tmp_path).save(version(1), is_new_version=True)
    with pytest.raises(EnvironmentProblem, match=reason):
        versions(tmp_path, **other).find()
    assert found(tmp_path) == of(1)


def test_what_another_version_of_quire_learned_is_not_used(tmp_path: Path) -> None:
    one = version(1)
    later = Learned(one.drafters, replace(one.about, learning=learned_file.LEARNING + 1))
    versions(tmp_path).save(later, is_new_version=True)
    with pytest.raises(EnvironmentProblem, match="another version of Quire"):
        found(tmp_path)


@pytest.mark.parametrize("num_bytes", [0, 5, 400, 2_000])
def test_a_damaged_file_is_said_and_replaced(tmp_path: Path, num_bytes: int) -> None:
    versions(tmp_path).save(version(1), is_new_version=True)
    file = tmp_path / FILE_NAME
    file.write_bytes(file.read_bytes()[:num_bytes])
    with pytest.raises(EnvironmentProblem, match="damaged"):
        found(tmp_path)
    versions(tmp_path).save(version(2), is_new_version=False)
    assert found(tmp_path) == of(2)


@pytest.mark.parametrize(
    "figures",
    [
        {"version": -1},
        {"num_tokens": 1.5},
        {"now": float("nan")},
        {"before": 1e9},
        {"tokenizer": 3},
        {"prepared": None},
    ],
)
def test_impossible_figures_are_damage(tmp_path: Path, figures: dict[str, object]) -> None:
    one = version(1)
    versions(tmp_path).save(Learned(one.drafters, replace(one.about, **figures)), is_new_version=True)  # type: ignore[arg-type]
    with pytest.raises(EnvironmentProblem, match="not used"):
        found(tmp_path)


def test_a_book_keeps_it_in_8_bits_and_only_for_its_own_model(tmp_path: Path) -> None:
    learned = feature()
    data = book_drafter.packed(learned, MODEL)
    again = book_drafter.unpacked(data, feature(seed=5), MODEL)
    assert again.sharpness == learned.sharpness
    for name, tensor in learned.tensors.items():
        size = tensor.float().abs().max()
        assert float((again.tensors[name].float() - tensor.float()).abs().max()) <= float(size) / 100
    others = (None, replace(feature(), vocabulary=torch.arange(4, 14)))
    for base in others:
        with pytest.raises(EnvironmentProblem, match="not used"):
            book_drafter.unpacked(data, base, MODEL)
    with pytest.raises(EnvironmentProblem, match="another model"):
        book_drafter.unpacked(data, feature(), "9" * 64)
    for damaged in (b"", data[:50], data[:-9], b"\0" * 200, data[:8] + b"\0" * 40 + data[48:]):
        with pytest.raises(EnvironmentProblem, match="damaged"):
            book_drafter.unpacked(damaged, feature(), MODEL)


@pytest.mark.parametrize("sharpness", ["[NaN]", "[Infinity]", "[0.0]", f"[{'9' * 400}]"])
def test_an_impossible_sharpness_is_damage(sharpness: str) -> None:
    data = book_drafter.packed(feature(), MODEL)
    about = {"fits": book_drafter._fits(feature(), MODEL), "sharpness": sharpness}
    with pytest.raises(EnvironmentProblem, match="damaged"):
        book_drafter.unpacked(save(load(data), about), feature(), MODEL)


def test_what_is_too_large_for_a_book_is_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_drafter, "MAX_BYTES", 100)
    assert book_drafter.packed(feature(), MODEL) == b""
