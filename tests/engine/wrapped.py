"""A network that hands everything on, for tests that watch or change a part of it."""

from __future__ import annotations

import torch
from torch import Tensor

from quire_engine.models.network import Network


class Wrapped:
    """Another network's own answers."""

    def __init__(self, network: Network) -> None:
        self._network = network

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return self._network.device

    @property
    def num_layers(self) -> int:
        """Decoder layers."""
        return self._network.num_layers

    def embed(self, ids: Tensor) -> Tensor:
        """Return the embeddings of these ids."""
        return self._network.embed(ids)

    def hidden(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Run the layers."""
        return self._network.hidden(ids, positions)

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the scores."""
        return self._network.logits(hidden)
