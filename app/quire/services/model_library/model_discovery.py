"""Finds models that are on the computer already: of LM Studio, Ollama, the hub's cache, or in a folder.

Nothing is copied or changed, no file's content is read but the first bytes, and the search is bounded in
depth and number, since a folder may hold a whole disk. Everything here blocks on the disk.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire.services.model_library.model_places import ModelPlace, PlaceKind, model_places

MAX_DEPTH = 5
"""Of folders below the one that is searched."""
MAX_FOLDERS = 2_000
MAX_ENTRIES = 50_000
MAX_MODELS = 200
_MAX_MANIFEST = 1 << 20
_MIN_GGUF = 1 << 10
_GGUF = b"GGUF"
_PART = re.compile(r"-(\d{5})-of-(\d{5})$")
_DIGEST = re.compile(r"sha256[:-]([0-9a-f]{64})")
_REVISION = re.compile(r"[0-9a-f]{40}")
_IMAGE_READER = re.compile(r"mmproj|vision-?encoder", re.IGNORECASE)
_MODEL_LAYER = "application/vnd.ollama.image.model"


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model on this computer that Quire did not put there.

    Attributes:
        path: its folder, or its GGUF file: the first part of a split one.
        name: for people.
        place: where it was found.
        num_bytes: size of all parts of a GGUF file; 0 for a folder.
    """

    path: Path
    name: str
    place: PlaceKind
    num_bytes: int = 0

    @property
    def is_gguf(self) -> bool:
        """Whether it is a GGUF file, which is imported before it is used."""
        return self.num_bytes > 0


def find_models(places: Sequence[ModelPlace] | None = None) -> tuple[FoundModel, ...]:
    """Return the models in all these places; each file and folder once."""
    found: dict[str, FoundModel] = {}
    for place in model_places() if places is None else places:
        for model in _SEARCHES[place.kind](place.folder):
            found.setdefault(os.path.realpath(model.path), model)
            if len(found) >= MAX_MODELS:
                return tuple(found.values())
    return tuple(found.values())


def models_below(folder: Path) -> tuple[FoundModel, ...]:
    """Return the models in a folder that the writer chose, and in the folders below it."""
    return find_models((ModelPlace(PlaceKind.CHOSEN, folder),))


# ---------------------------------------------------------------- folders below a folder
def _below(root: Path, kind: PlaceKind, name: str = "", home: Path | None = None) -> Iterator[FoundModel]:
    """Search a folder breadth first; links to folders are not followed.

    Args:
        name: of the folder itself, if it is a model.
        home: the folder that links to files may not lead out of; None: the one that is searched.
    """
    roots = (Path(os.path.realpath(root if home is None else home)),)
    waiting, num_entries = [(root, 0)], 0
    for folder, depth in waiting:  # grows while it is read
        entries = _entries(folder, MAX_ENTRIES - num_entries)
        num_entries += len(entries)
        if _is_model_folder({entry.name for entry in entries}):
            yield FoundModel(folder, (name if folder is root else "") or folder.name or str(folder), kind)
        for entry in entries:
            if entry.name.endswith(".gguf") and (model := _gguf(Path(entry.path), kind, roots)):
                yield model
            elif depth < MAX_DEPTH and len(waiting) < MAX_FOLDERS and _is_folder(entry):
                waiting.append((Path(entry.path), depth + 1))


