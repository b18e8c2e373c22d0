"""How far scores may be from float32: a multiple of what the library's own pass is off in the same format.

A limit on the difference alone measures how a model rounds, not whether it is computed right. In float32
itself nothing is left to rounding, and a fixed limit holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers.modeling_utils import PreTrainedModel

from quire_engine.forward import spare_core
from quire_engine.forward.probe_text import JUDGED, PIECES
from quire_engine.models import int8_weights
from quire_engine.models.reference_scores import in_float32, library_scores, twin_of

MOST_KL, MOST_RMS = 1.5, 1.3
"""Largest allowed ratios. Forty sound models reach 1.3 and 1.2; what computes another model, 2 and more."""
_ROUTED_KL, _ROUTED_RMS = 2.0, 1.5
_MOST_WORST = 3.0
"""The same for the largest single difference, which finds one wrong row among many right ones."""
_CLEAR_KL, _CLEAR_RMS, _CLEAR_WORST, _CLEARLY_WRONG = 1.1, 1.1, 2.0, 3.0
"""By these ratios the first text alone accepts a model; beyond the last one's multiple of the limits it
refuses it. What is in between is judged on all texts. Of broken models that all texts refuse, the first one
came no nearer than 1.6."""
_CLEAR_SHARE = 0.5
"""Of the limit in float32."""
_FLOAT32_SHARE = 1e-3
"""Largest allowed difference in float32, as a share of the scores' spread."""
_FLOOR_KL, _FLOOR_RMS = 0.2, 0.1
"""Errors that nobody could call noise, in units of the format's precision: of its square, and of itself."""
_BACKENDS_APART = 2.5
"""Two passes that each are about as far from float32 as the library differ by no more of its errors."""
_ROWS_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Deviation:
    """How far scores are from what they should be.

    Attributes:
        kl_ratio, rms_ratio: errors as multiples of the library's own; in float32 of what is allowed.
        worst: largest difference as a share of the spread.
        matches: within the limits.
        is_clear: so far within or beyond them that more text need not be read.
    """

    kl_ratio: float
    rms_ratio: float
    worst: float
    matches: bool
    is_clear: bool = True


@dataclass(frozen=True, slots=True)
class _Errors:
    """Of a pass against float32, each (positions,): divergence in nats, mean square, largest difference."""

    kl: Tensor
    square: Tensor
    largest: Tensor

    def typical(self, *, routed: bool) -> tuple[float, float, float]:
        """Return divergence, root of the mean square, and largest difference.

        Rounding sends some tokens of a mixture of experts to another expert, ours and the library's alike;
        the token in the middle is not among them.
        """
        if routed:
            return float(self.kl.median()), float(self.square.median()) ** 0.5, float(self.largest.median())
        return float(self.kl.mean()), float(self.square.mean()) ** 0.5, float(self.largest.max())


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What a model should score on natural text, and how far the library is from it.

    Attributes:
        texts: what is read; the last JUDGED positions of each are judged.
        wanted: float32 (positions of all texts, vocab), on the host: the library's pass in float32.
        noise: what the library's pass is off in the model's format, as in _Errors.typical; None in float32.
        dtype: the model's format.
        routed: the model is a mixture of experts.
    """

    texts: tuple[tuple[int, ...], ...]
    wanted: Tensor
    noise: tuple[float, float, float] | None
    dtype: torch.dtype
    routed: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all texts are there; with fewer, only what is clear is decided."""
        return len(self.texts) >= len(PIECES)

    @property
    def spread(self) -> float:
        """Standard deviation of the wanted scores."""
        return float(self.wanted.std())

    def judge(self, scores: Tensor) -> Deviation:
        """Compare scores of all judged positions with what they should be. scores: as `wanted`."""
        kl, rms, worst = _errors(scores, self.wanted).typical(routed=self.routed)
        spread = self.spread
        share = worst / spread if spread else worst
        if self.noise is None:
            allowed = _FLOAT32_SHARE * spread
            clear = self.is_whole or not _CLEAR_SHARE < share / _FLOAT32_SHARE <= _CLEARLY_WRONG
            matches = share <= _FLOAT32_SHARE
            return Deviation(_over(kl, allowed**2 / 2), _over(rms, allowed), share, matches, clear)
        precision = torch.finfo(self.dtype).eps
        floor_rms = _FLOOR_RMS * precision * spread
        own_kl, own_rms, own_worst = self.noise
        ratios = (
            _over(kl, max(own_kl, _FLOOR_KL * precision**2)),
            _over(rms, max(own_rms, floor_rms)),
            _over(worst, max(own_worst, 3 * floor_rms)),
        )
        most = (_ROUTED_KL, _ROUTED_RMS) if self.routed else (MOST_KL, MOST_RMS)
        limits = (*most, _MOST_WORST)
        # a comparison with a NaN is false, on either side
        matches = _within(ratios, limits)
        clear = self.is_whole or (
            _within(ratios, (_CLEAR_KL, _CLEAR_RMS, _CLEAR_WORST))
            or not _within(ratios, [_CLEARLY_WRONG * limit for limit in limits])
        )
        return Deviation(ratios[0], ratios[1], share, matches, clear)

    def agree(self, ours: Tensor, others: Tensor) -> bool:
        """Say whether two passes computed the same scores; where rounding hits one token hard, less counts.

        ours, others: float32 (positions, vocab) of the same tokens, on the host.
        """
        rms = (ours - others).square().mean(-1).sqrt().median()
        if self.noise is None:
            return bool(rms <= _FLOAT32_SHARE * others.std())
        own = max(self.noise[1], _FLOOR_RMS * torch.finfo(self.dtype).eps * self.spread)
        return bool(rms <= _BACKENDS_APART * own)


