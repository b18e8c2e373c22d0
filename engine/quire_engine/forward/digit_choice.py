"""Which products of integer passes get a second digit.

A second digit costs a row more in its product, so only those get one whose absence is measured to matter.
Each layer is run by itself, with one of its products at a time on one digit: how far that moves the residual
stream says what a second digit there is worth. How many of them are needed is measured on the whole model.

The choice decides words, so it has to be the same on every computer: everything here is measured with integer
passes against integer passes, whose bits are the same everywhere, and sums are taken in a fixed order.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.forward.probe_text import JUDGED
from quire_engine.integer.integer_runner import IntegerRunner
from quire_engine.integer.integer_weights import IntegerWeights
from quire_engine.integer.pass_data import Layers, Products
from quire_engine.integer.row_kernels import LARGEST

MOST_LOST = 0.002
"""Nats by which the next token's probabilities may diverge, on average, from those with all second digits."""
_KINDS = ("qkv", "out", "gate_up", "down")
_TRIES = 4
_CAREFUL = 0.8
_TABLE_STEPS = np.float32(32_767.0)

Floats = npt.NDArray[np.float32]
Report = Callable[[float], None]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Place:
    """A product of one layer, of all its experts. error: of the residual stream, without a second digit."""

    products: Products
    places: slice
    error: float

    @property
    def worth(self) -> float:
        """What a second digit brings, by the weights that it is paid with."""
        return self.error / int(self.products.blocks[self.places].size)


def choose_digits(
    weights: IntegerWeights, texts: Sequence[Sequence[int]], report: Report = lambda _share: None
) -> int:
    """Give second digits to the products of a model that need them; return how many do.

    Args:
        weights: its `two` are overwritten.
        texts: natural text; the last JUDGED positions of each are judged.
        report: told the share that is done; may raise to stop.
    """
    _set_all(weights, two=True)
    wanted = _scores(weights, texts)
    report(0.1)
    places = sorted(_places(weights, texts[0], report), key=lambda place: -place.worth)
    _set_all(weights, two=False)
    lost = without = _divergence(wanted, _scores(weights, texts))
    total, count = sum(place.error for place in places), 0
    for number in range(_TRIES):
        report(0.7 + 0.3 * number / _TRIES)
        if lost <= MOST_LOST:
            break
        # errors that have nothing to do with each other add up
        count = _enough(places, MOST_LOST / without * total * _CAREFUL**number, count)
        for place in places[:count]:
            place.products.two[place.places] = True
        lost = _divergence(wanted, _scores(weights, texts))
    if not lost <= MOST_LOST:
        count = len(places)
        _set_all(weights, two=True)
    _log.info("%d of %d products have second digits; %.5f nats lost", count, len(places), lost)
    return count


def _set_all(weights: IntegerWeights, *, two: bool) -> None:
    for products in (*(getattr(weights.layers, kind) for kind in _KINDS), weights.head):
        products.two[:] = two


def _scores(weights: IntegerWeights, texts: Sequence[Sequence[int]]) -> Tensor:
    """Return logarithms of probabilities at the judged positions of all texts, (positions, vocab)."""
    found: list[Tensor] = []
    for text in texts:
        read = len(text) - JUDGED
        runner = IntegerRunner(weights, JUDGED, len(text))
        runner.prefill(text[:read])
        found.append(runner.decode(text[read:], range(-1, JUDGED - 1)).log_softmax(-1))
    return torch.cat(found)


def _divergence(wanted: Tensor, found: Tensor) -> float:
    """Return the mean Kullback-Leibler divergence, in nats."""
    wide = wanted.double()
    return float((wide.exp() * (wide - found.double())).sum(-1).mean())


def _enough(places: list[_Place], most: float, already: int) -> int:
    """Return how many of the places need second digits so that the errors of the rest are at most this."""
    left = sum(place.error for place in places)
    for count, place in enumerate(places):
        if left <= most and count > already:
            return count
        left -= place.error
    return len(places)


def _places(weights: IntegerWeights, text: Sequence[int], report: Report) -> Iterator[_Place]:
    """Return every product with the error that the residual stream has without its second digit."""
    ids = range(len(text))
    x: Floats = weights.embedding[list(text)] * weights.embedding_scales[list(text), None]
    count = len(weights.layers.windows)
    for layer in range(count):
        report(0.1 + 0.6 * layer / count)
        alone = _one_layer(weights, layer, x)
        exact = _after(alone, ids)
        for kind in _KINDS:
            two = getattr(alone.layers, kind).two
            two[:] = False
            error = _distance(_after(alone, ids), exact)
            two[:] = True
            products = getattr(weights.layers, kind)
            yield _Place(products, _of_layer(products, layer, count), error)
        x = exact
    tops = _tops(x)[:, None]
    yield _Place(weights.head, slice(1), _distance(np.rint(x / tops * LARGEST) * (tops / LARGEST), x))


def _one_layer(weights: IntegerWeights, layer: int, x: Floats) -> IntegerWeights:
    """Return a model of one layer, whose embeddings are rows of residuals; its `two` are the whole one's."""
    scales = _tops(x) / _TABLE_STEPS
    table = np.rint(x / scales[:, None]).astype(np.int16)
    count = len(weights.layers.windows)
    parts: dict[str, Any] = {}
    for name, part in weights.layers._asdict().items():
        if isinstance(part, Products):
            parts[name] = Products._make(each[_of_layer(part, layer, count)] for each in part)
        else:
            parts[name] = part[layer : layer + 1]
    return replace(weights, layers=Layers(**parts), embedding=table, embedding_scales=scales)


def _of_layer(products: Products, layer: int, count: int) -> slice:
    """Return where the products of one of so many layers are; a layer may have several experts."""
    each = len(products.two) // count
    return slice(layer * each, (layer + 1) * each)


def _tops(x: Floats) -> Floats:
    """Return the largest size in each row."""
    tops: Floats = np.maximum(np.abs(x).max(axis=1), np.float32(1e-30))
    return tops


def _after(alone: IntegerWeights, ids: range) -> Floats:
    """Return the residuals behind the layer."""
    runner = IntegerRunner(alone, 1, len(ids))
    runner.prefill(ids)
    return runner.residuals


def _distance(x: Floats, exact: Floats) -> float:
    """Return the energy of the error in that of the residuals, of a typical token."""
    error, whole = (_energies(each.astype(np.float64)) for each in (x - exact, exact))
    return float(np.median(error / np.maximum(whole, 1e-60)))


def _energies(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return sums of squares of rows; a running sum has one order, where numpy's sum has several."""
    sums: npt.NDArray[np.float64] = np.cumsum(np.square(x), axis=1)[:, -1]
    return sums
