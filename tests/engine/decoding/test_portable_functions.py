"""Functions of doubles: close to the system's own, and the same bits whatever surrounds a number."""

from __future__ import annotations

import decimal
import math
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.decoding.portable_functions import SMALLEST_EXPONENT, Doubles, exp, log, log_of, total
from tests.engine.tiny import few

POSITIVE = st.one_of(
    st.floats(sys.float_info.min, sys.float_info.max),
    st.floats(2**-25, 20),
    st.integers(1, 2**24 - 1).map(lambda number: number / 2**24),
    st.integers(1, 2**20).map(lambda units: 1 - units * 2**-53),
)
BELOW_ZERO = st.one_of(
    st.floats(SMALLEST_EXPONENT, 0), st.integers(0, 64 * 512).map(lambda halves: -halves / 512)
)


def array(*numbers: float) -> Doubles:
    return np.array(numbers, dtype=np.float64)


def units(found: float, wanted: float) -> float:
    """Return the difference in units in the last place."""
    return abs(found - wanted) / math.ulp(wanted)


@few
@given(st.lists(POSITIVE, min_size=1, max_size=40))
def test_log_is_that_of_the_system_but_for_a_few_units(numbers: list[float]) -> None:
    for number, found in zip(numbers, log(array(*numbers)).tolist(), strict=True):
        assert units(found, math.log(number)) <= 4


@few
@given(st.lists(BELOW_ZERO, min_size=1, max_size=40))
def test_exp_is_that_of_the_system_but_for_a_few_units(numbers: list[float]) -> None:
    for number, found in zip(numbers, exp(array(*numbers)).tolist(), strict=True):
        assert units(found, math.exp(number)) <= 5


@few
@given(st.floats(1e-300, 1e300))
def test_log_and_exp_grow(number: float) -> None:
    """Neighbours may round to equals or the wrong way round; nothing 16 units apart does."""
    apart = array(*(number * (1 + step * 2**-46) for step in range(-4, 5)))
    assert (np.diff(log(apart)) >= 0).all()
    assert (np.diff(exp(-np.sort(apart % 60)[::-1])) >= 0).all()


def test_log_and_exp_grow_from_one_piece_of_their_tables_to_the_next() -> None:
    near = (-1e-12, 0, 1e-12)
    steps = [shift - half / 512 for half in range(64 * 512 - 1, 0, -1) for shift in near]
    assert (np.diff(exp(array(*steps))) > 0).all()
    octaves = [math.sqrt(0.5) * 2.0**power * (1 + shift) for power in range(-30, 30) for shift in near]
    assert (np.diff(log(array(*octaves))) > 0).all()


def test_the_exact_values_are_exact() -> None:
    assert log(array(1.0)).tolist() == [0.0]
    assert exp(array(0.0, -0.0)).tolist() == [1.0, 1.0]


def test_exp_is_zero_far_below() -> None:
    assert exp(array(-65, -1e5, -1e39, -math.inf)).tolist() == [0, 0, 0, 0]
    assert exp(array(SMALLEST_EXPONENT))[0] > 0


@pytest.mark.parametrize("function", [lambda x: log(1e-9 - x), exp], ids=["log", "exp"])
@pytest.mark.parametrize("count", [1, 2, 7, 8_192, 8_193, 20_000])
def test_a_number_has_the_same_bits_among_any_others(
    function: Callable[[Doubles], Doubles], count: int
) -> None:
    numbers = -np.arange(20_000) / 313
    assert function(numbers[:count]).tobytes() == function(numbers)[:count].tobytes()
    assert function(numbers[3::5][:count]).tobytes() == function(numbers)[3::5][:count].tobytes()


@few
@given(st.lists(st.floats(0, 1e6), max_size=300))
def test_the_total_is_the_sum(numbers: list[float]) -> None:
    assert total(array(*numbers)) == pytest.approx(math.fsum(numbers), rel=1e-14)


def test_the_total_adds_in_an_order_of_its_own() -> None:
    """The first half to the second, and an odd one to the first: sums that this order alone gives."""
    tiny = 2.0**-53
    assert total(array(1, tiny, tiny, tiny)) == 1 + 2 * tiny
    assert total(array(1, 0, 0, tiny, tiny)) == 1.0
    assert total(array()) == 0


@few
@given(st.floats(1e-300, 1))
def test_the_remembered_log_is_right_whatever_the_rules_for_decimals_are(number: float) -> None:
    log_of.cache_clear()
    with decimal.localcontext(prec=3):
        assert units(log_of(number), math.log(number)) <= 1
