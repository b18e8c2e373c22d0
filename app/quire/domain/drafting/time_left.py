"""How long the rest of a run will take; drafting slows down as the text grows, which is included.

The time of a token is taken as affine in the length before it, t(L) = a + b L, by weighted least squares over
the passes: every token counts, recent ones more. What is left up to a goal G is a (G - L) + b (G^2 - L^2) /
2.
"""

from __future__ import annotations

from dataclasses import dataclass

FIRST_TOKENS = 64
"""Before so many tokens nothing is said."""
_HALF_LIFE_TOKENS = 16_384
"""After so many tokens a measurement weighs half: the true curve is not quite straight."""
_PRIOR_TOKENS = 2_000
"""That assumption weighs as much as so many tokens,"""
_PRIOR_REACH = 10_000
"""measured so far to both sides of their middle."""
_DOUBLED_AT = 40_000
"""A token is expected to take twice as long at this length as at the start."""
_STRAIGHT, _ABOVE, _BELOW = 0.05, 0.15, 0.05
"""The true time may differ from the estimate by the first share, and by more the further it reaches beyond
what was measured: in the paper's Table 4 the total is 9 to 20% too short when 40,000 of 100,000 tokens are
known, and right within 4% when 60,000 are."""
_MOST_ABOVE, _MOST_BELOW = 1.0, 0.5


@dataclass(frozen=True, slots=True)
class TimeCurve:
    """Seconds that a token takes by the tokens before it: base_s + slope_s x length."""

    base_s: float
    slope_s: float

    def at(self, length: float) -> float:
        """Return the seconds of one token at a length."""
        return self.base_s + self.slope_s * length

    def seconds(self, length: float, goal: float) -> float:
        """Return how long the tokens from a length to a goal take; 0 when it is reached."""
        if goal <= length:
            return 0.0
        return self.base_s * (goal - length) + self.slope_s * (goal**2 - length**2) / 2


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """How long it will take, in seconds of drafting; it is very likely between low_s and high_s."""

    low_s: float
    likely_s: float
    high_s: float


@dataclass(slots=True)
class _Sums:
    """Weighted sums over tokens: of 1, of lengths, of their squares, of seconds, of seconds by length."""

    tokens: float = 0.0
    length: float = 0.0
    squares: float = 0.0
    seconds: float = 0.0
    products: float = 0.0

    def fade(self, factor: float) -> None:
        """Reduce the weight of everything added so far."""
        self.tokens *= factor
        self.length *= factor
        self.squares *= factor
        self.seconds *= factor
        self.products *= factor

    def add(self, tokens: float, length: float, token_s: float) -> None:
        """Add tokens at a length."""
        self.tokens += tokens
        self.length += tokens * length
        self.squares += tokens * length**2
        self.seconds += tokens * token_s
        self.products += tokens * length * token_s

    def line(self) -> TimeCurve:
        """Return the least-squares line; its slope is never negative, whatever the noise."""
        mean_length, mean_s = self.length / self.tokens, self.seconds / self.tokens
        spread = self.squares / self.tokens - mean_length**2
        together = self.products / self.tokens - mean_length * mean_s
        slope = max(together / spread, 0.0) if spread > 0 else 0.0
        return TimeCurve(mean_s - slope * mean_length, slope)


class TimeFit:
    """The curve of one run, from its passes."""

    def __init__(self) -> None:
        self._sums = _Sums()
        self._num_tokens = 0

    def add(self, length: int, num_tokens: int, seconds: float) -> None:
        """Add a pass: the tokens before it, those that it wrote, and how long it took."""
        if num_tokens < 1:
            return
        self._sums.fade(0.5 ** (num_tokens / _HALF_LIFE_TOKENS))
        self._sums.add(num_tokens, length + (num_tokens - 1) / 2, seconds / num_tokens)
        self._num_tokens += num_tokens

    def curve(self) -> TimeCurve | None:
        """Return the curve; None while there is too little data."""
        if self._num_tokens < FIRST_TOKENS:
            return None
        sums = self._sums
        mean_length, mean_s = sums.length / sums.tokens, sums.seconds / sums.tokens
        slope = mean_s / (_DOUBLED_AT + mean_length)  # only the slope is assumed, not the level
        known = TimeCurve(mean_s - slope * mean_length, slope)
        fitted = _Sums(sums.tokens, sums.length, sums.squares, sums.seconds, sums.products)
        for length in (mean_length - _PRIOR_REACH, mean_length + _PRIOR_REACH):
            fitted.add(_PRIOR_TOKENS / 2, length, known.at(length))
        return fitted.line()

    def left(self, length: int, goal: int) -> TimeLeft | None:
        """Return how long it takes from a length to a goal, in tokens; None while there is too little
        data."""
        curve = self.curve()
        if curve is None:
            return None
        likely = max(curve.seconds(length, goal), 0.0)
        reach = max(goal - length, 0) / self._num_tokens
        above = min(_STRAIGHT + _ABOVE * reach**2, _MOST_ABOVE)
        below = min(_STRAIGHT + _BELOW * reach, _MOST_BELOW)
        return TimeLeft(likely * (1 - below), likely, likely * (1 + above))
