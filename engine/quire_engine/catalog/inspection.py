"""Inspect a model folder: read-only; nothing is loaded, run or trusted unchecked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire_engine.api.config import Weights
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog import model_families
from quire_engine.catalog.architecture import OUTPUTS, Architecture, architecture_of, read_config
from quire_engine.catalog.bounded_files import check_file
from quire_engine.catalog.gguf_files import is_gguf
from quire_engine.catalog.gguf_header import BLOCK_TYPES, CUT_TYPES
from quire_engine.catalog.imported_models import shown_name
from quire_engine.catalog.rejection import ModelRejected, Rejection, RejectionKind, printable
from quire_engine.catalog.safetensors_header import Tensor
from quire_engine.catalog.text_parts import tensors_of_part, without_draft_layers
from quire_engine.catalog.tokenizer_files import check_tokenizer, find_licence, find_template
from quire_engine.catalog.weight_files import deciding_files, find_weights
from quire_engine.catalog.weights.model_tensors import model_tensors

_ITEM_BYTES = {"float32": 4, "bfloat16": 2}
_BLOCK = 64  # positions of a model come in whole blocks of the engine's store
_MIN_CONTEXT = 4 * _BLOCK
_CONSTANTS = ("act_fn.beta", "act_fn.eps", "e_score_correction_bias", "layer_scalar")
"""Ends of names of tensors that are stored with the weights and are none."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a usable model folder.

    Attributes:
        path: the folder.
        architecture: its sizes.
        num_parameters: tied weights count once.
        bytes_by_dtype: of the weights as stored.
        weights: the weight files.
        is_chat: has a chat template.
        licence: empty if none is named.
        notes: sentences about harmless peculiarities.
        roundable: numbers that int8 weights shrink, and their scales; see models/int8_weights.py.
        in_blocks: numbers of matrices that a CPU computes in the very blocks of the file, and their bytes.
    """

    path: Path
    architecture: Architecture
    num_parameters: int
    bytes_by_dtype: Mapping[str, int]
    weights: tuple[Path, ...]
    is_chat: bool
    licence: str
    notes: tuple[str, ...] = ()
    roundable: tuple[int, int] = (0, 0)
    in_blocks: tuple[int, int] = (0, 0)

    @property
    def name(self) -> str:
        """The folder's name."""
        return name_of(self.path)

    @property
    def deciding_files(self) -> tuple[Path, ...]:
        """The files that decide the text, which the fingerprint covers."""
        return deciding_files(self.path, self.weights)

    @property
    def num_bytes(self) -> int:
        """Size of the weights on disk."""
        return sum(self.bytes_by_dtype.values())

    @property
    def context_length(self) -> int:
        """The model's context window in tokens, in whole blocks."""
        return self.architecture.context_length // _BLOCK * _BLOCK

    def weight_bytes(self, dtype: str, weights: Weights = "full") -> int:
        """Return the memory of the weights in a dtype, in full or as int8."""
        item = _ITEM_BYTES[dtype]
        small, scales = self.roundable if weights == "int8" else (0, 0)
        return (self.num_parameters - small + scales) * item + small

    @property
    def has_integer_form(self) -> bool:
        """Whether a CPU can compute it in whole numbers (quire_engine.integer)."""
        sizes = self.architecture
        return sizes.model_type in model_families.INTEGER_TYPES and not sizes.has_dense_layers

    def is_fast(self, weights: Weights, *, on_gpu: bool) -> bool:
        """Whether a load without a chosen dtype computes it in whole numbers: what nobody chose is *Fast*."""
        return weights != "full" and not on_gpu and self.has_integer_form

    def integer_bytes(self) -> int:
        """Return the memory of the weights in that form, and a tenth for what passes need besides.

        All that isn't in such blocks is cut into blocks of 32 numbers of a byte, with a scale of two.
        """
        numbers, num_bytes = self.in_blocks
        return round(1.1 * (num_bytes + (self.num_parameters - numbers) * 34 / 32))

    def integer_kv_bytes_per_token(self) -> int:
        """Return its cache per token: a byte a number, four for the scale of a value or of 32 of a key."""
        numbers = self.architecture.kv_numbers_per_token
        return numbers + numbers // 16 + 2 * numbers // self.architecture.head_dim

    def kv_bytes_per_token(self, dtype: str) -> int:
        """Return the KV cache per token in a dtype."""
        return self.architecture.kv_numbers_per_token * _ITEM_BYTES[dtype]


@dataclass(frozen=True, slots=True)
class FolderContents:
    """What was found in a folder: config.json and the tensors of all weight files, by name.

    is_part: both are of the language model in a folder that contains more; see `text_parts`.
    """

    facts: ModelFacts
    config: Mapping[str, Any]
    tensors: Mapping[str, Tensor]
    is_part: bool = False


def inspect_folder(path: Path) -> ModelFacts | Rejection:
    """Inspect a model folder; returns facts or a rejection and never raises, whatever is there."""
    found = look_into(path)
    return found if isinstance(found, Rejection) else found.facts


def look_into(path: Path) -> FolderContents | Rejection:
    """Inspect a model folder and keep what its files said; every load starts here."""
    try:
        return _look(path)
    except ModelRejected as refused:
        return Rejection(path, refused.fault, refused.message)
    except (OSError, ValueError) as error:  # a name that the system does not take, a disk that fails
        said = printable(getattr(error, "strerror", None) or error)
        return Rejection(
            path,
            RejectionKind.DAMAGED,
            UserMessage("The folder can't be read ({reason}). Check that it is still there.", reason=said),
        )


