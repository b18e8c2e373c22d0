"""Attention by segments has the bits of a plain loop over what each row sees, and is near the true one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from hypothesis import example, given
from hypothesis import strategies as st
from numba import njit

from quire_engine.integer.attention_kernel import (
    KEY_PART,
    POSITIONS,
    SEGMENT,
    SHARE_TOP,
    Past,
    Sight,
    attend_segment,
    forget,
    merge,
    write_mean,
    write_position,
)
from quire_engine.integer.pass_data import Shape, key_parts, new_cache, new_partial, new_scratch
from quire_engine.integer.portable_math import exp
from tests.engine.tiny import few

Floats = npt.NDArray[np.float32]
_TINY = np.float32(1e-30)


@dataclass(frozen=True)
class Case:
    """One head: queries of rows that see `held` positions of the cache and their ancestors in the pass."""

    queries: npt.NDArray[np.int16]
    query_scales: Floats
    keys: npt.NDArray[np.int8]
    values: npt.NDArray[np.int8]
    key_scales: Floats
    value_scales: Floats
    held: int
    parents: list[int]
    group: int
    window: int

    def path(self, row: int) -> list[int]:
        """Return the rows of the pass that a row sees."""
        parent = self.parents[row]
        return [*(self.path(parent) if parent >= 0 else []), row]


def _case(held: int, parents: list[int], group: int, dim: int, window: int, seed: int, extreme: bool) -> Case:
    random, positions = np.random.default_rng(seed), held + len(parents)
    queries = random.integers(-8191, 8192, (len(parents) * group, dim), np.int16)
    keys, values = (random.integers(-127, 128, (positions, dim), np.int8) for _ in range(2))
    if extreme:
        queries, keys, values = (
            np.where(each < 0, -top, top).astype(each.dtype)
            for each, top in ((queries, 8191), (keys, 127), (values, 127))
        )
    key_scales = random.uniform(1e-4, 2e-2, (key_parts(dim), positions)).astype(np.float32)
    value_scales = random.uniform(1e-4, 2e-2, positions).astype(np.float32)
    query_scales = random.uniform(1e-5, 3e-4, len(queries)).astype(np.float32)
    return Case(queries, query_scales, keys, values, key_scales, value_scales, held, parents, group, window)


def _past(case: Case, first: int, last: int) -> Past:
    """Return some positions as the kernels read them; unused room holds what a rewind leaves behind."""
    dim = case.keys.shape[1]
    blocks = -(-max(1, last - first) // POSITIONS)
    cache = new_cache(Shape(1, 1, 1, dim, 1, 0.0, 1.0), 1, blocks * POSITIONS)
    cache.keys[:], cache.values[:] = 99, -99
    cache.key_scales[:], cache.value_scales[:] = 7.0, 9.0
    past = Past(cache.keys[0, 0], cache.key_scales[0, 0], cache.values[0, 0], cache.value_scales[0, 0])
    for slot, place in enumerate(range(first, last)):
        write_position(past.keys, past.values, slot, case.keys[place], case.values[place])
        past.key_scales[:, slot], past.value_scales[slot] = (
            case.key_scales[:, place],
            case.value_scales[place],
        )
    return past


def attended(case: Case) -> Floats:
    """Return what the kernels compute, (queries, numbers of the head)."""
    count, dim = case.queries.shape
    rows = len(case.parents)
    past, new = _past(case, 0, case.held), _past(case, case.held, case.held + rows)
    paths = [case.path(row) for row in range(rows)]
    lengths = np.array([len(path) for path in paths])
    table = np.zeros((rows, lengths.max()), np.int64)
    for row, path in enumerate(paths):
        table[row, : len(path)] = path
    sight = Sight(np.full(rows, case.held), table, lengths)
    scratch = new_scratch(1, count, len(new.value_scales), past.values.shape[2])
    one = type(scratch)(*(part[0] for part in scratch))
    part, total = new_partial((count,), dim), new_partial((count,), dim)
    for query in range(count):
        forget(total, query)
    for segment in range(-(-(case.held + int(lengths.max())) // SEGMENT)):
        attend_segment(
            case.queries,
            case.query_scales,
            case.group,
            0,
            past,
            new,
            sight,
            case.window,
            0.0,
            segment,
            one,
            part,
        )
        for query in range(count):
            merge(part, query, total, query)
    out = np.zeros((count, dim), np.float32)
    for query in range(count):
        write_mean(total, query, out[query])
    return out


@njit(error_model="numpy")
def _exp(values: Floats) -> Floats:
    out = np.empty_like(values)
    for place in range(len(values)):
        out[place] = exp(values[place])
    return out


def _in_lanes(values: Floats, places: npt.NDArray[np.int64]) -> np.float32:
    """Return the sum of values at places of a segment, in 16 lanes that are then added in halves."""
    lanes = np.zeros(16, np.float32)
    for value, place in zip(values, places, strict=True):
        lanes[place % 16] += value
    while len(lanes) > 1:
        lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
    return np.float32(lanes[0])


def _seen(case: Case, query: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return positions of the text that a query sees, and where their keys and values are."""
    path = case.path(query // case.group)
    end = case.held + len(path)
    places = np.arange(max(0, end - case.window) if case.window else 0, end)
    rows = np.array([case.held + row for row in path])
    return places, np.where(places < case.held, places, rows[np.maximum(places - case.held, 0)])


def plain(case: Case, query: int) -> Floats:
    """Return what one query attends to, as it is written in `attention_kernel`."""
    places, rows = _seen(case, query)
    best, mass = np.float32(-1e30), np.float32(0)
    mixed = np.zeros(case.keys.shape[1], np.float32)
    for segment in np.unique(places // SEGMENT):
        here = places // SEGMENT == segment
        at, values = rows[here], case.values[rows[here]].astype(np.int64)
        scores = np.zeros(len(at), np.float32)
        for part, factors in enumerate(case.key_scales):
            these = slice(part * KEY_PART, (part + 1) * KEY_PART)
            exact = case.keys[at, these].astype(np.int64) @ case.queries[query, these].astype(np.int64)
            scores += (exact.astype(np.float32) * case.query_scales[query]) * factors[at]
        top = scores.max()
        shares = _exp(scores - top)
        weights = shares * case.value_scales[at]
        most = max(weights.max(), _TINY)
        digits = np.rint(weights * (SHARE_TOP / most)).astype(np.int64)
        found = (digits @ values).astype(np.float32) * (most / SHARE_TOP)
        before, best = best, max(best, top)
        old, new = _exp(np.array([before - best, top - best], np.float32))
        mass = mass * old + _in_lanes(shares, places[here] % SEGMENT) * new
        mixed = mixed * old + found * new
    return mixed * (np.float32(1) / mass)


_PARENTS = st.lists(st.integers(-1, 70), min_size=1, max_size=70).map(
    lambda found: [-1, *(min(parent, row) if parent >= 0 else row for row, parent in enumerate(found[1:]))]
)


@few
@example(held=255, parents=[-1, 0, 1, 0], group=3, dim=64, window=0, seed=1, extreme=False)
@example(held=0, parents=[-1], group=1, dim=16, window=0, seed=2, extreme=False)
@example(held=700, parents=[-1, 0, 0], group=2, dim=96, window=300, seed=3, extreme=True)
@given(
    st.integers(0, 800),
    _PARENTS,
    st.integers(1, 4),
    st.sampled_from([2, 16, 64, 80, 128]),
    st.sampled_from([0, 1, 64, 300]),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)
def test_each_row_has_the_bits_of_a_plain_loop(
    held: int, parents: list[int], group: int, dim: int, window: int, seed: int, extreme: bool
) -> None:
    case = _case(held, parents, group, dim, window, seed, extreme)
    found = attended(case)
    for query in range(len(found)):
        assert np.array_equal(found[query], plain(case, query)), f"query {query}"


def test_it_is_near_the_attention_of_real_numbers() -> None:
    case = _case(700, [-1, 0, 1], 3, 64, 0, 4, False)
    found = attended(case)
    for query in range(len(found)):
        _, rows = _seen(case, query)
        real = case.queries[query].astype(np.float64) * float(case.query_scales[query])
        scores = (case.keys[rows] * case.key_scales.repeat(KEY_PART, 0)[:, rows].T.astype(np.float64)) @ real
        shares = np.exp(scores - scores.max())
        wanted = (
            shares @ (case.values[rows] * case.value_scales[rows, None].astype(np.float64)) / shares.sum()
        )
        assert np.abs(found[query] - wanted).max() < 2e-4 * np.abs(wanted).max()


def test_the_largest_sums_of_a_segment_fit_32_bits() -> None:
    """Every share, value, query and key is as large as it can be."""
    held, dim = SEGMENT - 1, 256
    ones = np.ones((held + 1, dim))
    scales = np.full((key_parts(dim), held + 1), 2.0**-7, np.float32)
    case = Case(
        np.full((1, dim), 8191, np.int16),
        np.array([2.0**-40], np.float32),
        (127 * ones).astype(np.int8),
        (-127 * ones).astype(np.int8),
        scales,
        scales[0],
        held,
        [-1],
        1,
        0,
    )
    assert np.array_equal(attended(case)[0], plain(case, 0))
    assert np.allclose(attended(case)[0], -127 * 2.0**-7, rtol=1e-4)
