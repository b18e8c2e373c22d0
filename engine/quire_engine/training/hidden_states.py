"""What drafters learn from: the frozen target's hidden states over texts, its own writing among them.

A drafter predicts what the model will write next, so the best text to learn from is the model's own, drawn
with the settings that it will be drafted with (self-distillation); human text keeps it general.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.sampling import draw
from quire_engine.models.network import LibraryNetwork

Tokens = npt.NDArray[np.int64]

OWN_LENGTH = 512
"""Tokens of one piece of the model's own text, its human opening included."""
_OPENING = 64
_ROWS_OF_A_SEED = 1 << 20  # far more pieces than anyone lets a model write


class FrozenTarget:
    """The target model, as the library runs it; nothing of it is trained."""

    def __init__(self, model: PreTrainedModel) -> None:
        self.model = model
        # embeddings and scores as the engine takes them, scales and caps included
        self._network = LibraryNetwork(model)
        try:
            model.set_attn_implementation("sdpa")
        except ValueError:  # Gemma 2, whose scores are capped
            model.set_attn_implementation("eager")

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return self.model.device

    @property
    def width(self) -> int:
        """Length of a hidden state."""
        return int(self.model.config.hidden_size)

    @property
    def head(self) -> Tensor:
        """Weight of the LM head, (vocab, width), with the scale of the scores in it."""
        parts: Any = self.model  # the library types its modules as "tensor or module"
        weight: Tensor = parts.get_output_embeddings().weight
        config: Any = self.model.config
        scale = float(getattr(config, "logit_scale", None) or 1.0)
        return weight.detach() * (scale / float(getattr(config, "logits_scaling", None) or 1.0))

    @property
    def vocab_size(self) -> int:
        """Rows of the LM head."""
        return int(self.model.config.vocab_size)

    def embed(self, ids: Tensor) -> Tensor:
        """Return the embeddings of ids as the first layer sees them, (..., width)."""
        with torch.no_grad():
            return self._network.embed(ids)

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the logits of the next token, float32 (rows, vocab)."""
        with torch.no_grad():
            return self._network.logits(hidden)

    def hidden(self, ids: Tensor) -> Tensor:
        """Return the last hidden states, normed. ids: (batch, length) -> (batch, length, width)."""
        with torch.no_grad():
            states: Tensor = self.model.base_model(input_ids=ids, use_cache=False).last_hidden_state
        return states

    def layer_inputs(self, ids: Tensor) -> Tensor:
        """Return what the last layer reads: (batch, length, width)."""
        with torch.no_grad():
            out = self.model.base_model(input_ids=ids, use_cache=False, output_hidden_states=True)
        inputs: Tensor = out.hidden_states[-2]
        return inputs


class Pieces:
    """Deals out pieces of packed text in a shuffled order that depends on the seed alone.

    texts: arrays of token ids with the share of every batch that comes from each; the shares add up to 1.
    """

    def __init__(self, texts: Sequence[tuple[Tokens, float]], length: int, seed: int) -> None:
        self._texts = [(tokens, share) for tokens, share in texts if share > 0]
        self._length = length
        self._seed = seed
        longest = max((len(tokens) for tokens, _ in self._texts), default=0)
        if not self._texts or min(len(tokens) for tokens, _ in self._texts) < length:
            raise EnvironmentProblem(
                "The text has {num_tokens:,} tokens; drafters need at least {least:,} to learn from.",
                num_tokens=longest,
                least=length,
            )

    def batch(self, number: int, size: int) -> Tensor:
        """Return batch `number`, int64 (size, length); the same for the same seed, whenever it is asked."""
        random = np.random.default_rng((self._seed, number))
        rows = []
        for _ in range(size):
            which = random.choice(len(self._texts), p=self._shares())
            tokens = self._texts[which][0]
            start = int(random.integers(0, len(tokens) - self._length + 1))
            rows.append(tokens[start : start + self._length])
        return torch.from_numpy(np.stack(rows).astype(np.int64))

    def _shares(self) -> list[float]:
        total = sum(share for _, share in self._texts)
        return [share / total for _, share in self._texts]


def own_text(
    target: FrozenTarget,
    prompts: Tensor,
    new_tokens: int,
    sampling: SamplingConfig,
    suppressed: Sequence[int],
) -> Tokens:
    """Let the model continue from prompts, many at once. prompts: (batch, length).

    Returns (batch, length + new_tokens). The sampler is a run's own, with the next seed for each row.
    """
    body: Any = target.model.base_model  # the library types its modules as "tensor or module"
    barred = list(suppressed)
    of_rows = [replace(sampling, seed=sampling.seed + row) for row in range(len(prompts))]
    written, fresh, cache = prompts.cpu().numpy(), prompts, None
    width = sampling.penalty_window
    for _ in range(new_tokens):
        with torch.no_grad():
            out = body(input_ids=fresh, past_key_values=cache, use_cache=True)
            cache = out.past_key_values
            logits = target.logits(out.last_hidden_state[:, -1]).cpu().numpy()
        logits[:, barred] = -np.inf
        index = written.shape[1]
        drawn = [
            draw(row, np.unique(text[max(0, index - width) :]), index, of_row).token_id
            for row, text, of_row in zip(logits, written, of_rows, strict=True)
        ]
        fresh = torch.tensor(drawn, device=target.device)[:, None]
        written = np.concatenate([written, np.array(drawn)[:, None]], axis=1)
    return written


def write_own_text(
    target: FrozenTarget,
    human: Tokens,
    sampling: SamplingConfig,
    suppressed: Sequence[int],
    number: int,
    batch: int,
) -> Tokens:
    """Return batch `number` of the model's own text, batch * OWN_LENGTH tokens one piece after the other.

    Every piece begins with a few tokens from a place in a human text.
    """
    opening = min(_OPENING, len(human))
    starts = np.random.default_rng((sampling.seed, number)).integers(0, len(human) - opening + 1, batch)
    prompts = np.stack([human[start : start + opening] for start in starts]).astype(np.int64)
    on_device = torch.from_numpy(prompts).to(target.device)
    row_sampling = replace(sampling, seed=sampling.seed * _ROWS_OF_A_SEED + number * batch)
    return own_text(target, on_device, OWN_LENGTH - opening, row_sampling, suppressed).reshape(-1)
