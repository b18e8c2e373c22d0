"""Layers with several MLPs, of which each row goes through a few: which ones, and their products.

A row's numbers depend on nothing but the row: what it chooses is a matter of its own scores, and what its
experts give is added up in the order of their numbers, whoever else chose them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quire_engine.integer.block_digits import Digits, move_row
from quire_engine.integer.kernel_kinds import ZERO, kernel, kernel_inline, kernel_part
from quire_engine.integer.pass_data import EXPERT_ROWS, Products, Room, Shape, slots_of
from quire_engine.integer.portable_math import exp
from quire_engine.integer.product_groups import column_of, multiply_groups

Floats = npt.NDArray[np.float32]
Int64s = npt.NDArray[np.int64]

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)


@kernel
def router_scores(x: Floats, router: Floats) -> Floats:
    """Return the router's scores of a row, (columns,).

    Args:
        x: (width,) normed residuals.
        router: (width, columns).
    """
    scores = np.zeros(router.shape[1], np.float32)
    for i in range(len(x)):
        line, value = router[i], x[i]
        for column in range(len(scores)):
            scores[column] += value * line[column]
    return scores


@kernel
def choose(scores: Floats, shape: Shape, chosen: Int64s, shares: Floats) -> None:
    """Write which experts a row goes through, in ascending order, and the share that each has in the sum.

    Args:
        scores: of the experts that can be chosen, and behind them that of the shared ones if they have one.
        chosen, shares: (slots,); the shared experts are last.
    """
    count = shape.experts - shape.shared
    best = scores[0]
    for expert in range(count):
        best = scores[expert] if scores[expert] > best else best
    weights, is_chosen = np.empty(count, np.float32), np.zeros(count, np.bool_)
    for expert in range(count):
        weights[expert] = exp(scores[expert] - best)
    for _ in range(shape.chosen):
        top = -1
        for expert in range(count):
            if not is_chosen[expert] and (top < 0 or scores[expert] > scores[top]):
                top = expert
        is_chosen[top] = True
    total, slot = _ZERO, 0
    for expert in range(count):
        if is_chosen[expert] or not shape.shares_add_up:
            total += weights[expert]
    for expert in range(count):
        if is_chosen[expert]:
            chosen[slot], shares[slot] = expert, weights[expert] / total
            slot += 1
    of_shared = _ONE / (_ONE + exp(-scores[count])) if len(scores) > count else _ONE
    for expert in range(count, shape.experts):
        chosen[slot], shares[slot] = expert, of_shared
        slot += 1


@kernel
def by_expert(chosen: Int64s, experts: int) -> Int64s:
    """Return the places of (rows, slots) in the order of the experts there, rows in ascending order."""
    rows, slots = chosen.shape
    starts = np.zeros(experts + 1, np.int64)
    for row in range(rows):
        for slot in range(slots):
            starts[chosen[row, slot] + 1] += 1
    for expert in range(experts):
        starts[expert + 1] += starts[expert]
    order = np.empty(rows * slots, np.int64)
    for row in range(rows):
        for slot in range(slots):
            expert = chosen[row, slot]
            order[starts[expert]] = row * slots + slot
            starts[expert] += 1
    return order


@kernel_part
def _next_expert(order: Int64s, first: int, chosen: Int64s) -> tuple[int, int]:
    """Return whom the places from `first` on chose, and where the few of them that are next end."""
    slots = chosen.shape[1]
    expert, end = chosen[order[first] // slots, order[first] % slots], first + 1
    last = min(first + EXPERT_ROWS, len(order))
    while end < last and chosen[order[end] // slots, order[end] % slots] == expert:
        end += 1
    return int(expert), end


@kernel_inline
def multiply_chosen(
    products: Products,
    layer: int,
    shape: Shape,
    rows: int,
    room: Room,
    thread: int,
    first: int,
    last: int,
    is_down: bool,
) -> None:
    """Write some outputs of the products of all rows with the experts that they chose.

    Args:
        products: of all experts of all layers, one layer's experts together.
        first, last: groups of outputs.
        is_down: inputs are of a row and expert, and outputs are added up by their shares; otherwise inputs
            are of a row, and outputs of each of its experts are beside each other.
    """
    slots, outputs = slots_of(shape), products.outputs.sum()
    begin, end = column_of(products, first), column_of(products, last)
    if is_down:
        for row in range(rows):
            out = room.numbers[row]
            for j in range(begin, end):
                out[j] = _ZERO
    order = by_expert(room.chosen[:rows], shape.experts)
    digits = _of_thread(room.gathered, thread)
    found = np.empty((EXPERT_ROWS, outputs), np.float32)
    step, places = (1, rows * slots) if is_down else (slots, rows)
    done = ZERO
    while done < len(order):
        expert, stop = _next_expert(order, done, room.chosen)
        for each in range(stop - done):
            source = order[done + each] // step
            move_row(room.digits, source, places, digits, each, stop - done, products.inputs)
        multiply_groups(products, layer * shape.experts + expert, digits, stop - done, first, last, found)
        for each in range(stop - done):
            place, line = order[done + each], found[each]
            out, slot = room.numbers[place // slots], place % slots
            if is_down:
                share = room.shares[place // slots, slot]
                for j in range(begin, end):
                    out[j] += share * line[j]
            else:
                start = slot * outputs
                for j in range(begin, end):
                    out[start + j] = line[j]
        done = stop


@kernel_part
def _of_thread(digits: Digits, thread: int) -> Digits:
    return Digits(
        digits.values[thread],
        digits.scales[thread],
        digits.sums[thread],
        digits.halves[thread],
        digits.products[thread],
    )
