"""Integer weights on the disk, so that a model is converted once: mapped into memory at the next load.

One safetensors file for a model in a folder of the app's cache, named after the model's fingerprint and the
form. The digest in its header is of everything else in it. Whatever is damaged, of another form or gone is
made again from the model, and where nothing can be written, the next load only takes longer.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import shutil
import struct
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import torch

from quire_engine.api.atomic_file import PART_NAME, replacing
from quire_engine.catalog.fingerprints import cached_digest
from quire_engine.catalog.integer_files import FOLDER, SUFFIX, file_stem
from quire_engine.integer.integer_weights import IntegerWeights
from quire_engine.integer.pass_data import Layers, Products, Shape
from quire_engine.integer.product_packing import LAYOUT
from quire_engine.integer.rotation import Rotation

FORM_VERSION = 4
"""Changes when the same model would become other integers, or they are kept in another order."""
MOST_MODELS = 4
"""Files that are kept; the oldest ones are deleted first."""
_SPARE = 1 << 30
"""Bytes of the disk that stay free."""
_MAX_HEADER = 1 << 20
_ALIGNED = 64
_LENGTH = struct.Struct("<Q")
_NO_DIGEST = "0" * 64
_DTYPES = {"I8": np.int8, "I16": np.int16, "I32": np.int32, "I64": np.int64, "BOOL": np.bool_}
_DTYPES |= {"F32": np.float32, "F64": np.float64}
_NAMES = {np.dtype(kind): name for name, kind in _DTYPES.items()}

Array = npt.NDArray[Any]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Quality:
    """How far integer passes are from the model in float32, on natural text.

    Attributes:
        nats: by how much the mean loss of a token is larger; below 0 it is smaller.
        divergence: mean Kullback-Leibler divergence of the next token's probabilities, in nats.
        tokens: that were scored.
    """

    nats: float
    divergence: float
    tokens: int


@dataclass(frozen=True, slots=True)
class IntegerForm:
    """A model in integers, and what is known of it. quality: None where it wasn't measured."""

    weights: IntegerWeights
    quality: Quality | None = None


