"""The feature drafter that the first preparation of a model begins with, made of its own weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.drafting.feature_drafter import FeatureShape, FeatureWeights
from quire_engine.models.model_folder import ModelFolder
from quire_engine.models.target_model import NetworkEnds
from quire_engine.training.draft_samples import DraftSample
from quire_engine.training.drafter_evaluation import expected_tokens
from quire_engine.training.feature_trainer import measure_draft
from quire_engine.training.prepare_model import shape_of
from quire_engine.training.trainable_drafters import FeatureLearner, layer_start, narrowed

_SIZES = (1.0, 4.0, 16.0, 64.0)  # of what the last layer reads, of which the samples show the best
_TRIED = 2  # samples
_INNER = 4 / 3  # times the width, at most: half of what models have, for the cheaper guess pays more
_ROWS = 64  # of the head at a time
_READABLE = (torch.float32, torch.bfloat16, torch.float16)


class FirstDrafter:
    """Makes it when there is something to measure it with.

    Args:
        folder: the model's.
        network: its embeddings and head.
        on_rows: called before every block of rows of the head; an exception from it ends the work.
    """

    def __init__(
        self,
        folder: ModelFolder,
        network: NetworkEnds,
        window: int,
        on_rows: Callable[[], None],
    ) -> None:
        self._config, self._files = folder.config, folder.weights
        self._network, self._on_rows = network, on_rows
        whole = shape_of(folder.config, window)
        inner = min(whole.intermediate, math.ceil(whole.width * _INNER / 64) * 64)
        self.shape: FeatureShape = replace(whole, intermediate=inner)

    def make(
        self,
        samples: Sequence[DraftSample],
        sampling: SamplingConfig,
        embed: Callable[[Tensor], Tensor],
        vocabulary: Tensor,
    ) -> FeatureWeights:
        """Return a drafter of the given ids that begins as the model's last layer, or as nothing if that
        cannot be read."""
        head = self.head(vocabulary)
        layer = self._last_layer()
        learners = [self._learner(layer, size) for size in (_SIZES if layer else (1.0,))]
        tried = samples[:_TRIED]

        def worth(learner: FeatureLearner) -> float:
            return expected_tokens(measure_draft(learner, vocabulary, head, embed, tried, sampling))

        best = learners[0] if len(learners) == 1 else max(learners, key=worth)
        return FeatureWeights(self.shape, best.tensors(), vocabulary, head.to(torch.bfloat16))

    def _learner(self, layer: Mapping[str, Tensor], size: float) -> FeatureLearner:
        learner = FeatureLearner(self.shape)
        with torch.no_grad():
            learner.parts["mix"].fill_(1.0)
        if layer:
            whole = layer_start(layer, str(self._config.model_type), size)
            learner.start_from(narrowed(whole, self.shape.intermediate))
        return learner

    def head(self, vocabulary: Tensor) -> Tensor:
        """Return rows of the LM head as the network applies them, (ids, width): what it makes of unit
        vectors."""
        width = self.shape.width
        parts = []
        with torch.inference_mode():
            for start in range(0, width, _ROWS):
                self._on_rows()
                units = torch.eye(width)[start : start + _ROWS]
                parts.append(self._network.logits(units.to(self._network.device))[:, vocabulary].float())
        return torch.cat(parts).t().contiguous().clone().cpu()

    def _last_layer(self) -> Mapping[str, Tensor]:
        """Return the weights of the last layer and of the final norm, by the library's names; empty where
        the files have none that can be read as numbers."""
        wanted = f"layers.{int(self._config.num_hidden_layers) - 1}."
        found: dict[str, Tensor] = {}
        for file in self._files:
            try:
                with safe_open(file, framework="pt") as stored:
                    for name in stored.keys():  # noqa: SIM118
                        short = name.removeprefix("model.")
                        if short.startswith(wanted) or short == "norm.weight":
                            found[short] = stored.get_tensor(name)
            except (OSError, SafetensorError):
                return {}
        return found if all(tensor.dtype in _READABLE for tensor in found.values()) else {}
