"""Resume file: the KV cache of a text, so that a resume need not prefill it again.

A safetensors file with the keys and values of every layer, and metadata with what they belong to and their
digest. It is written next to its place and renamed when complete; one that does not match in every point is
rejected with a message, and the text is prefilled instead. Nothing ever depends on it. Which tensors there
are is the store's affair; a KVStore saves numbers in the model's own dtype, whatever its storage format.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor

from quire_engine.api.atomic_file import replacing, sync_folder
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cache.cache_store import CacheStore

FORMAT = "quire cache 1"

_DIGEST = "digest"
_DTYPES = {torch.float32: "F32", torch.bfloat16: "BF16", torch.float16: "F16", torch.int8: "I8"}


def write(store: CacheStore, length: int, belongs_to: Mapping[str, str], path: Path) -> int:
    """Write the first `length` positions of a store; return the size of the file.

    belongs_to: what must match for the file to be read again. Raises EnvironmentProblem when the file cannot
    be written; then a previous file is untouched.
    """
    try:
        with replacing(path) as file:
            _write_tensors(file, store, length, belongs_to)
            num_bytes = file.tell()
        sync_folder(path.parent)
    except OSError as error:
        raise EnvironmentProblem(
            "The model's memory could not be saved in {path} ({reason}). Nothing is lost; the model "
            "rereads the text when you continue.",
            path=path,
            reason=error.strerror or error,
        ) from error
    return num_bytes


@torch.inference_mode()
def read(store: CacheStore, length: int, belongs_to: Mapping[str, str], path: Path) -> None:
    """Fill a store with the `length` positions of a file; the store must have been used before.

    Raises EnvironmentProblem when the file is missing, damaged or does not match; the store is then
    untouched, or empty if only the bytes of keys and values were wrong.
    """
    try:
        with safe_open(path, framework="pt") as file:
            metadata = dict(file.metadata() or {})
            wanted = {"format": FORMAT, **belongs_to}
            if any(metadata.get(key) != value for key, value in wanted.items()):
                raise EnvironmentProblem(
                    "The file {file} belongs to another text, model or version.", file=path.name
                )
            _check_shapes(file, store, length, path)
            store.truncate(0)
            digest = _fill(file, store, length)
    except (EnvironmentProblem, MemoryError):
        raise
    except Exception as error:  # the library has no error of its own for everything that a file can be
        raise EnvironmentProblem("The file {file} is missing or damaged.", file=path.name) from error
    if digest != metadata.get(_DIGEST):
        raise EnvironmentProblem("The file {file} is damaged.", file=path.name)
    store.length = length


def digest_of_ids(token_ids: Sequence[int]) -> str:
    """Return the SHA-256 of token ids, 64 bits each."""
    return hashlib.sha256(np.asarray(token_ids, dtype="<i8").tobytes()).hexdigest()


def _write_tensors(file: IO[bytes], store: CacheStore, length: int, belongs_to: Mapping[str, str]) -> None:
    """Write header and tensors, one tensor in memory at a time; the digest is filled in at the end."""
    parts = store.saved_parts(length)
    metadata = {"format": FORMAT, **belongs_to, _DIGEST: "0" * 64}
    header: dict[str, Any] = {"__metadata__": metadata}
    offset = 0
    for name, part in parts.items():
        end = offset + math.prod(part.shape) * part.dtype.itemsize
        header[name] = {
            "dtype": _DTYPES[part.dtype],
            "shape": list(part.shape),
            "data_offsets": [offset, end],
        }
        offset = end
    file.write(_encoded(header))
    digest = hashlib.sha256()
    for name in parts:
        data = _bytes_of(store.saved(name, length))
        digest.update(data)
        file.write(data)
    size = file.tell()
    metadata[_DIGEST] = digest.hexdigest()
    file.seek(0)
    file.write(_encoded(header))
    file.seek(size)


def _encoded(header: Mapping[str, Any]) -> bytes:
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def _bytes_of(tensor: Tensor) -> memoryview:
    data: Any = tensor.cpu().reshape(-1).contiguous().view(torch.uint8).numpy()
    return memoryview(data)


def _check_shapes(file: Any, store: CacheStore, length: int, path: Path) -> None:
    """Compare the file's table with the model's, before a byte of a tensor is read."""
    parts = store.saved_parts(length)
    table = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118  no mapping
    fits = table.keys() == parts.keys()
    for name, part in parts.items() if fits else ():
        fits = fits and table[name].get_shape() == list(part.shape)
        fits = fits and table[name].get_dtype() == _DTYPES[part.dtype]
    if not fits or not parts:
        raise EnvironmentProblem("The file {file} doesn't match the model.", file=path.name)


def _fill(file: Any, store: CacheStore, length: int) -> str:
    """Write all tensors of a file into a store, not committed yet; return their digest."""
    digest = hashlib.sha256()

    def parts() -> Iterator[tuple[str, Tensor]]:
        for name in store.saved_parts(length):
            tensor = file.get_tensor(name)
            digest.update(_bytes_of(tensor))
            yield name, tensor

    store.fill(parts(), length)
    return digest.hexdigest()
