"""Whether weights and tokenizer belong together: a trained model must know which token follows in a text.

The passes are right where both are read from a wrong file, so this looks at what the scores say.
"""

from __future__ import annotations

import statistics
from enum import StrEnum
from typing import Any

import torch
from torch import Tensor
from transformers.modeling_utils import PreTrainedModel

from quire_engine.forward.probe_text import JUDGED
from quire_engine.forward.yardstick import Yardstick

_ROWS = 512
_TRAINED = 4.0
"""How much less even than random ones the embeddings of a trained model are; measured: 35 and 67."""
_LEAST_SENSE = 0.8
"""Nats by which the next token must be likelier than the others of its text. Measured on sound models: 4.7
and 8; with a foreign tokenizer or transposed weights at most 0.5."""
_CLEAR_SENSE = 2.5
"""The same where a single text is enough. Measured on the first: 5.1 and 7.9."""


class TextSense(StrEnum):
    """What the scores of a text say about weights and tokenizer."""

    SENSE = "sense"
    NONSENSE = "nonsense"
    UNCLEAR = "unclear"
    """One text says too little: the model may not know its language."""


def sense_in(rows: Tensor, yardstick: Yardstick) -> TextSense:
    """Return whether a model makes sense of text; never UNCLEAR where all texts were scored.

    Random weights make no sense of text either, and nothing about them is wrong. rows: some embeddings.
    """
    if not _is_trained(rows):
        return TextSense.SENSE
    sense = sense_of_text(yardstick)
    if yardstick.is_whole:
        return TextSense.NONSENSE if sense < _LEAST_SENSE else TextSense.SENSE
    return TextSense.SENSE if sense >= _CLEAR_SENSE else TextSense.UNCLEAR


def sense_of_text(yardstick: Yardstick) -> float:
    """Return by how many nats the next token is likelier than the other ones of the same text.

    Of several texts the worst is left out, for a model may not know its language.
    """
    scores = torch.split(yardstick.wanted, JUDGED)
    each = [_sense(score, text) for score, text in zip(scores, yardstick.texts, strict=True)]
    best = sorted(each)[len(each) > 1 :]
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


def some_rows(model: PreTrainedModel) -> Tensor:
    """Return some embeddings of the library's model."""
    parts: Any = model  # the library types its modules as "tensor or module"
    weight: Tensor = parts.get_input_embeddings().weight.detach()
    return weight[list(row_places(weight.shape[0]))].float()


def row_places(count: int) -> range:
    """Return the embeddings that show whether a model is trained."""
    step = max(1, count // _ROWS)
    return range(0, count, step)[:_ROWS]


def _is_trained(rows: Tensor) -> bool:
    """Say whether embeddings have directions of their own, as random ones have not."""
    count, width = rows.shape
    products = rows @ rows.T
    total = float(products.diagonal().sum())
    if total <= 0:
        return False
    unevenness = count * float(products.square().sum()) / total**2  # of random rows: 1 + count / width
    return unevenness > _TRAINED * (1 + count / width) and bool(torch.isfinite(products).all())
