"""Integer weights on the disk: the same bits as those that were made, or none."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from quire_engine.catalog.integer_files import FOLDER, forget_integer_files
from quire_engine.integer import stored_weights
from quire_engine.integer.integer_weights import integer_weights
from quire_engine.integer.stored_weights import IntegerForm, Quality, StoredWeights
from tests.engine.tiny import build

FINGERPRINT = "0123456789abcdef" * 4


@pytest.fixture(scope="module")
def form() -> IntegerForm:
    return IntegerForm(integer_weights(build("qwen2")), Quality(0.004, 0.005, 192))


def _file(folder: Path) -> Path:
    (file,) = (folder / FOLDER).iterdir()
    return file


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, tuple):
        return all(_same(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and np.array_equal(left, right)
    return bool(left == right)


def test_what_is_kept_is_found_bit_for_bit(tmp_path: Path, form: IntegerForm) -> None:
    kept = StoredWeights(tmp_path)
    assert kept.find(FINGERPRINT) is None
    assert kept.keep(FINGERPRINT, form)
    found = StoredWeights(tmp_path).find(FINGERPRINT)
    assert found is not None
    assert found.quality == form.quality
    ours, theirs = form.weights, found.weights
    for name in ("shape", "layers", "head", "num_ids", "embedding", "frequencies", "angle_scales"):
        assert _same(getattr(ours, name), getattr(theirs, name)), name
    assert ours.final_norm.equal(theirs.final_norm)
    every: list[Any] = [*theirs.layers.qkv, *theirs.layers.down, *theirs.head, theirs.embedding]
    assert all(each.flags.aligned and each.flags.c_contiguous and each.flags.writeable for each in every)
    # an ordinary safetensors file, which any tool reads
    assert np.array_equal(load_file(_file(tmp_path))["embedding"], ours.embedding)


def test_another_model_another_form_and_damage_are_not_used(tmp_path: Path, form: IntegerForm) -> None:
    kept = StoredWeights(tmp_path)
    kept.keep(FINGERPRINT, form)
    assert kept.find("f" * 64) is None
    assert kept.find(FINGERPRINT[:32] + "f" * 32) is None  # the same name
    file = _file(tmp_path)
    sound = file.read_bytes()
    for place in (3, 20, 200, len(sound) // 2, len(sound) - 1):
        file.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        assert kept.find(FINGERPRINT) is None, place
    for length in (0, 5, 300, len(sound) - 1):
        file.write_bytes(sound[:length])
        assert kept.find(FINGERPRINT) is None, length
    file.write_bytes(sound)
    assert kept.find(FINGERPRINT) is not None
    forget_integer_files(FINGERPRINT, tmp_path)
    assert kept.find(FINGERPRINT) is None


def test_only_the_newest_models_are_kept(tmp_path: Path, form: IntegerForm) -> None:
    kept = StoredWeights(tmp_path)
    small = replace(form, quality=None)
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / ".quire-0123456789ab.part").write_bytes(b"half")
    number = 0
    for number in range(stored_weights.MOST_MODELS + 2):
        assert kept.keep(f"{number:064x}"[::-1], small)
        assert kept.keep(f"{number:064x}"[::-1], small)  # its own place again
    files = list((tmp_path / FOLDER).iterdir())
    assert len(files) == stored_weights.MOST_MODELS
    assert kept.find(f"{number:064x}"[::-1]) is not None


def test_without_a_place_nothing_is_kept_and_nothing_fails(
    tmp_path: Path, form: IntegerForm, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = StoredWeights(None)
    assert not nowhere.keep(FINGERPRINT, form)
    assert nowhere.find(FINGERPRINT) is None
    (tmp_path / "file").write_text("not a folder")
    assert not StoredWeights(tmp_path / "file").keep(FINGERPRINT, form)
    full = StoredWeights(tmp_path)

    def write(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(stored_weights, "_write", write)
        assert not full.keep(FINGERPRINT, form)
    assert list((tmp_path / FOLDER).iterdir()) == []
