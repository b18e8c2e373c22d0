"""Models of other programs are found where they lie, and nothing leads out of there."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path, PureWindowsPath

import pytest

from quire.services.model_library import model_discovery
from quire.services.model_library.model_discovery import FoundModel, find_models, models_below
from quire.services.model_library.model_places import ModelPlace, PlaceKind, Surroundings, model_places

GGUF = b"GGUF" + bytes(2_000)
links = pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")


def put(file: Path, content: bytes = GGUF) -> Path:
    """Write a file and the folders above it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def put_folder(folder: Path) -> Path:
    """Write what looks like a model's folder from afar."""
    put(folder / "config.json", b"{}")
    put(folder / "model.safetensors", b"")
    return folder


def shown(found: tuple[FoundModel, ...]) -> list[tuple[str, PlaceKind]]:
    """Return names and places."""
    return [(model.name, model.place) for model in found]


def put_ollama(models: Path, name: str, content: bytes = GGUF, media: str | None = None) -> Path:
    """Write a model as Ollama does: a manifest that names a blob; return the blob."""
    digest = f"{len(name):064x}"
    media = "application/vnd.ollama.image.model" if media is None else media
    layers = [
        {"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:" + "1" * 64},
        {"mediaType": media, "digest": f"sha256:{digest}", "size": len(content)},
    ]
    put(models / "manifests" / name, json.dumps({"schemaVersion": 2, "layers": layers}).encode())
    return put(models / "blobs" / f"sha256-{digest}", content)


# ---------------------------------------------------------------- places
def test_places_on_linux() -> None:
    home = Path("/home/anne")
    assert model_places(Surroundings("linux", home, {}, Path("/env/models"))) == (
        ModelPlace(PlaceKind.INSTALLED, Path("/env/models")),
        ModelPlace(PlaceKind.LM_STUDIO, home / ".lmstudio/models"),
        ModelPlace(PlaceKind.LM_STUDIO, home / ".cache/lm-studio/models"),
        ModelPlace(PlaceKind.OLLAMA, home / ".ollama/models"),
        ModelPlace(PlaceKind.OLLAMA, Path("/usr/share/ollama/.ollama/models")),
        ModelPlace(PlaceKind.HUB_CACHE, home / ".cache/huggingface/hub"),
    )


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_places_on_macos_and_windows_are_below_the_home_folder(platform: str) -> None:
    home = Path("/Users/anne")
    places = model_places(Surroundings(platform, home, {}, home / "env"))
    assert all(place.folder.is_relative_to(home) for place in places)
    assert ModelPlace(PlaceKind.OLLAMA, home / ".ollama/models") in places
    assert PureWindowsPath(r"C:\Users\anne", ".ollama", "models").parts[-2:] == places[3].folder.parts[-2:]


@pytest.mark.parametrize(
    ("variables", "kind", "folder"),
    [
        ({"OLLAMA_MODELS": "/data/ollama"}, PlaceKind.OLLAMA, "/data/ollama"),
        ({"HF_HOME": "/data/hf"}, PlaceKind.HUB_CACHE, "/data/hf/hub"),
        ({"HF_HUB_CACHE": "/data/hub", "HF_HOME": "/data/hf"}, PlaceKind.HUB_CACHE, "/data/hub"),
        ({"XDG_CACHE_HOME": "/data/cache"}, PlaceKind.HUB_CACHE, "/data/cache/huggingface/hub"),
        ({"OLLAMA_MODELS": "models"}, PlaceKind.OLLAMA, "/home/anne/.ollama/models"),
    ],
)
def test_variables_name_other_places(variables: dict[str, str], kind: PlaceKind, folder: str) -> None:
    around = Surroundings("darwin", Path("/home/anne"), variables, Path("/env"))
    assert [place.folder for place in model_places(around) if place.kind is kind] == [Path(folder)]


def test_lm_studio_says_where_its_home_is(tmp_path: Path) -> None:
    put(tmp_path / ".lmstudio-home-pointer", f"{tmp_path / 'elsewhere'}\n".encode())
    places = model_places(Surroundings("darwin", tmp_path, {}, tmp_path))
    assert ModelPlace(PlaceKind.LM_STUDIO, tmp_path / "elsewhere" / "models") in places


# ---------------------------------------------------------------- what lies there
def test_lm_studio_keeps_files_by_maker_and_model(tmp_path: Path) -> None:
    put(tmp_path / "maker" / "Tale-1B-GGUF" / "Tale-1B-Q4_K_M.gguf")
    put(tmp_path / "maker" / "Tale-1B-GGUF" / "mmproj-Tale-1B-F16.gguf")
    put_folder(tmp_path / "maker" / "Tale-2B")
    found = find_models((ModelPlace(PlaceKind.LM_STUDIO, tmp_path),))
    assert sorted(shown(found)) == sorted(
        [("Tale-1B-Q4_K_M", PlaceKind.LM_STUDIO), ("Tale-2B", PlaceKind.LM_STUDIO)]
    )
    assert {model.name: model.is_gguf for model in found} == {"Tale-1B-Q4_K_M": True, "Tale-2B": False}


