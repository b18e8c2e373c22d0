"""How varied 171 English novels of the public domain are; drawing their bands does not load what measures."""

from __future__ import annotations

import math
from bisect import bisect_right

PASSAGES = {
    100: ((0.580, 0.670, 0.740), (0.889, 0.960, 0.990), (0.959, 1.000, 1.000), (0.979, 1.000, 1.000)),
    150: ((0.533, 0.613, 0.680), (0.872, 0.946, 0.980), (0.953, 0.993, 1.000), (0.980, 1.000, 1.000)),
    200: ((0.500, 0.575, 0.640), (0.859, 0.935, 0.970), (0.949, 0.990, 1.000), (0.980, 1.000, 1.000)),
    300: ((0.450, 0.523, 0.583), (0.836, 0.916, 0.957), (0.943, 0.987, 1.000), (0.976, 0.997, 1.000)),
    400: ((0.417, 0.487, 0.547), (0.825, 0.900, 0.942), (0.937, 0.982, 0.997), (0.975, 0.997, 1.000)),
    600: ((0.373, 0.440, 0.500), (0.801, 0.878, 0.922), (0.931, 0.978, 0.995), (0.972, 0.995, 1.000)),
    800: ((0.345, 0.409, 0.468), (0.786, 0.860, 0.905), (0.926, 0.975, 0.992), (0.970, 0.994, 1.000)),
    1_000: ((0.324, 0.385, 0.444), (0.773, 0.845, 0.892), (0.923, 0.971, 0.990), (0.969, 0.993, 1.000)),
    1_400: ((0.293, 0.351, 0.409), (0.752, 0.822, 0.871), (0.917, 0.965, 0.986), (0.967, 0.991, 0.999)),
    2_000: ((0.262, 0.317, 0.373), (0.728, 0.796, 0.846), (0.910, 0.958, 0.981), (0.964, 0.989, 0.998)),
}
"""Distinct-1 to 4 of 200 passages of each length in every one of these novels, as `python -m tests.training
bands` prints it: 5%, median, 95%.
"""
LENGTHS = tuple(PASSAGES)
"""Words and marks of these passages."""
HUMAN_WHOLE_MEDIANS = {1_000: 0.81, 20_000: 0.65, 60_000: 0.59, 100_000: 0.56}
"""Mean of Distinct-1 to 4 by length of text, for these novels: it falls in good prose too."""
LOW_VARIETY, SCATTERED = 0.55, 0.92
"""Distinct-2 of a window below and above which something is wrong: no novel has a window like it."""


def range_at(order: int, num_units: int) -> tuple[float, float, float]:
    """Return Distinct-n of passages of novels by their length: the lowest and highest of nine in ten, and
    the median between them; NaN where passages are shorter than any that were measured.

    Values between the measured lengths are interpolated over the logarithm of the length.
    """
    if num_units < LENGTHS[0]:
        return math.nan, math.nan, math.nan
    length = min(num_units, LENGTHS[-1])
    number = min(bisect_right(LENGTHS, length), len(LENGTHS) - 1)
    shorter, longer = LENGTHS[number - 1], LENGTHS[number]
    share = math.log(length / shorter) / math.log(longer / shorter)
    pairs = zip(PASSAGES[shorter][order - 1], PASSAGES[longer][order - 1], strict=True)
    low, median, high = (one + (other - one) * share for one, other in pairs)
    return low, median, high


def of_novels(num_units: float) -> float:
    """Return the values of novels after a number of words and marks; NaN where it was not measured.

    Values between the measured lengths are interpolated over the logarithm of the length.
    """
    medians = [*HUMAN_WHOLE_MEDIANS.items()]
    lengths = [*HUMAN_WHOLE_MEDIANS]
    if not lengths[0] <= num_units <= lengths[-1]:
        return math.nan
    number = min(bisect_right(lengths, num_units), len(lengths) - 1)
    (shorter, high), (longer, low) = medians[number - 1], medians[number]
    share = math.log(num_units / shorter) / math.log(longer / shorter)
    return high + (low - high) * share
