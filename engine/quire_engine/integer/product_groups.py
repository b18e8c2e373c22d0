"""The products of one kind, part by part: their outputs lie side by side, and are cut into groups of 16."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quire_engine.integer.block_digits import Digits
from quire_engine.integer.block_forms import GROUP
from quire_engine.integer.block_product import groups_of, project_blocks
from quire_engine.integer.kernel_kinds import kernel_inline, kernel_part
from quire_engine.integer.pass_data import Products

Floats = npt.NDArray[np.float32]


@kernel_part
def groups_in(products: Products) -> int:
    """Return the groups of all parts of a product; each part begins with one of its own."""
    count = 0
    for part in range(len(products.outputs)):
        count += groups_of(products.outputs[part])
    return count


@kernel_part
def column_of(products: Products, group: int) -> int:
    """Return the column where a group begins; past the last group, the number of columns."""
    column, before = 0, 0
    for part in range(len(products.outputs)):
        count = groups_of(products.outputs[part])
        if group < before + count:
            return column + GROUP * (group - before)
        column, before = column + products.outputs[part], before + count
    return column


@kernel_inline
def multiply_groups(
    products: Products, number: int, digits: Digits, rows: int, first: int, last: int, out: Floats
) -> None:
    """Write the groups [first, last) of all parts of a product, (rows, columns). number: of the product."""
    before, column = 0, 0
    for part in range(len(products.outputs)):
        outputs = products.outputs[part]
        count = groups_of(outputs)
        begin, end = max(first - before, 0), min(last - before, count)
        if begin < end:
            project_blocks(
                products.address[number, part],
                products.form[number, part],
                products.inputs,
                digits,
                rows,
                begin,
                end,
                outputs,
                out,
                column,
            )
        before, column = before + count, column + outputs
    if products.bias.shape[1]:
        bias = products.bias[number]
        start, stop = column_of(products, first), column_of(products, last)
        for row in range(rows):
            for j in range(start, stop):
                out[row, j] += bias[j]
