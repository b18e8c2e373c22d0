"""Unpack folders whose weights are floating-point numbers of 8 or 4 bits with scales (FP8, MXFP4)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from quire_engine.importing.packed_weights import CHUNK, PackedWeights, misfit, read_place
from quire_engine.importing.stored_form import Floats
from quire_engine.importing.weight_writer import Target

_SCALES = ("_scale_inv", "_scale")
"""What is behind the name of a weight of 8 bits: both are multiplied with it."""
_UNUSED = (".input_scale", ".output_scale")
"""Scales of activations, which are not rounded here."""
_BLOCKS, _EXPONENTS = "_blocks", "_scales"
_FP4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], dtype=np.float32)
_BIAS = 127


def _fp8_numbers() -> Floats:
    """Return what each byte of the format E4M3 means; two of them are no numbers."""
    codes = np.arange(256)
    exponents, mantissas = codes >> 3 & 15, codes & 7
    sizes = np.where(
        exponents == 0, mantissas * 2.0**-9, (1 + mantissas / 8) * 2.0 ** (exponents.astype(float) - 7)
    )
    numbers = np.where(codes >= 128, -sizes, sizes).astype(np.float32)
    numbers[[0x7F, 0xFF]] = np.nan
    return numbers


_FP8 = _fp8_numbers()


class SmallFloatWeights(PackedWeights):
    """Reads weights of 8 bits with a scale per row, block or matrix, and of 4 bits with one per 32."""

    def targets(self) -> list[Target]:
        """Return every weight of the imported model, in a fixed order."""
        found: list[Target] = []
        for name, place in sorted(self._places.items()):
            if name.endswith(_BLOCKS):
                if len(place.shape) != 4 or place.dtype != "U8":
                    raise misfit(name)
                experts, outputs, groups, half = place.shape
                # the library keeps experts with their inputs first
                found.append(Target(name.removesuffix(_BLOCKS), (experts, groups * half * 2, outputs)))
            elif not self._is_scale(name):
                found.append(Target(name, place.shape))
        return found

    def chunks(self, target: Target, *, at_once: bool = False) -> Iterator[Floats]:
        """Yield the rows of a weight in float32. at_once: in one chunk."""
        if target.name + _BLOCKS in self._places:
            each = self._experts(target)
            yield from [np.stack(list(each))] if at_once else each
        elif self._places[target.name].dtype == "F8_E4M3":
            yield from self._scaled(target, at_once=at_once)
        else:
            yield self._floats(target.name).reshape(target.shape)

    def bytes_of(self, target: Target) -> int:
        """Return how many bytes of the source a weight is made of."""
        ends = ("", *_SCALES, _BLOCKS, _EXPONENTS)
        names = [target.name + end for end in ends]
        return sum(self._places[name].num_bytes for name in names if name in self._places)

    def _is_scale(self, name: str) -> bool:
        owners = (name.removesuffix(end) for end in _SCALES if name.endswith(end))
        return (
            any(owner in self._places for owner in owners)
            or (name.endswith(_EXPONENTS) and name.removesuffix(_EXPONENTS) + _BLOCKS in self._places)
            or name.endswith(_UNUSED)
        )

    def _scaled(self, target: Target, *, at_once: bool) -> Iterator[Floats]:
        codes = np.frombuffer(read_place(self._places[target.name]), dtype=np.uint8).reshape(target.shape)
        if codes.ndim != 2:
            raise misfit(target.name)
        outputs, inputs = target.shape
        scales, rows, columns = self._scales_of(target)
        step = outputs if at_once else max(1, CHUNK // inputs)
        for first in range(0, outputs, step):
            part = slice(first, first + step)
            yield _FP8[codes[part]] * scales[rows[part]][:, columns]

    def _scales_of(self, target: Target) -> tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the scales of a matrix as a matrix, and which of its rows and columns each number has."""
        name = next((target.name + end for end in _SCALES if target.name + end in self._places), None)
        if name is None:
            raise misfit(target.name)
        scales = self._floats(name)
        scales = scales.reshape(-1, 1) if scales.ndim < 2 else scales
        places: list[npt.NDArray[np.int64]] = []
        for size, count in zip(target.shape, scales.shape, strict=True):
            block = size if count == 1 else 1 if count == size else self._folder.group
            if block < 1 or -(-size // block) != count:
                raise misfit(target.name)
            places.append(np.arange(size, dtype=np.int64) // block)
        return scales, places[0], places[1]

    def _experts(self, target: Target) -> Iterator[Floats]:
        blocks, exponents = self._places[target.name + _BLOCKS], self._places.get(target.name + _EXPONENTS)
        if exponents is None or exponents.dtype != "U8" or exponents.shape != blocks.shape[:3]:
            raise misfit(target.name)
        codes = np.frombuffer(read_place(blocks), dtype=np.uint8).reshape(blocks.shape)
        powers = np.frombuffer(read_place(exponents), dtype=np.uint8).reshape(exponents.shape)
        for packed, power in zip(codes, powers, strict=True):
            pairs = np.stack([_FP4[packed & 15], _FP4[packed >> 4]], axis=-1)  # the lower half comes first
            numbers = pairs.reshape(*power.shape, -1)
            with np.errstate(over="ignore"):  # it is noticed in the result
                matrix = np.ldexp(numbers, power.astype(np.int32)[..., None] - _BIAS)
            yield np.ascontiguousarray(matrix.reshape(power.shape[0], -1).T)
