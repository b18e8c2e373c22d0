"""Find a model's weight files and check that they are complete and inside the folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.bounded_files import check_file, read_json
from quire_engine.catalog.imported_models import DIGEST, has_reference, referenced_files
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable
from quire_engine.catalog.safetensors_header import Tensor, read_header

SINGLE = "model.safetensors"
INDEX = "model.safetensors.index.json"
_MAX_INDEX = 64 << 20
_MAX_SHARDS = 1000
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")


def find_weights(folder: Path) -> tuple[Path, ...]:
    """Return the weight files in the engine's reading order; raises ModelRejected otherwise."""
    if has_reference(folder):
        return referenced_files(folder)
    single, index = folder / SINGLE, folder / INDEX
    if _is_there(single):  # the library prefers it to an index, and what is checked must be what is loaded
        files: tuple[Path, ...] = (single,)
    elif _is_there(index):
        check_file(folder, index)
        files = _listed(folder, index)
    else:
        raise _absent(folder)
    for file in files:
        check_file(folder, file)
    return files


def deciding_files(folder: Path, weights: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the files that decide the text, which the fingerprint covers; weights: as found.

    The digest stands for weights that are somewhere else.
    """
    last = (folder / DIGEST,) if has_reference(folder) else weights
    return (folder / "config.json", folder / "tokenizer.json", *last)


def read_tensors(files: tuple[Path, ...]) -> dict[str, Tensor]:
    """Return the tensors of all files; ModelRejected if a file is damaged or two have the same tensor."""
    found: dict[str, Tensor] = {}
    for file in files:
        tensors = read_header(file)
        if twice := found.keys() & tensors.keys():
            raise ModelRejected(
                RejectionKind.DAMAGED,
                "{name} is in two weight files. Download the model again.",
                name=printable(min(twice)),
            )
        found |= tensors
    return found


def is_plain_name(name: object) -> bool:
    """Say whether a name is a plain file name on every system."""
    if not isinstance(name, str) or not name or len(name) > 200 or not name.isprintable():
        return False
    return not (set(name) & set('/\\:*?"<>|')) and name not in (".", "..") and name == name.strip(" ")


def _is_there(file: Path) -> bool:
    return file.exists() or file.is_symlink()  # a link that leads nowhere is told as one


def _listed(folder: Path, index: Path) -> tuple[Path, ...]:
    content: Any = read_json(index, _MAX_INDEX)
    listed = content.get("weight_map") if isinstance(content, dict) else None
    if not isinstance(listed, dict) or not listed:
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "{index} is damaged: it lists no weights. Download this file again.",
            index=INDEX,
        )
    for name in listed.values():
        if not is_plain_name(name):
            raise ModelRejected(
                RejectionKind.UNSAFE,
                "{index} names a file outside the folder ({name}), so nothing was opened.",
                index=INDEX,
                name=printable(name, 60),
            )
        if not name.endswith(".safetensors"):
            raise ModelRejected(RejectionKind.UNSAFE, _pickle_sentence(str(name)))
    names = sorted(set(listed.values()))
    if len(names) > _MAX_SHARDS:
        raise ModelRejected(RejectionKind.DAMAGED, "{index} lists implausibly many files.", index=INDEX)
    return tuple(folder / name for name in names)


def _absent(folder: Path) -> ModelRejected:
    """Return why there are no weights: another format, another kind of folder, or none at all."""
    names = sorted(each.name for each in folder.iterdir())
    pickles = [name for name in names if name.endswith(_PICKLES)]
    if pickles:
        return ModelRejected(RejectionKind.UNSAFE, _pickle_sentence(pickles[0]))
    if any(name.endswith(".gguf") for name in names):
        return ModelRejected(
            RejectionKind.UNSUPPORTED,
            "The weights are in GGUF. Choose the file itself instead of its folder, and Quire imports it.",
        )
    if "adapter_config.json" in names:
        return ModelRejected(
            RejectionKind.UNSUPPORTED,
            "This is an adapter for another model. Choose a complete model.",
        )
    return ModelRejected(
        RejectionKind.MISSING,
        "The weights ({weights}) are missing. Download the model again.",
        weights=SINGLE,
    )


def _pickle_sentence(name: str) -> str:
    return UserMessage(
        "The weights ({name}) are pickle files, which can run programs when opened. Quire reads "
        "safetensors only; download that version.",
        name=printable(name, 60),
    )
