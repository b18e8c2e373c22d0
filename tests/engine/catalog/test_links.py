"""Links in model folders: catalog and load follow the same ones, and are never made to wait or to read on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from quire_engine.api.config import ModelConfig
from quire_engine.catalog.inspection import ModelFacts, inspect_folder, name_of
from quire_engine.catalog.rejection import Rejection, RejectionKind
from quire_engine.catalog.tokenizer_files import find_template
from quire_engine.engine import load_model
from quire_engine.models.loading import build_model
from quire_engine.models.loading import inspect_folder as engine_inspects
from tests.engine.folders import INDEX, WEIGHTS, problem_of

DECIDING = ("config.json", "tokenizer.json", WEIGHTS)


def link(file: Path, target: Path | str) -> Path:
    file.unlink(missing_ok=True)
    file.symlink_to(target)
    return file


def snapshot(model: Path, hub: Path, *, shards: bool = False) -> Path:
    """Lay a model out as the hub's download cache does: links into blobs that are named by their content."""
    repository = hub / "models--maker--tiny"
    blobs, shot = repository / "blobs", repository / "snapshots" / "0123abcd"
    blobs.mkdir(parents=True)
    shot.mkdir(parents=True)
    if shards:
        built = build_model(engine_inspects(model), torch.float32)
        built.save_pretrained(shot, max_shard_size="60KB")
        shutil.copy(model / "tokenizer.json", shot)
    else:
        shutil.copytree(model, shot, dirs_exist_ok=True)
    for number, file in enumerate(sorted(shot.iterdir())):
        file.rename(blobs / f"{number:040x}")
        file.symlink_to(f"../../blobs/{number:040x}")
    return shot


# ---------------------------------------------------------------- links that are followed
@pytest.mark.parametrize("shards", [False, True])
def test_a_snapshot_of_the_hub_loads_and_is_the_same_model(llama: Path, tmp_path: Path, shards: bool) -> None:
    shot = snapshot(llama, tmp_path, shards=shards)
    facts = inspect_folder(shot)
    assert isinstance(facts, ModelFacts)
    assert (name_of(shot), len(facts.weights) > 1) == ("tiny", shards)
    wanted = build_model(engine_inspects(llama), torch.float32).state_dict()
    got = build_model(engine_inspects(shot), torch.float32).state_dict()
    assert all(torch.equal(got[name], wanted[name]) for name in wanted)
    if not shards:
        assert engine_inspects(shot).fingerprint == engine_inspects(llama).fingerprint


def test_a_snapshot_writes(llama: Path, tmp_path: Path) -> None:
    loaded = load_model(ModelConfig(str(snapshot(llama, tmp_path)), "float32", 8, 1))
    assert loaded.description.reproducible


def test_a_link_to_a_snapshot_and_links_from_a_folder_elsewhere_are_followed(
    llama: Path, tmp_path: Path
) -> None:
    """The hub's client once filled folders of one's own choice with links into its cache."""
    shot = snapshot(llama, tmp_path / "hub")
    (tmp_path / "by another name").symlink_to(shot)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for file in shot.iterdir():
        (elsewhere / file.name).symlink_to(file.resolve())
    for folder in (tmp_path / "by another name", elsewhere):
        assert isinstance(inspect_folder(folder), ModelFacts)
        assert engine_inspects(folder).fingerprint == engine_inspects(llama).fingerprint


def test_what_is_fingerprinted_is_what_a_link_leads_to(llama: Path, tmp_path: Path) -> None:
    shot = snapshot(llama, tmp_path)
    before = engine_inspects(shot)
    blob = (shot / WEIGHTS).resolve()
    content = bytearray(blob.read_bytes())
    content[-2] ^= 1
    blob.write_bytes(bytes(content))
    assert engine_inspects(shot).fingerprint != before.fingerprint
    with pytest.raises(Exception, match="changed while loading"):
        build_model(before, torch.float32)


# ---------------------------------------------------------------- links that are not
def to_pipe(file: Path) -> None:
    os.mkfifo(file.parent / "pipe")
    link(file, "pipe")


