"""Which products of integer passes get a second digit, and how far the passes are from float32 then.

A second digit costs a row more in its product, so only those get one whose absence is measured to matter.
Each layer is run by itself, with one of its products at a time on one digit: how far that moves the residual
stream says what a second digit there is worth. How many of them are needed is measured on the whole model.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from quire_engine.forward.probe_text import JUDGED
from quire_engine.forward.yardstick import Yardstick
from quire_engine.integer.integer_runner import IntegerRunner
from quire_engine.integer.integer_weights import IntegerWeights
from quire_engine.integer.pass_kernel import Layers, Products
from quire_engine.integer.row_kernels import LARGEST
from quire_engine.integer.stored_weights import IntegerForm, Quality

ENOUGH = 0.006
"""Divergence from float32, in nats, below which no further second digit is worth its time."""
_NEAR_BEST = 1.25
"""Where rounded weights alone are further away than that, so many times what they are."""
_KINDS = ("qkv", "out", "gate_up", "down")
_TRIES = 4
_TABLE_STEPS = 32_767.0

Floats = npt.NDArray[np.float32]
Report = Callable[[float], None]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Place:
    """A product of one layer. error: of the residual stream, without a second digit there."""

    products: Products
    layer: int
    error: float

    @property
    def worth(self) -> float:
        """What a second digit brings, by the weights that it is paid with."""
        return self.error / int(self.products.blocks[self.layer].size)


def with_chosen_digits(
    weights: IntegerWeights, yardstick: Yardstick, report: Report = lambda _share: None
) -> IntegerForm:
    """Return the form of a model whose products have second digits where they need them, and its quality.

    Args:
        weights: its `two` are overwritten.
        yardstick: what the model scores in float32.
        report: told the share that is done; may raise to stop.
    """
    everywhere = [*(getattr(weights.layers, kind) for kind in _KINDS), weights.head]
    for products in everywhere:
        products.two[:] = True
    best = measure(weights, yardstick)
    report(0.2)
    wanted = max(ENOUGH, _NEAR_BEST * best.divergence)
    places = sorted(_places(weights, yardstick, report), key=lambda place: -place.worth)
    total = sum(place.error for place in places)
    for products in everywhere:
        products.two[:] = False
    found = measure(weights, yardstick)
    report(0.7)
    worst, count = found.divergence, 0
    for number in range(_TRIES):
        if found.divergence <= wanted or count == len(places):
            break
        # errors that have nothing to do with each other add up
        share = (wanted - best.divergence) / max(worst - best.divergence, 1e-9)
        count = _enough(places, share * 0.8**number * total, count)
        for place in places[:count]:
            place.products.two[place.layer] = True
        found = measure(weights, yardstick)
        report(0.7 + 0.3 * (number + 1) / _TRIES)
    if found.divergence > wanted:
        for products in everywhere:
            products.two[:] = True
        found = best
    _log.info("%d of %d products have second digits: %s", count, len(places), found)
    return IntegerForm(weights, found)


def measure(weights: IntegerWeights, yardstick: Yardstick) -> Quality:
    """Return how far integer passes are from the model in float32 on the yardstick's texts."""
    differences, divergences = [], []
    for text, wanted in zip(yardstick.texts, torch.split(yardstick.wanted, JUDGED), strict=True):
        read = len(text) - JUDGED
        runner = IntegerRunner(weights, JUDGED, len(text))
        runner.prefill(text[:read])
        ours = runner.decode(text[read:], range(-1, JUDGED - 1)).double().log_softmax(-1)
        right = wanted.double().log_softmax(-1)
        divergences.append((right.exp() * (right - ours)).sum(-1))
        following = torch.tensor(text[read + 1 :])[:, None]
        differences.append((right[:-1] - ours[:-1]).gather(-1, following)[:, 0])
    every = torch.cat(divergences)
    return Quality(float(torch.cat(differences).mean()), float(every.mean()), len(every))


def _enough(places: list[_Place], most: float, already: int) -> int:
    """Return how many of the places need second digits so that the errors of the rest are at most this."""
    left = sum(place.error for place in places)
    for count, place in enumerate(places):
        if left <= most and count > already:
            return count
        left -= place.error
    return len(places)


def _places(weights: IntegerWeights, yardstick: Yardstick, report: Report) -> Iterator[_Place]:
    """Return every product with the error that the residual stream has without its second digit."""
    text = yardstick.texts[0]
    ids = range(len(text))
    x = weights.embedding[list(text)] * weights.embedding_scales[list(text), None]
    count = len(weights.layers.windows)
    for layer in range(count):
        report(0.2 + 0.4 * layer / count)
        alone = _one_layer(weights, layer, x)
        exact = _after(alone, ids)
        for kind in _KINDS:
            two = getattr(alone.layers, kind).two
            two[0] = False
            error = _distance(_after(alone, ids), exact)
            two[0] = True
            yield _Place(getattr(weights.layers, kind), layer, error)
        x = exact
    tops = np.abs(x).max(axis=1, keepdims=True)
    one_digit = np.rint(x / tops * LARGEST) * (tops / LARGEST)
    yield _Place(weights.head, 0, _distance(one_digit, x))


def _one_layer(weights: IntegerWeights, layer: int, x: Floats) -> IntegerWeights:
    """Return a model of one layer, whose embeddings are rows of residuals."""
    tops = np.maximum(np.abs(x).max(axis=1), np.float32(1e-30))
    scales = (tops / np.float32(_TABLE_STEPS)).astype(np.float32)
    table = np.rint(x / scales[:, None]).astype(np.int16)
    only = slice(layer, layer + 1)
    parts: dict[str, Any] = {
        name: Products._make(each[only] for each in part) if isinstance(part, Products) else part[only]
        for name, part in weights.layers._asdict().items()
    }
    return replace(weights, layers=Layers(**parts), embedding=table, embedding_scales=scales)


def _after(alone: IntegerWeights, ids: range) -> Floats:
    """Return the residuals behind the layer."""
    runner = IntegerRunner(alone, 1, len(ids))
    runner.prefill(ids)
    return runner.residuals


def _distance(x: Floats, exact: Floats) -> float:
    """Return the energy of the error in that of the residuals, of a typical token."""
    squares = np.square(x - exact).sum(axis=1) / np.maximum(np.square(exact).sum(axis=1), 1e-30)
    return float(np.median(squares))