def name_of(path: Path) -> str:
    """Return a model's name: its folder's, its file's, or its repository's in the hub's download cache."""
    if path.parent.name == "snapshots" and path.parent.parent.name.startswith("models--"):
        return path.parent.parent.name.removeprefix("models--").split("--")[-1]
    return shown_name(path) or str(path)


def _look(path: Path) -> FolderContents:
    _check_place(path)
    config = path / "config.json"
    if not (config.exists() or config.is_symlink()):
        raise _no_config(path)
    check_file(path, config)
    raw, is_part = read_config(path)
    files = find_weights(path)
    tensors: Mapping[str, Tensor] = model_tensors(path, files, raw)
    if is_part:
        tensors = tensors_of_part(tensors)
        raw["tie_word_embeddings"] = not any(name in tensors for name in OUTPUTS)
    tensors = without_draft_layers(tensors, raw)
    architecture = architecture_of(raw, tensors)
    if architecture.context_length // _BLOCK * _BLOCK < _MIN_CONTEXT:
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "This model's context is shorter than {least} tokens, too short for a text. Choose "
            "another model.",
            least=_MIN_CONTEXT,
        )
    check_tokenizer(path, architecture.vocab_size)
    template = find_template(path)
    notes = [template.problem] if template.problem else []
    if architecture.names_program:
        notes.append(
            UserMessage(
                "The folder asks for program code of its own. Quire never runs it and uses "
                "its own for this type."
            )
        )
    if is_part:
        notes.append(UserMessage("This model also reads images. Quire loads its language model only."))
    notes += _notes_on_types(tensors)
    facts = ModelFacts(
        path=path,
        architecture=architecture,
        num_parameters=_num_parameters(architecture, tensors),
        bytes_by_dtype=_bytes_by_dtype(tensors),
        weights=files,
        is_chat=template.is_chat,
        licence=find_licence(path),
        notes=tuple(notes),
        roundable=_roundable(architecture, tensors),
        in_blocks=_in_blocks(tensors),
    )
    return FolderContents(facts, raw, tensors, is_part)


def _check_place(path: Path) -> None:
    """Raise ModelRejected for what is not a folder."""
    if is_gguf(path):
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "This is a GGUF file, which is imported before it is used. Add it to the list of models.",
        )
    if path.exists() and not path.is_dir():
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "This is a file, not the folder of a model. Choose the folder that contains config.json.",
        )
    if not path.is_dir():
        raise ModelRejected(
            RejectionKind.MISSING,
            "This folder no longer exists. Choose the folder that contains config.json.",
        )


def _no_config(path: Path) -> ModelRejected:
    """Return why a folder is not a model; its weights may tell more than the missing config.json."""
    try:
        find_weights(path)
    except ModelRejected as refused:
        if refused.fault is not RejectionKind.MISSING:
            return refused
    return ModelRejected(
        RejectionKind.MISSING,
        "This is not a model folder: config.json is missing. Choose the folder that contains it.",
    )


def _num_parameters(architecture: Architecture, tensors: Mapping[str, Tensor]) -> int:
    """Count the weights; a stored LM head that is tied to the embedding does not count."""
    counted = [
        tensor
        for name, tensor in tensors.items()
        if tensor.dtype not in ("BOOL", "I64", "U8") and not name.endswith(_CONSTANTS)
    ]
    total = sum(tensor.count for tensor in counted)
    output = next((tensors[name] for name in OUTPUTS if name in tensors), None)
    return total - (output.count if architecture.is_tied and output is not None else 0)


def _notes_on_types(tensors: Mapping[str, Tensor]) -> list[str]:
    """Say which quantised numbers are cut into others, because a CPU doesn't compute in them."""
    cut = sorted({each.dtype for each in tensors.values()} & CUT_TYPES)
    if not cut:
        return []
    return [
        UserMessage(
            "Fast doesn't compute in {types}: it cuts these weights into 8 bits, which takes more memory.",
            types=", ".join(cut),
        )
    ]


def _in_blocks(tensors: Mapping[str, Tensor]) -> tuple[int, int]:
    found = [each for each in tensors.values() if each.dtype in BLOCK_TYPES]
    return sum(math.prod(each.shape) for each in found), sum(each.num_bytes for each in found)


def _roundable(architecture: Architecture, tensors: Mapping[str, Tensor]) -> tuple[int, int]:
    """Count the numbers of the linear layers and their outputs; none for a mixture of experts."""
    if architecture.num_experts:
        return 0, 0
    body = model_families.FAMILIES[architecture.model_type].layers.removesuffix("layers.")
    names = [name for name in tensors if name.startswith(body) and name.endswith(".weight")]
    names += [] if architecture.is_tied else [name for name in OUTPUTS if name in tensors]
    kept = ("norm", "embed_tokens", "embed_in")
    matrices = [tensors[name] for name in names if not any(part in name for part in kept)]
    matrices = [matrix for matrix in matrices if len(matrix.shape) == 2]
    return sum(matrix.count for matrix in matrices), sum(matrix.shape[0] for matrix in matrices)


def _bytes_by_dtype(tensors: Mapping[str, Tensor]) -> dict[str, int]:
    found: dict[str, int] = {}
    for tensor in tensors.values():
        found[tensor.dtype] = found.get(tensor.dtype, 0) + tensor.num_bytes
    return found