def to_pipe_in_the_cache(file: Path) -> None:
    blobs = file.parent.parent / "models--a--b" / "blobs"
    blobs.mkdir(parents=True)
    (blobs.parent / "snapshots").mkdir()
    os.mkfifo(blobs / "pipe")
    link(file, blobs / "pipe")


def to_folder(file: Path) -> None:
    (file.parent / "inner").mkdir()
    link(file, "inner")


def to_circle(file: Path) -> None:
    link(file.parent / "other", file.name)
    link(file, "other")


def to_a_file_elsewhere(file: Path) -> None:
    file.rename(file.parent.parent / "elsewhere")
    link(file, "../elsewhere")


def to_false_blobs(file: Path) -> None:
    """A folder called blobs is not a download cache yet."""
    blobs = file.parent.parent / "blobs"
    blobs.mkdir()
    file.rename(blobs / "x")
    link(file, "../blobs/x")


def is_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


BAD: dict[str, tuple[Callable[[Path], object], RejectionKind]] = {
    "a pipe": (to_pipe, RejectionKind.UNSAFE),
    "a pipe in the cache": (to_pipe_in_the_cache, RejectionKind.UNSAFE),
    "a pipe itself": (is_pipe, RejectionKind.UNSAFE),
    "a device": (lambda file: link(file, "/dev/zero"), RejectionKind.UNSAFE),
    "a folder": (to_folder, RejectionKind.UNSAFE),
    "nowhere": (lambda file: link(file, "../absent"), RejectionKind.MISSING),
    "a circle": (to_circle, RejectionKind.MISSING),
    "itself": (lambda file: link(file, file.name), RejectionKind.MISSING),
    "a file elsewhere": (to_a_file_elsewhere, RejectionKind.UNSAFE),
    "false blobs": (to_false_blobs, RejectionKind.UNSAFE),
}


@pytest.mark.parametrize("name", DECIDING)
@pytest.mark.parametrize("kind", BAD)
def test_catalog_and_load_reject_the_same_links_in_the_same_words(
    own_llama: Path, name: str, kind: str
) -> None:
    damage, fault = BAD[kind]
    damage(own_llama / name)
    found = inspect_folder(own_llama)
    assert isinstance(found, Rejection)
    assert (found.fault, name in found.sentence) == (fault, True)
    assert problem_of(own_llama).endswith(found.sentence)


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("of_shard", [True, False])
def test_an_index_and_its_shards_are_judged_like_any_file(
    llama: Path, tmp_path: Path, kind: str, of_shard: bool
) -> None:
    built = build_model(engine_inspects(llama), torch.float32)
    folder = tmp_path / "model"
    built.save_pretrained(folder, max_shard_size="60KB")
    shutil.copy(llama / "tokenizer.json", folder)
    file = engine_inspects(folder).weights[-1] if of_shard else folder / INDEX
    damage, fault = BAD[kind]
    damage(file)
    found = inspect_folder(folder)
    assert isinstance(found, Rejection)
    assert found.fault is fault
    assert problem_of(folder).endswith(found.sentence)


NOT_NEEDED = (
    "tokenizer_config.json",
    "chat_template.jinja",
    "chat_template.json",
    "generation_config.json",
    "README.md",
)


@pytest.mark.parametrize("kind", [kind for kind in BAD if kind not in ("a file elsewhere", "false blobs")])
def test_files_that_are_not_needed_are_passed_over(own_llama: Path, kind: str) -> None:
    """None of them may make a load wait for ever."""
    damage, _ = BAD[kind]
    for name in NOT_NEEDED:
        if kind != "a pipe itself":
            for helper in ("pipe", "inner", "other"):
                helping = own_llama / helper
                if helping.is_dir():
                    helping.rmdir()
                helping.unlink(missing_ok=True)
            shutil.rmtree(own_llama.parent / "models--a--b", ignore_errors=True)
        (own_llama / name).write_bytes(b"{}")
        damage(own_llama / name)
    facts = inspect_folder(own_llama)
    assert isinstance(facts, ModelFacts)
    assert not facts.is_chat
    assert not find_template(own_llama).source
    assert load_model(ModelConfig(str(own_llama), "float32", 8, 1)).end_ids in ((), (0,))
