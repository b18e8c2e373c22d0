"""Packed blocks stand for what the file says; their products are rounded in one way, whatever the rows."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from gguf import GGMLQuantizationType, quants
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.integer.block_digits import Digits, cut_row, move_row, new_digits
from quire_engine.integer.block_forms import BF16, F16, F32, FILE_TYPES, FORMS, Form
from quire_engine.integer.block_packing import (
    PACKED_TYPES,
    NotFinite,
    PackedWeight,
    pack_floats,
    pack_rows,
    rows_of,
    unpacked,
)
from quire_engine.integer.block_product import groups_of, project_blocks, read_row
from quire_engine.integer.compiled_products import place_of
from tests.engine.integer.kernel_digest import PROCESSORS
from tests.engine.tiny import few

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

HALVES = {
    "Q4_1": (0, 2),
    "Q5_1": (0, 2),
    "Q2_K": (80, 82),
    "Q3_K": (108,),
    "Q4_K": (0, 2),
    "Q5_K": (0, 2),
    "Q6_K": (208,),
}
"""Where float16 are in a unit of a file; at its beginning where nothing is said."""
EVERY_TYPE = pytest.mark.parametrize("ggml_type", FILE_TYPES, ids=lambda each: FILE_TYPES[each].name)
seeds = st.integers(0, 2**32 - 1)


def halves_of(raw: Bytes, ggml_type: int) -> list[npt.NDArray[np.float16]]:
    """Return copies of the float16 of all units."""
    return [
        raw[..., at : at + 2].copy().view(np.float16) for at in HALVES.get(FILE_TYPES[ggml_type].name, (0,))
    ]


def file_rows(ggml_type: int, outputs: int, units: int, seed: int, kind: str = "usual") -> Bytes:
    """Return rows as a file has them, of any whole numbers. kind: of the scales."""
    random, about = np.random.default_rng(seed), FILE_TYPES[ggml_type]
    raw = random.integers(0, 256, (outputs, units, about.bytes), dtype=np.uint8)
    if kind == "most":
        raw[:] = random.choice([0, 255], raw.shape)
    if about.name == "MXFP4":
        least, most = {"least": (0, 3), "most": (200, 230)}.get(kind, (110, 130))
        raw[..., 0] = random.integers(least, most, raw.shape[:2])
        return raw.reshape(outputs, -1)
    for at in HALVES.get(about.name, (0,)):
        scales = random.normal(0, 1, raw.shape[:2]).astype(np.float16)
        if kind == "least":
            scales = random.choice(np.array([0.0, -0.0, 6e-8, -6e-8, 3e-5], np.float16), scales.shape)
        elif kind == "most":
            scales = random.choice(np.array([65504, -65504], np.float16), scales.shape)
        raw[..., at : at + 2] = scales[..., None].view(np.uint8)
    return raw.reshape(outputs, -1)


def inputs_of(ggml_type: int, raw: Bytes) -> int:
    """Return the inputs of rows of a file."""
    about = FILE_TYPES[ggml_type]
    return int(raw.shape[1]) // about.bytes * about.inputs


def digits_of(x: Floats) -> Digits:
    """Return rows as digits of one pass."""
    digits = new_digits(*x.shape)
    for row, line in enumerate(x):
        cut_row(line, row, len(x), digits)
    return digits


def products(weight: PackedWeight, x: Floats) -> Floats:
    """Return what the kernel says, computed in two parts."""
    out = np.full((len(x), weight.outputs + 5), np.nan, np.float32)
    groups, digits = groups_of(weight.outputs), digits_of(x)
    for first, last in ((groups // 2, groups), (0, groups // 2)):
        arguments = weight.address, weight.form, weight.inputs, digits, len(x), first, last
        project_blocks(*arguments, weight.outputs, out, 3)
    assert np.isnan(out[:, :3]).all()
    assert np.isnan(out[:, 3 + weight.outputs :]).all()
    return out[:, 3 : 3 + weight.outputs]


def _planes(form: Form, block: Bytes) -> npt.NDArray[np.int64]:
    """Return the numbers of a block, (16 outputs, 32 inputs), as `Form` describes them."""
    found, start, low = np.zeros((8, 16, 4), np.int64), 0, 0
    for count in (8,) if form.bits == 8 else [each for each in (4, 2, 1) if form.bits & each]:
        per_byte = 8 // count
        for chunk in range(8):
            # a nibble's two chunks are half a block apart, the others are neighbours
            plane = chunk % 4 if count == 4 else chunk // per_byte
            place = chunk // 4 if count == 4 else chunk % per_byte
            bytes_ = block[start + 64 * plane : start + 64 * plane + 64].reshape(16, 4)
            found[chunk] |= ((bytes_.astype(np.int64) >> (count * place)) & (2**count - 1)) << low
        start, low = start + 64 * count, low + count
    numbers = found.transpose(1, 0, 2).reshape(16, 32)
    if form.table:
        return np.array(form.table)[numbers]
    return (numbers + 128) % 256 - 128 if form.bits == 8 else numbers - form.offset


def _scales(form: Form, found: Bytes) -> Floats:
    """Return scales, or minima, (some, 16)."""
    if form.scale == "float16":
        return found.view(np.float16).astype(np.float32).reshape(-1, 16)
    if form.scale == "exponent":
        return np.ldexp(np.float32(1), found.astype(np.int32) - 128).astype(np.float32).reshape(-1, 16)
    return found.view(np.int8 if form.scale == "signed byte" else np.uint8).astype(np.float32).reshape(-1, 16)


def wanted(weight: PackedWeight, x: Floats) -> Floats:
    """Return the products as they are defined: whole numbers, then one rounding after another."""
    form, digits, rows = FORMS[weight.form], digits_of(x), len(x)
    blocks = -(-weight.inputs // 32)
    units = weight.data.reshape(groups_of(weight.outputs), blocks // form.blocks, form.unit_bytes)
    out = np.zeros((rows, len(units), 16), np.float32)
    for group, block in np.ndindex(len(units), blocks):
        unit = units[group, block // form.blocks]
        start = form.head_bytes + block % form.blocks * form.block_bytes
        numbers = _planes(form, unit[start : start + form.plane_bytes])
        count = form.halves * form.scale_bytes
        scales, minima = (
            (
                _scales(form, unit[start + form.plane_bytes + count * each :][:count])
                for each in range(1 + form.has_minimum)
            )
            if form.has_minimum
            else (_scales(form, unit[start + form.plane_bytes :][:count]), None)
        )
        of_unit = unit[: form.head_bytes].view(np.float16).astype(np.float32).reshape(-1, 16)
        for row in range(rows):
            first, step = place_of.py_func(row, rows, blocks)
            at = first + block * step
            line = digits.values[32 * at : 32 * at + 32].astype(np.int64)
            out[row, group] += _block(form, numbers, line, scales, minima, of_unit) * digits.scales[at]
    return out.reshape(rows, -1)[:, : weight.outputs]


def _block(
    form: Form, numbers: Any, line: Any, scales: Floats, minima: Floats | None, of_unit: Floats
) -> Floats:
    parts, digits = numbers.reshape(16, form.halves, -1), line.reshape(form.halves, -1)
    sums = np.einsum("ohi,hi->ho", parts, digits)
    assert abs(sums).max() < 2**24
    is_nested = form.blocks > 1

    def total(whole: Any, factors: Floats, place: int) -> Floats:
        if is_nested and form.halves == 1:
            factors = factors * of_unit[place]
        added = np.asarray(whole.astype(np.float32) * factors, np.float32)
        found = added[0] if form.halves == 1 else added[0] + added[1]
        return np.asarray(found * of_unit[place] if is_nested and form.halves == 2 else found, np.float32)

    value = total(sums, scales, 0)
    if minima is not None:
        value = value + total(-digits.sum(axis=1)[:, None], minima, 1)
    return np.asarray(value, np.float32)


@EVERY_TYPE
@few
@given(st.integers(1, 40), st.integers(1, 3), seeds, st.sampled_from(["usual", "least", "most"]))
def test_blocks_stand_for_what_the_file_says(
    ggml_type: int, outputs: int, units: int, seed: int, kind: str
) -> None:
    raw = file_rows(ggml_type, outputs, units, seed, kind)
    weight = pack_rows(raw, ggml_type, inputs_of(ggml_type, raw))
    with np.errstate(all="ignore"):
        numbers = quants.dequantize(raw, GGMLQuantizationType(ggml_type)).reshape(outputs, -1)
    assert np.array_equal(unpacked(weight), numbers)
    assert np.array_equal(rows_of(weight, outputs // 2, outputs), numbers[outputs // 2 :])
    row = np.empty(weight.inputs, np.float32)
    read_row(weight.address, weight.form, weight.inputs, outputs - 1, row)
    assert np.array_equal(row, numbers[-1])
    assert weight.data.ctypes.data % 64 == 0
    assert weight.num_bytes == weight.data.nbytes


@EVERY_TYPE
@few
@given(
    st.integers(1, 40),
    st.integers(1, 2),
    st.integers(1, 11),
    seeds,
    st.sampled_from(["usual", "least", "most"]),
)
def test_every_product_is_rounded_as_it_is_defined(
    ggml_type: int, outputs: int, units: int, rows: int, seed: int, kind: str
) -> None:
    raw = file_rows(ggml_type, outputs, units, seed, kind)
    weight = pack_rows(raw, ggml_type, inputs_of(ggml_type, raw))
    random = np.random.default_rng(seed)
    x = random.normal(0, 1, (rows, weight.inputs)).astype(np.float32)
    if kind == "most":
        x = random.choice(np.array([-1, 1], np.float32), x.shape)  # the largest digits
    elif kind == "least":
        x *= np.float32(10.0) ** random.integers(-30, 1, x.shape)
    assert np.array_equal(products(weight, x), wanted(weight, x))


@EVERY_TYPE
@pytest.mark.parametrize("rows", [2, 3, 4, 5, 6, 7, 8, 9, 19])
def test_a_row_has_the_same_bits_alone_and_among_others(ggml_type: int, rows: int) -> None:
    raw = file_rows(ggml_type, 35, 3, rows)
    weight = pack_rows(raw, ggml_type, inputs_of(ggml_type, raw))
    x = np.random.default_rng(rows).normal(0, 1, (rows, weight.inputs)).astype(np.float32)
    alone = np.concatenate([products(weight, line[None]) for line in x])
    assert np.array_equal(products(weight, x), alone)


@EVERY_TYPE
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_scale_that_is_no_number_is_refused(ggml_type: int, value: float) -> None:
    about = FILE_TYPES[ggml_type]
    for at in HALVES.get(about.name, (0,)):
        raw = file_rows(ggml_type, 19, 2, 5)
        place = about.bytes + at
        raw[17, place : place + 2] = (
            255 if about.name == "MXFP4" else np.array([value], np.float16).view(np.uint8)
        )
        with pytest.raises(NotFinite, match=about.name):
            pack_rows(raw, ggml_type, inputs_of(ggml_type, raw))


def test_small_weights_share_a_piece_of_memory_and_no_byte_of_it() -> None:
    floats = np.random.default_rng(2).normal(0, 1, (40, 70)).astype(np.float32)
    sizes = [(40, 70), (1, 1), (17, 33), (16, 32)]
    weights = [pack_floats(floats[:rows, :columns], 8) for rows, columns in sizes]
    for weight, (rows, columns) in zip(weights, sizes, strict=True):
        assert np.array_equal(unpacked(weight), unpacked(pack_floats(floats[:rows, :columns], 8)))
    assert len({id(weight.data.base) for weight in weights}) <= 2  # where one piece ends, another begins
    places = sorted((weight.address, weight.address + weight.num_bytes) for weight in weights)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="64 inputs"):
        pack_rows(np.zeros((1, 18), np.uint8), 2, 64)
    with pytest.raises(ValueError, match="33"):
        pack_rows(np.zeros((1, 64), np.uint8), F16, 33)


@few
@given(st.integers(1, 40), st.integers(1, 90), st.floats(-12, 4), seeds, st.integers(1, 9))
def test_floats_are_cut_as_q8_0_has_them(
    outputs: int, inputs: int, exponent: float, seed: int, rows: int
) -> None:
    random = np.random.default_rng(seed)
    floats = (random.normal(0, 1, (outputs, inputs)) * 10.0**exponent).astype(np.float32)
    floats[random.random(floats.shape) < 0.1] = 0
    weight = pack_floats(floats, 8)
    padded = np.pad(floats, ((0, 0), (0, -inputs % 32)))
    cut = quants.quantize(padded, GGMLQuantizationType.Q8_0)
    numbers = quants.dequantize(cut, GGMLQuantizationType.Q8_0).reshape(padded.shape)
    assert np.array_equal(unpacked(weight), numbers[:, :inputs])
    x = random.normal(0, 1, (rows, inputs)).astype(np.float32)
    assert np.array_equal(products(weight, x), wanted(weight, x))


@few
@given(st.integers(16, 40), st.integers(32, 90), st.floats(-3, 4), seeds)
def test_floats_cut_into_4_bits_are_nearer_than_those_of_q4_0(
    outputs: int, inputs: int, exponent: float, seed: int
) -> None:
    floats = np.random.default_rng(seed).normal(0, 10.0**exponent, (outputs, inputs)).astype(np.float32)
    padded = np.pad(floats, ((0, 0), (0, -inputs % 32)))
    cut = quants.quantize(padded, GGMLQuantizationType.Q4_0)
    others = quants.dequantize(cut, GGMLQuantizationType.Q4_0).reshape(padded.shape)[:, :inputs]
    assert ((unpacked(pack_floats(floats, 4)) - floats) ** 2).sum() <= ((others - floats) ** 2).sum()


def test_files_of_floats_become_8_bits() -> None:
    floats = np.random.default_rng(0).normal(0, 1, (20, 70)).astype(np.float32)
    short = floats.astype(np.float16)
    cut = (floats.view(np.uint32) >> 16).astype(np.uint16)
    for ggml_type, raw, numbers in (
        (F32, floats, floats),
        (F16, short, short.astype(np.float32)),
        (BF16, cut, (cut.astype(np.uint32) << 16).view(np.float32)),
    ):
        assert ggml_type in PACKED_TYPES
        weight = pack_rows(raw.view(np.uint8), ggml_type, 70)
        assert np.array_equal(unpacked(weight), unpacked(pack_floats(numbers, 8)))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30])
@pytest.mark.parametrize("bits", [8, 4])
def test_floats_that_no_scale_can_hold_are_refused(value: float, bits: int) -> None:
    floats = np.ones((3, 40), np.float32)
    floats[1, 35] = value
    with pytest.raises(NotFinite):
        pack_floats(floats, bits)


@few
@given(st.integers(1, 90), st.integers(1, 11), st.floats(-38, 30), seeds)
def test_rows_are_cut_into_digits_block_by_block(inputs: int, rows: int, exponent: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    x = (random.normal(0, 1, (rows, inputs)) * 10.0**exponent).astype(np.float32)
    digits, blocks = digits_of(x), -(-inputs // 32)
    for row, line in enumerate(np.pad(x, ((0, 0), (0, -inputs % 32)))):
        first, step = place_of.py_func(row, rows, blocks)
        for block, part in enumerate(line.reshape(-1, 32)):
            top, place = max(abs(part).max(), np.float32(1e-30)), first + block * step
            numbers = np.rint(part * (np.float32(127) / top))
            assert np.array_equal(digits.values[32 * place : 32 * place + 32], numbers)
            assert digits.scales[place] == top / np.float32(127)
            assert digits.sums[place] == -numbers.sum()
            assert digits.halves[place] == -numbers[:16].sum()


def test_rows_of_digits_are_moved_to_another_pass() -> None:
    x = np.random.default_rng(3).normal(0, 1, (11, 70)).astype(np.float32)
    chosen, digits = (10, 2, 7), digits_of(x)
    moved, direct = new_digits(11, 96), digits_of(x[list(chosen)])
    for place, row in enumerate(chosen):
        move_row(digits, row, 11, moved, place, 3, 70)
    count = 3 * 3  # of blocks
    assert np.array_equal(moved.values[: 32 * count], direct.values[: 32 * count])
    for name in ("scales", "sums", "halves"):
        assert np.array_equal(getattr(moved, name)[:count], getattr(direct, name)[:count])


def digest() -> str:
    """Return a digest of products of every form and many widths."""
    whole = hashlib.sha256()
    floats = np.random.default_rng(5).integers(-9999, 10000, (33, 96)).astype(np.float32) / np.float32(7)
    for bits in (8, 4):
        for ggml_type, numbers in ((F32, floats), (F16, floats.astype(np.float16))):
            whole.update(pack_rows(numbers.view(np.uint8), ggml_type, 96).data.tobytes())
        whole.update(pack_floats(floats * np.float32(1e-6), bits).data.tobytes())
    for ggml_type in FILE_TYPES:
        for kind in ("usual", "least", "most"):
            raw = file_rows(ggml_type, 35, 2, 11, kind)
            weight = pack_rows(raw, ggml_type, inputs_of(ggml_type, raw))
            whole.update(unpacked(weight).tobytes())
            numbers = np.random.default_rng(7).integers(-99, 100, (9, weight.inputs)).astype(np.float32)
            for rows in range(1, 10):
                found = products(weight, numbers[:rows] / np.float32(64))
                whole.update(np.where(np.isnan(found), np.float32(0), found).tobytes())
    return whole.hexdigest()


@pytest.mark.sliced("other processors")
@pytest.mark.slow
@pytest.mark.parametrize("processor", PROCESSORS)
def test_every_instruction_set_has_the_same_bits(processor: str) -> None:
    program = "from tests.engine.integer.test_block_product import digest; print(digest())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"NUMBA_CPU_NAME": processor, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest()
