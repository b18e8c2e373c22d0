"""Model folders with packed weights (AWQ, GPTQ, FP8, MXFP4): what they are, before they are imported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.bounded_files import check_file, read_json
from quire_engine.catalog.imported_models import SETTINGS_BYTES
from quire_engine.catalog.model_families import FAMILIES
from quire_engine.catalog.rejection import ModelRejected, Rejection, RejectionKind, printable
from quire_engine.catalog.safetensors_header import Tensor
from quire_engine.catalog.tokenizer_files import find_licence, find_template
from quire_engine.catalog.weight_files import find_weights, read_tensors

SMALL_FLOATS = {"fp8": 8, "mxfp4": 4}
"""Methods whose weights are small floating-point numbers, and their bits."""
METHODS = {"awq": "AWQ", "fp8": "FP8", "gptq": "GPTQ", "mxfp4": "MXFP4"}
_MAX_CONFIG = 1 << 20
_PARTS = (".qweight", ".qzeros", ".scales", ".g_idx")
_SCALES = ("_scale_inv", "_scale", "_scales")


@dataclass(frozen=True, slots=True)
class PackedFolder:
    """A folder with packed weights.

    Attributes:
        method: of METHODS.
        bits: per weight.
        group: input numbers that share a scale; -1: all of them. In FP8, sides of the blocks that do.
        is_second: the second version of GPTQ, which stores zeros as they are.
        config: config.json without what concerns the packing.
    """

    path: Path
    method: str
    bits: int
    group: int
    is_second: bool
    config: Mapping[str, Any]
    tensors: Mapping[str, Tensor]
    weights: tuple[Path, ...]

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.name or "model"

    @property
    def title(self) -> str:
        """The folder's name."""
        return self.name

    @property
    def licence(self) -> str:
        """The licence that its README names; empty for none."""
        return find_licence(self.path)

    @property
    def is_chat(self) -> bool:
        """Whether it has a chat template."""
        return find_template(self.path).is_chat

    @property
    def quantisation(self) -> str:
        """How its weights are packed, such as "AWQ, 4 bits"."""
        return f"{METHODS[self.method]}, {self.bits} bits"

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that decide the text."""
        return (self.path / "config.json", self.path / "tokenizer.json", *self.weights)

    @property
    def num_bytes(self) -> int:
        """Size of the weights."""
        return sum(tensor.num_bytes for tensor in self.tensors.values())

    @property
    def num_parameters(self) -> int:
        """Weights once they are unpacked."""
        if self.method in SMALL_FLOATS:
            plain = sum(each.count for name, each in self.tensors.items() if not name.endswith(_SCALES))
            return plain + sum(each.count for name, each in self.tensors.items() if name.endswith("_blocks"))
        per_word = 32 // self.bits
        packed = sum(each.count for name, each in self.tensors.items() if name.endswith(_PARTS[0]))
        plain = sum(each.count for name, each in self.tensors.items() if not name.endswith(_PARTS))
        return packed * per_word + plain

    @property
    def imported_bytes(self) -> int:
        """About the size of what an import adds: tokenizer and settings."""
        return SETTINGS_BYTES


def is_packed_folder(path: Path) -> bool:
    """Say whether a folder's config.json speaks of packed weights that can be imported."""
    try:
        if not (path / "config.json").is_file():
            return False
        found: Any = read_json(path / "config.json", _MAX_CONFIG)
        return isinstance(found, dict) and _method(found) in METHODS
    except (ModelRejected, OSError):
        return False


def inspect_packed(path: Path) -> PackedFolder | Rejection:
    """Look at a folder with packed weights: what it is, or why it cannot be imported; never raises."""
    try:
        return find_packed(path)
    except ModelRejected as refused:
        return Rejection(path, refused.fault, refused.message)
    except (OSError, ValueError) as error:
        said = printable(getattr(error, "strerror", None) or error)
        return Rejection(
            path,
            RejectionKind.DAMAGED,
            UserMessage("The folder can't be read ({reason}). Check that it is still there.", reason=said),
        )


def find_packed(path: Path) -> PackedFolder:
    """Read what a folder with packed weights says of itself; ModelRejected if it cannot be imported."""
    check_file(path, path / "config.json")
    check_file(path, path / "tokenizer.json")
    raw: Any = read_json(path / "config.json", _MAX_CONFIG)
    method = _method(raw) if isinstance(raw, dict) else ""
    if method not in METHODS:
        raise unknown_packing(method)
    if raw.get("model_type") not in FAMILIES:
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "Quire doesn't support models of the type “{name}” yet. Choose another type, such as Llama, "
            "Mistral, Qwen or Gemma.",
            name=printable(raw.get("model_type"), 40),
        )
    settings = raw["quantization_config"]
    if method in SMALL_FLOATS:
        bits, group = SMALL_FLOATS[method], _side_of_blocks(settings)
    else:
        bits = settings.get("bits", settings.get("w_bit"))
        group = settings.get("group_size", settings.get("q_group_size"))
    allowed = (2, 4, 8) if method == "gptq" else (bits,) if method in SMALL_FLOATS else (4,)
    if bits not in allowed or type(group) is not int or not (group == -1 or 1 <= group <= 1 << 20):
        raise _unknown_settings(method)
    if method == "awq" and str(settings.get("version", "gemm")).lower() != "gemm":
        raise _unknown_settings(method)
    weights = find_weights(path)
    config = {key: value for key, value in raw.items() if key != "quantization_config"}
    return PackedFolder(
        path,
        method,
        bits,
        group,
        settings.get("checkpoint_format") == "gptq_v2",
        config,
        read_tensors(weights),
        weights,
    )


def unknown_packing(method: str) -> ModelRejected:
    """Return the rejection of weights that are packed in a way that Quire cannot import."""
    return ModelRejected(
        RejectionKind.UNSUPPORTED,
        "Quire can't read weights quantised with {method}. Choose the original model, or its GGUF, AWQ or "
        "GPTQ version.",
        method=printable(method or "?", 40),
    )


def _unknown_settings(method: str) -> ModelRejected:
    return ModelRejected(
        RejectionKind.UNSUPPORTED,
        "Quire doesn't know this kind of {method} weights. Choose the original model, or its GGUF version.",
        method=METHODS[method],
    )


def _side_of_blocks(settings: Mapping[str, Any]) -> int:
    """Return the numbers of a row or column that share a scale in FP8; -1 where none is named."""
    side = settings.get("weight_block_size")
    if side is None:
        return -1
    is_square = isinstance(side, list) and len(side) == 2 and side[0] == side[1]
    return side[0] if is_square and type(side[0]) is int else 0


def _method(raw: Mapping[str, Any]) -> str:
    settings = raw.get("quantization_config")
    found = settings.get("quant_method") if isinstance(settings, dict) else None
    if found == "compressed-tensors" and _has_small_floats(settings):
        return "fp8"
    return found.lower() if isinstance(found, str) else ""


def _has_small_floats(settings: Any) -> bool:
    """Say whether compressed-tensors made all weights of a folder FP8, with a scale per row or matrix."""
    groups = settings.get("config_groups")
    kinds = [each.get("weights") for each in groups.values()] if isinstance(groups, dict) else [None]
    return all(
        isinstance(kind, dict)
        and (kind.get("type"), kind.get("num_bits")) == ("float", 8)
        and kind.get("strategy") in ("channel", "tensor")
        for kind in kinds
    )
