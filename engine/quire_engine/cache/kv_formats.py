"""Formats for the keys or values of one layer, other than as computed on the model's device.

Each behaves like a tensor of shape (kv_heads, capacity, head_dim): slices and selected slots are returned as
tensors on the model's device, decoded for that access only. What is read depends only on what was written at
that position, so within one format plain, speculative, re-read and resumed runs see the same bits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import torch
from torch import Tensor

from quire_engine.api.config import CacheForm

Shape = tuple[int, int, int]
Place = tuple[int | slice, slice | Tensor]

_WITH_FLOAT8 = frozenset({"cpu", "cuda"})
"""Kinds of device that can round to float8 themselves."""
_MANTISSA_OF_LARGEST = 0.875  # the largest float8_e4m3fn, 448, is 0.875 * 2**9
_LARGEST = 448.0
_LOWEST, _HIGHEST = -110, 119
"""Exponents of scales: from here on nothing that is decoded is subnormal in bfloat16 or overflows."""


class CachedRows(ABC):
    """Keys or values of one layer. dtype, device: of what is written and read, not of the storage."""

    def __init__(self, shape: Shape, dtype: torch.dtype, device: torch.device) -> None:
        self._shape, self._dtype, self._device = shape, dtype, device

    @property
    def shape(self) -> Shape:
        """KV heads, capacity in positions, numbers per head."""
        return self._shape

    @property
    def dtype(self) -> torch.dtype:
        """Of what is written and read."""
        return self._dtype

    @property
    def device(self) -> torch.device:
        """Device of what is read."""
        return self._device

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Memory of the storage."""

    @abstractmethod
    def __getitem__(self, place: Place) -> Tensor:
        """Return positions of all heads, (kv_heads, positions, head_dim); place: `[:, slice or slots]`."""

    @abstractmethod
    def __setitem__(self, place: Place, rows: Tensor) -> None:
        """Write positions of all heads."""

    @abstractmethod
    def new_zeros(self, shape: Shape) -> CachedRows:
        """Return storage of the same format that reads as zeros."""

    @abstractmethod
    def take(self, other: CachedRows, length: int) -> None:
        """Copy the first positions of another one of the same format, without decoding."""

    def index_select(self, dim: int, slots: Tensor) -> Tensor:
        """Return chosen positions, (kv_heads, slots, head_dim); dim must be 1."""
        if dim != 1:
            raise ValueError(f"positions are chosen along dimension 1, not {dim}")
        return self[:, slots]


Cached = Tensor | CachedRows
"""Keys or values of one layer, in any format."""


class Float8Rows(CachedRows):
    """Eight bits per number: float8_e4m3fn, with a power of two as the scale of each position and head.

    A power of two changes no digit, so decoding is exact in bfloat16 and float32, and re-encoding decoded
    numbers gives the same bits. Takes head_dim + 1 bytes per position and head.
    """

    def __init__(self, shape: Shape, dtype: torch.dtype, device: torch.device) -> None:
        super().__init__(shape, dtype, device)
        # as plain bytes: not every operation knows float8
        self._codes = torch.zeros(shape, dtype=torch.uint8, device=device)
        self._scales = torch.zeros((*shape[:2], 1), dtype=torch.int8, device=device)

    @property
    def nbytes(self) -> int:
        """Memory that is held."""
        return self._codes.nbytes + self._scales.nbytes

    def __getitem__(self, place: Place) -> Tensor:
        """Return positions, decoded."""
        return decoded(self._codes[place], self._scales[place], self.dtype)

    def __setitem__(self, place: Place, rows: Tensor) -> None:
        """Write positions, rounded."""
        self._codes[place], self._scales[place] = encoded(rows)

    def new_zeros(self, shape: Shape) -> Float8Rows:
        """Return room of the same form that reads as zeros."""
        return Float8Rows(shape, self.dtype, self.device)

    def take(self, other: CachedRows, length: int) -> None:
        """Hold the first positions of another one."""
        if not isinstance(other, Float8Rows):
            raise TypeError(f"float8 cannot take {type(other).__name__}")
        self._codes[:, :length] = other._codes[:, :length]
        self._scales[:, :length] = other._scales[:, :length]


