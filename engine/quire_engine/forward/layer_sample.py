"""A small model made of a large one: a layer of each kind, and the rows of a few ids.

It computes what these layers compute, so that the library's own can judge them in the memory that they take.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quire_engine.catalog.model_families import FAMILIES
from quire_engine.catalog.weights.file_tensor import ALL, Bytes, FileTensor, Floats, Order, Rows
from quire_engine.integer import family_traits as traits
from quire_engine.models.model_folder import ModelFolder

_ENDS = ("lm_head.weight", "lm_head.bias", "embed_out.weight")
_BY_LAYER = ("layer_types", "no_rope_layers")
"""Lists in a configuration that have an entry for each layer."""


@dataclass(frozen=True, slots=True)
class FewRows(FileTensor):
    """Some rows of a tensor."""

    stored: FileTensor
    places: Order

    def floats(self, rows: Rows = ALL) -> Floats:
        return self.stored.floats(self.places[rows])

    def blocks(self, rows: Rows = ALL) -> tuple[Bytes, int] | None:
        return self.stored.blocks(self.places[rows])


def sample_of(folder: ModelFolder, ids: Sequence[int]) -> ModelFolder:
    """Return a model of a layer of each kind and the last one, whose ids are the places of these."""
    config: Any = copy.deepcopy(folder.config)
    chosen = _layers(config)
    front = FAMILIES[config.model_type].layers
    renamed = {f"{front}{old}.": f"{front}{new}." for new, old in enumerate(chosen)}
    ends = (FAMILIES[config.model_type].embedding, *_ENDS)
    found: dict[str, FileTensor] = {}
    for name, tensor in folder.tensors.items():
        if not isinstance(tensor, FileTensor):
            continue
        if name in ends:
            shape = (len(ids), *tensor.shape[1:])
            found[name] = FewRows(tensor.dtype, shape, 0, tensor, np.array(ids, np.int64))
        elif not name.startswith(front):
            found[name] = tensor
        elif new := renamed.get(front + name.removeprefix(front).split(".", 1)[0] + "."):
            found[new + name.removeprefix(front).split(".", 1)[1]] = tensor
    for key in _BY_LAYER:
        if listed := getattr(config, key, None):
            setattr(config, key, [listed[number] for number in chosen])
    config.num_hidden_layers, config.vocab_size = len(chosen), len(ids)
    return replace(folder, config=config, tensors=found)


def _layers(config: Any) -> list[int]:
    count = int(config.num_hidden_layers)
    kinds = {
        (traits.window(config, number), traits.turn(config, number)): number for number in range(count)[::-1]
    }
    return sorted({*kinds.values(), count - 1})