def test_ollama_names_its_blobs_in_manifests(tmp_path: Path) -> None:
    blob = put_ollama(tmp_path, "registry.ollama.ai/library/tale/1b")
    put_ollama(tmp_path, "registry.ollama.ai/anne/ferry/latest")
    put_ollama(tmp_path, "registry.ollama.ai/library/pictures/1b-x", media="application/other")
    put_ollama(tmp_path, "registry.ollama.ai/library/nothing/1b-xyz", content=b"not a model" * 200)
    found = find_models((ModelPlace(PlaceKind.OLLAMA, tmp_path),))
    assert sorted(model.name for model in found) == ["anne/ferry:latest", "tale:1b"]
    (tale,) = (model for model in found if model.name == "tale:1b")
    assert (tale.path, tale.num_bytes, tale.is_gguf) == (blob, len(GGUF), True)


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"{",
        b"[]",
        b'{"layers": 3}',
        b'{"layers": [3]}',
        b'{"layers": [{"mediaType": "application/vnd.ollama.image.model"}]}',
        b'{"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:../../x"}]}',
        b"[" * 100_000,
    ],
)
def test_damaged_manifests_of_ollama_are_passed_over(tmp_path: Path, manifest: bytes) -> None:
    put(tmp_path / "manifests/registry.ollama.ai/library/tale/1b", manifest)
    put(tmp_path / "x")
    assert find_models((ModelPlace(PlaceKind.OLLAMA, tmp_path),)) == ()


@links
def test_the_hubs_cache_shows_the_snapshot_of_the_main_branch(tmp_path: Path) -> None:
    repository = tmp_path / "models--maker--tale"
    old, new = "a" * 40, "b" * 40
    blob = put(repository / "blobs" / "d1")
    for revision in (old, new):
        put_folder(repository / "snapshots" / revision)
    (repository / "snapshots" / new / "tale-q8_0.gguf").symlink_to(
        os.path.relpath(blob, repository / "snapshots" / new)
    )
    put(repository / "refs" / "main", new.encode())
    put_folder(tmp_path / "datasets--maker--letters" / "snapshots" / old)
    found = find_models((ModelPlace(PlaceKind.HUB_CACHE, tmp_path),))
    assert [(model.name, model.path.parent.name) for model in found] == [
        ("tale", "snapshots"),
        ("tale-q8_0", new),
    ]
    assert found[0].path.name == new


def test_without_a_main_branch_the_newest_snapshot_counts(tmp_path: Path) -> None:
    snapshots = tmp_path / "models--maker--tale" / "snapshots"
    for revision, changed in (("a" * 40, 2_000), ("b" * 40, 1_000)):
        put_folder(snapshots / revision)
        os.utime(snapshots / revision, (changed, changed))
    (found,) = find_models((ModelPlace(PlaceKind.HUB_CACHE, tmp_path),))
    assert found.path.name == "a" * 40


# ---------------------------------------------------------------- a chosen folder
def test_folders_below_a_chosen_one_are_searched(tmp_path: Path) -> None:
    put_folder(tmp_path)
    put_folder(tmp_path / "novels" / "large" / "tale")
    put(tmp_path / "novels" / "tale.gguf")
    put_folder(tmp_path / ".git" / "hidden")
    assert sorted(model.name for model in models_below(tmp_path)) == sorted([tmp_path.name, "tale", "tale"])


def test_a_split_file_is_one_model_and_only_when_it_is_whole(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        put(tmp_path / f"tale-{number:05}-of-00003.gguf")
    put(tmp_path / "half-00001-of-00002.gguf")
    put(tmp_path / "huge-00001-of-99999.gguf")
    (found,) = models_below(tmp_path)
    assert (found.name, found.num_bytes) == ("tale", 3 * len(GGUF))


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGML" + bytes(2_000)])
def test_files_that_are_no_models_are_passed_over(tmp_path: Path, content: bytes) -> None:
    put(tmp_path / "tale.gguf", content)
    assert models_below(tmp_path) == ()


@links
def test_links_out_of_the_folder_and_loops_of_links_are_not_followed(tmp_path: Path) -> None:
    secret = put(tmp_path / "elsewhere" / "tale.gguf")
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    (chosen / "out.gguf").symlink_to(secret)
    (chosen / "folder").symlink_to(secret.parent)
    (chosen / "loop.gguf").symlink_to(chosen / "loop.gguf")
    (chosen / "self").symlink_to(chosen)
    assert models_below(chosen) == ()
    inside = put(chosen / "real.gguf")
    (chosen / "again.gguf").symlink_to(inside)
    assert len(models_below(chosen)) == 1


@links
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tale.gguf")
    assert models_below(tmp_path) == ()


def test_the_search_is_bounded_in_depth_and_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path.joinpath(*"abcde")
    put(deep / "here.gguf")
    put(deep / "f" / "too-deep.gguf")
    assert [model.name for model in models_below(tmp_path)] == ["here"]
    for number in range(20):
        put(tmp_path / f"{number:02}.gguf")
    monkeypatch.setattr(model_discovery, "MAX_MODELS", 7)
    assert len(models_below(tmp_path)) == 7


def test_a_number_of_folders_is_not_exceeded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        put(tmp_path / f"{number:02}" / f"{number:02}.gguf")
    monkeypatch.setattr(model_discovery, "MAX_FOLDERS", 11)
    assert [model.name for model in models_below(tmp_path)] == [f"{number:02}" for number in range(10)]


def test_places_that_do_not_exist_hold_nothing(tmp_path: Path) -> None:
    places = model_places(Surroundings("linux", tmp_path / "home", {}, tmp_path / "env"))
    assert find_models([place for place in places if place.folder.is_relative_to(tmp_path)]) == ()


def test_nothing_is_written(tmp_path: Path) -> None:
    put_ollama(tmp_path, "registry.ollama.ai/library/tale/1b")
    put_folder(tmp_path / "models--maker--tale" / "snapshots" / ("a" * 40))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    for kind in PlaceKind:
        find_models((ModelPlace(kind, tmp_path),))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
