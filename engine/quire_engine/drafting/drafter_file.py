"""The file of a model's trained drafters: safetensors with the fingerprint of the model they belong to.

It is in the model's folder or in any other; the fingerprint decides, not the place. A model without such a
file simply has no trained drafters. Only safetensors are read, and sizes are checked before use.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as save_tensors
from torch import Tensor

from quire_engine.api.atomic_file import replace_file
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.drafting.draft_heads import AnyHeads, HeadsWeights
from quire_engine.drafting.feature_drafter import FeatureShape, FeatureWeights
from quire_engine.drafting.published_heads import ChainWeights, MedusaWeights

FILE_NAME = "drafters.safetensors"
FORMAT = 2
"""Version of the layout; later ones are rejected. 2 has heads of other forms; a file without them is a 1."""

_MAX_METADATA_CHARS = 1 << 20
_MAX_HEADS = 16
_MAX_SIZE = 1 << 24
_MAX_WINDOW = 4096


@dataclass(frozen=True, slots=True)
class TrainedDrafters:
    """The contents of a file.

    Attributes:
        fingerprint: of the base model.
        heads: the paper's extra heads, or published ones.
        feature: the feature drafter.
        figures: results of the evaluation, for people.
    """

    fingerprint: str
    heads: AnyHeads | None = None
    feature: FeatureWeights | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)


def save(drafters: TrainedDrafters, folder: Path, file_name: str = FILE_NAME, *, small: bool = False) -> Path:
    """Write the file into a folder, weights in bfloat16, replacing an old one; return its path.

    small: matrices have 8 bits and one scale per output, which is half the size and enough for guesses.
    """
    tensors: dict[str, Tensor] = {}
    sizes: dict[str, Any] = {}
    if (heads := drafters.heads) is not None:
        form = _form_of(heads)
        tensors |= {f"heads.{name}": getattr(heads, name) for name in _HEADS_TENSORS[form]}
        said: dict[str, Any] = {} if form == _OWN_FORM else {"form": form}
        sizes["heads"] = {"sharpness": heads.sharpness} | said
        if not isinstance(heads, MedusaWeights):
            sizes["heads"]["eps"] = heads.eps
    if (feature := drafters.feature) is not None:
        tensors |= {f"feature.{name}": tensor for name, tensor in feature.tensors.items()}
        if feature.vocabulary is not None and feature.head is not None:
            tensors |= {"feature.vocabulary": feature.vocabulary.int(), "feature.head": feature.head}
        sizes["feature"] = {**asdict(feature.shape), "sharpness": feature.sharpness}
    stored: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        if small and tensor.ndim == 2:
            stored |= _rounded(name, tensor)
        else:
            kept = tensor if tensor.dtype == torch.int32 else tensor.to(torch.bfloat16)
            stored[name] = kept.contiguous().cpu()
    metadata = {
        "format": str(FORMAT if "form" in sizes.get("heads", {}) else 1),
        "fingerprint": drafters.fingerprint,
        "holds": ",".join(sizes),
        "sizes": json.dumps(sizes),
        "figures": json.dumps(drafters.figures),
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name
    replace_file(path, save_tensors(stored, metadata))
    return path


def find(folder: Path, fingerprint: str) -> TrainedDrafters | None:
    """Return the trained drafters in a folder; None if there is no file. Raises as `load` does."""
    path = folder / FILE_NAME
    return load(path, fingerprint) if path.is_file() else None


def load(path: Path, fingerprint: str) -> TrainedDrafters:
    """Read the file for the model with this fingerprint.

    Sizes are checked against each other here, and against the model by the drafters. Raises
    EnvironmentProblem for a file that is damaged, of a later format, or of another model.
    """
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            _check_metadata(path, metadata, fingerprint)
            stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise _damaged(path, str(error)) from error
    try:
        tensors = _whole_tensors(stored)
        sizes, figures = (_table(json.loads(metadata[name])) for name in ("sizes", "figures"))
        heads = _heads(_table(sizes["heads"]), tensors) if "heads" in sizes else None
        feature = _feature(_table(sizes["feature"]), tensors) if "feature" in sizes else None
    except (KeyError, TypeError, ValueError, RecursionError, OverflowError) as error:
        raise _damaged(path, str(error)) from error
    return TrainedDrafters(fingerprint, heads, feature, figures)


_OWN_FORM = "own"
_HEADS_TENSORS = {
    _OWN_FORM: ("weight", "norm", "post_norm"),
    "chain": ("weight", "norm", "post_norm"),
    "medusa": ("weight", "bias", "head"),
}
"""Tensors of heads by their form."""
_SCALES = ".scales"
_STEPS = 127
_LEAST = 1e-30


def _rounded(name: str, matrix: Tensor) -> dict[str, Tensor]:
    """Return a matrix (outputs, inputs) in 8 bits, and what a step of each output is."""
    numbers = matrix.detach().float().cpu()
    scales = numbers.abs().amax(1).clamp_min(_LEAST) / _STEPS
    return {name: (numbers / scales[:, None]).round().to(torch.int8), name + _SCALES: scales}


def _whole_tensors(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return what was stored, matrices of 8 bits in bfloat16 again; ValueError where they have no scales."""
    tensors = {name: tensor for name, tensor in stored.items() if not name.endswith(_SCALES)}
    for name, tensor in tensors.items():
        if tensor.dtype == torch.int8:
            scales = stored.get(name + _SCALES)
            if scales is None or tensor.ndim != 2 or scales.shape != tensor.shape[:1]:
                raise ValueError(f"{name} has no scales")
            tensors[name] = (tensor.float() * scales.float()[:, None]).to(torch.bfloat16)
    return tensors


