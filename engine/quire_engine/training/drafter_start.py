"""What a preparation begins with: an earlier feature drafter, or one made of the model's own weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureWeights
from quire_engine.models.target_model import NetworkEnds
from quire_engine.training.drafter_trainer import usual_ids
from quire_engine.training.feature_trainer import FeatureTrainer
from quire_engine.training.first_drafter import FirstDrafter
from quire_engine.training.hidden_states import Tokens
from quire_engine.training.prepare_model import ids_to_guess
from quire_engine.training.text_reader import Taught, TextReader
from quire_engine.training.timed_plan import TimedPlan
from quire_engine.training.trainable_drafters import FeatureLearner

_TRIED = 256  # tokens on which starts are compared


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
            first = reader.read(text[:0], text[:_TRIED], self._go_on)
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
