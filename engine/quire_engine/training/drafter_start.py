"""The feature drafter that a preparation begins with: an earlier one, or one of the model's own weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureShape, FeatureWeights
from quire_engine.models.model_folder import ModelFolder
from quire_engine.models.target_model import NetworkEnds
from quire_engine.training.draft_samples import DraftSample, Taught, TextReader
from quire_engine.training.drafter_evaluation import expected_tokens
from quire_engine.training.drafter_trainer import usual_ids
from quire_engine.training.feature_trainer import FeatureTrainer, measure_draft
from quire_engine.training.hidden_states import Tokens
from quire_engine.training.prepare_model import ids_to_guess, shape_of
from quire_engine.training.timed_plan import TimedPlan
from quire_engine.training.trainable_drafters import FeatureLearner, layer_start, narrowed

_SIZES = (1.0, 4.0, 16.0, 64.0)  # of what the last layer reads, of which the samples show the best
_TRIED_SAMPLES = 2
_TRIED_TOKENS = 256  # on which starts are compared
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
        tried = samples[:_TRIED_SAMPLES]

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


class DrafterStart:
    """Makes the trainer that a preparation begins with, and completes earlier drafters so that they can be
    measured and gone on with.

    Args:
        model: whose drafter is taught.
        plan: size of the drafter, and how drafts are asked for.
        on_work: told of the tokens read so far, after every pass and block of rows; an exception from it
            stops the work.
    """

    def __init__(self, model: Taught, plan: TimedPlan, on_work: Callable[[int], None]) -> None:
        self._model, self._plan, self._on_work = model, plan, on_work
        self._network = model.runner.network
        self._num_read = 0
        self._maker = FirstDrafter(model.folder, self._network, plan.window, lambda: on_work(self._num_read))
        self._whole: tuple[Tensor, Tensor] | None = None

    def trainer(
        self, text: Tokens, previous: TrainedDrafters | None, *, is_resumed: bool = False
    ) -> FeatureTrainer:
        """Return a trainer that goes on from earlier drafters, or else from the target's last layer.

        is_resumed: its weights are about to be replaced, so that the best start need not be found.
        """
        found = None if previous is None else previous.feature
        feature = self._made(text, is_resumed) if found is None else self.completed(found)
        learner = FeatureLearner(feature.shape)
        learner.start_from({name: tensor.float() for name, tensor in feature.tensors.items()})
        assert feature.vocabulary is not None, "completed, or made with one"
        assert feature.head is not None
        device = self._network.device
        return FeatureTrainer(
            learner.to(device),
            feature.vocabulary,
            feature.head.to(device),
            self.embed,
            self._plan.sampling,
            seed=self._plan.seed,
        )

    def completed(self, feature: FeatureWeights) -> FeatureWeights:
        """Return a drafter with the ids that it proposes and their rows of the LM head: one without a
        vocabulary subset proposes all that are ever drawn."""
        if feature.vocabulary is not None and feature.head is not None:
            return feature
        if self._whole is None:
            every = torch.ones(int(self._model.folder.config.vocab_size), dtype=torch.bool)
            every[list(self._model.suppressed)] = False
            ids = every.nonzero().view(-1)
            self._whole = ids, self._maker.head(ids)
        return replace(feature, vocabulary=self._whole[0], head=self._whole[1])

    def _made(self, text: Tokens, is_resumed: bool) -> FeatureWeights:
        model, plan = self._model, self._plan
        vocab_size = int(model.folder.config.vocab_size)
        count = ids_to_guess(plan.vocabulary, vocab_size) or vocab_size
        vocabulary = usual_ids(text, count, vocab_size, model.suppressed)
        first = None
        if not is_resumed:
            reader = TextReader(model.runner, plan.sampling, model.suppressed)
            first = reader.read(text[:0], text[:_TRIED_TOKENS], self._go_on)
        tried = [] if first is None else [first]
        return self._maker.make(tried, plan.sampling, lambda ids: self.embed(ids).cpu(), vocabulary)

    def _go_on(self, tokens: int) -> bool:
        self._num_read = tokens
        self._on_work(tokens)
        return True

    def embed(self, ids: Tensor) -> Tensor:
        """Return the target's embeddings of ids."""
        return embedded(self._network, ids)


def embedded(network: NetworkEnds, ids: Tensor) -> Tensor:
    """Return the target's embeddings of ids of any shape, (*ids, width), such as can be learnt from."""
    with torch.inference_mode():
        flat = network.embed(ids.reshape(-1).to(network.device))
    return flat.clone().view(*ids.shape, -1)