class StoredWeights:
    """The integer forms of models in a cache folder; None keeps nothing."""

    def __init__(self, cache_folder: Path | None) -> None:
        self._cache = cache_folder
        self._folder = None if cache_folder is None else cache_folder / FOLDER

    def find(self, fingerprint: str) -> IntegerForm | None:
        """Return a model's form, mapped into memory; None where there is no sound one.

        The file is read as its numbers are used. Its digest is computed once, and again when it has changed.
        """
        if self._folder is None:
            return None
        file = self._file(fingerprint)
        try:
            said = _read_header(file)
            if said.metadata["fingerprint"] != fingerprint:
                return None
            if cached_digest((file,), lambda: _digest(file, said), self._cache) != said.metadata["digest"]:
                _log.warning("%s is damaged.", file)
                return None
            return _form(said, np.memmap(file, np.uint8, mode="c"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            _log.warning("%s can't be used.", file, exc_info=True)
            return None

    def keep(self, fingerprint: str, form: IntegerForm) -> bool:
        """Write a model's form in the place of an older one; return whether that was possible."""
        if self._folder is None:
            return False
        arrays = _arrays(form.weights)
        header = _header(arrays, fingerprint, form)
        needed = sum(each.nbytes for each in arrays.values()) + len(header)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._make_room(fingerprint)
            if shutil.disk_usage(self._folder).free < needed + _SPARE:
                return False
            with replacing(self._file(fingerprint)) as file:
                _write(file, header, list(arrays.values()))
        except OSError as error:
            _log.info("integer weights aren't kept: %s", error)
            return False
        return True

    def _file(self, fingerprint: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{file_stem(fingerprint)}{FORM_VERSION}-{LAYOUT}{SUFFIX}"

    def _make_room(self, fingerprint: str) -> None:
        """Delete what is no longer used: unfinished files, other versions of the model, the oldest models."""
        assert self._folder is not None
        files = [each for each in self._folder.iterdir() if each.is_file()]
        unused = [each for each in files if PART_NAME.fullmatch(each.name)]
        kept = [each for each in files if each.suffix == SUFFIX and each not in unused]
        own = [each for each in kept if each.name.startswith(file_stem(fingerprint))]
        others = sorted((each for each in kept if each not in own), key=_age)
        for each in (*unused, *own, *others[: max(0, len(others) - MOST_MODELS + 1)]):
            with contextlib.suppress(OSError):
                each.unlink()


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


@dataclass(frozen=True, slots=True)
class _Header:
    """What a file says about itself. start: of the data; text: with the digest."""

    metadata: dict[str, str]
    table: dict[str, Any]
    text: bytes
    start: int


def _header(arrays: dict[str, Array], fingerprint: str, form: IntegerForm) -> bytes:
    """Return the header without the digest, so long that the data begin at a multiple of 64 bytes."""
    weights = form.weights
    quality = None if form.quality is None else asdict(form.quality)
    metadata = {
        "digest": _NO_DIGEST,
        "fingerprint": fingerprint,
        "shape": json.dumps(list(weights.shape)),
        "num_ids": str(weights.num_ids),
        "score_cap": repr(weights.score_cap),
        "quality": json.dumps(quality),
    }
    table: dict[str, Any] = {"__metadata__": metadata}
    place = 0
    for name, array in arrays.items():
        end = place + array.nbytes
        table[name] = {"dtype": _NAMES[array.dtype], "shape": array.shape, "data_offsets": [place, end]}
        place = end
    text = json.dumps(table, separators=(",", ":")).encode()
    return text + b" " * (-(len(text) + _LENGTH.size) % _ALIGNED)


def _write(file: IO[bytes], header: bytes, arrays: list[Array]) -> None:
    digest = hashlib.sha256(header)
    file.write(_LENGTH.pack(len(header)) + header)
    for array in arrays:
        data = array.reshape(-1).view(np.uint8).data
        digest.update(data)
        file.write(data)
    file.seek(_LENGTH.size)
    file.write(header.replace(_NO_DIGEST.encode(), digest.hexdigest().encode(), 1))


def _read_header(file: Path) -> _Header:
    with file.open("rb") as data:
        (length,) = _LENGTH.unpack(data.read(_LENGTH.size).ljust(_LENGTH.size, b"\0"))
        if length > _MAX_HEADER:
            raise ValueError("its header is too long")
        text = data.read(length)
    table: Any = json.loads(text)
    metadata = dict(table.pop("__metadata__"))
    return _Header(metadata, table, text, _LENGTH.size + length)


def _digest(file: Path, said: _Header) -> str:
    """Return the digest of a file without the one that it names."""
    digest = hashlib.sha256(said.text.replace(said.metadata["digest"].encode(), _NO_DIGEST.encode(), 1))
    with file.open("rb") as data:
        data.seek(said.start)
        while chunk := data.read(1 << 22):
            digest.update(chunk)
    return digest.hexdigest()


def _arrays(weights: IntegerWeights) -> dict[str, Array]:
    """Return all arrays by name, those with rows of 64 bytes first, so that every one lies on its bounds."""
    found: dict[str, Array] = {"embedding": weights.embedding}
    parts = (*zip(Layers._fields, weights.layers, strict=True), ("head", weights.head))
    for name, part in parts:
        if isinstance(part, Products):
            found |= {f"{name}.{field}": getattr(part, field) for field in Products._fields}
        elif isinstance(part, np.ndarray):
            found[name] = part
    found["embedding_scales"] = weights.embedding_scales
    found["frequencies"] = weights.frequencies
    found["angle_scales"] = weights.angle_scales
    found["final_norm"] = weights.final_norm.numpy()
    found["final_bias"] = weights.final_bias.numpy()
    arrays = {name: np.ascontiguousarray(array) for name, array in found.items()}
    return dict(sorted(arrays.items(), key=lambda item: -_alignment(item[1])))


def _alignment(array: Array) -> int:
    """Return the largest power of two up to 64 that divides an array's bytes."""
    return _ALIGNED if array.nbytes == 0 else min(_ALIGNED, array.nbytes & -array.nbytes)


def _form(said: _Header, data: Array) -> IntegerForm:
    arrays = dict(_mapped(said, data))

    def products(name: str) -> Products:
        return Products(*(arrays[f"{name}.{field}"] for field in Products._fields))

    named: Any = {name: arrays[name] if name in arrays else products(name) for name in Layers._fields}
    metadata = said.metadata
    shape = Shape(*json.loads(metadata["shape"]))
    quality = json.loads(metadata["quality"])
    weights = IntegerWeights(
        shape=shape,
        layers=Layers(**named),
        head=products("head"),
        num_ids=int(metadata["num_ids"]),
        embedding=arrays["embedding"],
        embedding_scales=arrays["embedding_scales"],
        frequencies=arrays["frequencies"],
        angle_scales=arrays["angle_scales"],
        final_norm=torch.from_numpy(arrays["final_norm"]),
        final_bias=torch.from_numpy(arrays["final_bias"]),
        score_cap=float(metadata["score_cap"]),
        rotation=Rotation.of_width(shape.width),
    )
    return IntegerForm(weights, None if quality is None else Quality(**quality))


def _mapped(said: _Header, data: Array) -> Iterator[tuple[str, Array]]:
    """Return the arrays of a file that is mapped into memory, by name."""
    for name, entry in said.table.items():
        first, last = entry["data_offsets"]
        part = data[said.start + first : said.start + last]
        # no subclass of an array: kernels are compiled for arrays
        yield name, np.asarray(part.view(_DTYPES[entry["dtype"]]).reshape(entry["shape"]))