def _check_metadata(path: Path, metadata: Mapping[str, str], fingerprint: str) -> None:
    number = metadata.get("format", "")
    if not (number.isascii() and number.isdigit() and len(number) < 9):
        raise _damaged(path, "it does not say its format")
    if int(number) > FORMAT:
        raise EnvironmentProblem(
            "The drafters in {path} were made by a newer version of Quire (format {format}; this "
            "version reads {supported}). Update Quire, or speed up the model again.",
            path=path,
            format=int(number),
            supported=FORMAT,
        )
    if metadata.get("fingerprint") != fingerprint:
        raise EnvironmentProblem(
            "The drafters in {path} belong to another model, or to another version of this one. "
            "Speed up the model again, or remove the file.",
            path=path,
        )
    if sum(map(len, metadata.values())) > _MAX_METADATA_CHARS:
        raise _damaged(path, "its description is too long")


def _damaged(path: Path, what: str) -> EnvironmentProblem:
    said = " ".join(what.split())[:200] or "unreadable"
    return EnvironmentProblem(
        "The drafters in {path} are damaged ({reason}). Speed up the model again, or remove the file.",
        path=path,
        reason=said,
    )


def _form_of(heads: AnyHeads) -> str:
    if isinstance(heads, MedusaWeights):
        return "medusa"
    return "chain" if isinstance(heads, ChainWeights) else _OWN_FORM


def _heads(sizes: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> AnyHeads:
    form = sizes.get("form", _OWN_FORM)
    weight, second, third = (tensors[f"heads.{name}"] for name in _HEADS_TENSORS[form])
    if weight.ndim < 3 or not 1 <= len(weight) <= _MAX_HEADS:
        raise ValueError("it holds no heads")
    count, width = len(weight), weight.shape[-1]
    if form == "medusa":
        blocks, ids = (weight.shape[1], third.shape[1]) if weight.ndim == 4 and third.ndim == 3 else (0, 0)
        shapes: tuple[tuple[int, ...], ...] = (
            (count, blocks, width, width),
            (count, blocks, width),
            (count, ids, width),
        )
    else:
        shapes = ((count, width, width), (count, width), (count, width))
    for name, tensor, shape in zip(_HEADS_TENSORS[form], (weight, second, third), shapes, strict=True):
        _check_shape(f"heads.{name}", tensor, shape)
    sharpness = _sharpness(sizes["sharpness"])
    if form == "medusa":
        return MedusaWeights(weight, second, third, sharpness)
    made = ChainWeights if form == "chain" else HeadsWeights
    return made(weight, second, third, _number(sizes["eps"]), sharpness)


def _feature(sizes: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> FeatureWeights:
    shape = _shape(sizes)
    weights = {}
    for name, wanted in shape.tensor_shapes().items():
        weights[name] = tensors[f"feature.{name}"]
        _check_shape(f"feature.{name}", weights[name], wanted)
    vocabulary, head = tensors.get("feature.vocabulary"), tensors.get("feature.head")
    if vocabulary is None or head is None:
        return FeatureWeights(shape, weights, sharpness=_sharpness(sizes["sharpness"]))
    ids = vocabulary.long()
    in_order = ids.ndim == 1 and len(ids) > 0 and bool((ids[1:] > ids[:-1]).all())
    if not in_order or int(ids[0]) < 0:
        raise ValueError("its vocabulary is not in order")
    _check_shape("feature.head", head, (len(ids), shape.width))
    return FeatureWeights(shape, weights, ids, head, _sharpness(sizes["sharpness"]))


def _shape(sizes: Mapping[str, Any]) -> FeatureShape:
    numbers = {
        each.name: _number(sizes[each.name]) if each.type == "float" else _whole(sizes[each.name])
        for each in fields(FeatureShape)
    }
    shape = FeatureShape(**numbers)  # type: ignore[arg-type]  # checked above
    if shape.num_heads % shape.num_kv_heads or shape.head_dim % 2 or shape.window > _MAX_WINDOW:
        raise ValueError("its sizes do not fit each other")
    return shape


def _check_shape(name: str, tensor: Tensor, shape: tuple[int, ...]) -> None:
    if tuple(tensor.shape) != shape or tensor.dtype != torch.bfloat16:
        raise ValueError(f"{name} is {tuple(tensor.shape)} of {tensor.dtype}, not {shape} of torch.bfloat16")
    if not bool(tensor.isfinite().all()):
        raise ValueError(f"{name} is not finite")


def _table(said: object) -> dict[str, Any]:
    if not isinstance(said, dict):
        raise TypeError("its sizes or figures are not a table")
    return said


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MAX_SIZE:
        raise ValueError(f"a size is {value!r}")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1e12:
        raise ValueError(f"a number is {value!r}")
    return float(value)


def _sharpness(values: object) -> tuple[float, ...]:
    if not isinstance(values, list) or not 1 <= len(values) <= _MAX_HEADS:
        raise ValueError("it does not say how sharp its guesses are")
    return tuple(_number(value) for value in values)
