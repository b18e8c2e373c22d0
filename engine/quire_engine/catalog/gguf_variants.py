"""The quantisations of a repository with GGUF files: the parts of a split file together, with their size."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from quire_engine.catalog.repository_file import RepositoryFile
from quire_engine.catalog.weight_files import is_plain_name

_SUFFIX = ".gguf"
_PART = re.compile(r"(.{1,180})-(\d{5})-of-(\d{5})", re.ASCII)
_LABEL = re.compile(
    r"(?:^|[-._])((?:UD-)?(?:I?Q\d(?:_[A-Z0-9]{1,3}){0,3}|TQ\d_\d|BF16|FP?16|FP?32|MXFP4(?:_MOE)?|NVFP4))$",
    re.ASCII | re.IGNORECASE,
)
_NO_MODEL = re.compile(r"mmproj|vision-?encoder|(?:^|[-._])imatrix$", re.IGNORECASE)
_REPACKED = re.compile(r"Q4_0_\d_\d|IQ4_NL_\d_\d", re.IGNORECASE)
"""Orders of numbers for one kind of processor, which llama.cpp has given up and Quire doesn't read."""
_BITS = {
    "BF16": 16.0, "F16": 16.0, "FP16": 16.0, "F32": 32.0, "FP32": 32.0,
    "Q8_0": 8.5, "Q6_K": 6.6, "Q5_K_M": 5.7, "Q5_K_S": 5.55, "Q5_1": 6.0, "Q5_0": 5.55,
    "Q4_K_M": 4.85, "Q4_K_S": 4.6, "Q4_1": 5.05, "Q4_0": 4.6, "IQ4_NL": 4.6, "IQ4_XS": 4.35,
    "Q3_K_L": 4.3, "Q3_K_M": 3.9, "Q3_K_S": 3.5, "IQ3_M": 3.7, "IQ3_S": 3.5, "IQ3_XS": 3.3, "IQ3_XXS": 3.1,
    "Q2_K": 3.0, "Q2_K_S": 2.8, "IQ2_M": 2.75, "IQ2_S": 2.55, "IQ2_XS": 2.4, "IQ2_XXS": 2.15,
    "IQ1_M": 1.9, "IQ1_S": 1.7, "TQ2_0": 2.2, "TQ1_0": 1.8, "MXFP4": 4.4, "MXFP4_MOE": 4.4, "NVFP4": 4.6,
}  # fmt: skip
"""Bits per weight of whole files of seven billion parameters, whose larger matrices are stored finer."""
_UNKNOWN_BITS = 4.85
_BEYOND_DIGIT = 0.75
_MAX_PARTS = 1000
_ITEM_BYTES = 2


@dataclass(frozen=True, slots=True)
class GgufVariant:
    """One quantisation.

    Attributes:
        label: as makers name them, such as Q4_K_M; the file's name where that says nothing or not enough.
        files: all parts, in order.
        stated: parameters as the hub states them for the repository; 0 if it does not.
    """

    label: str
    files: tuple[RepositoryFile, ...]
    stated: int = 0

    @property
    def num_bytes(self) -> int:
        """Size of all parts."""
        return sum(file.size for file in self.files)

    @property
    def bits(self) -> float:
        """About the bits per weight, which order quantisations by how close they are to the original."""
        name = quantisation_of(self.files[0].name).removeprefix("UD-")
        if name in _BITS:
            return _BITS[name]
        digit = re.search(r"Q(\d)", name)
        return int(digit[1]) + _BEYOND_DIGIT if digit else _UNKNOWN_BITS

    @property
    def num_parameters(self) -> int:
        """The approximate number of parameters: the stated one, if it fits the file's size."""
        estimated = round(self.num_bytes * 8 / self.bits)
        is_likely = 0.5 * estimated < self.stated < 2 * estimated
        return self.stated if is_likely else estimated

    @property
    def imported_bytes(self) -> int:
        """About the size of its numbers in bfloat16."""
        return self.num_parameters * _ITEM_BYTES


def find_variants(found: Sequence[RepositoryFile], stated: int = 0) -> tuple[GgufVariant, ...]:
    """Return the models among a repository's files, from the smallest to the largest.

    Files that read pictures, measure importance or lack a part are none.

    Args:
        found: all files of the repository.
        stated: parameters as the hub states them; 0 for unknown.
    """
    whole: dict[str, tuple[RepositoryFile, ...]] = {}
    parts: defaultdict[tuple[str, int], dict[int, RepositoryFile]] = defaultdict(dict)
    for file in found:
        stem = _stem(file)
        if stem is None:
            continue
        part = _PART.fullmatch(stem)
        if part is None:
            whole[_place(file, stem)] = (file,)
        else:
            parts[_place(file, part[1]), int(part[3])][int(part[2])] = file
    for (place, count), by_number in parts.items():
        if 1 <= count <= _MAX_PARTS and sorted(by_number) == list(range(1, count + 1)):
            whole[place] = tuple(by_number[number] for number in range(1, count + 1))
    labels = Counter(quantisation_of(files[0].name) for files in whole.values())
    made = [GgufVariant(_label(files[0], labels), files, stated) for files in whole.values()]
    return tuple(sorted(made, key=lambda each: (each.num_bytes, each.label)))


def quantisation_of(name: str) -> str:
    """Return the quantisation that a file's name ends with, in capitals; empty if it says none."""
    stem = name[: -len(_SUFFIX)] if name.lower().endswith(_SUFFIX) else name
    part = _PART.fullmatch(stem)
    said = _LABEL.search(part[1] if part else stem)
    return said[1].upper() if said else ""


def _stem(file: RepositoryFile) -> str | None:
    """Return the name of a model's file without its ending; None for any other file."""
    if not file.name.lower().endswith(_SUFFIX) or not is_plain_name(file.name) or not file.size:
        return None
    stem = file.name[: -len(_SUFFIX)]
    return None if not stem or _NO_MODEL.search(stem) or _REPACKED.search(stem) else stem


def _place(file: RepositoryFile, stem: str) -> str:
    return str(PurePosixPath(file.path).parent / stem)


def _label(file: RepositoryFile, labels: Counter[str]) -> str:
    """Return the quantisation if no other file has it, or else the name of the file."""
    named = quantisation_of(file.name)
    if named and labels[named] == 1:
        return named
    stem = file.name[: -len(_SUFFIX)]
    part = _PART.fullmatch(stem)
    return part[1] if part else stem
