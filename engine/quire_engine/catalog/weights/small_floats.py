"""Unpack folders whose weights are floating-point numbers of 8 or 4 bits with scales (FP8, MXFP4)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from quire_engine.catalog.weights.file_tensor import Floats
from quire_engine.catalog.weights.packed_matrices import CHUNK, PackedWeights, misfit, read_place

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

    def shapes(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for name, place in sorted(self._places.items()):
            if name.endswith(_BLOCKS):
                if len(place.shape) != 4 or place.dtype != "U8":
                    raise misfit(name)
                experts, outputs, groups, half = place.shape
                # the library keeps experts with their inputs first
                found[name.removesuffix(_BLOCKS)] = (experts, groups * half * 2, outputs)
            elif not self._is_scale(name):
                found[name] = place.shape
                if place.dtype == "F8_E4M3" and len(place.shape) == 2:
                    self._scales_of(name, place.shape)  # raises where they don't match
        return found

    def chunks(self, name: str, shape: tuple[int, ...]) -> Iterator[Floats]:
        if name + _BLOCKS in self._places:
            yield from self._experts(name)
        elif self._places[name].dtype == "F8_E4M3":
            yield from self._scaled(name, shape)
        else:
            yield self._floats(name).reshape(shape)

    def bytes_of(self, name: str) -> int:
        names = [name + end for end in ("", *_SCALES, _BLOCKS, _EXPONENTS)]
        return sum(self._places[each].num_bytes for each in names if each in self._places)

    def _is_scale(self, name: str) -> bool:
        owners = (name.removesuffix(end) for end in _SCALES if name.endswith(end))
        return (
            any(owner in self._places for owner in owners)
            or (name.endswith(_EXPONENTS) and name.removesuffix(_EXPONENTS) + _BLOCKS in self._places)
            or name.endswith(_UNUSED)
        )

    def _scaled(self, name: str, shape: tuple[int, ...]) -> Iterator[Floats]:
        codes = np.frombuffer(read_place(self._places[name]), dtype=np.uint8).reshape(shape)
        if codes.ndim != 2:
            raise misfit(name)
        outputs, inputs = shape
        scales, rows, columns = self._scales_of(name, shape)
        step = max(1, CHUNK // inputs)
        for first in range(0, outputs, step):
            part = slice(first, first + step)
            yield _FP8[codes[part]] * scales[rows[part]][:, columns]

    def _scales_of(
        self, stem: str, shape: tuple[int, ...]
    ) -> tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the scales of a matrix as a matrix, and which of its rows and columns each number has."""
        name = next((stem + end for end in _SCALES if stem + end in self._places), None)
        if name is None:
            raise misfit(stem)
        scales = self._floats(name)
        scales = scales.reshape(-1, 1) if scales.ndim < 2 else scales
        places: list[npt.NDArray[np.int64]] = []
        for size, count in zip(shape, scales.shape, strict=True):
            block = size if count == 1 else 1 if count == size else self._folder.group
            if block < 1 or -(-size // block) != count:
                raise misfit(stem)
            places.append(np.arange(size, dtype=np.int64) // block)
        return scales, places[0], places[1]

    def _experts(self, name: str) -> Iterator[Floats]:
        blocks, exponents = self._places[name + _BLOCKS], self._places.get(name + _EXPONENTS)
        if exponents is None or exponents.dtype != "U8" or exponents.shape != blocks.shape[:3]:
            raise misfit(name)
        codes = np.frombuffer(read_place(blocks), dtype=np.uint8).reshape(blocks.shape)
        powers = np.frombuffer(read_place(exponents), dtype=np.uint8).reshape(exponents.shape)
        for packed, power in zip(codes, powers, strict=True):
            pairs = np.stack([_FP4[packed & 15], _FP4[packed >> 4]], axis=-1)  # the lower half comes first
            numbers = pairs.reshape(*power.shape, -1)
            with np.errstate(over="ignore"):  # it is noticed in the result
                matrix = np.ldexp(numbers, power.astype(np.int32)[..., None] - _BIAS)
            yield np.ascontiguousarray(matrix.reshape(power.shape[0], -1).T)
