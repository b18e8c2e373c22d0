"""Cost of passes and drafts on this machine, measured at load and tracked while it runs.

A pass of n nodes verifies n draft tokens; n = 0 is a plain step. The time depends on the rows, on the context
length, and on what else the machine does. A few measurements give the shape; one common factor and one per
size track the machine and the growing context.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from statistics import median

from quire_engine.api.config import Source

_NOISE = 0.08**2
_COMMON_DRIFT = 4e-5
_SIZE_DRIFT = 1e-5
_PADDED_SIZE_DRIFT = 1e-6
_MAX_VARIANCE = 0.25
_COMMON_VARIANCE = 1.0  # at first: at load the machine may have been much busier, or less
_SIZE_VARIANCE = 0.06  # of sizes measured one after the other at load, at whatever busyness
_OWN_SIZES = 8  # nodes up to which a size that is run is told from its neighbours
_OUTLIER = 2.5
_MEASUREMENTS = 7
_DRAFT_MEMORY = 100
_ROLLOVER = 64  # a context that is this much shorter was rebuilt
_TABLE_STEPS, _TABLE_REACH = 8, 64  # steps and context tokens for which predictions are reused
_NEWS = 0.2  # log of a surprise that invalidates them


class SteadyMean:
    """A slow running mean.

    Args:
        memory: samples that it averages over.
        outlier: a sample counts for at most this many times the mean, so that one hiccup changes little.
    """

    def __init__(self, memory: int, outlier: float = 8.0) -> None:
        self.value = 0.0
        self.count = 0
        self._memory = memory
        self._outlier = outlier

    def add(self, sample: float) -> None:
        """Add one sample."""
        self.count += 1
        if self.count > 1:
            sample = min(sample, self._outlier * self.value + 0.02)
        self.value += (sample - self.value) / min(self.count, self._memory)


class CostModel:
    """T_verify(rows, context length) and the cost of each drafter, in milliseconds.

    padded: every pass has the same width, so its size hardly affects its time.

    Measured times are interpolated in rows and context; a prediction is that x a common factor (the machine,
    the context beyond what was measured) x a factor per size. Both are tracked by a small Kalman filter on
    their logarithms, without covariances: a size not seen for long is uncertain and absorbs most of a
    surprise, otherwise the common factor does. Surprises are clipped, so outliers change little.
    """

    def __init__(self, *, padded: bool = False) -> None:
        self.is_padded = padded
        self._own_sizes = 0 if padded else _OWN_SIZES
        self._size_drift = _PADDED_SIZE_DRIFT if padded else _SIZE_DRIFT
        self._sizes: list[int] = []
        self._passes: dict[int, _PassSize] = {}
        self._common = _Factor(_COMMON_VARIANCE)
        self._clock = 0
        self._last_length = 0
        self._table: list[float] = []
        self._table_length = 0
        self._table_left = 0
        self._drafts: dict[tuple[Source, int], SteadyMean] = {}

    def measured(self, nodes: int, context_length: int, milliseconds: float) -> None:
        """Add a pass that was timed at load.

        Several measurements of one size and length give their median. Measure all sizes at the same lengths.

        Args:
            nodes: draft tokens, whatever the pass is padded to.
            context_length: tokens before the root.
            milliseconds: time of the pass.

        Raises:
            ValueError: such a pass cannot be.
        """
        if nodes < 0 or context_length < 0 or not 0 < milliseconds < math.inf:
            raise ValueError(f"no such pass: {nodes} nodes at {context_length} in {milliseconds} ms")
        if nodes not in self._passes:
            self._passes[nodes] = _PassSize(_Factor(_SIZE_VARIANCE, self._clock))
            insort(self._sizes, nodes)
        self._table_left = 0
        size = self._passes[nodes]
        # normalised to the conditions of the other measurements
        size.take(context_length, milliseconds / math.exp(self._common.log + size.factor.log))

    def learn(self, nodes: int, context_length: int, milliseconds: float) -> None:
        """Add the time of a real pass."""
        if not 0 < milliseconds < math.inf:
            return
        if context_length < self._last_length - _ROLLOVER:
            self._forget_sizes()
        self._last_length = context_length
        self._clock += 1
        self._table_left = max(0, self._table_left - 1)
        if not self._sizes or not self._sizes[0] <= nodes <= self._sizes[-1]:
            self.measured(nodes, context_length, milliseconds)
            return
        if nodes not in self._passes and nodes < self._own_sizes:
            self._split_off(nodes)
        surprise = math.log(milliseconds / self._predict(nodes, context_length))
        low, high, share = self._around(nodes)
        self._common.age(self._clock, _COMMON_DRIFT)
        parts = [(self._passes[low].factor, 1 - share), (self._passes[high].factor, share)]
        total = _NOISE + self._common.variance
        for factor, weight in parts:
            factor.age(self._clock, self._size_drift)
            total += weight * weight * factor.variance
        bound = _OUTLIER * math.sqrt(total)
        is_believed = abs(surprise) <= bound
        surprise = min(bound, max(-bound, surprise))
        if abs(surprise) > _NEWS:
            self._table_left = 0
        self._common.correct(surprise, 1.0, total, is_believed=is_believed)
        for factor, weight in parts:
            factor.correct(surprise, weight, total, is_believed=is_believed)

    def begin_again(self) -> None:
        """Start another draft: a shorter context than before is no rollover then."""
        self._last_length = 0

    def verify(self, nodes: float, context_length: int) -> float:
        """Return the expected time of a pass with this many nodes; never decreases with more nodes.

        1 ms until anything was measured: then only ratios matter, and there are none.
        """
        if not self._sizes:
            return 1.0
        if self._table_left == 0 or abs(context_length - self._table_length) > _TABLE_REACH:
            self._fill_table(context_length)
        sizes, times = self._sizes, self._table
        place = bisect_left(sizes, nodes)
        if place == 0 or place == len(sizes):
            return times[min(place, len(sizes) - 1)]
        share = (nodes - sizes[place - 1]) / (sizes[place] - sizes[place - 1])
        # rounding must not lift it above the larger size
        return min(times[place], times[place - 1] + share * (times[place] - times[place - 1]))

    def curve(self, max_nodes: int, context_length: int) -> list[float]:
        """Return verify(0), ..., verify(max_nodes)."""
        return [self.verify(nodes, context_length) for nodes in range(max_nodes + 1)]

    def uncertainty(self, nodes: int) -> float:
        """Return the standard deviation of the log of a size's own factor; it grows while the size is not
        seen."""
        if not self._sizes:
            return 0.0
        low, high, share = self._around(nodes)
        factor = self._passes[low if share < 0.5 else high].factor
        return math.sqrt(factor.variance_at(self._clock, self._size_drift))

    def learn_draft(self, source: Source, level: int, milliseconds: float) -> None:
        """Add the time of one drafter call. level: -1 for `begin`, else the depth of the expanded nodes."""
        mean = self._drafts.get((source, level))
        if mean is None:
            mean = self._drafts[source, level] = SteadyMean(_DRAFT_MEMORY)
        mean.add(milliseconds)

    def draft(self, source: Source, level: int) -> float:
        """Return the cost of one drafter call at this level, or at the deepest known level before it."""
        for known in range(level, -1, -1):
            if mean := self._drafts.get((source, known)):
                return mean.value
        return 0.0

    def _forget_sizes(self) -> None:
        """Return to the load measurements: factors learned in a longer context no longer hold."""
        self._common = _Factor(_COMMON_VARIANCE, self._clock)
        for size in self._passes.values():
            size.factor = _Factor(_SIZE_VARIANCE, self._clock)
        self._table_left = 0

    def _split_off(self, nodes: int) -> None:
        """Let a size between two measured ones be known by itself from now on."""
        low, high, share = self._around(nodes)
        below, above = self._passes[low], self._passes[high]
        size = _PassSize(_Factor(_SIZE_VARIANCE, self._clock))
        for length in below.lengths:
            size.take(length, (1 - share) * below.time(length) + share * above.time(length))
        self._passes[nodes] = size
        insort(self._sizes, nodes)
        self._table_left = 0

    def _fill_table(self, context_length: int) -> None:
        """Compute the times of all sizes, for the next steps."""
        self._table = [self._predict(size, context_length) for size in self._sizes]
        self._bound_by_narrow_passes()
        for place in range(len(self._table) - 2, -1, -1):
            # a size not seen for long may seem slower than a larger one, which bounds it
            self._table[place] = min(self._table[place], self._table[place + 1])
        self._table_length = context_length
        self._table_left = _TABLE_STEPS

    def _bound_by_narrow_passes(self) -> None:
        """Let no size cost more than as many narrower passes as would do the same."""
        rows = [size + 1 for size in self._sizes]
        for place in range(1, len(rows)):
            most = min(self._table[less] * -(-rows[place] // rows[less]) for less in range(place))
            self._table[place] = min(self._table[place], most)

    def _predict(self, nodes: float, context_length: int) -> float:
        low, high, share = self._around(nodes)
        time = self._passes[low].time(context_length)
        if share:
            time += share * (self._passes[high].time(context_length) - time)
        return time * math.exp(self._common.log)

    def _around(self, nodes: float) -> tuple[int, int, float]:
        """Return the measured sizes on both sides of a number of nodes, and its distance from the lower."""
        place = bisect_left(self._sizes, nodes)
        if place == 0:
            return self._sizes[0], self._sizes[0], 0.0
        if place == len(self._sizes):
            return self._sizes[-1], self._sizes[-1], 0.0
        low, high = self._sizes[place - 1], self._sizes[place]
        return low, high, (nodes - low) / (high - low)


class _Factor:
    """The logarithm of a factor and its variance."""

    def __init__(self, variance: float, seen: int = 0) -> None:
        self.log = 0.0
        self.variance = variance
        self._seen = seen

    def variance_at(self, now: int, drift: float) -> float:
        return min(max(_MAX_VARIANCE, self.variance), self.variance + drift * (now - self._seen))

    def age(self, now: int, drift: float) -> None:
        self.variance = self.variance_at(now, drift)
        self._seen = now

    def correct(self, surprise: float, weight: float, total: float, *, is_believed: bool) -> None:
        """Take a surprise; is_believed: it was not clipped, which leaves all as uncertain as it was."""
        gain = weight * self.variance / total
        self.log += gain * surprise
        if is_believed:
            self.variance *= 1 - weight * gain


class _PassSize:
    """Passes of one size: measured time by context length, and the factor since."""

    def __init__(self, factor: _Factor) -> None:
        self.factor = factor
        self._samples: dict[int, list[float]] = {}
        self._lengths: list[int] = []
        self._times: list[float] = []

    @property
    def lengths(self) -> list[int]:
        """Context lengths at which it was measured, ascending."""
        return self._lengths

    def take(self, context_length: int, milliseconds: float) -> None:
        samples = self._samples.setdefault(context_length, [])
        samples.append(milliseconds)
        del samples[:-_MEASUREMENTS]
        self._lengths = sorted(self._samples)
        self._times = [median(self._samples[length]) for length in self._lengths]

    def time(self, context_length: int) -> float:
        """Linear between measured lengths; constant before the first, and never decreasing beyond the
        last."""
        lengths, times, own = self._lengths, self._times, math.exp(self.factor.log)
        if context_length <= lengths[0] or len(lengths) == 1:
            return times[0] * own
        place = min(bisect_left(lengths, context_length), len(lengths) - 1)
        slope = (times[place] - times[place - 1]) / (lengths[place] - lengths[place - 1])
        if context_length > lengths[place]:
            slope = max(0.0, slope)
        return (times[place] + slope * (context_length - lengths[place])) * own
