"""The forms in which a model can be downloaded, and the one to recommend on this computer."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from quire.services.model_library.recommended_models import QUICK_BYTES_ON_CPU
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.repositories import Repository

MOST_BITS = 8.6
"""What is stored finer than Q8_0 is downloaded for nothing: nobody reads the difference."""
_FOLDER_BITS = 16.0
_SAME_MODEL = 0.7  # estimates of one model's size by its quantisations are that close
_SPARE_DISK = 1 << 30
_ITEM = {"bfloat16": 2.0, "float32": 4.0}
_SMALL_ITEM = 1.06  # of weights that are loaded in int8, with their scales
_BESIDE = 1.1  # the cache of a few thousand words, and what a pass needs
_BESIDE_BYTES = 400 * 10**6


class ChoiceFit(Enum):
    """Whether a model can be used here, as far as can be said before it is downloaded."""

    UNKNOWN = "unknown"
    FITS = "fits"
    FITS_SMALLER = "fits in int8"
    TOO_LARGE = "too large"
    NO_DISK = "no disk"


@dataclass(frozen=True, slots=True)
class DownloadChoice:
    """One form of a model.

    Attributes:
        repository: with the files of this form alone.
        bits: per weight, about; 16 for a model's folder.
        is_best: the one to recommend.
        is_slow: it fits, but a processor drafts slowly with it.
    """

    repository: Repository
    bits: float
    fit: ChoiceFit
    is_best: bool = False
    is_slow: bool = False


def download_choices(
    found: Repository, memory: FreeMemory | None = None, free_disk: int = 0
) -> tuple[DownloadChoice, ...]:
    """Return the forms in which a repository can be downloaded, from the smallest to the largest.

    The finest form that fits is the best: the model's own folder, or else the largest quantisation up to
    Q8_0. A graphics card holds all of them in the same memory, a processor each in its own.

    Args:
        found: as it was looked up.
        memory: what is free; None: nothing is recommended.
        free_disk: bytes free where models are kept; 0 for unknown.
    """
    forms = [(found.only(each), each.bits) for each in found.variants]
    if found.files:
        forms.append((replace(found, variants=()), _FOLDER_BITS))
    made = [_with_disk(_choice(form, bits, memory), free_disk) for form, bits in forms]
    best = _best(made)
    return tuple(replace(each, is_best=each is best) for each in made)


def free_disk_at(folder: Path) -> int:
    """Return the bytes free where a folder is or will be; 0 if that can't be said."""
    for place in (folder, *folder.parents):
        try:
            return shutil.disk_usage(place).free
        except OSError:
            continue
    return 0


def _choice(form: Repository, bits: float, memory: FreeMemory | None) -> DownloadChoice:
    parameters = (form.imported_bytes or form.num_bytes) // 2  # both are of bfloat16
    # what nobody chose is Fast on a processor: the file's own blocks, or 8 bits
    in_fast = min(form.num_bytes, parameters * _SMALL_ITEM)
    fit = _fit(parameters, in_fast, memory)
    is_slow = fit is ChoiceFit.FITS and memory is not None and not memory.gpu
    return DownloadChoice(form, bits, fit, is_slow=is_slow and in_fast > QUICK_BYTES_ON_CPU)


def _fit(parameters: int, in_fast: float, memory: FreeMemory | None) -> ChoiceFit:
    if memory is None or not memory.where_it_runs or not parameters:
        return ChoiceFit.UNKNOWN
    room = memory.where_it_runs - _BESIDE_BYTES
    if not memory.gpu:
        return ChoiceFit.FITS if in_fast * _BESIDE <= room else ChoiceFit.TOO_LARGE
    if parameters * _ITEM[memory.dtype] * _BESIDE <= room:
        return ChoiceFit.FITS
    return ChoiceFit.FITS_SMALLER if parameters * _SMALL_ITEM * _BESIDE <= room else ChoiceFit.TOO_LARGE


def _with_disk(choice: DownloadChoice, free_disk: int) -> DownloadChoice:
    needed = choice.repository.num_bytes + _SPARE_DISK
    return replace(choice, fit=ChoiceFit.NO_DISK) if 0 < free_disk < needed else choice


def _best(choices: Sequence[DownloadChoice]) -> DownloadChoice | None:
    """Return the form to recommend: the finest that fits, in full weights if any does."""
    for fit in (ChoiceFit.FITS, ChoiceFit.FITS_SMALLER):
        fitting = [each for each in choices if each.fit is fit]
        folders = [each for each in fitting if not each.repository.variant]
        if folders:
            return folders[0]
        usual = [each for each in fitting if each.bits <= MOST_BITS] or fitting
        if usual:
            largest = max(each.repository.imported_bytes for each in usual)
            same = [each for each in usual if each.repository.imported_bytes >= _SAME_MODEL * largest]
            return max(same, key=lambda each: each.bits)
    return None