def measure(
    model: PreTrainedModel,
    texts: Sequence[Sequence[int]],
    dtype: torch.dtype,
    *,
    routed: bool = False,
    report: Callable[[], None] = lambda: None,
) -> Yardstick:
    """Return what the library scores on texts. The model must be the library's, nothing of ours in it.

    Rounded weights count as the model's own: the products are checked, not what rounding changed.
    report: called now and then; may raise to stop.
    """

    def scores_of(library: PreTrainedModel) -> Tensor:
        return library_scores(library, texts, JUDGED).flatten(0, 1)

    with int8_weights.plainly(model):
        if dtype == torch.float32:
            return Yardstick(_fixed(texts), scores_of(model), None, dtype, routed)
        # the twin's weights stay as they are while those of the other are turned to float32
        twin = twin_of(model)
        with spare_core.beside(lambda: scores_of(twin), model.device) as pending:
            report()
            with in_float32(model, report):
                wanted = scores_of(model)
    own = pending.result()
    noise = _errors(own, wanted).typical(routed=routed)
    return Yardstick(_fixed(texts), wanted, noise, dtype, routed)


def _fixed(texts: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(text) for text in texts)


def _errors(scores: Tensor, wanted: Tensor) -> _Errors:
    """Compare scores position by position, in float64. Both: (positions, vocab)."""
    found: list[tuple[Tensor, Tensor, Tensor]] = []
    for ours, right in zip(
        torch.split(scores, _ROWS_AT_ONCE), torch.split(wanted, _ROWS_AT_ONCE), strict=True
    ):
        a, b = ours.double(), right.double()
        log_b = b.log_softmax(-1)
        kl = log_b.exp().mul_(log_b - a.log_softmax(-1)).sum(-1)
        difference = a.sub_(b)
        found.append((kl, difference.square().mean(-1), difference.abs().amax(-1)))
    kls, squares, largest = zip(*found, strict=True)
    return _Errors(torch.cat(kls), torch.cat(squares), torch.cat(largest))


def _within(ratios: Sequence[float], limits: Sequence[float]) -> bool:
    return all(ratio <= limit for ratio, limit in zip(ratios, limits, strict=True))


def _over(error: float, own: float) -> float:
    """Return an error as a multiple of another; nothing over nothing is 0, and what is not finite has no
    multiple."""
    if not math.isfinite(own):
        return math.inf
    if own > 0:
        return error / own
    return 0.0 if error == 0 else math.inf