class HostRows(CachedRows):
    """As computed, in host memory; reads are copied to the model's device."""

    def __init__(self, shape: Shape, dtype: torch.dtype, device: torch.device) -> None:
        super().__init__(shape, dtype, device)
        self._rows = _pinned(shape, dtype) if device.type == "cuda" else torch.zeros(shape, dtype=dtype)

    @property
    def nbytes(self) -> int:
        """Memory that is held, all of it the computer's."""
        return self._rows.nbytes

    def __getitem__(self, place: Place) -> Tensor:
        """Return positions, brought to the device."""
        heads, which = place
        here = which.cpu() if isinstance(which, Tensor) else which
        return brought(self._rows[heads, here], self.device)

    def __setitem__(self, place: Place, rows: Tensor) -> None:
        """Write positions; waits until the device has computed them."""
        heads, which = place
        here = which.cpu() if isinstance(which, Tensor) else which
        self._rows[heads, here] = rows.to(self._rows.device)

    def new_zeros(self, shape: Shape) -> HostRows:
        """Return room of the same form that reads as zeros."""
        return HostRows(shape, self.dtype, self.device)

    def take(self, other: CachedRows, length: int) -> None:
        """Hold the first positions of another one."""
        if not isinstance(other, HostRows):
            raise TypeError(f"the computer's memory cannot take {type(other).__name__}")
        self._rows[:, :length] = other._rows[:, :length]


def encoded(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Round to float8. rows: (..., numbers); returned: codes, uint8 of that shape; exponents, int8 (..., 1).

    The exponent is the smallest with which no number of a row is larger than float8's largest, 448. Numbers
    beyond 448 * 2**119, an eighth below float32's largest, become that one; what is not finite stays NaN.
    """
    wide = rows.float()
    mantissa, exponent = torch.frexp(wide.abs().amax(-1, keepdim=True))
    exponent = exponent - 9 + (mantissa > _MANTISSA_OF_LARGEST).to(exponent.dtype)
    exponent = exponent.clamp_(_LOWEST, _HIGHEST)
    scaled = wide.mul_(_power(-exponent)) if wide is not rows else wide * _power(-exponent)
    scaled = torch.where(rows.isfinite(), scaled.clamp_(-_LARGEST, _LARGEST), torch.nan)
    if rows.device.type not in _WITH_FLOAT8:
        codes = scaled.cpu().to(torch.float8_e4m3fn).view(torch.uint8).to(rows.device)
    else:
        codes = scaled.to(torch.float8_e4m3fn).view(torch.uint8)
    return codes, exponent.to(torch.int8)


def decoded(codes: Tensor, exponents: Tensor, dtype: torch.dtype) -> Tensor:
    """Return what float8 stands for, exactly. codes, exponents: as `encoded` returns them."""
    if codes.device.type == "cuda":
        numbers = codes.view(torch.float8_e4m3fn).to(dtype)
    else:  # ten times as fast on a CPU as its conversion
        table = torch.arange(256, dtype=torch.uint8).view(torch.float8_e4m3fn).to(dtype).to(codes.device)
        numbers = table.index_select(0, codes.reshape(-1).int()).view(codes.shape)
    return numbers.mul_(_power(exponents).to(dtype))


def _power(exponents: Tensor) -> Tensor:
    """Return 2 ** exponents in float32, exactly; exponents: from -126 to 127."""
    return exponents.int().add_(127).bitwise_left_shift_(23).view(torch.float32)


def brought(rows: Tensor, device: torch.device) -> Tensor:
    """Copy rows of host memory to a device."""
    return rows.to(device, non_blocking=True)


def _pinned(shape: Shape, dtype: torch.dtype) -> Tensor:
    """Return zeros in memory that a GPU reads by itself, or in any where the system gives none such."""
    try:
        return torch.zeros(shape, dtype=dtype, pin_memory=True)
    except RuntimeError:
        return torch.zeros(shape, dtype=dtype)


MakeCached = Callable[[Tensor, int], Cached]
"""Allocates a layer: like these rows, (kv_heads, rows, head_dim), with this many slots, all zeros."""


def make_full(like: Tensor, capacity: int) -> Tensor:
    """Allocate on the device, for numbers as computed."""
    # zeros, not empty: slots that a mask hides are multiplied by 0, and 0 * NaN is NaN
    return like.new_zeros((like.shape[0], capacity, like.shape[2]))


def make_float8(like: Tensor, capacity: int) -> Cached:
    """Allocate eight bits per number, on the device."""
    return Float8Rows((like.shape[0], capacity, like.shape[2]), like.dtype, like.device)


def make_on_host(like: Tensor, capacity: int) -> Cached:
    """Allocate in host memory."""
    return HostRows((like.shape[0], capacity, like.shape[2]), like.dtype, like.device)


FORMS: dict[CacheForm, MakeCached] = {
    "full": make_full,
    "float8": make_float8,
    "computer": make_on_host,
}
"""How room is made for each form."""
