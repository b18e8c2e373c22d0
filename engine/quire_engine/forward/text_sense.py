"""Whether weights and tokenizer belong together: a trained model must know which token follows in a text.

The passes are right where both are read from a wrong file, so this looks at what the scores say.
"""

from __future__ import annotations

import statistics
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

from quire_engine.forward.probe_text import JUDGED
from quire_engine.forward.yardstick import Yardstick

_ROWS = 512
_TRAINED = 4.0
"""How much less even than random ones the embeddings of a trained model are; measured: 35 and 67."""
_LEAST_SENSE = 0.8
"""Nats by which the next token must be likelier than the others of its text. Measured on sound models: 4.7
and 8; with a foreign tokenizer or transposed weights at most 0.5."""


def makes_no_sense(model: PreTrainedModel, yardstick: Yardstick) -> bool:
    """Say whether a model was trained, but scores text as if it had not been.

    Random weights make no sense of text either, and nothing about them is wrong.
    """
    return _is_trained(model) and sense_of_text(yardstick) < _LEAST_SENSE


def sense_of_text(yardstick: Yardstick) -> float:
    """Return by how many nats the next token is likelier than the other ones of the same text.

    Of three texts the worst is left out, for a model may not know its language.
    """
    scores = torch.split(yardstick.wanted, JUDGED)
    each = [_sense(score, text) for score, text in zip(scores, yardstick.texts, strict=True)]
    best = sorted(each)[-2:]
    return sum(best) / len(best)


def _sense(scores: Tensor, text: tuple[int, ...]) -> float:
    """Return the smaller one of two means: over all tokens, and over those that the text has not had before.

    A trained model repeats whatever it saw, even ids that mean nothing to it.
    """
    first = len(text) - JUDGED
    logs = scores.log_softmax(-1)
    everything = logs[:, list(text[first:])].mean(-1)
    following: list[float] = []
    new: list[float] = []
    for place in range(JUDGED - 1):
        here = first + place + 1
        following.append(float(logs[place, text[here]] - everything[place]))
        others = [token for token in set(text[here + 1 :]) if token not in text[: here + 1]]
        if others and text[here] not in text[:here]:
            new.append(float(logs[place, text[here]] - logs[place, others].mean()))
    return min(statistics.fmean(following), statistics.fmean(new)) if new else statistics.fmean(following)


def _is_trained(model: PreTrainedModel) -> bool:
    """Say whether the embeddings have directions of their own, as random ones have not."""
    parts: Any = model  # the library types its modules as "tensor or module"
    weight: Tensor = parts.get_input_embeddings().weight.detach()
    rows = weight[:: max(1, weight.shape[0] // _ROWS)][:_ROWS].float()
    count, width = rows.shape
    products = rows @ rows.T
    total = float(products.diagonal().sum())
    if total <= 0:
        return False
    unevenness = count * float(products.square().sum()) / total**2  # of random rows: 1 + count / width
    return unevenness > _TRAINED * (1 + count / width) and bool(torch.isfinite(products).all())