def _entries(folder: Path, most: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted((entry for entry, _ in zip(found, range(most), strict=False)), key=_by_name)
    except OSError:
        return []  # it is not there, or not ours to read


def _by_name(entry: os.DirEntry[str]) -> str:
    return entry.name.lower()


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
    except OSError:
        return False


def _is_model_folder(names: set[str]) -> bool:
    return "config.json" in names and any(name.endswith(".safetensors") for name in names)


def _gguf(file: Path, kind: PlaceKind, roots: Sequence[Path]) -> FoundModel | None:
    """Return the model in a GGUF file; None for a later part, a part of something else, or no such file."""
    part = _PART.search(file.stem)
    if _IMAGE_READER.search(file.name) or (part is not None and int(part[1]) != 1):
        return None
    files = [file] if part is None else _parts(file, part)
    sizes = [_size_of_gguf(each, roots) for each in files]
    if not sizes or not all(sizes):
        return None  # a part is missing, or it is none
    stem = file.stem if part is None else file.stem[: part.start()]
    return FoundModel(file, stem, kind, sum(sizes))


def _parts(first: Path, part: re.Match[str]) -> list[Path]:
    stem, count = first.stem[: part.start()], int(part[2])
    if count > MAX_MODELS:
        return []
    return [first.with_name(f"{stem}-{number:05}-of-{part[2]}.gguf") for number in range(1, count + 1)]


def _size_of_gguf(file: Path, roots: Sequence[Path]) -> int:
    """Return the size of a GGUF file; 0 where it is none, or a link that leads out of the roots."""
    try:
        real = file.resolve(strict=True)
        if not any(real.is_relative_to(root) for root in roots) or not real.is_file():
            return 0
        with real.open("rb") as data:
            is_gguf = data.read(len(_GGUF)) == _GGUF
        size = real.stat().st_size
    except (OSError, RuntimeError):  # a loop of links
        return 0
    return size if is_gguf and size >= _MIN_GGUF else 0


def _in_folder(kind: PlaceKind) -> Callable[[Path], Iterator[FoundModel]]:
    return lambda folder: _below(folder, kind)


# ---------------------------------------------------------------- the hub's cache
def _in_hub_cache(cache: Path) -> Iterator[FoundModel]:
    """Look at the current snapshot of each repository: what else is there are older versions of it."""
    for entry in _entries(cache, MAX_ENTRIES):
        if not entry.name.startswith("models--") or not _is_folder(entry):
            continue
        repository = Path(entry.path)
        name = entry.name.removeprefix("models--").split("--")[-1]
        if (snapshot := _current(repository)) is not None:
            yield from _below(snapshot, PlaceKind.HUB_CACHE, name, repository)


def _current(repository: Path) -> Path | None:
    """Return the snapshot that the main branch names, or else the newest one."""
    snapshots = repository / "snapshots"
    try:
        with (repository / "refs" / "main").open(encoding="ascii") as file:
            named = file.read(100).strip()
    except (OSError, ValueError):
        named = ""
    if _REVISION.fullmatch(named) and (snapshots / named).is_dir():
        return snapshots / named
    found = [entry for entry in _entries(snapshots, MAX_FOLDERS) if _is_folder(entry)]
    return Path(max(found, key=_changed_at).path) if found else None


def _changed_at(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat(follow_symlinks=False).st_mtime
    except OSError:
        return 0.0


# ---------------------------------------------------------------- Ollama
def _in_ollama(models: Path) -> Iterator[FoundModel]:
    """Read the manifests: each names its model, and the blob with the GGUF file."""
    manifests, blobs = models / "manifests", models / "blobs"
    roots = (Path(os.path.realpath(blobs)),)
    for manifest in _files_below(manifests):
        blob = _model_blob(manifest, blobs)
        if blob is None or not (size := _size_of_gguf(blob, roots)):
            continue
        yield FoundModel(blob, _ollama_name(manifest.relative_to(manifests)), PlaceKind.OLLAMA, size)


def ollama_name(blob: Path) -> str:
    """Return the name of the model in a file of Ollama's, which is named by its digest; empty for others."""
    if _DIGEST.fullmatch(blob.name) is None:
        return ""
    models = blob.absolute().parent.parent
    return next((each.name for each in _in_ollama(models) if each.path.name == blob.name), "")


def _files_below(root: Path) -> Iterator[Path]:
    """Return the files in REGISTRY/NAMESPACE/MODEL/TAG."""
    waiting = [(root, 0)]
    for folder, depth in waiting:
        for entry in _entries(folder, MAX_ENTRIES):
            if depth == 3:
                yield Path(entry.path)
            elif len(waiting) < MAX_FOLDERS and _is_folder(entry):
                waiting.append((Path(entry.path), depth + 1))


def _model_blob(manifest: Path, blobs: Path) -> Path | None:
    try:
        with manifest.open("rb") as file:
            content: Any = json.loads(file.read(_MAX_MANIFEST))
        digests = [layer["digest"] for layer in content["layers"] if layer.get("mediaType") == _MODEL_LAYER]
        found = _DIGEST.fullmatch(digests[0])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None
    if found is None or len(digests) != 1:
        return None
    names = (f"sha256-{found[1]}", f"sha256:{found[1]}")  # versions before 0.1.33 wrote a colon
    return next((blobs / name for name in names if (blobs / name).is_file()), None)


def _ollama_name(manifest: Path) -> str:
    """Return the name as Ollama shows it: model:tag, with the namespace if it is not the library."""
    _registry, namespace, model, tag = manifest.parts
    name = f"{model}:{tag}"
    return name if namespace == "library" else f"{namespace}/{name}"


_SEARCHES: dict[PlaceKind, Callable[[Path], Iterator[FoundModel]]] = {
    PlaceKind.INSTALLED: _in_folder(PlaceKind.INSTALLED),
    PlaceKind.LM_STUDIO: _in_folder(PlaceKind.LM_STUDIO),
    PlaceKind.OLLAMA: _in_ollama,
    PlaceKind.HUB_CACHE: _in_hub_cache,
    PlaceKind.CHOSEN: _in_folder(PlaceKind.CHOSEN),
}
